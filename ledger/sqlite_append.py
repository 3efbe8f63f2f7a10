"""What one transaction appends: collected entry by entry, and written with one statement for each table.

A batch of a hundred entries takes as many statements as one entry. The head is read once: the transaction has the lock.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence

from ledger import read_model_sql
from ledger.errors import Damaged
from ledger.facts import EntryId
from ledger.projection import RowChange
from ledger.records import EMPTY, GENESIS, Head, Record, StoredRecord, record_hash
from ledger.sqlite_schema import INSERT_RECORD, SELECT_RECORDS, id_columns, record_row, stored_record
from ledger.sqlite_snapshots import DELETE_SNAPSHOTS_FROM, INSERT_SNAPSHOT, snapshot_row
from ledger.store import Snapshot, chain_records

LAST_TWO = f"{SELECT_RECORDS} ORDER BY position DESC LIMIT 2"
HIDDEN = (
    "SELECT position FROM (SELECT position, session, number, inserted FROM records NOT INDEXED"
    " ORDER BY position DESC LIMIT 8) AS last"
    " WHERE NOT EXISTS (SELECT 1 FROM records AS found INDEXED BY records_by_entry WHERE found.session = last.session"
    " AND found.number = last.number AND found.inserted = last.inserted AND found.position = last.position)"
)
APPENDED = f"{SELECT_RECORDS} WHERE position > ? ORDER BY position"


class Appends:
    """The appends of a transaction. `add` collects, `write` writes what was collected since the last time."""

    def __init__(self, head: Head) -> None:
        self.start, self.head = head.position, head
        self.records: list[Record] = []  # all of the transaction
        self._error: BaseException | None = None  # that a write ended with: part of it may be done
        self._begin()

    def _begin(self) -> None:
        """Collect from here on."""
        self._after, self._stored = self.head.position, list[StoredRecord]()
        self._oldest: EntryId | None = None
        self._snapshots: list[Snapshot] = []
        self._changes: dict[tuple[str, object], RowChange] = {}  # the last one of each row

    def add(
        self,
        records: Sequence[Record],
        *,
        public: Sequence[Record] | None,
        snapshot: Snapshot | None,
        changes: Iterable[RowChange],
    ) -> Head:
        """Collect records, a snapshot and row changes; return the head after them."""
        stored = chain_records(records, self.head, public)
        oldest = min(record.id for record in records)
        self._oldest = oldest if self._oldest is None else min(oldest, self._oldest)
        self._snapshots = [kept for kept in self._snapshots if kept.entry < oldest]
        if snapshot is not None:
            self._snapshots.append(snapshot)
        self._changes |= {(change.model.name, change.key): change for change in changes}
        self.records += records
        self._stored += stored
        self.head = Head(stored[-1].position, stored[-1].hash)
        return self.head

    def find_request(self, request: str) -> Record | None:
        """Return the first record of the transaction with this request key."""
        return next((record for record in self.records if record.request == request), None)

    def write(self, db: sqlite3.Connection) -> None:
        """Write what was collected, and prove that the records are the last ones. After an error nothing is written."""
        if self._error is not None:
            raise self._error
        if self._oldest is not None:
            try:
                self._write(db, self._oldest)
            except BaseException as error:
                self._error = error
                raise
            self._begin()

    def _write(self, db: sqlite3.Connection, oldest: EntryId) -> None:
        """Write the records, the snapshots and the read models."""
        records = self.records[self._after - self.start :]
        db.executemany(INSERT_RECORD, map(record_row, self._stored, records))
        if list(map(stored_record, db.execute(APPENDED, (self._after,)))) != self._stored:
            raise Damaged("the file does not keep what is appended to it")
        db.execute(DELETE_SNAPSHOTS_FROM, id_columns(oldest))
        for snapshot in self._snapshots:
            db.execute(INSERT_SNAPSHOT, snapshot_row(snapshot, self._hash_at(db, snapshot.position)))
        for sql, rows in read_model_sql.statements_for(records, self._changes.values()):
            db.executemany(sql, rows)

    def _hash_at(self, db: sqlite3.Connection, position: int) -> str | None:
        """Return the hash of the record at a position, which may be one of these, or None."""
        if position > self._after:
            index = position - self._after - 1
            return self._stored[index].hash if index < len(self._stored) else None
        return hash_at(db, position)


def hash_at(db: sqlite3.Connection, position: int) -> str | None:
    """Return the hash of the stored record at a position, or None."""
    row = db.execute("SELECT CAST(hash AS TEXT) FROM records WHERE position = ?", (position,)).fetchone()
    return row[0] if row else None


def check_index(db: sqlite3.Connection) -> None:
    """Raise Damaged if the index by which takes are read lacks one of the last records."""
    hidden = db.execute(HIDDEN).fetchone()
    if hidden is not None:
        raise Damaged(
            "its record is hidden from the index", where=f"position {hidden[0]}", hint="Look with: campaign verify."
        )


def last_head(db: sqlite3.Connection) -> Head:
    """Return the head. Raises Damaged if the last record does not have its hash: what is appended would not either."""
    check_index(db)
    rows = db.execute(LAST_TWO).fetchall()
    if not rows:
        return EMPTY
    last, before = stored_record(rows[0]), stored_record(rows[1]).hash if rows[1:] else GENESIS
    if record_hash(before, last.leaf) != last.hash:
        raise Damaged(
            "its hash does not match its bytes and the record before",
            where=f"position {last.position}",
            hint="Nothing was appended. Look at it with: campaign verify.",
        )
    return Head(last.position, last.hash)
