"""The dice of an attack are keyed by their cause: one more or less changes no other face."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.declarations import Declaration, Ruling, Setting
from ledger.dice import LEAVE_OUT
from ledger.facts import GM, Rolled
from ledger.records import ENCODER, Record
from ledger.redecide import Input
from ledger.whatif import Edit, WhatIf
from projections.projection import StateProjection
from rulebooks.common.announcements import announcement
from rulebooks.common.encounters import EndTurn
from rulebooks.common.options import SetOption
from rulebooks.momentum.declarations import Move, OtherAction
from rulebooks.testing.seat import AT, of_kind
from tests.rulebooks.momentum.seat import BOOK, Seat, attacks


def faces_if(seat: Seat, record: Record, said: Declaration) -> dict[str, tuple[int, ...]]:
    """Return the faces of an entry with this declaration instead."""
    raw = Input(declaration_json=msgspec.Raw(ENCODER.encode(said)), by=said.by, line="")
    result = WhatIf(seat.store, BOOK, StateProjection()).run(
        {record.id: Edit(input=raw, outcome="retcon", in_order=True)}
    )
    (entry,) = [outcome for outcome in result.outcomes if outcome.id == record.id]
    return {fact.purpose: tuple(die.face for die in fact.dice) for fact in entry.after if isinstance(fact, Rolled)}


@pytest.mark.slow
@given(before=st.integers(0, 40), more=st.integers(1, 6), fewer=st.integers(1, 3))
def test_more_base_dice_change_no_other_face(before: int, more: int, fewer: int) -> None:
    """Compare weapons with more and fewer d10: the faces that both roll are the same."""
    seat = Seat(at={"Arlo": "Hall"})
    setting = {"short sword": fewer, "dagger": fewer + more}
    changes = tuple(Setting(f"arlo.weapon.{name}.damage", f"{count}d10") for name, count in setting.items())
    seat.say(Ruling(by=GM, text="other blades", reason="the test", changes=changes))
    for _ in range(before):
        seat.say(SetOption(by=GM, name="help_timing", value="any", reason="fill"))
    record = seat.say(attacks("Arlo", "Colossus", weapon="short sword"))
    seat.ledger.close_session(at=AT)
    before = {fact.purpose: tuple(die.face for die in fact.dice) for fact in of_kind(record, Rolled)}
    now = faces_if(seat, record, attacks("Arlo", "Colossus", weapon="dagger"))
    for purpose, faces in before.items():
        assert now[purpose][: len(faces)] == faces, purpose
    new = {purpose for purpose in now.keys() - before.keys() if purpose.split()[-1].isdigit()}
    assert all(int(purpose.split()[-1]) > fewer for purpose in new)


def test_extra_die_is_keyed_under_its_cause() -> None:
    """And a die of Help under the one that it replaces."""
    seat = Seat()
    record = seat.say(attacks("Cole", "Colossus", ("Dara", "help"), reroll=(2,)), 12, 3, 12, 12, 5, 1, 12, 2)
    assert [fact.purpose for fact in of_kind(record, Rolled)] == [
        "attack Cole",
        "attack Cole extra of 1",
        "attack Cole extra of 3",
        "attack Cole extra of extra of 1",
        "attack Cole help of 2",
        "attack Cole extra of help of 2",
    ]


def test_typed_faces_that_a_line_does_not_use_are_refused() -> None:
    """MO-CONV-2: an announced attack has its faces with `go`; most lines have none."""
    seat = Seat()
    strike = attacks("Cole", "Brute")
    for said in (announcement(strike), EndTurn(by="Arlo"), Move(by="Arlo", zone="Yard")):
        refusal = seat.refusal_of_dice(said, 7, 7)
        assert (refusal.code, refusal.hint) == ("MO-E-DICE", LEAVE_OUT)
    assert seat.refusal_of_dice(OtherAction(by="Arlo", deed="shout", ruling="loud"), 7).code == "MO-E-DICE"
