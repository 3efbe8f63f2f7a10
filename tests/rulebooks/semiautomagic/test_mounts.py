"""Mounts and riders: where they are, control and its seconds, and the turn of a mount that nobody controls."""

from __future__ import annotations

from typing import Any

import pytest

from ledger.declarations import Declaration, Ruling, Setting
from ledger.facts import GM
from projections.state import Place
from rulebooks.common.encounters import BringIn, EndTurn, LeaveEncounter
from rulebooks.semiautomagic.declarations.combat import Attack
from rulebooks.semiautomagic.declarations.scene import PutAt
from rulebooks.semiautomagic.declarations.turns import (
    ControlMount,
    Dismount,
    DyingCheck,
    Locate,
    MountUp,
    Move,
    ReleaseMount,
    SetStance,
    Stow,
)
from rulebooks.semiautomagic.squares import is_flanked
from tests.rulebooks.semiautomagic.seat import BOOK, Seat
from tests.rulebooks.semiautomagic.test_turns import fell, left, turn


def ridden(*order: str, **given: Any) -> Seat:
    """Return a fight in which Rook rides the horse, with one hand free."""
    seat = Seat(present=("Rook", "Thorn", "Horse"), fight=order or ("Rook", "Thorn", "Horse"), **given)
    seat.say(MountUp(by="Rook", mount="Horse"))
    return seat


def controlled(*order: str, **given: Any) -> Seat:
    """Return a fight in which Rook, on the horse, has a hand free and control."""
    seat = ridden(*order, **given)
    seat.say(Stow(by="Rook", item="arming sword"))
    seat.say(ControlMount(by="Rook"))
    return seat


def test_mount_leaves_with_its_rider() -> None:
    seat = ridden()
    seat.say(LeaveEncounter(by=GM, who="Rook", reason="off they go"))
    seat.say(EndTurn(by="Thorn"))
    assert turn(seat) == (2, "Thorn")


def test_controlled_mount_has_no_turn_of_its_own() -> None:
    seat = controlled()
    for who in ("Rook", "Thorn"):
        seat.say(EndTurn(by=who))
    assert turn(seat) == (2, "Rook")


def test_uncontrolled_mount_acts_in_its_own_turn() -> None:
    seat = ridden()
    assert seat.code(Move(by="Horse", squares=1)) == "NO-CONTROL"
    for who in ("Rook", "Thorn"):
        seat.say(EndTurn(by=who))
    assert (turn(seat), left(seat, "Horse")) == ((1, "Horse"), 6)
    seat.say(Move(by="Horse", squares=6, seconds=6))
    seat.say(EndTurn(by="Horse"))
    assert turn(seat) == (2, "Rook")
    seat.check_replay()


def test_released_mount_has_what_is_left_of_its_seconds() -> None:
    seat = controlled()
    seat.say(Move(by="Horse", squares=10, seconds=4))
    seat.say(ReleaseMount(by="Rook"))
    for who in ("Rook", "Thorn"):
        seat.say(EndTurn(by=who))
    assert (turn(seat), left(seat, "Horse")) == ((1, "Horse"), 2)
    assert seat.state.count("Horse", "squares") == 10


def test_released_mount_without_seconds_is_skipped() -> None:
    seat = controlled()
    seat.say(Move(by="Horse", squares=10, seconds=6))
    seat.say(ReleaseMount(by="Rook"))
    for who in ("Rook", "Thorn"):
        seat.say(EndTurn(by=who))
    assert turn(seat) == (2, "Rook")


@pytest.mark.parametrize(("moved", "seconds"), [(0, 6), (4, 2)])
def test_mount_that_joins_has_what_is_left(moved: int, seconds: int) -> None:
    seat = controlled("Rook", "Thorn")
    seat.say(Move(by="Horse", squares=1, seconds=moved))
    seat.say(ReleaseMount(by="Rook"))
    seat.say(EndTurn(by="Rook"))
    seat.say(BringIn(by=GM, who="Horse"))
    seat.say(EndTurn(by="Thorn"))
    assert (turn(seat), left(seat, "Horse")) == ((1, "Horse"), seconds)
    seat.check_replay()


def test_mount_outside_the_fight_has_new_seconds() -> None:
    seat = ridden("Rook", "Thorn")
    for who in ("Rook", "Thorn"):
        seat.say(EndTurn(by=who))
    assert (turn(seat), left(seat, "Horse")) == ((2, "Rook"), 6)


def test_controlled_mount_outside_the_fight_waits_for_nothing() -> None:
    seat = controlled("Rook", "Thorn")
    for who in ("Rook", "Thorn"):
        seat.say(EndTurn(by=who))
    assert turn(seat) == (2, "Rook")


def test_mount_before_its_rider_keeps_its_seconds() -> None:
    up = {"say": "mount-up", "by": "Rook", "mount": "Horse"}
    seat = Seat(present=("Rook", "Thorn", "Horse"), said=(up,), fight=("Horse", "Rook", "Thorn"))
    seat.say(Move(by="Horse", squares=4, seconds=1))
    assert seat.code(Move(by="Thorn", squares=1)) == "NOT-TURN"
    seat.say(Stow(by="Rook", item="arming sword"))  # what the mount leaves is not lost, so this implies its pass
    assert (turn(seat), left(seat, "Horse")) == ((1, "Rook"), 5)
    seat.say(ControlMount(by="Rook"))
    seat.say(Move(by="Horse", squares=4, seconds=5))
    assert (left(seat, "Horse"), seat.state.count("Horse", "squares")) == (0, 8)


def test_mount_has_one_turn_a_round() -> None:
    seat = ridden()
    for who in ("Rook", "Thorn", "Horse", "Rook", "Thorn"):
        seat.say(EndTurn(by=who))
    assert turn(seat) == (2, "Horse")
    assert left(seat, "Horse") == 6


def test_dismounted_mount_has_what_is_left_of_its_seconds() -> None:
    seat = controlled()
    seat.say(Move(by="Horse", squares=10, seconds=4))
    seat.say(Dismount(by="Rook"))
    for who in ("Rook", "Thorn"):
        seat.say(EndTurn(by=who))
    assert (turn(seat), left(seat, "Horse")) == ((1, "Horse"), 2)


def test_mount_has_its_turn_when_the_rider_is_down() -> None:
    seat = controlled()
    fell(seat, "Rook")
    seat.say(DyingCheck(by="Rook"), 6)
    for who in ("Rook", "Thorn"):
        seat.say(EndTurn(by=who))
    assert (turn(seat), left(seat, "Horse")) == ((1, "Horse"), 6)
    seat.say(Move(by="Horse", squares=1))


@pytest.mark.parametrize("seconds", [0, 6])
def test_dying_mount_has_its_turn_for_the_check(seconds: int) -> None:
    """TT-OUT-6: once each round, whoever controlled it and whatever it has done before."""
    seat = controlled()
    seat.say(Move(by="Horse", squares=2, seconds=seconds))
    fell(seat, "Horse")
    assert BOOK.guide.next_up(seat.state) == ["Rook"]
    for who in ("Rook", "Thorn"):
        seat.say(EndTurn(by=who))
    assert turn(seat) == (1, "Horse")
    assert seat.code(EndTurn(by="Horse")) == "DYING"
    seat.say(DyingCheck(by="Horse"), 6)
    seat.say(EndTurn(by="Horse"))
    assert turn(seat) == (2, "Rook")
    seat.check_replay()


def test_control_is_paid_for_once_a_round() -> None:
    seat = controlled()
    seat.say(ReleaseMount(by="Rook"))
    seat.say(ControlMount(by="Rook"))
    assert left(seat, "Rook") == 4
    seat.next_round()
    seat.say(ControlMount(by="Rook"))
    assert left(seat, "Rook") == 4


def test_giving_up_control_of_nothing_is_idle() -> None:
    refused = ridden().refusal(ReleaseMount(by="Rook"))
    assert (refused.code, refused.is_idle) == ("TT-E-NO-CONTROL", True)
    assert "Take control" not in refused.hint


def test_control_ends_with_the_next_turn() -> None:
    seat = ridden()
    seat.say(Stow(by="Rook", item="arming sword"))
    seat.say(ControlMount(by="Rook"))
    seat.next_round()
    assert seat.code(Move(by="Horse", squares=1)) == "NO-CONTROL"


def test_control_costs_seconds_once() -> None:
    seat = ridden()
    seat.say(Stow(by="Rook", item="arming sword"))
    for stationary in (True, False):
        seat.say(ControlMount(by="Rook", stationary=stationary))
    assert left(seat, "Rook") == 4


def test_mount_that_was_to_stay_needs_a_hand_to_move() -> None:
    seat = ridden(sheets={"Rook": {"items": {"shield": {"carry": "held"}, "throwing axe": {"carry": "carried"}}}})
    seat.say(ControlMount(by="Rook", stationary=True))
    assert seat.code(Move(by="Horse", squares=1)) == "HANDS"
    seat.say(Stow(by="Rook", item="shield"))
    seat.say(Move(by="Horse", squares=1))
    assert seat.state.conditions["controlling Rook"].about == "moving"


def test_mount_that_has_done_nothing_is_waited_for() -> None:
    seat = ridden(sheets={"Rook": {"items": {"arming sword": {"seconds": 4}, "throwing axe": {"carry": "carried"}}}})
    seat.say(ControlMount(by="Rook"))
    seat.say(Attack(by="Rook", target="Thorn", weapon="arming sword"), 1, 1)
    assert seat.code(Move(by="Thorn", squares=1)) == "NOT-TURN"
    seat.say(Move(by="Horse", squares=10))
    seat.say(Move(by="Thorn", squares=1))
    assert turn(seat) == (1, "Thorn")


def test_mount_under_control_may_act_now() -> None:
    seat = ridden()
    assert list(seat.book.guide.next_up(seat.state)) == ["Rook"]
    seat.say(ControlMount(by="Rook", stationary=True))
    assert list(seat.book.guide.next_up(seat.state)) == ["Rook", "Horse"]


def test_released_mount_does_not_act() -> None:
    seat = ridden()
    seat.say(ControlMount(by="Rook", stationary=True))
    seat.say(ReleaseMount(by="Rook"))
    assert seat.code(Move(by="Horse", squares=1)) == "NO-CONTROL"
    seat.say(Move(by="Horse", squares=1, forced=True))


def test_rider_on_foot_gives_up_control() -> None:
    seat = ridden()
    seat.say(ControlMount(by="Rook", stationary=True))
    seat.say(Dismount(by="Rook"))
    assert not seat.state.conditions_of("Rook")
    assert seat.code(ControlMount(by="Rook")) == "NOT-MOUNTED"


@pytest.mark.parametrize(
    "line",
    [MountUp(by="Rook", mount="Horse"), MountUp(by="Rook", mount="Rook"), MountUp(by="Rook", mount="Thorn")],
)
def test_mount_is_refused_to_who_rides(line: MountUp) -> None:
    assert ridden().code(line) == "VALUE"


def test_rider_and_mount_are_located_together() -> None:
    seat = ridden(at={"Horse": (3, 3)})
    seat.say(Stow(by="Rook", item="arming sword"))
    seat.say(ControlMount(by="Rook"))
    seat.say(Move(by="Horse", squares=30, to=(9, 9), speed=10))
    assert (seat.state.count("Rook", "squares"), seat.state.count("Horse", "squares")) == (60, 30)
    assert seat.code(Attack(by="Rook", target="Thorn", weapon="arming sword")) == "HAND"


# Where they are


def table_of(**given: Any) -> Seat:
    return Seat(present=("Rook", "Thorn", "Kite", "Horse"), **given)


def rider(at: dict[str, tuple[int, int]]) -> Seat:
    table = table_of(at={"Thorn": (4, 5), "Kite": (6, 5), **at})
    table.say(MountUp(by="Rook", mount="Horse"))
    return table


def test_mount_that_nobody_has_put_is_where_its_rider_is() -> None:
    table = table_of(at={"Thorn": (4, 5), "Rook": (5, 5)})
    table.say(PutAt(by=GM, who="Rook", place="yard", square=(5, 5)))
    table.say(MountUp(by="Rook", mount="Horse"))
    assert table.state.places["Horse"] == table.state.places["Rook"] == Place(place="yard", square=(5, 5))


def test_rider_stays_flanked_on_a_mount_without_a_square() -> None:
    table = table_of(at={"Thorn": (5, 5), "Rook": (4, 5), "Kite": (6, 5)})
    table.say(MountUp(by="Thorn", mount="Horse", reason="a pony"))
    assert is_flanked("Thorn", table.state)


def test_rider_goes_to_the_mount() -> None:
    table = rider({"Rook": (5, 5), "Horse": (9, 9)})
    assert table.state.places["Rook"].square == (9, 9)


@pytest.mark.parametrize("who", ["Rook", "Horse"])
def test_mount_and_rider_are_put_together(who: str) -> None:
    table = rider({"Rook": (5, 5)})
    table.say(PutAt(by=GM, who=who, place="yard", square=(1, 1)))
    assert table.state.places["Horse"] == table.state.places["Rook"] == Place(place="yard", square=(1, 1))


def test_located_rider_who_mounts_where_they_stand_stays_located() -> None:
    table = table_of(at={"Rook": (5, 5)})
    table.say(Locate(by="Thorn", target="Rook"))
    table.say(MountUp(by="Rook", mount="Horse"))
    assert table.state.ties_to("Rook", "located") == ("Thorn",)


@pytest.mark.parametrize("line", [Move(by="Rook", squares=3, to=(1, 1)), SetStance(by="Rook", stance="prone")])
def test_rider_neither_walks_nor_lies_down(line: Declaration) -> None:
    refused = rider({"Rook": (5, 5)}).refusal(line)
    assert (refused.code, "Rook dismount" in refused.hint) == ("TT-E-MOUNTED", True)


def test_rider_who_is_thrown_is_on_foot() -> None:
    table = rider({"Rook": (5, 5)})
    table.say(Move(by="Rook", squares=3, to=(5, 8), forced=True))
    assert not table.state.ties_from("Rook", "rides")
    assert (table.state.places["Horse"].square, table.state.places["Rook"].square) == ((5, 5), (5, 8))


def test_who_lies_down_does_not_mount() -> None:
    table = table_of()
    table.say(SetStance(by="Rook", stance="prone"))
    assert table.code(MountUp(by="Rook", mount="Horse")) == "STANCE"


def test_rider_who_lies_by_ruling_is_on_foot() -> None:
    table = rider({"Rook": (5, 5)})
    table.say(Ruling(by=GM, text="down", reason="a branch", changes=(Setting("rook.prone", 1),)))
    assert not table.state.ties_from("Rook", "rides")
