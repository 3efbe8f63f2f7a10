"""Check the file itself: SQLite's own check, and the index by which takes are read against the table of records.

The hash chain is read through the table, the state through an index. An index that leaves a record out would change the
state under an unbroken chain. The position is the rowid: opening compares the schema.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ledger.read_model_check import snapshot_findings
from ledger.sqlite_connection import translate_errors
from ledger.sqlite_store import SqliteStore
from ledger.verify import Finding

RESTORE: Final = "keep the file and restore a backup"
PROBLEMS_MOST: Final = 20
BY_TABLE: Final = "SELECT position, session, number, inserted FROM records NOT INDEXED"
BY_INDEX: Final = (
    "SELECT position, session, number, inserted FROM records INDEXED BY records_by_entry WHERE session IS NOT NULL"
)


def check_file(store: SqliteStore) -> Iterator[Finding]:
    """Yield what SQLite's integrity check finds, records that the index hides or misplaces, and wrong snapshots."""
    with translate_errors(store.path):
        problems = store.connection.execute(f"PRAGMA integrity_check({PROBLEMS_MOST})").fetchall()
        hidden = store.connection.execute(f"{BY_TABLE} EXCEPT {BY_INDEX} ORDER BY 1").fetchall()
        added = store.connection.execute(f"{BY_INDEX} EXCEPT {BY_TABLE} ORDER BY 1").fetchall()
        (twice,) = store.connection.execute(f"SELECT count(*) > count(DISTINCT position) FROM ({BY_INDEX})").fetchone()
    yield from (Finding(where="file", what=text) for (text,) in problems if text != "ok")
    for row in hidden:
        yield Finding(where=f"position {row[0]}", what=f"its record is hidden from the index; {RESTORE}")
    for row in added:
        yield Finding(where=f"position {row[0]}", what=f"the index has a record that is not in the table; {RESTORE}")
    yield from snapshot_findings(store)
    if twice:
        yield Finding(where="file", what=f"the index has a record twice; {RESTORE}")
