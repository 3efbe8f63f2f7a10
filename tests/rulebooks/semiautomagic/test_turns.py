"""Turns: their seconds, who has one, what ends with them; riders and mounts."""

from __future__ import annotations

from typing import Any

import pytest

from ledger.declarations import Declaration
from ledger.facts import GM
from rulebooks.common.encounters import BringIn, EndFight, EndTurn, LeaveEncounter, PassOn
from rulebooks.semiautomagic.declarations import turns
from rulebooks.semiautomagic.declarations.combat import Harm
from tests.rulebooks.semiautomagic.seat import Seat

ALL = ("Rook", "Thorn", "Bear")


def fight(*order: str, **given: Any) -> Seat:
    return Seat(present=order or ALL, fight=order or ALL, **given)


def turn(seat: Seat) -> tuple[int, str]:
    encounter = seat.state.encounter
    assert encounter is not None
    return encounter.round, encounter.turn


def left(seat: Seat, who: str) -> int:
    return seat.state.actions_left(who, "seconds")


def fell(seat: Seat, who: str) -> None:
    seat.say(Harm(by=GM, target=who, damage=99, reason="a tree"))


def test_turns_follow_the_order_round_by_round() -> None:
    seat, seen = fight(), []
    for _ in range(4):
        seen.append(turn(seat))
        seat.say(EndTurn(by=turn(seat)[1]))
    assert seen == [(1, "Rook"), (1, "Thorn"), (1, "Bear"), (2, "Rook")]
    assert seat.state.seconds == 6


def test_seconds_are_six_again() -> None:
    seat = fight()
    seat.say(turns.SetStance(by="Rook", stance="prone"))
    seat.next_round()
    assert left(seat, "Rook") == 6


def test_move_costs_what_the_line_says() -> None:
    seat = fight()
    seat.say(turns.Move(by="Rook", squares=6, seconds=2))
    assert left(seat, "Rook") == 4
    assert seat.code(turns.Move(by="Rook", squares=6, seconds=5)) == "NO-SECONDS"


def test_dying_creature_has_a_turn_for_its_check() -> None:
    seat = fight()
    fell(seat, "Thorn")
    seat.say(EndTurn(by="Rook"))
    assert (turn(seat), left(seat, "Thorn")) == ((1, "Thorn"), 0)
    assert seat.code(EndTurn(by="Thorn")) == "DYING"
    seat.say(turns.DyingCheck(by="Thorn"), 6)
    seat.say(EndTurn(by="Thorn"))
    assert turn(seat) == (1, "Bear")


@pytest.mark.parametrize(
    "line", [turns.Stabilise(by="Thorn"), turns.Stabilise(by="Thorn", medicine=True, reason="a salve")]
)
def test_stable_creature_has_no_turn(line: turns.Stabilise) -> None:
    seat = fight()
    fell(seat, "Thorn")
    seat.say(EndTurn(by="Rook"))
    seat.say(line, *(() if line.medicine else (10,)))
    assert turn(seat) == (1, "Bear")


def test_dead_creature_loses_its_turn() -> None:
    seat = fight()
    fell(seat, "Rook")
    assert turn(seat) == (1, "Rook")
    fell(seat, "Rook")
    assert turn(seat) == (1, "Thorn")


def test_fight_of_nobody_waits() -> None:
    seat = fight()
    for who in (*ALL, *ALL):
        fell(seat, who)
    assert turn(seat)[1] == ""
    assert seat.code(EndTurn(by="Rook")) == "NOT-TURN"


def test_latecomer_is_last() -> None:
    seat = Seat(present=ALL, fight=("Rook", "Thorn"))
    seat.say(BringIn(by=GM, who="Bear"))
    for who in ("Rook", "Thorn"):
        seat.say(EndTurn(by=who))
    assert turn(seat) == (1, "Bear")


def test_who_leaves_has_no_turn() -> None:
    seat = fight()
    seat.say(LeaveEncounter(by=GM, who="Rook", reason="over the wall"))
    assert turn(seat) == (1, "Thorn")
    assert seat.code(turns.Move(by="Rook", squares=1)) == "NOT-TURN"


def test_who_left_is_not_in_the_next_fight_unless_named() -> None:
    seat = fight()
    seat.say(LeaveEncounter(by=GM, who="Rook", reason="over the wall"))
    seat.say(EndFight(by=GM))
    seat.say(turns.StartEncounter(by=GM))
    assert turn(seat) == (1, "Thorn")
    seat.say(EndFight(by=GM))
    seat.say(turns.StartEncounter(by=GM, order=("Rook", "Thorn")))
    assert not seat.state.conditions_of("Rook")


def test_who_left_may_join_again() -> None:
    seat = fight()
    seat.say(LeaveEncounter(by=GM, who="Rook", reason="over the wall"))
    seat.say(BringIn(by=GM, who="Rook"))
    assert not seat.state.conditions_of("Rook")


@pytest.mark.parametrize(
    ("line", "code"),
    [
        (LeaveEncounter(by=GM, who="Rook"), "REASON"),
        (LeaveEncounter(by=GM, who="Hawk", reason="off"), "UNKNOWN"),
        (turns.StartEncounter(by=GM), "VALUE"),
        (BringIn(by=GM, who="Rook"), "VALUE"),
        (EndTurn(by="Bear"), "NOT-TURN"),
        (turns.Move(by="Thorn", squares=1), "NOT-TURN"),
    ],
)
def test_line_out_of_place_is_refused(line: Declaration, code: str) -> None:
    assert fight().code(line) == code


def test_end_of_the_fight_ends_distance_and_stays_of_turns() -> None:
    seat = fight()
    seat.say(turns.Move(by="Rook", squares=40, speed=9))
    seat.say(EndFight(by=GM))
    assert (seat.state.count("Rook", "squares"), seat.state.conditions_of("Rook")) == (0, ())


def test_outside_a_fight_each_move_is_a_turn_of_its_own() -> None:
    seat = Seat()
    for squares in (40, 10):
        seat.say(turns.Move(by="Rook", squares=squares))
    assert seat.state.count("Rook", "squares") == 10


def test_dying_check_is_made_once_a_round() -> None:
    seat = fight("Rook", "Thorn")
    fell(seat, "Thorn")
    seat.say(turns.DyingCheck(by="Thorn"), 6)
    assert seat.code(turns.DyingCheck(by="Thorn"), 6) == "NOT-DUE"
    seat.next_round()
    seat.say(turns.DyingCheck(by="Thorn"), 6)


def test_turn_without_seconds_ends_by_itself() -> None:
    seat = fight()
    seat.say(turns.Move(by="Rook", squares=6, seconds=6))
    seat.say(turns.Move(by="Thorn", squares=1))
    assert turn(seat) == (1, "Thorn")
    seat.check_replay()


@pytest.mark.parametrize("seconds", [0, 5])
def test_turn_with_seconds_is_waited_for(seconds: int) -> None:
    seat = fight()
    seat.say(turns.Move(by="Rook", squares=6, seconds=seconds))
    assert seat.code(turns.Move(by="Thorn", squares=1)) == "NOT-TURN"


def test_dying_creature_is_waited_for_until_its_check() -> None:
    seat = fight("Rook", "Thorn")
    fell(seat, "Rook")
    assert seat.code(turns.Move(by="Thorn", squares=1)) == "NOT-TURN"
    seat.say(turns.DyingCheck(by="Rook"), 6)
    seat.say(turns.Move(by="Thorn", squares=1))
    assert turn(seat) == (1, "Thorn")


def test_who_waits_for_the_dying_is_told_to_make_the_check() -> None:
    """TT-OUT-6: the end of the turn would be refused."""
    seat = fight("Rook", "Thorn")
    fell(seat, "Rook")
    way = "It is the turn of Rook, who has the check of the dying to make: Rook dying"
    assert seat.refusal(turns.Move(by="Thorn", squares=1)).hint == way
    seat.say(turns.DyingCheck(by="Rook"), 6)
    assert seat.refusal(turns.Move(by="Rook", squares=1)).code == "TT-E-DYING"


def test_all_turns_of_the_round_pass() -> None:
    seat = fight()
    seat.say(EndTurn(by="Rook"))
    seat.say(PassOn(by=GM))
    assert turn(seat) == (2, "Rook")


def test_passing_on_waits_for_the_check_of_the_dying() -> None:
    seat = fight()
    fell(seat, "Thorn")
    assert seat.code(PassOn(by=GM)) == "DYING"


def test_end_of_what_has_ended_is_idle() -> None:
    seat = fight()
    seat.say(EndTurn(by="Rook"))
    assert seat.refusal(EndTurn(by="Rook")).is_idle
    assert not seat.refusal(EndTurn(by="Bear")).is_idle
    assert Seat().refusal(EndTurn(by="Rook")).is_idle
    assert Seat().refusal(PassOn(by=GM)).is_idle


def test_who_is_down_has_no_actions() -> None:
    seat = fight()
    assert seat.book.guide.can_use("Thorn", "seconds", seat.state)
    fell(seat, "Thorn")
    assert not seat.book.guide.can_use("Thorn", "seconds", seat.state)
