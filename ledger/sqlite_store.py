"""The store of a campaign: one SQLite file, `ledger.db`.

Read models are written in the same transaction as the records that they are computed from. Appending one declaration
uses sqlite3 and msgspec alone; sqlite-utils, which is heavy to import, serves creating and rebuilding.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from itertools import islice
from typing import Any, Final

from ledger import read_model_sql, sqlite_connection, sqlite_read_models, sqlite_schema, sqlite_snapshots
from ledger.errors import LedgerError
from ledger.projection import ReadModel, Row, RowChange
from ledger.records import FORMAT, Head, Record, StoredRecord, encode
from ledger.sqlite_append import Appends, hash_at, last_head
from ledger.sqlite_reader import SqliteReader
from ledger.sqlite_schema import record_row
from ledger.store import Snapshot, check_head

RECORDS_AT_ONCE: Final = 500


class SqliteStore(SqliteReader):
    """The store protocol over one file. Get one from `create_store` or `open_store`."""

    def __init__(self, db: sqlite_connection.BoundedConnection, path: sqlite_connection.FilePath) -> None:
        super().__init__(db, path)
        self.appended = False  # by this store
        self.is_older = False  # the file has a format before the present one
        self.wal = False  # another program has switched the file to a write-ahead log
        self.leaves_wal = False  # reading has made the files of that log, which nobody had open

    def copy_to(self, db: sqlite_connection.BoundedConnection) -> SqliteStore:
        """Return a store over a copy of the pages of this one."""
        copy = SqliteStore(db, self.path)
        copy._reads, copy.checks_index = self._reads, False  # a copy is made to be checked as a whole
        return copy

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

    @contextmanager
    def batch(self) -> Iterator[None]:
        """Make all appends inside in one transaction, durable at its end; if that fails, none of them was made.

        Of an I/O error it is said what became of the records.
        """
        appends: Appends | None = None
        try:
            with sqlite_connection.translate_errors(self.path), sqlite_connection.transaction(self._db):
                self._appends = appends = Appends(last_head(self._db))
                try:
                    yield
                    appends.write(self._db)
                    if appends.records:
                        self._raise_format()
                finally:
                    self._appends = None
        except LedgerError as error:
            if _is_of_disk(error) and appends is not None and (records := appends.records):
                name = f"entry {records[0].id}" + (" and all that was said after it" if records[1:] else "")
                bodies, start = list(map(encode, records)), appends.start

                def is_kept() -> bool:
                    return [stored.body for stored in self.read(after=start)][: len(bodies)] == bodies

                raise _outcome(error, name, is_kept, again="say it again") from error
            raise
        self.appended = self.appended or bool(appends.records)

    def _raise_format(self) -> None:
        """Give a file of an older format the present one: programs that do not read the new records refuse it then."""
        if self.is_older:
            self._db.execute(f"PRAGMA user_version = {FORMAT}")

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
            with sqlite_connection.translate_errors(self.path), sqlite_connection.transaction(self.connection):
                check_head(self, after)
                while some := list(islice(rows, RECORDS_AT_ONCE)):
                    self.connection.executemany(sqlite_schema.INSERT_RECORD, some)
                self._raise_format()
                head = last_head(self.connection)
                if models:
                    sqlite_read_models.replace_tables(self.connection, models)
                self._replace_snapshots(snapshots)
        except LedgerError as error:
            if _is_of_disk(error) and head != after:
                raise _outcome(error, "all of it", lambda: self.head() == head, again="import it again") from error
            raise
        self.appended = self.appended or head != after
        return head

    def replace_snapshots(self, snapshots: Iterable[Snapshot], *, after: Head) -> None:
        """Replace all snapshots, in one transaction. Raises Overtaken unless the log ends at `after`."""
        with sqlite_connection.translate_errors(self.path), sqlite_connection.transaction(self.connection):
            check_head(self, after)
            self._replace_snapshots(snapshots)

    def _replace_snapshots(self, snapshots: Iterable[Snapshot]) -> None:
        """Replace all snapshots."""
        db = sqlite_connection.sqlite_utils_database(self.connection)
        db.table("snapshots").delete_where()
        db.table("snapshots").insert_all(
            dict(
                zip(
                    sqlite_snapshots.SNAPSHOT_COLUMNS,
                    sqlite_snapshots.snapshot_row(snapshot, hash_at(self._db, snapshot.position)),
                    strict=True,
                )
            )
            for snapshot in snapshots
        )

    def read_model_rows(self, model: ReadModel[Any]) -> list[Row]:
        """Return the stored rows of a read model, sorted by its key."""
        return list(self.each_row(model))

    def each_row(self, model: ReadModel[Any]) -> Iterator[Row]:
        """Yield the stored rows of a read model, sorted by its key. Until the last one nobody can write."""
        columns, key = ", ".join(model.columns), ", ".join(model.key)
        query = f"SELECT {columns} FROM {model.name} ORDER BY {key}"
        with sqlite_connection.translate_errors(self.path), closing(self.connection.execute(query)) as rows:
            yield from rows

    def search(self, text: str, *, takes: bool = False) -> Iterator[Record]:
        """Yield the records whose line or narration has all these words or prefixes, in order of entries.

        Only takes that count are searched, unless `takes` is set.
        """
        query = read_model_sql.fts_query(text)
        if query:
            with sqlite_connection.translate_errors(self.path):
                rows = self.connection.execute(sqlite_schema.SEARCH_RECORDS, (query, takes)).fetchall()
            yield from (sqlite_schema.record_of(row, self.decoder) for row in rows)

    def replace_read_models(self, models: Sequence[tuple[ReadModel[Any], Iterable[Row]]], *, after: Head) -> None:
        """Replace all read models, in one transaction. Raises Overtaken unless the log ends at `after`."""
        with sqlite_connection.translate_errors(self.path), sqlite_connection.transaction(self.connection):
            check_head(self, after)
            sqlite_read_models.replace_tables(self.connection, models)

    def is_search_stale(self) -> bool:
        """Return whether the full-text index differs from its entries."""
        with sqlite_connection.translate_errors(self.path):
            return sqlite_read_models.is_search_stale(self.connection)

    def find_schema_mismatch(self, models: Sequence[ReadModel[Any]] = (), *, lenient: bool = False) -> str | None:
        """Return the first difference between the schema of the file and that of a new one, or None.

        `lenient`: what is harmless may be there too.
        """
        with sqlite_connection.translate_errors(self.path):
            return sqlite_schema.find_schema_mismatch(self.connection, models, lenient=lenient)

    def strangers(self, models: Sequence[ReadModel[Any]] = ()) -> list[sqlite_schema.Stranger]:
        """Return what the file has beside a ledger. It cannot act, or the file could not have been opened."""
        with sqlite_connection.translate_errors(self.path):
            return sqlite_schema.find_strangers(self.connection, models)

    def close(self) -> None:
        """Close the file. Of a write-ahead log that was only read, remove the files that SQLite has made beside it."""
        self._db.close()
        if self.leaves_wal:
            with suppress(sqlite3.Error):  # the last connection that may write removes them
                db = sqlite3.connect(self.path, timeout=0)
                with closing(db):
                    db.execute("SELECT count(*) FROM sqlite_schema").fetchone()


def _is_of_disk(error: LedgerError) -> bool:
    """Return whether an error is one of input or output: one at the last sync comes after the commit."""
    return isinstance(error.__cause__, sqlite3.OperationalError) and "I/O" in str(error.__cause__)


def _outcome(error: LedgerError, name: str, is_kept: Callable[[], bool], *, again: str) -> LedgerError:
    """Return an error of the disk with what became of the append.

    Args:
        error: the error.
        name: what was appended.
        is_kept: returns whether it is in the file.
        again: what somebody would do who believes that it is not.
    """
    try:
        kept = is_kept()
    except LedgerError:
        return LedgerError(
            f"{error.what}, and it is not known whether {name} was kept",
            where=error.where,
            hint=f"Look with campaign log before you {again}.",
        )
    if not kept:
        return LedgerError(f"{error.what}. Nothing was kept", where=error.where, hint=error.hint)
    return LedgerError(f"{error.what}, but {name} is kept", where=error.where, hint=f"Do not {again}. Check the disk.")


def create_store(path: sqlite_connection.FilePath, models: Sequence[ReadModel[Any]] = ()) -> SqliteStore:
    """Create an empty ledger file with these read models. Raises LedgerError if the file exists."""
    try:
        open(path, "x").close()
    except FileExistsError as error:
        raise LedgerError("there is a ledger already", where=str(path), hint="Choose another folder.") from error
    except OSError as error:
        raise LedgerError(f"the ledger cannot be created: {error.strerror}", where=str(path)) from error

    def write_schema(db: sqlite3.Connection, _: sqlite_connection.FilePath) -> None:
        with sqlite_connection.transaction(db):
            for statement in sqlite_schema.schema_statements(models):
                db.execute(statement)
            db.execute(f"PRAGMA application_id = {sqlite_schema.APPLICATION_ID}")
            db.execute(f"PRAGMA user_version = {FORMAT}")

    try:
        with sqlite_connection.translate_errors(path):
            db = sqlite_connection.connect(path, write=True, prepare=write_schema)
    except BaseException:
        os.unlink(path)
        raise
    db.set_authorizer(sqlite_connection.authorize)
    return SqliteStore(db, path)


def open_store(
    path: sqlite_connection.FilePath, *, write: bool, models: Sequence[ReadModel[Any]] | None = None
) -> SqliteStore:
    """Open the ledger in `path`; read-only unless `write`.

    `models` are the read models that it may have; with None any plain table may be there, for a rebuild.
    Raises Damaged if it is not a ledger of this version with the schema of a new one, LedgerError if it is missing or
    has a second name, which makes writing unsafe.
    """
    if not os.path.isfile(path):
        raise LedgerError("there is no ledger", where=str(path), hint="Create one: campaign new NAME.")
    if write and os.stat(path).st_nlink > 1:
        raise LedgerError(
            "the ledger has a second name (a hard link)", where=str(path), hint="Keep one and remove the other."
        )
    if write:
        sqlite_connection.check_writable(path)
    had_log = os.path.exists(f"{os.path.realpath(path)}-wal")
    with sqlite_connection.translate_errors(path):
        store = SqliteStore(sqlite_connection.connect_checked(path, write=write, models=models), path)
        try:
            store.wal = sqlite_connection.leave_wal(store.connection, path, write=write)
            store.is_older = sqlite_connection.format_of(store.connection) < FORMAT
            store.leaves_wal = store.wal and not write and not had_log
        except BaseException:
            store.close()
            raise
        return store
