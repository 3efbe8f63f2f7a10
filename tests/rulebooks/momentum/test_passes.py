"""Turns that end by themselves: implied ends, `! on`, and ends of nothing."""

from __future__ import annotations

import pytest

from ledger.acts import written_before
from ledger.corrections.undo import undo
from ledger.facts import GM
from ledger.records import Record
from rulebooks.common.announcements import Go, announcement
from rulebooks.common.encounters import EndTurn, PassOn
from rulebooks.common.options import SetOption
from rulebooks.momentum.declarations import Move, OtherAction
from rulebooks.testing.seat import AT
from tests.rulebooks.momentum.seat import Seat, attacks

PRESENT = ("Arlo", "Bex", "Brute", "Guard")


def passes(seat: Seat, record: Record) -> list[str]:
    """Return the lines of the passes that a record implies."""
    return [take.line for take in written_before(seat.store, record)]


def act(who: str) -> OtherAction:
    return OtherAction(by=who, deed="shouts", ruling="it is loud")


def moment(seat: Seat) -> tuple[int, str, str]:
    encounter = seat.state.encounter
    assert encounter
    return encounter.round, encounter.phase, encounter.turn


def spent(seat: Seat, who: str) -> None:
    """Use both actions of somebody."""
    seat.say(act(who))
    seat.say(act(who))


def test_turn_with_no_action_left_ends_when_another_begins() -> None:
    seat = Seat(present=PRESENT)
    spent(seat, "Arlo")
    record = seat.say(Move(by="Bex", zone="Yard"))
    assert (passes(seat, record), moment(seat)) == (["Arlo end"], (2, "pc", "Bex"))
    seat.check_replay()


def test_phase_ends_when_the_other_side_acts() -> None:
    seat = Seat(present=PRESENT)
    seat.say(EndTurn(by="Arlo"))
    spent(seat, "Bex")
    record = seat.say(act("Brute"))
    assert (passes(seat, record), moment(seat)) == (["Bex end"], (2, "foe", "Brute"))
    seat.check_replay()


def test_turn_with_an_action_left_is_waited_for() -> None:
    seat = Seat(present=PRESENT)
    seat.say(act("Arlo"))
    assert "The turn of Arlo is open, with 1 action left" in str(seat.refusal(act("Bex")))
    seat.say(act("Arlo"))
    assert "Still to act: Arlo and Bex" not in str(seat.refusal(act("Brute")))
    assert moment(seat) == (2, "pc", "Arlo")


def test_announced_attack_keeps_its_turn_open() -> None:
    seat = Seat(present=PRESENT)
    seat.say(act("Arlo"))
    seat.say(announcement(attacks("Arlo", "Brute")))
    assert seat.refusal(act("Bex")).first is None
    seat.say(Go(by=GM))
    assert passes(seat, seat.say(act("Bex"))) == ["Arlo end"]


def test_undo_takes_back_the_end_of_the_turn() -> None:
    seat = Seat(present=PRESENT)
    spent(seat, "Arlo")
    before = seat.snapshot()[0]
    seat.say(act("Bex"))
    undo(seat.ledger, by=GM, at=AT)
    assert seat.snapshot()[0] == before


def test_table_may_want_every_end_said() -> None:
    seat = Seat(present=PRESENT, options={"passes": "explicit"})
    spent(seat, "Arlo")
    assert seat.code(act("Bex")) == "TURN"
    seat.say(SetOption(by=GM, name="passes", value="implied", reason="too long"))
    seat.say(act("Bex"))


def test_all_still_to_act_in_a_phase_pass() -> None:
    seat = Seat(present=PRESENT)
    seat.say(act("Arlo"))
    seat.say(PassOn(by=GM))
    assert moment(seat) == (2, "foe", "")
    seat.say(PassOn(by=GM))
    assert moment(seat) == (3, "pc", "")
    seat.check_replay()


def test_nobody_passes_before_the_opening_checks() -> None:
    assert Seat("checks", present=PRESENT).code(PassOn(by=GM)) == "MOMENTUM"


@pytest.mark.parametrize(("who", "is_idle"), [("Arlo", True), ("Brute", False)])
def test_end_of_a_turn_that_is_over_is_idle(who: str, is_idle: bool) -> None:
    seat = Seat(present=PRESENT)
    seat.say(EndTurn(by="Arlo"))
    assert seat.refusal(EndTurn(by=who)).is_idle is is_idle


def test_end_of_the_turn_of_one_who_is_down_is_idle() -> None:
    assert Seat(present=PRESENT, hp={"Bex": 0}).refusal(EndTurn(by="Bex")).is_idle
