"""Situations that a declaration did not name."""

from __future__ import annotations

from typing import Any

import pytest

from ledger.declarations import Declaration
from ledger.facts import GM
from rulebooks.common.announcements import Go, announcement
from rulebooks.semiautomagic.declarations.combat import Area, Attack, Dodge
from rulebooks.semiautomagic.declarations.scene import Conceal, SetCover, SetFlanked
from rulebooks.semiautomagic.declarations.turns import MountUp, Move, Surprise
from tests.rulebooks.semiautomagic.seat import BOOK, Seat

LINE = Attack(by="Rook", target="Thorn", weapon="arming sword", defence="none")


def situations(line: Declaration, *before: Declaration, **given: Any) -> list[tuple[str, bool]]:
    seat = Seat(**given)
    for said in before:
        seat.say(said)
    return [(situation.name, situation.known) for situation in BOOK.guide.unclaimed(line, seat.state)]


def test_plain_attack_has_none() -> None:
    assert situations(LINE) == []


@pytest.mark.parametrize(
    ("before", "name", "known"),
    [
        (SetCover(by=GM, who="Thorn", grade="light", reason="a hedge"), "cover", True),
        (Conceal(by=GM, who="Thorn", reason="fog"), "sight", True),
        (SetFlanked(by=GM, who="Thorn", reason="ogres"), "sneak attack", True),
        (Surprise(by="Rook", target="Thorn"), "sneak attack", True),
        (Move(by="Thorn", squares=5, speed=20), "fast", False),
        (MountUp(by="Rook", mount="Cat"), "mount", True),
    ],
)
def test_attack_has_the_situation(before: Declaration, name: str, known: bool) -> None:
    assert situations(LINE, before, present=("Rook", "Thorn", "Cat")) == [(name, known)]


def test_defence_that_is_not_said_is_possible() -> None:
    assert situations(Attack(by="Rook", target="Thorn")) == [("defence", False)]


def test_dodge_with_evasion_is_possible() -> None:
    cover = SetCover(by=GM, who="Rook", grade="heavy", reason="a slit")
    assert situations(Area(by=GM, target="Rook", damage=8, reason="fire"), cover) == [("evasion", False)]


def test_creature_on_hurt_legs_crawls() -> None:
    hits = [
        Attack(by="Rook", target="Cat", at="leg", limb=limb, target_modifier=-9, toughness=-40, reason="x")
        for limb in (1, 2)
    ]
    seat = Seat(present=("Rook", "Cat"))
    for hit in hits:
        seat.say(hit, 6, 1)
    assert [situation.name for situation in BOOK.guide.unclaimed(Move(by="Cat", squares=1), seat.state)] == ["crawl"]


def test_words_of_a_line_are_those_of_the_speaker() -> None:
    state = Seat(locations=True).state
    assert "bow" in BOOK.guide.vocabulary(Attack, "weapon", state, "Thorn")
    assert "knife" in BOOK.guide.vocabulary(Attack, "item", state, "Rook")
    assert "foot" in BOOK.guide.vocabulary(Attack, "at", state, "Rook")
    assert "heavy" in BOOK.guide.vocabulary(SetCover, "grade", state, GM)


def test_attack_has_a_level_for_each_weapon_that_is_ready() -> None:
    levels = BOOK.guide.levels(Attack(by="Rook", target="Thorn"), Seat().state)
    assert [name for name, _ in levels] == ["arming sword", "throwing axe", "flail", "harpoon"]


def test_numbers_of_a_creature_are_computed() -> None:
    sums = {sum.name: sum.total for sum in BOOK.guide.computed("Hawk", Seat(present=("Hawk",)).state)}
    expected = {"Target (melee)": 5, "Target (ranged)": 5, "toughness": 4, "Minimum Toughness": -2}
    assert sums == expected | {"speed": 0, "flight": 12}


def test_announced_attack_has_the_situations_of_its_line() -> None:
    line = Attack(by="Rook", target="Thorn", weapon="arming sword")
    assert situations(Go(by="Rook"), announcement(line)) == [("defence", False)]
    assert situations(Go(by="Rook"), announcement(line), Dodge(by="Thorn")) == []


@pytest.mark.parametrize(("squares", "names"), [(6, []), (7, ["speed"])])
def test_move_beyond_the_speed_is_said(squares: int, names: list[str]) -> None:
    seat = Seat()
    assert [each.name for each in BOOK.guide.unclaimed(Move(by="Thorn", squares=squares), seat.state)] == names
    assert not list(BOOK.guide.unclaimed(Move(by="Thorn", squares=squares, forced=True), seat.state))


def test_fast_shot_has_no_effect() -> None:
    shot = Attack(by="Thorn", target="Rook", weapon="bow", defence="none", fast=True)
    assert situations(shot) == [("fast", True)]


def test_area_may_name_the_source_of_a_cover() -> None:
    cover = SetCover(by=GM, who="Rook", grade="heavy", reason="a slit", against=("Thorn",))
    assert situations(Area(by=GM, target="Rook", damage=8, reason="fire"), cover) == [("source", False)]


def test_cover_against_one_foe_is_shown_with_the_foe() -> None:
    """TT-COV-5, TT-GAP-43."""
    seat = Seat(present=("Rook", "Thorn", "Horse"))
    seat.say(SetCover(by=GM, who="Rook", grade="heavy", reason="a slit", against=("Thorn", "Horse")))
    assert list(BOOK.guide.remarks("Rook", seat.state)) == ["heavy cover against Thorn and Horse alone"]
    seat.say(SetCover(by=GM, who="Rook", grade="heavy", reason="a wall"))
    assert not list(BOOK.guide.remarks("Rook", seat.state))


def test_move_beyond_the_speed_stands_beside_the_turn() -> None:
    seat = Seat(fight=("Thorn", "Rook"))
    seat.say(Move(by="Thorn", squares=6))
    assert not list(BOOK.guide.remarks("Thorn", seat.state))
    seat.say(Move(by="Thorn", squares=1))
    assert list(BOOK.guide.remarks("Thorn", seat.state)) == ["7 squares moved at a speed of 6"]
