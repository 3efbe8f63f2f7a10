"""What corrections touch in a session is decided where the replay passes, in the states of its time."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from ledger.facts import PointsSpent
from ledger.memory_store import MemoryStore
from ledger.records import EMPTY, Record
from ledger.replay import SessionTakes
from ledger.service import Ledger
from ledger.touched_check import due_takes
from ledger.verify import verify
from ledger.writing_order import Log
from tests.ledger.board import Board, Boards, Flip, Values
from tests.ledger.edits import amend, board, findings_of, insertion, open_session, revoke, said

FLIPS = 5


def undone(*, put_in: bool) -> Ledger[Values]:
    """Return a ledger whose last flip of the first session was undone; later one may be put in before it."""
    ledger = board(points=9)
    for number in range(FLIPS):
        said(ledger, Flip(by=("Ana", "Bo")[number % 2]))
    revoke(ledger)
    ledger.close_session(at="")
    open_session(ledger, "another evening")
    if put_in:
        amend(ledger, insertion(ledger, "1.2", Flip(by="Ana")))
    return ledger


def superseded(ledger: Ledger[Values]) -> Record:
    """Return the flip that was undone."""
    return next(take for take in ledger.store.records() if str(take.id) == f"1.{FLIPS}" and take.take == 1)


@pytest.mark.parametrize(("put_in", "behind"), [(False, f"1.{FLIPS - 1}"), (True, "1.2")])
def test_state_is_that_before_the_first_change(put_in, behind):
    ledger = undone(put_in=put_in)
    session = SessionTakes(1, [take for take in ledger.store.takes() if take.session == 1])
    due = due_takes(session, Log.of(ledger.store).touched)
    assert due is not None
    assert str(due.behind) == behind
    assert superseded(ledger).position in due.positions


@pytest.mark.parametrize("put_in", [False, True])
def test_undone_take_is_right_in_its_own_state(put_in):
    assert findings_of(undone(put_in=put_in)) == []


@pytest.mark.parametrize("put_in", [False, True])
def test_forged_take_that_was_undone_is_found(put_in):
    ledger = undone(put_in=put_in)
    take, forged = superseded(ledger), MemoryStore()
    facts = tuple(replace(fact, now=fact.now + 1) if isinstance(fact, PointsSpent) else fact for fact in take.facts)
    other = replace(take, facts=facts)
    forged.append([other if each == take else each for each in ledger.store.records()], after=EMPTY)
    findings = [str(finding) for finding in verify(forged, Board(), Boards())[1]]
    assert any(finding.startswith(f"entry 1.{FLIPS}@1: the replay differs") for finding in findings)
