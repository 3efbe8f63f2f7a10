"""A log that is read ahead: its takes in order of entries, each decoded where the log was read."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from ledger import read_ahead
from ledger import sqlite_store as sqlite
from ledger.errors import Damaged, LedgerError
from ledger.memory_store import MemoryStore
from ledger.read_ahead import ReadAhead
from ledger.records import Record
from ledger.verify import verify
from rulebooks.testing.corrections import replacement
from tests.ledger.board import Flip
from tests.ledger.coin import Coin, Coins
from tests.ledger.edits import amend, board, findings_of, open_session, revoke, said

SESSIONS = 3


@pytest.fixture
def log() -> list[int]:
    """The positions that were read of a log."""
    return []


def evenings(*, corrected: bool = True) -> MemoryStore:
    """Return a store of some sessions; in the last of them entries of the first are corrected."""
    store = MemoryStore()
    ledger = board(store, points=9, opened=False)
    for number in range(SESSIONS):
        open_session(ledger, f"evening {number}")
        for _ in range(3):
            said(ledger, Flip(by="Ana"))
        revoke(ledger)
        if corrected and number == SESSIONS - 1:
            amend(ledger, {"1.1": replacement(Flip(by="Bo"))})
        ledger.close_session(at="")
    assert findings_of(ledger) == []
    return store


def noted(store: MemoryStore, log: list[int]) -> Iterator[Record]:
    for record in store.records():
        log.append(record.position)
        yield record


@pytest.mark.parametrize("most", [0, 3, 500])
@pytest.mark.parametrize("corrected", [False, True])
def test_takes_are_those_of_the_store(log, monkeypatch, most, corrected):
    monkeypatch.setattr(read_ahead, "KEPT_MOST", most)
    store = evenings(corrected=corrected)
    ahead = ReadAhead(store, noted(store, log))
    assert list(ahead.takes()) == list(store.takes())
    ahead.read_on()
    assert log == [record.position for record in store.records()]


def test_log_is_read_as_far_as_a_session_reaches(log):
    store = evenings(corrected=False)
    ahead = ReadAhead(store, noted(store, log))
    for take in ahead.takes():
        own = [record.position for record in store.records() if record.session == take.session]
        assert log[-1] <= max(own) + 1


def test_takes_are_handed_on_as_they_were_decoded(log, monkeypatch):
    store = evenings(corrected=False)
    records, rows = {record.position: record for record in store.records()}, list(store.columns())
    monkeypatch.setattr(store, "columns", lambda: iter(rows))
    monkeypatch.delattr(MemoryStore, "takes")  # that would decode them again
    assert all(take is records[take.position] for take in ReadAhead(store, noted(store, log)).takes())


def test_error_of_the_log_is_raised_again():
    store = evenings()

    def broken() -> Iterator[Record]:
        yield from list(store.records())[:4]
        raise Damaged("the disk is gone", where="position 5")

    ahead = ReadAhead(store, broken())
    for act in (lambda: list(ahead.takes()), ahead.read_on):
        with pytest.raises(LedgerError, match="the disk is gone"):
            act()


@pytest.mark.parametrize("most", [0, 500])
@pytest.mark.parametrize("change", ["take = 9", "request = 'other'", "inserted = 3", "session = 7", "number = -1"])
def test_columns_that_differ_are_found(forger, monkeypatch, change, most):
    monkeypatch.setattr(read_ahead, "KEPT_MOST", most)
    forger.change(f"UPDATE records SET {change} WHERE position = 5")
    store = sqlite.open_store(forger.path, write=False)
    findings = [str(finding) for finding in verify(store, Coin(), Coins())[1]]
    store.close()
    assert "position 5: the columns of the record differ from its bytes" in findings
