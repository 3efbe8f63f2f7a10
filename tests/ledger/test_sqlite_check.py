"""Test the check of the file itself: pages, indexes, and a reading through the index that equals the table's."""

from __future__ import annotations

import pytest

from ledger import sqlite_store as sqlite
from ledger.errors import Damaged
from ledger.facts import EntryId
from ledger.sqlite_check import check_file
from ledger.store import Snapshot
from tests.ledger.strategies import Forger, head_at, record

WHOLE = "CREATE INDEX records_by_entry ON records (session, number, inserted, position)"


def problems(path):
    store = sqlite.open_store(path, write=False)
    try:
        return [str(finding) for finding in check_file(store)]
    finally:
        store.close()


def hide_from_index(path, position):
    """Leave one record out of the index by which takes are read, and write the schema as it was."""
    rewritten = "UPDATE sqlite_schema SET sql = '{}' WHERE name = 'records_by_entry'"
    Forger(path).sql("DROP INDEX records_by_entry", f"{WHOLE} WHERE position <> {position}")
    Forger(path).sql("PRAGMA writable_schema = ON", rewritten.format(WHOLE))


@pytest.mark.slow
@pytest.mark.parametrize("position", [1, 5, 15])
def test_record_hidden_from_the_index_is_found(forger, position):
    hide_from_index(forger.path, position)
    store = sqlite.open_store(forger.path, write=False)
    store.checks_index = False
    assert store.find_schema_mismatch() is None
    assert position not in {take.position for take in store.takes()}
    store.close()
    found = problems(forger.path)
    assert any(f"row {position} missing from index records_by_entry" in line for line in found)
    assert f"position {position}: its record is hidden from the index; keep the file and restore a backup" in found


ACTS = {
    "head": lambda store, last: store.head(),
    "takes": lambda store, last: next(store.takes()),
    "append": lambda store, last: store.append([record(last + 1)], after=head_at(store, last)),
}


@pytest.mark.parametrize("act", ACTS)
def test_last_record_hidden_from_the_index_stops_reading_and_writing(forger, act):
    """The next line would get the number of the hidden one, and the log would leave it out without a word."""
    last = forger.rows("SELECT max(position) FROM records")[0][0]
    hide_from_index(forger.path, last)
    store = sqlite.open_store(forger.path, write=True)
    with pytest.raises(Damaged, match=f"position {last}: its record is hidden from the index"):
        ACTS[act](store, last)
    store.close()


@pytest.mark.parametrize(("entry", "used"), [((3, 500, 0), False), ((0, 0, 0), True)], ids=["none", "there"])
def test_snapshot_of_no_entry_is_not_used(forger, entry, used):
    """Its hash is right: anybody can compute it."""
    store = sqlite.open_store(forger.path, write=True)
    made = Snapshot(position=store.head().position, entry=EntryId(*entry), body=b"{}")
    store.replace_snapshots([made], after=store.head())
    assert (store.latest_snapshot() == made) == used
    assert store.wrong_snapshots == ({} if used else {made.entry: "there is no such entry"})
    store.close()


@pytest.mark.slow
def test_record_found_twice_by_the_index_is_named(forger):
    rewritten = WHOLE.replace("position", "-position").replace("'", "''")
    forger.sql("DROP INDEX records_by_entry", rewritten)
    forger.sql("PRAGMA writable_schema = ON", f"UPDATE sqlite_schema SET sql = '{WHOLE}' WHERE sql = '{rewritten}'")
    assert problems(forger.path)


def test_position_that_is_not_the_rowid_is_refused_at_opening(forger):
    """Without INTEGER PRIMARY KEY two records could have one position."""
    forger.sql(
        "PRAGMA writable_schema = ON",
        "UPDATE sqlite_schema SET sql = replace(sql, 'position INTEGER PRIMARY KEY', 'position INTEGER')"
        " WHERE name = 'records'",
    )
    with pytest.raises(Damaged, match="'records' differs"):
        problems(forger.path)


def test_a_played_file_has_no_problem(story):
    assert problems(story) == []
