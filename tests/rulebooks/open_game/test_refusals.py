"""Refusals of the open game: before the first die, and with what to do."""

from __future__ import annotations

import pytest

from tests.rulebooks.open_game.seat import Seat

WRONG_FACES = [
    ("vera roll 13d6kh3", (1, 2)),
    ("vera roll 2d6", (7, 1)),
    ("vera roll 2d6", (1, 2, 3)),
    ("vera rest", (4,)),
]
REFUSED = [
    ("vera strike", "TARGET", "Vera strike TARGET"),
    ("vera dance", "MOVE", "2d6+1"),
    ("vera roll d0", "ROLL", "4d6kh3"),
    ("vera roll 2d6*2", "ROLL", "2d6+3"),
    ("vera rest vs 10", "ROLL", "Leave out vs"),
    ("vera curse otto advantage", "ROLL", "Leave out vs"),
    ("vera roll 4d6kh3 advantage", "ROLL", "2d6+3"),
    ("vera roll 2d6+grace", "VALUE", "on the sheet"),
    ("otto rest", "VALUE", "on the sheet"),
    ("vera gain down-town-in-a-very-long-name-that-never-ends", "CONDITION", "40 letters"),
    ("otto gain tired", "CONDITION", "shed in place of gain"),
    ("vera shed tired", "CONDITION", "gain in place of shed"),
    ("! join vera", "TURN", "! fight"),
    ('! leave vera "off"', "TURN", "! fight"),
]


@pytest.mark.parametrize(("line", "code", "hint"), REFUSED)
def test_line_is_refused_with_what_to_do(line: str, code: str, hint: str) -> None:
    seat = Seat()
    said = seat.parse(line)
    refused = seat.refusal(said)
    assert refused.code == f"OG-E-{code}"
    assert hint in str(refused)
    seat.check_faces_decide_no_refusal(said)


@pytest.mark.parametrize(
    ("line", "said_so"), [("vera dex vs 10", 'Vera "dex" d20+dex'), ("vera roll", 'Vera "roll" d20')]
)
def test_value_without_dice_of_the_table_asks_for_dice(line: str, said_so: str) -> None:
    """Nobody has cast house rules: the value is there, its dice are not. What is proposed is taken."""
    seat = Seat({"sheet": "house"})
    refused = seat.refusal(seat.parse(line))
    assert refused.code == "OG-E-MOVE"
    assert "has no value" not in str(refused)
    assert f"Say the dice: {said_so}. Or" in str(refused)
    seat.line(said_so)


@pytest.mark.parametrize(("line", "faces"), WRONG_FACES)
def test_faces_that_do_not_fit_are_refused(line: str, faces: tuple[int, ...]) -> None:
    """Also those of dice of which there are too many combinations to group."""
    seat = Seat()
    assert seat.refusal_of_dice(seat.parse(line), *faces).code == "OG-E-DICE"


def test_full_needs_a_maximum() -> None:
    seat = Seat({"sheet": "house", "moves": {"rest": {"luck": "full"}}})
    assert "has no maximum" in str(seat.refusal(seat.parse("vera rest")))


def test_value_too_large_is_not_rolled() -> None:
    seat = Seat()
    seat.line('! ruling "a god" "agreed" vera.dex=5000000')
    assert "too large for a roll" in str(seat.refusal(seat.parse("vera roll d20+dex")))
    assert "too large for a roll" in str(seat.refusal(seat.parse('! fight "the sky"')))


def test_move_is_refused_for_a_result_that_it_may_have() -> None:
    """What the triumph alone would change is looked at before the dice."""
    target = {"on": {"triumph": {"target": {"armour": "-1"}}}}
    house = {"sheet": "house", "margins": {"10+": "triumph", "9-": "plain"}}
    seat = Seat({**house, "moves": {"smash": {"roll": "d20", "vs": 1, **target}}})
    assert seat.code(seat.parse("vera smash ghoul")) == "VALUE"


def test_condition_of_a_move_is_no_value_of_its_target() -> None:
    seat = Seat({"sheet": "house", "moves": {"freeze": {"target": {"hp": "on"}}}})
    assert seat.code(seat.parse("vera freeze ghoul")) == "CONDITION"


@pytest.mark.parametrize("name", ["ac", "hp"])
def test_pool_at_zero_brings_no_condition_of_a_value(name: str) -> None:
    """The name is that of a stat, or of a pool."""
    seat = Seat({"sheet": "house", "zero": {"hp": name}})
    seat.line('! ghoul hp -4 "the fire"')
    assert seat.conditions("Ghoul") == []
    seat.check_closing()


def test_move_fills_only_what_somebody_has() -> None:
    """A rest gives back slots to who has some; a value that nobody has is a mistake in the rules."""
    seat = Seat({"sheet": "house", "moves": {"rest": {"hp": "full", "doom": "full", "doom2": "+0"}}})
    assert "has no number 'doom2'" in str(seat.refusal(seat.parse("vera rest")))
    seat = Seat({"sheet": "house", "moves": {"rest": {"hp": "full", "doom": "full", "luck": "empty"}}})
    assert [fact.now for fact in seat.line("otto rest").facts if hasattr(fact, "now")] == [8]
    seat = Seat({"sheet": "house", "moves": {"rest": {"hp": "full", "dooom": "full"}}})
    assert "has no number 'dooom'" in str(seat.refusal(seat.parse("vera rest")))
