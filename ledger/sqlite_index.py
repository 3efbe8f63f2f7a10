"""The index by which takes are read, compared with the last records: without one of them history would be another."""

from __future__ import annotations

import sqlite3
from typing import Final

from ledger.errors import Damaged

HIDDEN: Final = (
    "SELECT position FROM (SELECT position, session, number, inserted FROM records NOT INDEXED"
    " ORDER BY position DESC LIMIT 8) AS last"
    " WHERE NOT EXISTS (SELECT 1 FROM records AS found INDEXED BY records_by_entry WHERE found.session = last.session"
    " AND found.number = last.number AND found.inserted = last.inserted AND found.position = last.position)"
)


def check_index(db: sqlite3.Connection) -> None:
    """Raise Damaged if the index by which takes are read lacks one of the last records."""
    hidden = db.execute(HIDDEN).fetchone()
    if hidden is not None:
        raise Damaged(
            "its record is hidden from the index", where=f"position {hidden[0]}", hint="Look with: campaign verify."
        )
