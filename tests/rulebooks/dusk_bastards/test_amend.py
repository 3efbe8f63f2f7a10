"""Random sessions, amended at random: a correction writes what its plan shows, and all of it replays."""

from __future__ import annotations

from contextlib import suppress

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from ledger.corrections.amend import plan_amendment
from ledger.corrections.correction import Correction, check_writable, write_correction
from ledger.corrections.undo import undo
from ledger.declarations import Declaration
from ledger.errors import LedgerError
from ledger.facts import GM, Amended, EntryId
from ledger.records import ENCODER, Record, latest_takes
from ledger.redecide import Input, TakeHistory
from ledger.verify import verify
from ledger.whatif import Edit, last_insert
from projections.projection import StateProjection
from rulebooks.dusk_bastards.declarations.tasks import Close
from rulebooks.dusk_bastards.declarations.turns import Initiative, StartEncounter
from tests.rulebooks.dusk_bastards.seat import AT, BOOK, Seat
from tests.rulebooks.dusk_bastards.strategies import ACTED, DICE, FOUGHT, PLAYED, SURROUNDED

FOES = {
    "Thug": {"sheet": {"sheet": "npc", "kind": "minion", "difficulty": 3, "health": 6, "damage": 3}},
    "Captain": {
        "sheet": {"sheet": "npc", "kind": "elite", "difficulty": 5, "health": 10, "damage": 5, "wound_limit": 3}
    },
}
SAID = st.one_of(PLAYED, FOUGHT, FOUGHT, ACTED, SURROUNDED, st.just(Close(by=GM)))
STEP = st.one_of(
    *([st.tuples(st.just("say"), SAID, DICE)] * 6),
    st.tuples(st.just("amend"), SAID, st.integers(0, 30)),
    st.tuples(st.just("drop"), st.none(), st.integers(0, 30)),
    st.tuples(st.just("insert"), SAID, st.integers(0, 30)),
    st.tuples(st.just("undo"), st.none(), st.integers(0, 30)),
)


def entries(seat: Seat) -> list[Record]:
    """Return the records of the session after its opening, the last take of each."""
    return [record for record in latest_takes(seat.store.takes(after=EntryId(1, 0))) if record.facts]


def random_edit(seat: Seat, kind: str, said: Declaration | None, index: int) -> dict[EntryId, Edit]:
    """Return an edit of one entry."""
    records = entries(seat)
    id = records[index % len(records)].id
    new = Input(declaration_json=msgspec.Raw(ENCODER.encode(said)), by=said.by, line="amended") if said else None
    if kind == "insert":
        past = TakeHistory(seat.store.takes(after=EntryId(1, 0)))
        id = EntryId(id.session, id.number, 1 + last_insert(past.entries, id))
    outcome = {"amend": "retcon"}.get(kind, kind)
    return {id: Edit(input=new, outcome=outcome, in_order=True)}


def amend(seat: Seat, kind: str, said: Declaration | None, index: int) -> None:
    """Write the amendment as planned, or see it refused without a trace."""
    head = seat.store.head()
    try:
        correction = plan_amendment(seat.ledger, random_edit(seat, kind, said, index), by=GM, because="so it was")
        check_writable(correction)
    except LedgerError:
        assert seat.store.head() == head
        return
    assert correction.what_if.rule_difference is None
    _, takes = write_correction(seat.ledger, correction, at=AT, line="~")
    assert {take.id: take.facts for take in takes} == expected_facts(correction)


def expected_facts(correction: Correction) -> dict[EntryId, tuple[object, ...]]:
    return {outcome.id: outcome.after for outcome in correction.what_if.outcomes if outcome.writes}


@given(st.lists(STEP, min_size=15, max_size=40))
def test_sessions_are_amended(steps: list[tuple[str, Declaration | None, int | tuple[int, int] | None]]) -> None:
    seat = Seat("Ash", "Bryn", "Cole", "Thug", "Captain", **FOES)
    before: list[bytes] = []
    for said in (StartEncounter(by=GM), *(Initiative(by=who) for who in ("Ash", "Bryn", "Cole")), Close(by=GM)):
        seat.ledger.declare(said, at=AT, faces=(7, 6) if isinstance(said, Initiative) else None)
    for kind, said, more in steps:
        if kind == "say":
            with suppress(LedgerError):
                assert said is not None
                seat.ledger.declare(said, at=AT, faces=more if isinstance(more, tuple) else None)
        elif kind == "undo":
            corrections = [record.id for record in entries(seat) if record.has(Amended)]
            with suppress(LedgerError):
                undo(seat.ledger, corrections[int(str(more)) % len(corrections)] if corrections else None, by=GM, at=AT)
        elif entries(seat):
            amend(seat, kind, said, int(str(more)))
        now = [stored.public for stored in seat.store.read()]
        assert now[: len(before)] == before
        before = now
    seat.check_replay()
    seat.ledger.close_session(at=AT)
    _, findings = verify(seat.store, BOOK, StateProjection())
    assert [str(found) for found in findings if "position 2" not in str(found)] == []
