"""Covers: several of them, shared ones, those that only count against somebody, and what is left of them."""

from __future__ import annotations

from typing import Any

import pytest

from ledger.facts import GM
from rulebooks.semiautomagic.cover import effective_cover
from rulebooks.semiautomagic.declarations.combat import Area, Attack, Harm
from rulebooks.semiautomagic.declarations.scene import SetCover
from rulebooks.semiautomagic.declarations.turns import Locate, SetStance
from rulebooks.semiautomagic.items import wounds
from rulebooks.testing.seat import cited
from tests.rulebooks.semiautomagic.seat import Seat, judgements

WALL: dict[str, Any] = {"object": "wall", "toughness": 12, "durability": 3}


def cover(who: str, grade: str, **more: Any) -> SetCover:
    return SetCover(by=GM, who=who, grade=grade, reason="a wall", **more)


def grades(seat: Seat, *who: str, against: str = "") -> list[int]:
    covers = [effective_cover(name, seat.state, against) for name in who]
    return [found.effective if found else 0 for found in covers]


def test_broken_cover_is_lower_for_all_behind_it() -> None:
    seat = Seat(present=("Rook", "Thorn", "Wren"))
    seat.say(cover("Thorn", "medium", **WALL))
    seat.say(cover("Wren", "light", object="wall"))
    seat.say(Harm(by=GM, target="wall", damage=12, reason="a ram"))
    assert grades(seat, "Thorn", "Wren") == [1, 0]


def test_lower_grade_still_counts_against_the_same_creatures() -> None:
    seat = Seat(present=("Rook", "Thorn", "Wren"))
    seat.say(cover("Thorn", "heavy", against=("Rook",), **WALL))
    seat.say(Harm(by=GM, target="wall", damage=12, reason="a ram"))
    assert grades(seat, "Thorn", against="Rook") == [2]
    assert grades(seat, "Thorn", against="Wren") == [0]


def test_best_cover_counts() -> None:
    seat = Seat()
    seat.say(cover("Thorn", "light", object="hedge"))
    seat.say(cover("Thorn", "heavy", object="slit"))
    assert grades(seat, "Thorn") == [3]


def test_cover_without_a_name_is_the_only_one() -> None:
    seat = Seat()
    seat.say(cover("Thorn", "heavy", object="slit"))
    seat.say(cover("Thorn", "light"))
    assert grades(seat, "Thorn") == [1]


def test_no_cover_without_a_name_ends_all() -> None:
    seat = Seat()
    seat.say(cover("Thorn", "heavy", object="slit"))
    seat.say(cover("Thorn", "none"))
    assert grades(seat, "Thorn") == [0]


def test_named_cover_ends_alone() -> None:
    seat = Seat()
    seat.say(cover("Thorn", "heavy", object="slit"))
    seat.say(cover("Thorn", "light", object="hedge"))
    seat.say(cover("Thorn", "none", object="slit"))
    assert grades(seat, "Thorn") == [1]


def test_next_cover_without_a_name_is_another_obstacle() -> None:
    seat = Seat()
    seat.say(cover("Thorn", "medium", toughness=12, matters=True))
    seat.say(Harm(by=GM, target="Thorn's cover", damage=6, reason="a stone"))
    seat.say(cover("Thorn", "none"))
    seat.say(cover("Thorn", "light"))
    assert (wounds("Thorn's cover", seat.state), seat.state.sheet_of("Thorn's cover")) == (0, {})


def test_same_cover_keeps_its_numbers() -> None:
    seat = Seat()
    seat.say(cover("Thorn", "medium", toughness=12))
    seat.say(cover("Thorn", "heavy", durability=2))
    assert seat.state.sheet_of("Thorn's cover") == {"toughness": 12, "durability": 2}


def between_walls(**options: str) -> Seat:
    """Return Rook and Thorn behind total covers of their own, who have located each other."""
    seat = Seat(options=options)
    seat.say(cover("Thorn", "total", **WALL))
    seat.say(cover("Rook", "total", object="gate", toughness=8, durability=1))
    seat.say(Locate(by="Rook", target="Thorn"))
    return seat


def test_two_walls_are_passed_one_after_the_other() -> None:
    seat = between_walls()
    record = seat.say(Attack(by="Rook", target="Thorn", weapon="harpoon"), 6, 15)
    results = [(fact.who, fact.total, fact.result) for fact in judgements(record.facts, "cover")]
    assert results == [("gate", 15, "grade lowered"), ("wall", 15, "grade lowered")]
    assert judgements(record.facts, "toughness")[0].target == 12  # the better durability


def test_second_wall_meets_what_the_first_one_leaves() -> None:
    record = between_walls().say(Attack(by="Rook", target="Thorn", weapon="harpoon"), 6, 7)
    results = [(fact.who, fact.total, fact.result) for fact in judgements(record.facts, "cover")]
    assert results == [("gate", 7, "wounded"), ("wall", 4, "nothing")]
    assert not judgements(record.facts, "toughness")


def test_damage_behind_a_cover_is_never_below_nothing() -> None:
    seat = Seat()
    seat.say(cover("Thorn", "total", object="curtain", toughness=8))
    seat.say(Locate(by="Rook", target="Thorn"))
    record = seat.say(Attack(by="Rook", target="Thorn", weapon="harpoon"), 6, 2)
    assert judgements(record.facts, "toughness")[0].total == 0


def test_own_partial_cover_is_not_hit() -> None:
    seat = Seat()
    seat.say(cover("Rook", "heavy", matters=True, **WALL))
    record = seat.say(Attack(by="Rook", target="Thorn", weapon="harpoon"), 1)
    assert judgements(record.facts, "attack")[0].result == "missed"


@pytest.mark.parametrize("toughness", [None, 12])
def test_partial_cover_that_matters_needs_its_toughness(toughness: int | None) -> None:
    seat, line = Seat(), Attack(by="Rook", target="Thorn", weapon="harpoon")
    seat.say(cover("Thorn", "light", matters=True, toughness=toughness))
    if toughness is None:
        assert seat.code(line, 1) == "NO-NUMBERS"
    else:
        seat.say(line, 1)


def test_stance_counts_for_the_wall_out_of_which_one_shoots() -> None:
    seat = Seat()
    seat.say(cover("Rook", "heavy", object="slit", toughness=9))
    line = Attack(by="Rook", target="Thorn", weapon="harpoon")
    assert not judgements(seat.say(line, 6, 1).facts, "cover")
    seat.say(SetStance(by="Rook", stance="crouching"))
    assert seat.code(line) == "NOT-LOCATED"


def test_called_shot_goes_through_the_wall() -> None:
    seat = Seat(locations=True)
    seat.say(cover("Thorn", "total", **WALL))
    seat.say(Locate(by="Rook", target="Thorn"))
    record = seat.say(Attack(by="Rook", target="Thorn", weapon="harpoon", at="leg"), 6, 12)
    attack, hit = judgements(record.facts, "attack")[0], judgements(record.facts, "toughness")[0]
    assert (attack.target, attack.result, hit.target, hit.result) == (
        9,
        "hit cover",
        11,
        "wound, slowed 2, disabled, fall",
    )


@pytest.mark.parametrize(("source", "result"), [("", "caught"), ("Rook", "avoided"), ("Cat", "caught")])
def test_cover_against_one_foe_holds_against_that_source(source: str, result: str) -> None:
    seat = Seat(present=("Rook", "Thorn", "Cat"))
    seat.say(SetCover(by=GM, who="Thorn", grade="heavy", reason="a slit", against=("Rook",)))
    area = Area(by=GM, target="Thorn", damage=2, dc=4, dodge=True, source=source, reason="fire")
    facts = seat.say(area, 6).facts
    assert judgements(facts, "area")[0].result == result
    assert ("TT-GAP-43" in cited(facts)) == (source == "")
