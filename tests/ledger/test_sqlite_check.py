"""Test the check of the file itself: pages, indexes, and a reading through the index that equals the table's."""

from __future__ import annotations

import pytest

from ledger import sqlite_store as sqlite
from ledger.errors import Damaged
from ledger.sqlite_check import check_file
from tests.ledger.strategies import Forger

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


@pytest.mark.parametrize("position", [1, 5, 15])
def test_record_hidden_from_the_index_is_found(forger, position):
    hide_from_index(forger.path, position)
    store = sqlite.open_store(forger.path, write=False)
    assert store.find_schema_mismatch() is None
    assert position not in {take.position for take in store.takes()}
    store.close()
    found = problems(forger.path)
    assert any(f"row {position} missing from index records_by_entry" in line for line in found)
    assert f"position {position}: its record is hidden from the index; keep the file and restore a backup" in found


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
