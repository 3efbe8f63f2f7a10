"""Parts of a Round that end by themselves, `! on`, ends of nothing, and who is in the next fight."""

from __future__ import annotations

import pytest

from cli.phrases.turns import now_line
from ledger.acts import written_before
from ledger.corrections.undo import undo
from ledger.declarations import Declaration
from ledger.facts import GM
from ledger.records import Record
from rulebooks.common.encounters import BringIn, PassOn
from rulebooks.common.options import SetOption
from rulebooks.monolith.declarations import (
    BeginRound,
    DeclareIntent,
    EndEncounter,
    EndPart,
    EndRound,
    Flee,
    Move,
    OtherAction,
    SetOrder,
    StartEncounter,
)
from rulebooks.monolith.turns import phase
from rulebooks.testing.seat import AT
from tests.rulebooks.monolith.seat import Seat

PRESENT = ("Vega", "Oru", "R1")


def passes(seat: Seat, record: Record) -> list[str]:
    """Return the lines of the passes that a record implies."""
    return [take.line for take in written_before(seat.store, record)]


def act(who: str) -> OtherAction:
    return OtherAction(by=who, text="the console", ruling="it hums")


def spent() -> Seat:
    """Return a Round in which nobody has an action left."""
    seat = Seat(present=PRESENT)
    for who in PRESENT:
        seat.say(act(who))
    return seat


def test_who_has_only_a_move_left_is_next_up() -> None:
    seat = spent()
    assert list(seat.ledger.game.guide.next_up(seat.state)) == ["Vega", "Oru", "R1"]


def test_next_round_is_named_when_nobody_may_act() -> None:
    seat = spent()
    seat.say(EndRound(by=GM))
    assert now_line(seat.state, seat.book) == "now: ! round"
    seat.say(BeginRound(by=GM))
    assert now_line(seat.state, seat.book) == "now: Vega (action, move) or Oru (action, move)"
    seat.say(EndEncounter(by=GM, reason="they yield"))
    assert now_line(seat.state, seat.book) == ""


def test_round_without_an_action_left_ends_when_the_next_begins() -> None:
    seat = spent()
    before = seat.snapshot()[0]
    assert passes(seat, seat.say(BeginRound(by=GM))) == ["! done"]
    assert (seat.state.encounter.round if seat.state.encounter else 0, seat.state.clock["seconds"]) == (2, 10)
    undo(seat.ledger, by=GM, at=AT)
    assert seat.snapshot()[0] == before
    seat.check_replay()


def test_round_with_an_action_left_is_waited_for() -> None:
    seat = Seat(present=PRESENT)
    seat.say(act("Vega"))
    assert "Oru and R1 have an action left" in str(seat.refusal(BeginRound(by=GM)))
    seat.say(act("Oru"))
    assert "R1 has an action left" in str(seat.refusal(BeginRound(by=GM)))


def test_opponents_with_an_action_left_are_waited_for() -> None:
    seat = Seat(present=PRESENT)
    seat.say(SetOrder(by=GM, first=("Vega",), reason="the drop"))
    assert seat.code(Move(by="Oru", feet=20)) == "ORDER"
    seat.say(act("Vega"))
    assert seat.code(Move(by="Oru", feet=20)) == "ORDER"


def test_part_of_opponents_who_can_do_nothing_is_over() -> None:
    seat = Seat(present=PRESENT)
    seat.say(act("R1"))
    seat.say(SetOrder(by=GM, first=("Vega",), reason="the drop"))
    assert seat.code(Move(by="Oru", feet=20)) == "ORDER"
    seat.say(act("Vega"))
    assert passes(seat, seat.say(Move(by="Oru", feet=20))) == ["! acted"]
    seat.check_replay()


def test_table_may_want_every_end_said() -> None:
    seat = spent()
    seat.say(SetOption(by=GM, name="passes", value="explicit", reason="a vote"))
    assert seat.code(BeginRound(by=GM)) == "ORDER"


def test_all_still_to_come_pass() -> None:
    seat = Seat(present=PRESENT, declared=("Vega",))
    seat.say(PassOn(by=GM))
    assert phase(seat.state) == "acting"
    seat.say(SetOrder(by=GM, first=("Vega",), reason="the drop"))
    for following in ("opponents", "others", ""):
        seat.say(PassOn(by=GM))
        assert phase(seat.state) == following
    assert seat.refusal(PassOn(by=GM)).is_idle
    seat.check_replay()


@pytest.mark.parametrize(
    ("said", "is_idle"),
    [
        (EndPart(by=GM, part="opponents"), True),
        (DeclareIntent(by="Vega"), True),
        (DeclareIntent(by="Vega", text="shoot R1"), False),
    ],
)
def test_pass_of_nothing_is_idle(said: Declaration, is_idle: bool) -> None:
    assert spent().refusal(said).is_idle is is_idle


def test_pass_of_one_who_is_out_is_idle() -> None:
    assert Seat(present=PRESENT, set={"oru.fled": 1}).refusal(DeclareIntent(by="Oru")).is_idle


def test_end_of_no_round_is_idle() -> None:
    seat = spent()
    seat.say(EndRound(by=GM))
    assert seat.refusal(EndRound(by=GM)).is_idle


def members(seat: Seat) -> list[str]:
    encounter = seat.state.encounter
    return list(encounter.members) if encounter else []


def test_who_fled_is_in_the_next_fight_if_named() -> None:
    seat = Seat(present=("Vega", "R1", "R2"))
    seat.say(Flee(by=GM, who="R2", reason="the vent"))
    seat.say(EndEncounter(by=GM))
    seat.say(StartEncounter(by=GM))
    assert members(seat) == ["Vega", "R1"]
    seat.say(EndEncounter(by=GM))
    seat.say(StartEncounter(by=GM, participants=("Vega", "R2")))
    assert (members(seat), seat.conditions("R2")) == (["Vega", "R2"], [])


def test_who_fled_is_back_when_they_join() -> None:
    seat = Seat(present=("Vega", "R1", "R2"))
    seat.say(Flee(by=GM, who="R2", reason="the vent"))
    seat.say(EndEncounter(by=GM))
    seat.say(StartEncounter(by=GM))
    seat.say(BringIn(by=GM, who="R2"))
    seat.say(EndEncounter(by=GM))
    seat.say(StartEncounter(by=GM))
    assert members(seat) == ["Vega", "R1", "R2"]
