"""What the stores in a database have in common: appending in one transaction, and replacing what can be made again.

A store says how a transaction begins and ends, and what its database calls otherwise.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from itertools import islice
from typing import Any, ClassVar, Final

from ledger import snapshot_rows
from ledger.errors import LedgerError
from ledger.pending_rows import hash_at
from ledger.postgres_address import DatabaseAddress
from ledger.projection import ReadModel, Row, RowChange
from ledger.read_model_sql import Dialect
from ledger.record_rows import record_row
from ledger.records import Head, Record, StoredRecord
from ledger.sql_reader import SqlReader
from ledger.store import Snapshot, check_head

RECORDS_AT_ONCE: Final = 500


class SqlStore(SqlReader):
    """The store protocol over a database, with read models."""

    dialect: ClassVar[Dialect]
    appended = False  # by this store
    wal = False  # another program has switched the file to a write-ahead log

    @property
    def source(self) -> str | os.PathLike[str] | DatabaseAddress:
        """Where the campaign is: what opens it again."""
        raise NotImplementedError

    def copy_aside(self) -> SqlStore:
        """Return a copy of the campaign as it is now, for long checks: they see one state and block no writer."""
        raise NotImplementedError

    def find_wrong_head(self) -> str | None:
        """Return how the head that is noted beside the records differs from them, or None."""
        return None

    def batch(self) -> AbstractContextManager[None]:
        """Make all appends inside in one transaction, durable at its end; if that fails, none of them was made."""
        raise NotImplementedError

    def writing(self) -> AbstractContextManager[None]:
        """Make what is written inside in one transaction, as only writer of this campaign, durable at its end."""
        raise NotImplementedError

    def append(
        self,
        records: Sequence[Record],
        *,
        after: Head,
        public: Sequence[Record] | None = None,
        snapshot: Snapshot | None = None,
        changes: Iterable[RowChange] = (),
    ) -> Head:
        """Append all records or none, in one transaction, with snapshot and row changes. Raises Overtaken."""
        if self._appends is None:
            with self.batch():
                return self.append(records, after=after, public=public, snapshot=snapshot, changes=changes)
        check_head(self, after)
        return self._appends.add(records, public=public, snapshot=snapshot, changes=changes)

    def extend(
        self,
        records: Iterable[tuple[StoredRecord, Record]],
        *,
        after: Head,
        models: Sequence[tuple[ReadModel[Any], Iterable[Row]]] = (),
        snapshots: Iterable[Snapshot] = (),
    ) -> Head:
        """Append records that were stored elsewhere, byte for byte, and return the head after them: all or none.

        The rows of all read models and the snapshots are replaced by these. Raises Overtaken unless the log ends at
        `after`, and Damaged if the last record does not follow.
        """
        rows, head = (record_row(stored, record) for stored, record in records), after
        try:
            with self.writing():
                check_head(self, after)
                while some := list(islice(rows, RECORDS_AT_ONCE)):
                    self._db.executemany(self.dialect.insert_record, some)
                head = self._end_extension(after)
                if models:
                    self._replace_tables(models)
                self._replace_snapshots(snapshots)
        except LedgerError as error:
            raise self._extension_error(error, after, head) from error
        self.appended = self.appended or head != after
        return head

    def _end_extension(self, after: Head) -> Head:
        """Note that the log has records behind `after`, and return its head. Raises Damaged if it is none."""
        raise NotImplementedError

    def _extension_error(self, error: LedgerError, after: Head, head: Head) -> LedgerError:
        """Return the error of an extension, with what became of it where that is known."""
        return error

    def replace_snapshots(self, snapshots: Iterable[Snapshot], *, after: Head) -> None:
        """Replace all snapshots, in one transaction. Raises Overtaken unless the log ends at `after`."""
        with self.writing():
            check_head(self, after)
            self._replace_snapshots(snapshots)

    def _replace_snapshots(self, snapshots: Iterable[Snapshot]) -> None:
        """Replace all snapshots."""
        self._db.execute("DELETE FROM snapshots WHERE true")
        for snapshot in snapshots:
            row = snapshot_rows.snapshot_row(snapshot, hash_at(self._db, snapshot.position))
            self._db.execute(self.dialect.insert_snapshot, row)

    def replace_read_models(self, models: Sequence[tuple[ReadModel[Any], Iterable[Row]]], *, after: Head) -> None:
        """Replace all read models, in one transaction. Raises Overtaken unless the log ends at `after`."""
        with self.writing():
            check_head(self, after)
            self._replace_tables(models)

    def _replace_tables(self, models: Sequence[tuple[ReadModel[Any], Iterable[Row]]]) -> None:
        """Replace the rows of all read models."""
        raise NotImplementedError

    def search(self, text: str, *, takes: bool = False) -> Iterator[Record]:
        """Yield the records whose line or narration has all these words or prefixes, in order of entries.

        Only takes that count are searched, unless `takes` is set.
        """
        raise NotImplementedError

    def is_search_stale(self) -> bool:
        """Return whether a full-text index differs from its entries."""
        raise NotImplementedError

    def close(self) -> None:
        """Close the connection."""
        raise NotImplementedError
