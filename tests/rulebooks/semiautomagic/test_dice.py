"""The dice of an attack are keyed by their cause: a defence or a situation changes no other face; refusals use none."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.facts import GM, EntryId, Rolled
from ledger.odds import count_odds
from rulebooks.semiautomagic.declarations.combat import Attack
from rulebooks.semiautomagic.declarations.scene import SetCover
from rulebooks.semiautomagic.declarations.turns import Locate, SetStance
from tests.rulebooks.semiautomagic.seat import BOOK, Seat

WEAPONS = st.sampled_from(["", "arming sword", "throwing axe", "flail", "mail", "lance"])
LINES = st.builds(
    Attack,
    by=st.sampled_from(["Rook", "Thorn"]),
    target=st.sampled_from(["Rook", "Thorn"]),
    weapon=WEAPONS,
    defence=st.sampled_from(["", "none", "block", "dodge", "parry"]),
    at=st.sampled_from(["", "leg", "foot", "head"]),
    item=st.sampled_from(["", "", "knife", "mail"]),
)


def faces(seat: Seat, **more: Any) -> dict[str, tuple[int, ...]]:
    """Return the faces of each purpose of an attack that is taken back."""
    facts = seat.trial(Attack(**{"by": "Rook", "target": "Thorn", "weapon": "arming sword"} | more))
    return {fact.purpose: tuple(die.face for die in fact.dice) for fact in facts if isinstance(fact, Rolled)}


def test_defence_changes_no_other_face() -> None:
    seat = Seat()
    plain = faces(seat)
    for defence in ("dodge", "parry"):
        defended = faces(seat, defence=defence)
        assert {purpose: shown for purpose, shown in defended.items() if purpose in plain}.items() <= plain.items()


def test_cover_changes_no_face() -> None:
    shown = []
    for grade in ("none", "total"):
        seat = Seat()
        seat.say(SetCover(by=GM, who="Thorn", grade=grade, toughness=1, reason="a curtain", object="curtain"))
        seat.say(Locate(by="Rook", target="Thorn"))
        shown.append(faces(seat, weapon="harpoon"))
    assert shown[0] == shown[1]


@pytest.mark.slow
def test_odds_are_those_of_the_totals() -> None:
    seat = Seat(sheets={"Rook": {"items": {"flail": {"damage": "2d6"}}}})
    line = Attack(by="Rook", target="Thorn", weapon="flail", defence="none")
    odds = count_odds(BOOK, seat.ledger.state, line, EntryId(9, 9))
    chances = {chance.result: Fraction(chance.ways, chance.of) for chance in odds.chances if chance.what == "toughness"}
    assert chances == {"nothing": Fraction(1, 36), "wound": Fraction(25, 36), "dying": Fraction(10, 36)}


@given(LINES, st.booleans())
def test_faces_decide_no_refusal(line: Attack, prone: bool) -> None:
    seat = Seat(locations=True)
    if prone:
        seat.say(SetStance(by="Thorn", stance="prone"))
    seat.check_faces_decide_no_refusal(line)
