"""What one transaction appends: collected entry by entry, and written with one statement for each table.

A batch of a hundred entries takes as many statements as one entry. The head is read once: the transaction has the lock.
What was written may be kept until the end, to be written again after a lost connection.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ledger.errors import Damaged
from ledger.facts import EntryId
from ledger.projection import RowChange
from ledger.read_model_sql import Dialect, statements_for
from ledger.record_rows import SELECT_RECORDS, id_columns, record_row, stored_record
from ledger.records import EMPTY, GENESIS, Head, Record, StoredRecord, record_hash
from ledger.snapshot_rows import DELETE_SNAPSHOTS_FROM, snapshot_row
from ledger.sql_connection import Connection
from ledger.store import Snapshot, chain_records

LAST_TWO = f"{SELECT_RECORDS} ORDER BY position DESC LIMIT 2"
APPENDED = f"{SELECT_RECORDS} WHERE position > ? ORDER BY position"


class Collected:
    """What is appended behind one position, and written together."""

    def __init__(self, after: int) -> None:
        self.after = after
        self.records, self.stored = list[Record](), list[StoredRecord]()
        self._oldest: EntryId | None = None
        self._snapshots: list[Snapshot] = []
        self._changes: dict[tuple[str, object], RowChange] = {}  # the last one of each row

    def add(
        self,
        records: Sequence[Record],
        stored: Sequence[StoredRecord],
        snapshot: Snapshot | None,
        changes: Iterable[RowChange],
    ) -> None:
        """Collect records, a snapshot and row changes."""
        oldest = min(record.id for record in records)
        self._oldest = oldest if self._oldest is None else min(oldest, self._oldest)
        self._snapshots = [kept for kept in self._snapshots if kept.entry < oldest]
        if snapshot is not None:
            self._snapshots.append(snapshot)
        self._changes |= {(change.model.name, change.key): change for change in changes}
        self.records += records
        self.stored += stored

    def write(self, db: Connection, dialect: Dialect) -> None:
        """Write the records, the snapshots and the read models, and prove that the records are the last ones."""
        if self._oldest is None:
            return
        db.executemany(dialect.insert_record, map(record_row, self.stored, self.records))
        if list(map(stored_record, db.execute(APPENDED, (self.after,)))) != self.stored:
            raise Damaged("the file does not keep what is appended to it")
        db.execute(DELETE_SNAPSHOTS_FROM, id_columns(self._oldest))
        for snapshot in self._snapshots:
            db.execute(dialect.insert_snapshot, snapshot_row(snapshot, self._hash_at(db, snapshot.position)))
        for sql, rows in statements_for(self.records, self._changes.values(), dialect):
            db.executemany(sql, rows)

    def _hash_at(self, db: Connection, position: int) -> str | None:
        """Return the hash of the record at a position, which may be one of these, or None."""
        if position > self.after:
            index = position - self.after - 1
            return self.stored[index].hash if index < len(self.stored) else None
        return hash_at(db, position)


class Appends:
    """The appends of a transaction. `add` collects, `write` writes what was collected since the last time.

    `keeps`: what was written is kept, and `write_again` writes all of it in another transaction.
    """

    def __init__(self, head: Head, dialect: Dialect, *, keeps: bool = False) -> None:
        self.start, self.head = head, head
        self.records: list[Record] = []  # all of the transaction
        self._dialect, self._keeps = dialect, keeps
        self._error: BaseException | None = None  # that a write ended with: part of it may be done
        self._written, self._collected = list[Collected](), Collected(head.position)

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
        self._collected.add(records, stored, snapshot, changes)
        self.records += records
        self.head = Head(stored[-1].position, stored[-1].hash)
        return self.head

    def collected(self, after: int) -> list[StoredRecord] | None:
        """Return what was collected behind a position; None where that begins in the file."""
        waiting = self._collected
        return waiting.stored[after - waiting.after :] if after >= waiting.after else None

    def find_request(self, request: str) -> Record | None:
        """Return the first record of the transaction with this request key."""
        return next((record for record in self.records if record.request == request), None)

    def write(self, db: Connection) -> None:
        """Write what was collected, and prove that the records are the last ones. After an error nothing is written."""
        if self._error is not None:
            raise self._error
        if self._collected.records:
            try:
                self._collected.write(db, self._dialect)
            except BaseException as error:
                self._error = error
                raise
            if self._keeps:
                self._written.append(self._collected)
            self._collected = Collected(self.head.position)

    def write_again(self, db: Connection) -> None:
        """Write all of it in another transaction, which found the log as the first one did."""
        self._error = None
        for collected in self._written:
            collected.write(db, self._dialect)
        self.write(db)


def hash_at(db: Connection, position: int) -> str | None:
    """Return the hash of the stored record at a position, or None."""
    row = db.execute("SELECT CAST(hash AS TEXT) FROM records WHERE position = ?", (position,)).fetchone()
    return row[0] if row else None


def last_head(db: Connection) -> Head:
    """Return the head. Raises Damaged if the last record does not have its hash: what is appended would not either."""
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
