"""The table `changes` as it is stored: which values changed, when, and the records that changed them.

It says what a fold of all takes that count would, without reading the rest of the ledger.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

import msgspec

from ledger.change_rows import entry_at, moment
from ledger.errors import Damaged
from ledger.facts import EntryId
from ledger.projection import Value
from ledger.record_rows import SELECT_RECORDS, record_of
from ledger.records import Record
from ledger.sql_store import SqlStore

COUNTED: Final = "FROM changes WHERE counts = 1 AND moment <= ?"
VALUES: Final = f"SELECT value, count(*) {COUNTED} GROUP BY value ORDER BY value"
ROWS: Final = "SELECT position, moment, fact, before, after FROM changes WHERE value = ? AND counts = 1 AND moment <= ?"
OF_KINDS: Final = f"SELECT value, position, fact, kind {COUNTED} ORDER BY value, moment, fact"
REBUILD: Final = "Make the read tables again: campaign rebuild."
IN_ORDER: Final = " ORDER BY moment, fact"
RECORDS_AT: Final = f"{SELECT_RECORDS} WHERE position = ?"


class ChangeRow(msgspec.Struct, frozen=True, gc=False):
    """A change of a value: its record and its entry, the number of its fact there, and the value on both sides."""

    position: int
    moment: int
    fact: int
    before: Value | None
    after: Value | None

    @property
    def entry(self) -> EntryId:
        """The entry of the change."""
        return entry_at(self.moment)


class ChangeTable:
    """The changes that count up to an entry."""

    def __init__(self, store: SqlStore, upto: EntryId) -> None:
        self._store, self._upto = store, moment(upto)

    def counts(self) -> dict[str, int]:
        """Return how often each value changed, by name."""
        with self._store.errors():
            return dict(self._store.tables.execute(VALUES, (self._upto,)).fetchall())

    def changes(self, value: str) -> list[ChangeRow]:
        """Return the changes of a value, oldest first."""
        with self._store.errors():
            rows = self._store.tables.execute(f"{ROWS}{IN_ORDER}", (value, self._upto)).fetchall()
        return [ChangeRow(*row) for row in rows]

    def first_changes(self) -> Iterator[tuple[str, int, int, str]]:
        """Yield the first change of each value: its name, the position of the record, the fact, and its kind."""
        with self._store.errors():
            rows = self._store.tables.execute(OF_KINDS, (self._upto,)).fetchall()
        last = None
        for row in rows:
            if row[0] != last:
                last = row[0]
                yield row

    def records(self, positions: Iterable[int]) -> dict[int, Record]:
        """Return the records at these positions."""
        db, records = self._store.tables, dict[int, Record]()
        with self._store.errors():
            for position in positions:
                if position not in records:
                    row = db.execute(RECORDS_AT, (position,)).fetchone()
                    if row is None:
                        what = f"the table 'changes' names position {position}, where there is no record"
                        raise Damaged(what, where=str(self._store.path), hint=REBUILD)
                    records[position] = record_of(row, self._store.decoder)
        return records
