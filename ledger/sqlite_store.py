"""The store of a campaign: one SQLite file, `ledger.db`.

Read models are written in the same transaction as the records that they are computed from. Appending one declaration
uses sqlite3 and msgspec alone; sqlite-utils, which is heavy to import, serves creating and rebuilding.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, closing, contextmanager, suppress
from typing import Any, Final

from ledger import read_model_sql, sqlite_connection, sqlite_read_models, sqlite_schema
from ledger.errors import Damaged, LedgerError
from ledger.pending_rows import Appends, last_head
from ledger.projection import ReadModel, Row
from ledger.read_model_sql import Dialect
from ledger.record_rows import record_of
from ledger.records import FORMAT, Head, Record, RememberingDecoder, encode
from ledger.snapshot_rows import INSERT_SNAPSHOT
from ledger.sql_store import SqlStore

HIDDEN: Final = (
    "SELECT position FROM (SELECT position, session, number, inserted FROM records NOT INDEXED"
    " ORDER BY position DESC LIMIT 8) AS last"
    " WHERE NOT EXISTS (SELECT 1 FROM records AS found INDEXED BY records_by_entry WHERE found.session = last.session"
    " AND found.number = last.number AND found.inserted = last.inserted AND found.position = last.position)"
)


class SqliteStore(SqlStore):
    """The store protocol over one file. Get one from `create_store` or `open_store`."""

    dialect = Dialect(
        insert_record=sqlite_schema.INSERT_RECORD,
        insert_snapshot=INSERT_SNAPSHOT,
        upsert=read_model_sql.upsert_sql,
        rows=lambda _, rows: rows,
        has_index=True,
    )

    def __init__(self, db: sqlite_connection.BoundedConnection, path: sqlite_connection.FilePath) -> None:
        super().__init__(db, path)
        self._file = db
        self.is_older = False  # the file has a format before the present one
        self.leaves_wal = False  # reading has made the files of that log, which nobody had open

    @property
    def source(self) -> sqlite_connection.FilePath:
        """The path of the file."""
        return self.path

    def copy_aside(self) -> SqliteStore:
        """Return a store over a copy of all pages as they are now."""
        with self.errors():
            copy = SqliteStore(sqlite_connection.copy_pages(self.connection), self.path)
        copy._reads, copy.checks_index = self._reads, False  # a copy is made to be checked as a whole
        copy.decoder = RememberingDecoder()
        return copy

    def errors(self) -> AbstractContextManager[None]:
        """Translate the errors of SQLite."""
        return sqlite_connection.translate_errors(self.path)

    @property
    def connection(self) -> sqlite_connection.BoundedConnection:
        """The connection itself, once what a batch has collected is written."""
        if self._appends is not None:
            self._appends.write(self._file)
        return self._file

    def _check_index(self) -> None:
        """Raise Damaged if the index by which takes are read lacks one of the last records."""
        if self.checks_index:
            with self.errors():
                check_index(self.connection)

    @contextmanager
    def batch(self) -> Iterator[None]:
        """Make all appends inside in one transaction, durable at its end; if that fails, none of them was made.

        Of an I/O error it is said what became of the records.
        """
        appends: Appends | None = None
        try:
            with self.errors(), sqlite_connection.transaction(self._file):
                self._appends = appends = Appends(self._last_head(), self.dialect)
                try:
                    yield
                    appends.write(self._file)
                    if appends.records:
                        self._raise_format()
                finally:
                    self._appends = None
        except LedgerError as error:
            if _is_of_disk(error) and appends is not None and (records := appends.records):
                name = f"entry {records[0].id}" + (" and all that was said after it" if records[1:] else "")
                bodies, start = list(map(encode, records)), appends.start.position

                def is_kept() -> bool:
                    return [stored.body for stored in self.read(after=start)][: len(bodies)] == bodies

                raise _outcome(error, name, is_kept, again="say it again") from error
            raise
        self.appended = self.appended or bool(appends.records)

    def _raise_format(self) -> None:
        """Give a file of an older format the present one: programs that do not read the new records refuse it then."""
        if self.is_older:
            self._file.execute(f"PRAGMA user_version = {FORMAT}")

    @contextmanager
    def writing(self) -> Iterator[None]:
        """Make what is written inside in one transaction, as only writer, durable at its end."""
        with self.errors(), sqlite_connection.transaction(self.connection):
            yield

    def _last_head(self) -> Head:
        """Return the head to append behind. Raises Damaged if the last records are not well."""
        check_index(self._file)
        return last_head(self._file)

    def _end_extension(self, after: Head) -> Head:
        self._raise_format()
        return self._last_head()

    def _extension_error(self, error: LedgerError, after: Head, head: Head) -> LedgerError:
        if _is_of_disk(error) and head != after:
            return _outcome(error, "all of it", lambda: self.head() == head, again="import it again")
        return error

    def _replace_tables(self, models: Sequence[tuple[ReadModel[Any], Iterable[Row]]]) -> None:
        sqlite_read_models.replace_tables(self._file, models)

    def search(self, text: str, *, takes: bool = False) -> Iterator[Record]:
        """Yield the records whose line or narration has all these words or prefixes, in order of entries.

        Only takes that count are searched, unless `takes` is set.
        """
        query = read_model_sql.fts_query(text)
        if query:
            with self.errors():
                rows = self.connection.execute(sqlite_schema.SEARCH_RECORDS, (query, takes)).fetchall()
            yield from (record_of(row, self.decoder) for row in rows)

    def is_search_stale(self) -> bool:
        """Return whether the full-text index differs from its entries."""
        with self.errors():
            return sqlite_read_models.is_search_stale(self.connection)

    def find_schema_mismatch(self, models: Sequence[ReadModel[Any]] = (), *, lenient: bool = False) -> str | None:
        """Return the first difference between the schema of the file and that of a new one, or None.

        `lenient`: what is harmless may be there too.
        """
        with self.errors():
            return sqlite_schema.find_schema_mismatch(self.connection, models, lenient=lenient)

    def strangers(self, models: Sequence[ReadModel[Any]] = ()) -> list[sqlite_schema.Stranger]:
        """Return what the file has beside a ledger. It cannot act, or the file could not have been opened."""
        with self.errors():
            return sqlite_schema.find_strangers(self.connection, models)

    def close(self) -> None:
        """Close the file. Of a write-ahead log that was only read, remove the files that SQLite has made beside it."""
        self._file.close()
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


def check_index(db: sqlite3.Connection) -> None:
    """Raise Damaged if the index by which takes are read lacks one of the last records."""
    hidden = db.execute(HIDDEN).fetchone()
    if hidden is not None:
        raise Damaged(
            "its record is hidden from the index", where=f"position {hidden[0]}", hint="Look with: campaign verify."
        )
