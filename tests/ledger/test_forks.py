"""Two copies of a ledger that went different ways, one put in the place of the other under an open Ledger.

Both have the same length, and their files the same number of commits: SQLite takes the one for the other.
"""

from __future__ import annotations

import os
from copy import deepcopy
from pathlib import Path

import pytest

from ledger import sqlite_store as sqlite
from ledger.batch import declare_together
from ledger.builtin import Tell
from ledger.corrections.amend import note_error, plan_amendment
from ledger.corrections.compensate import compensate
from ledger.corrections.correction import write_correction
from ledger.corrections.undo import plan_undo
from ledger.errors import LedgerError, Overtaken
from ledger.facts import parse_entry_id
from ledger.memory_store import MemoryStore
from ledger.postgres_address import DatabaseAddress
from ledger.records import EMPTY
from ledger.whatif import Edit
from tests.ledger.strategies import AT, bytes_of, create_ledger, findings_of, flip, new_ledger, points
from tests.postgres import new_store

TALE = Tell(by="Ana", who="Ana", text="it rains", kind="fiction")


@pytest.fixture
def forked(store, request):
    """A ledger that is open, and a function that puts the other history in its place."""
    one = create_ledger(store)
    if isinstance(store, MemoryStore):
        other = new_ledger(deepcopy(store), seeds=one.seeds)
    elif isinstance(store.source, DatabaseAddress):
        second = new_store(request.getfixturevalue("postgres"))
        second.extend(zip(store.read(), store.records(), strict=True), after=EMPTY)
        other = new_ledger(second, seeds=one.seeds)
    else:
        copy = Path(store.path).with_name("other.db")
        copy.write_bytes(Path(store.path).read_bytes())
        other = new_ledger(sqlite.open_store(copy, write=True), seeds=one.seeds)
    flip(one)
    other.declare(TALE, at=AT)
    theirs = bytes_of(other.store)
    assert one.store.head().position == other.store.head().position
    other.store.close()

    def swap():
        if isinstance(store, MemoryStore):
            store.__dict__.update(other.store.__dict__)
        elif isinstance(store.source, DatabaseAddress):
            store._connection.campaign = second._connection.campaign
        else:
            Path(store.path).write_bytes(copy.read_bytes())
            os.utime(store.path, (0, 0))  # the clock of files may stand still for some milliseconds

    return one, swap, theirs


def planned(ledger):
    return plan_amendment(ledger, {parse_entry_id("1.1"): Edit(input=None, outcome="drop")}, by="gm", because="")


def in_batch(ledger):
    with ledger.batch():
        flip(ledger)


WRITES = {  # what is decided before the swap, and what then writes it
    "a line": (lambda ledger: None, lambda ledger, _: flip(ledger)),
    "a line in a batch": (lambda ledger: None, lambda ledger, _: in_batch(ledger)),
    "lines together": (lambda ledger: None, lambda ledger, _: declare_together(ledger, lambda: [("x", TALE)], at=AT)),
    "an undo": (
        lambda ledger: plan_undo(ledger, by="gm"),
        lambda ledger, plan: write_correction(ledger, plan, at=AT, line="undo"),
    ),
    "a correction": (planned, lambda ledger, plan: write_correction(ledger, plan, at=AT, line="~")),
    "a note": (planned, lambda ledger, plan: note_error(ledger, plan, "stand", at=AT, line="~")),
    "a compensation": (planned, lambda ledger, plan: compensate(ledger, plan, [], at=AT, line="~")),
    "snapshots": (
        lambda ledger: ledger.state.head,
        lambda ledger, head: ledger.store.replace_snapshots([], after=head),
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("write", WRITES)
def test_what_was_decided_on_another_history_is_refused(forked, write):
    ledger, swap, theirs = forked
    decide, append = WRITES[write]
    plan = decide(ledger)
    assert points(ledger) == 19
    swap()
    with pytest.raises(Overtaken, match="up to position 4: it has another history"):
        append(ledger, plan)
    assert bytes_of(ledger.store) == theirs
    ledger.refresh()
    assert points(ledger) == 20
    flip(ledger)  # the next line is decided on what stands there now
    assert (points(ledger), findings_of(ledger.store)) == (19, [])


def test_file_that_is_renamed_over_an_open_one_is_refused(path, tmp_path):
    store = sqlite.open_store(path, write=True)
    ledger, other = create_ledger(store), tmp_path / "other.db"
    other.write_bytes(path.read_bytes())
    os.replace(other, path)
    with pytest.raises(LedgerError, match="another file took its place") as caught:
        flip(ledger)
    assert "Nothing was written" in caught.value.hint
    store.close()
