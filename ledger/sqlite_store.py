"""The store of a campaign: one SQLite file, `ledger.db`.

Read models are written in the same transaction as the records that they are computed from. Appending one declaration
uses sqlite3 and msgspec alone; sqlite-utils, which is heavy to import, serves creating and rebuilding.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from itertools import zip_longest
from typing import Any, Final

from ledger import read_model_sql, sqlite_connection, sqlite_snapshots
from ledger.errors import Damaged, LedgerError, Overtaken
from ledger.extracts import WHOLE, Extract, Kinds, body_filter, decode_extract
from ledger.facts import EntryId
from ledger.projection import ReadModel, Row, RowChange
from ledger.read_model_views import VIEWS
from ledger.records import EMPTY, FORMAT, Head, Record, StoredRecord, decode, encode
from ledger.sqlite_append import Appends, check_head, check_index, hash_at
from ledger.sqlite_schema import (
    APPLICATION_ID,
    SEARCH_RECORDS,
    SELECT_IDS,
    SELECT_RECORDS,
    Stranger,
    find_schema_mismatch,
    find_strangers,
    id_columns,
    record_of,
    schema_statements,
    stored_record,
)
from ledger.store import ChainedTake, Snapshot

PAGE: Final = 500
SNAPSHOTS_AT_ONCE: Final = 20  # each is the whole state
NO_LIMIT: Final = 1 << 60
SELECT_BODIES: Final = "SELECT position, CAST(body AS BLOB), session, number, inserted FROM records"
LAST_TAKES: Final = (
    "SELECT session, number, inserted, max(position) FROM records WHERE session BETWEEN ? AND ? AND position <= ?"
    " GROUP BY session, number, inserted HAVING count(*) > 1"
)


def has_words(text: str, *columns: str) -> bool:
    """Return whether the line and the narration of an entry have all words of a search, as `SqliteStore.search`."""
    query = read_model_sql.fts_query(text)
    if not query:
        return False
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as db:
        for statement in read_model_sql.SCHEMA:
            db.execute(statement)
        db.execute(read_model_sql.INSERT_SEARCH, (1, *columns))
        return db.execute("SELECT rowid FROM entries_fts WHERE entries_fts MATCH ?", (query,)).fetchone() is not None


class SqliteStore:
    """The store protocol over one file. Get one from `create_store` or `open_store`."""

    def __init__(self, db: sqlite_connection.BoundedConnection, path: sqlite_connection.FilePath) -> None:
        self.path = path
        self._db = db
        self.appended = False  # by this store
        self._appends: Appends | None = None  # in a transaction that goes on
        self._reads = [0]  # records read so far, also by copies
        self.checks_index = True  # whether the head is compared with the index by which takes are read
        self.wal = False  # another program has switched the file to a write-ahead log
        self.leaves_wal = False  # reading has made the files of that log, which nobody had open
        self.wrong_snapshots: dict[EntryId, str] = {}  # that were passed over, and what is wrong with them

    @property
    def records_read(self) -> int:
        """How many records were read so far, by this store and its copies in memory."""
        return self._reads[0]

    @property
    def connection(self) -> sqlite_connection.BoundedConnection:
        """The connection. What a batch has collected is written first, so that it can be read."""
        if self._appends is not None:
            self._appends.write(self._db)
        return self._db

    def copy_to(self, db: sqlite_connection.BoundedConnection) -> SqliteStore:
        """Return a store over a copy of the pages of this one."""
        copy = SqliteStore(db, self.path)
        copy._reads, copy.checks_index = self._reads, False  # a copy is made to be checked as a whole
        return copy

    def head(self) -> Head:
        """Return the last position and its hash; position 0 when the log is empty.

        Raises Damaged if the index by which takes are read lacks one of the last records: history would be another.
        """
        if self._appends is not None:
            return self._appends.head
        with sqlite_connection.translate_errors(self.path):
            if self.checks_index:
                check_index(self.connection)
            row = self.connection.execute(
                "SELECT position, CAST(hash AS TEXT) FROM records ORDER BY position DESC LIMIT 1"
            ).fetchone()
        return Head(row[0], row[1]) if row else EMPTY

    def append(
        self,
        records: Sequence[Record],
        *,
        after: int,
        snapshot: Snapshot | None = None,
        changes: Iterable[RowChange] = (),
    ) -> Head:
        """Append all records or none, in one transaction, with snapshot and row changes. Raises Overtaken."""
        if self._appends is None:
            with self.batch():
                return self.append(records, after=after, snapshot=snapshot, changes=changes)
        return self._appends.add(records, after=after, snapshot=snapshot, changes=changes)

    @contextmanager
    def batch(self) -> Iterator[None]:
        """Make all appends inside in one transaction, durable at its end; if that fails, none of them was made.

        Of an I/O error it is said what became of the records.
        """
        appends: Appends | None = None
        try:
            with sqlite_connection.translate_errors(self.path), sqlite_connection.transaction(self._db):
                self._appends = appends = Appends(check_head(self._db))
                try:
                    yield
                    appends.write(self._db)
                finally:
                    self._appends = None
        except LedgerError as error:
            is_of_disk = isinstance(error.__cause__, sqlite3.OperationalError) and "I/O" in str(error.__cause__)
            if is_of_disk and appends is not None and appends.records:
                raise self._outcome_of_append(error, appends) from error
            raise
        self.appended = self.appended or bool(appends.records)

    def _outcome_of_append(self, error: LedgerError, appends: Appends) -> LedgerError:
        """Return the error with what became of the records: an I/O error at the last sync comes after the commit."""
        records = appends.records
        name = f"entry {records[0].id}" + (" and all that was said after it" if records[1:] else "")
        try:
            stored = [stored.body for stored in self.read(after=appends.start)]
            kept = stored[: len(records)] == list(map(encode, records))
        except LedgerError:
            return LedgerError(
                f"{error.what}, and it is not known whether {name} was kept",
                where=error.where,
                hint="Look with campaign log before you say it again.",
            )
        if not kept:
            return LedgerError(f"{error.what}. Nothing was kept", where=error.where, hint=error.hint)
        return LedgerError(
            f"{error.what}, but {name} is kept",
            where=error.where,
            hint="Do not say it again. Check the disk.",
        )

    def _check_head(self, after: int) -> Head:
        """Return the head. Raises Overtaken unless the log ends at `after`."""
        head = self.head()
        if head.position != after:
            raise Overtaken(after, head.position)
        return head

    def read(self, *, after: int = 0) -> Iterator[StoredRecord]:
        """Yield the log in order of writing, in pages, so that no reader blocks a writer for long."""
        while rows := self._page(after):
            self._reads[0] += len(rows)
            for row in rows:
                yield stored_record(row)
            after = rows[-1][0]

    def _page(self, after: int) -> list[tuple[Any, ...]]:
        """Return the next rows of the log."""
        with sqlite_connection.translate_errors(self.path):
            return self.connection.execute(
                f"{SELECT_RECORDS} WHERE position > ? ORDER BY position LIMIT ?", (after, PAGE)
            ).fetchall()

    def records(self, *, after: int = 0) -> Iterator[Record]:
        """Yield the log in order of writing, after a position."""
        return map(decode, self.read(after=after))

    def takes(
        self, *, after: EntryId | None = None, upto: EntryId | None = None, as_of: int | None = None
    ) -> Iterator[Record]:
        """Yield the takes in order of id, then of writing, in pages."""
        behind = (*id_columns(after), NO_LIMIT) if after else (-1, 0, 0, 0)
        upper = id_columns(upto) if upto else (NO_LIMIT, 0, 0)
        for rows in self._pages_by_entry(behind, upper, NO_LIMIT if as_of is None else as_of):
            for row in rows:
                yield record_of(row)

    def chained_takes(self) -> Iterator[ChainedTake]:
        """Yield all takes in order of id, then of writing, each with its bytes and the hash of the record before it."""
        last = EMPTY
        for rows in self._pages_by_entry((-1, 0, 0, 0), (NO_LIMIT, 0, 0), NO_LIMIT):
            for row in rows:
                stored = stored_record(row)
                is_next = stored.position == last.position + 1
                before = last.hash if is_next else self._hash_at(stored.position - 1)
                yield ChainedTake(record_of(row), stored, before)
                last = Head(stored.position, stored.hash)

    def _hash_at(self, position: int) -> str | None:
        """Return the hash that is stored at a position; None if there is no record."""
        if not position:
            return EMPTY.hash
        with sqlite_connection.translate_errors(self.path):
            row = self.connection.execute(
                "SELECT CAST(hash AS TEXT) FROM records WHERE position = ?", (position,)
            ).fetchone()
        return row[0] if row else None

    def _pages_by_entry(
        self, behind: tuple[int, ...], upper: tuple[int, ...], as_of: int
    ) -> Iterator[list[tuple[Any, ...]]]:
        """Yield the rows of takes in order of id, then of writing, in pages."""
        while True:
            with sqlite_connection.translate_errors(self.path):
                rows = self.connection.execute(
                    f"{SELECT_RECORDS} WHERE (session, number, inserted, position) > (?, ?, ?, ?)"
                    " AND (session, number, inserted) <= (?, ?, ?) AND position <= ?"
                    " ORDER BY session, number, inserted, position LIMIT ?",
                    (*behind, *upper, as_of, PAGE),
                ).fetchall()
            self._reads[0] += len(rows)
            yield rows
            if len(rows) < PAGE:
                return
            behind = (*rows[-1][3:6], rows[-1][0])

    def entry_ids(self, *, after: int = 0) -> Iterator[tuple[int, EntryId]]:
        """Yield the position and the entry of each take, in order of writing, after a position, in pages."""
        while True:
            with sqlite_connection.translate_errors(self.path):
                rows = self.connection.execute(SELECT_IDS, (after, PAGE)).fetchall()
            for position, *id in rows:
                yield position, EntryId(*id)
            if len(rows) < PAGE:
                return
            after = rows[-1][0]

    def extracts(
        self,
        kinds: Kinds,
        *,
        session: int | None = None,
        as_of: int | None = None,
        secret: bool = False,
        name: str = "",
        whole: bool = False,
    ) -> Iterator[Extract]:
        """Yield the takes that have facts of these kinds, in order of writing; all, or those of a session."""
        last, end = self.last_takes(session=session, as_of=as_of), NO_LIMIT if as_of is None else as_of
        is_wanted = body_filter(kinds, secret=secret, name=name)
        for rows in self._pages_of_bodies(session, end):
            for position, body, *columns in rows:
                if is_wanted(body):
                    found = decode_extract(position, body, WHOLE if whole else kinds)
                    if [found.session, found.number, found.insert] != columns:
                        raise Damaged("the columns of the record differ from its body", where=f"position {position}")
                    found.counts = last.get(found.id, position) == position
                    yield found

    def _pages_of_bodies(self, session: int | None, end: int) -> Iterator[list[tuple[Any, ...]]]:
        """Yield position, body and entry of records in order of writing, in pages."""
        after = 0
        where = "" if session is None else " AND session = ?"
        own = () if session is None else (session,)
        while True:
            with sqlite_connection.translate_errors(self.path):
                rows = self.connection.execute(
                    f"{SELECT_BODIES} WHERE position > ? AND position <= ?{where} ORDER BY position LIMIT ?",
                    (after, end, *own, PAGE),
                ).fetchall()
            self._reads[0] += len(rows)
            yield rows
            if len(rows) < PAGE:
                return
            after = rows[-1][0]

    def ends(self, session: int, *, as_of: int | None = None) -> tuple[Record, ...]:
        """Return the first and the last take of a session that count and have facts; none if there are none."""
        ends = (self._first_with_facts(session, order, as_of) for order in ("ASC", "DESC"))
        return tuple(record for record in ends if record is not None)

    def _first_with_facts(self, session: int, order: str, as_of: int | None) -> Record | None:
        """Return the first take of a session in an order of entries that counts and has facts."""
        query = (
            f"{SELECT_RECORDS} WHERE session = ? AND position <= ?"
            f" ORDER BY number {order}, inserted {order}, position DESC"
        )
        last: list[Any] = []
        bounds = (session, NO_LIMIT if as_of is None else as_of)
        with sqlite_connection.translate_errors(self.path), closing(self.connection.execute(query, bounds)) as rows:
            for row in rows:
                is_older, last = last == [*row[3:6]], [*row[3:6]]
                if not is_older and (record := record_of(row)).facts:
                    return record
        return None

    def last_takes(self, *, session: int | None = None, as_of: int | None = None) -> dict[EntryId, int]:
        """Return the entries, of a session or of all, with more than one take, each with the position of its last."""
        own = (0, NO_LIMIT) if session is None else (session, session)
        with sqlite_connection.translate_errors(self.path):
            rows = self.connection.execute(LAST_TAKES, (*own, NO_LIMIT if as_of is None else as_of)).fetchall()
        return {EntryId(*id): position for *id, position in rows}

    def session_sizes(self) -> dict[int, int]:
        """Return the number of takes of each session, in order of sessions."""
        with sqlite_connection.translate_errors(self.path):
            return dict(
                self.connection.execute("SELECT session, count(*) FROM records GROUP BY session ORDER BY session")
            )

    def find_request(self, request: str) -> Record | None:
        """Return the record with this request key."""
        with sqlite_connection.translate_errors(self.path):
            row = self._db.execute(
                f"{SELECT_RECORDS} WHERE request = ? ORDER BY position LIMIT 1", (request,)
            ).fetchone()
        if row:
            return record_of(row)
        return self._appends.find_request(request) if self._appends is not None else None

    def latest_snapshot(self, *, upto: EntryId | None = None, as_of: int | None = None) -> Snapshot | None:
        """Return the latest snapshot up to the entry `upto` and the position `as_of`; a wrong one is passed over."""
        with sqlite_connection.translate_errors(self.path):
            rows = self.connection.execute(
                f"{sqlite_snapshots.SELECT_SNAPSHOTS} WHERE (session, number, inserted) <= (?, ?, ?) AND position <= ?"
                " ORDER BY session DESC, number DESC, inserted DESC",
                (*(id_columns(upto) if upto else (NO_LIMIT, 0, 0)), NO_LIMIT if as_of is None else as_of),
            )
            with closing(rows):
                for row in rows:
                    if (problem := sqlite_snapshots.snapshot_problem(row)) is None:
                        return sqlite_snapshots.snapshot_of(row)
                    self.wrong_snapshots[sqlite_snapshots.snapshot_of(row).entry] = problem
        return None

    def snapshots(self) -> Iterator[Snapshot]:
        """Yield all snapshots, in order of entries, in pages."""
        behind = (-1, 0, 0)
        while True:
            with sqlite_connection.translate_errors(self.path):
                rows = self.connection.execute(
                    f"{sqlite_snapshots.SELECT_SNAPSHOTS} WHERE (session, number, inserted) > (?, ?, ?)"
                    " ORDER BY session, number, inserted LIMIT ?",
                    (*behind, SNAPSHOTS_AT_ONCE),
                ).fetchall()
            yield from map(sqlite_snapshots.snapshot_of, rows)
            if len(rows) < SNAPSHOTS_AT_ONCE:
                return
            behind = rows[-1][:3]

    def replace_snapshots(self, snapshots: Iterable[Snapshot], *, after: int) -> None:
        """Replace all snapshots, in one transaction. Raises Overtaken unless the log ends at `after`."""
        db = sqlite_connection.sqlite_utils_database(self.connection)
        with sqlite_connection.translate_errors(self.path), sqlite_connection.transaction(self.connection):
            self._check_head(after)
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
                rows = self.connection.execute(SEARCH_RECORDS, (query, takes)).fetchall()
            yield from map(record_of, rows)

    def replace_read_models(self, models: Sequence[tuple[ReadModel[Any], Iterable[Row]]], *, after: int) -> None:
        """Replace all read models, in one transaction. Raises Overtaken unless the log ends at `after`."""
        db = sqlite_connection.sqlite_utils_database(self.connection)
        with sqlite_connection.translate_errors(self.path), sqlite_connection.transaction(self.connection):
            self._check_head(after)
            db.execute("DROP TABLE IF EXISTS entries_fts")
            for kind, name in self._objects_named([view.name for view in VIEWS]):
                db.execute(f"DROP {kind} {name}")
            for model, rows in models:
                db.execute(f"DROP TABLE IF EXISTS {model.name}")
                db.execute(read_model_sql.create_table_sql(model))
                db.table(model.name).insert_all(dict(zip(model.columns, row, strict=True)) for row in rows)
                for statement in read_model_sql.create_index_sql(model):
                    db.execute(statement)
            db.execute(read_model_sql.CREATE_SEARCH)
            db.execute(read_model_sql.REBUILD_SEARCH)
            for statement in read_model_sql.CREATE_VIEWS:
                db.execute(statement)

    def _objects_named(self, names: Sequence[str]) -> list[tuple[str, str]]:
        """Return what the file has under these names, as `view` or `table` with the name."""
        marks = ", ".join("?" * len(names))
        return self.connection.execute(
            f"SELECT type, name FROM sqlite_schema WHERE name IN ({marks})", names
        ).fetchall()

    def is_search_stale(self) -> bool:
        """Return whether the full-text index differs from its entries."""
        columns = "position, line, told"
        with sqlite_connection.translate_errors(self.path), closing(sqlite3.connect("", isolation_level=None)) as db:
            for statement in (*read_model_sql.SCHEMA, read_model_sql.CREATE_SEARCH_WORDS):
                db.execute(statement)
            entries = self.connection.execute(f"SELECT {columns} FROM entries")
            db.executemany(f"INSERT INTO entries ({columns}) VALUES (?, ?, ?)", entries)
            db.execute(read_model_sql.REBUILD_SEARCH)
            self.connection.execute(read_model_sql.CREATE_SEARCH_WORDS)
            try:
                words = (each.execute(read_model_sql.SELECT_SEARCH_WORDS) for each in (self.connection, db))
                return any(one != other for one, other in zip_longest(*words))
            finally:
                self.connection.execute("DROP TABLE temp.said")

    def find_column_mismatch(self) -> int | None:
        """Return the first position whose columns differ from its body, or None."""
        after = 0
        while rows := self._page(after):
            for row in rows:
                try:
                    record_of(row)
                except Damaged:
                    return int(row[0])
            after = rows[-1][0]
        return None

    def find_schema_mismatch(self, models: Sequence[ReadModel[Any]] = (), *, lenient: bool = False) -> str | None:
        """Return the first difference between the schema of the file and that of a new one, or None.

        `lenient`: what is harmless may be there too.
        """
        with sqlite_connection.translate_errors(self.path):
            return find_schema_mismatch(self.connection, models, lenient=lenient)

    def strangers(self, models: Sequence[ReadModel[Any]] = ()) -> list[Stranger]:
        """Return what the file has beside a ledger. It cannot act, or the file could not have been opened."""
        with sqlite_connection.translate_errors(self.path):
            return find_strangers(self.connection, models)

    def close(self) -> None:
        """Close the file. Of a write-ahead log that was only read, remove the files that SQLite has made beside it."""
        self._db.close()
        if self.leaves_wal:
            with suppress(sqlite3.Error):  # the last connection that may write removes them
                db = sqlite3.connect(self.path, timeout=0)
                with closing(db):
                    db.execute("SELECT count(*) FROM sqlite_schema").fetchone()


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
            for statement in schema_statements(models):
                db.execute(statement)
            db.execute(f"PRAGMA application_id = {APPLICATION_ID}")
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
            store.leaves_wal = store.wal and not write and not had_log
        except BaseException:
            store.close()
            raise
        return store
