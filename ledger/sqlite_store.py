"""The store of a campaign: one SQLite file, `ledger.db`.

Rollback journal with `synchronous=EXTRA`, not WAL: one file to copy, and nothing acknowledged lies beside it.
Every write is one `BEGIN IMMEDIATE ... COMMIT` made by `writing`. `position` is the only unique column: on any
other, `INSERT OR REPLACE` would delete an old record without asking its trigger. Session, number, insert, take
and request are copies of what the body says, for the indexes; a reader that finds them otherwise says so.

The triggers and the authorizer guard against accidents, not against the owner of the machine: the chain, and a
head that somebody else keeps, are what shows a rewritten history.

Read tables are written in the transaction of the records that they are made of. Those of the ground are part of
the schema; those of a tally come with `found`, and a change says itself which table it is for.

One declaration uses sqlite3 and msgspec alone; sqlite-utils (heavy to import) serves founding and rebuilding.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from ledger import read_models as readable
from ledger.errors import Damaged, LedgerError, Overtaken
from ledger.facts import EntryId
from ledger.projection import ReadModel, Row, RowChange
from ledger.records import EMPTY, FORMAT, Head, Record, StoredRecord, check_format, decode
from ledger.store import Snapshot, chain_records

if TYPE_CHECKING:
    from sqlite_utils import Database

APPLICATION_ID: Final = 0x4C444752  # "LDGR"
BUSY_SECONDS: Final = 20
PAGE: Final = 500

SCHEMA: Final[tuple[str, ...]] = (
    """CREATE TABLE records (
    position INTEGER PRIMARY KEY,
    body TEXT NOT NULL,
    hash TEXT NOT NULL,
    session INTEGER NOT NULL,
    number INTEGER NOT NULL,
    inserted INTEGER NOT NULL,
    take INTEGER NOT NULL,
    request TEXT
) STRICT""",
    "CREATE INDEX records_by_entry ON records (session, number, inserted, position)",
    "CREATE INDEX records_by_request ON records (request) WHERE request IS NOT NULL",
    """CREATE TRIGGER records_are_not_changed BEFORE UPDATE ON records
BEGIN SELECT RAISE(ABORT, 'records are only added to'); END""",
    """CREATE TRIGGER records_are_not_deleted BEFORE DELETE ON records
BEGIN SELECT RAISE(ABORT, 'records are only added to'); END""",
    """CREATE TRIGGER records_stand_in_order BEFORE INSERT ON records
WHEN NEW.position IS NOT (SELECT coalesce(max(position), 0) + 1 FROM records)
BEGIN SELECT RAISE(ABORT, 'a record goes to the next position only'); END""",
    """CREATE TABLE checkpoints (
    session INTEGER NOT NULL,
    number INTEGER NOT NULL,
    inserted INTEGER NOT NULL,
    position INTEGER NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (session, number, inserted)
) STRICT, WITHOUT ROWID""",
    *readable.SCHEMA,
)

SELECT_RECORDS: Final = (
    "SELECT position, CAST(body AS BLOB), hash, session, number, inserted, take, request FROM records"
)

SEARCH_RECORDS: Final = (
    f"{SELECT_RECORDS} WHERE position IN (SELECT rowid FROM entries_fts WHERE entries_fts MATCH ?)"
    " AND (? OR position IN (SELECT position FROM entries WHERE counts))"
    " ORDER BY session, number, inserted, position"
)

SELECT_SNAPSHOTS: Final = "SELECT session, number, inserted, position, CAST(body AS BLOB) FROM checkpoints"

DENIED: Final = {
    sqlite3.SQLITE_ATTACH,
    sqlite3.SQLITE_DETACH,
    sqlite3.SQLITE_ALTER_TABLE,
    sqlite3.SQLITE_CREATE_TEMP_TABLE,
    sqlite3.SQLITE_CREATE_TEMP_TRIGGER,
    sqlite3.SQLITE_CREATE_TEMP_VIEW,
    sqlite3.SQLITE_DROP_TRIGGER,
}
DENIED_ON_RECORDS: Final = {sqlite3.SQLITE_UPDATE, sqlite3.SQLITE_DELETE, sqlite3.SQLITE_DROP_TABLE}


class SqliteStore:
    """The store protocol over one file. Open it with `found`, or with `opened` to read or write."""

    def __init__(self, db: sqlite3.Connection, path: Path) -> None:
        self.path = path
        self._db = db

    def head(self) -> Head:
        """The end of the log; position 0 when it is empty."""
        with translate_errors(self.path):
            row = self._db.execute("SELECT position, hash FROM records ORDER BY position DESC LIMIT 1").fetchone()
        return Head(row[0], row[1]) if row else EMPTY

    def append(
        self,
        records: Sequence[Record],
        *,
        after: int,
        snapshot: Snapshot | None = None,
        changes: Iterable[RowChange] = (),
    ) -> Head:
        """Add all records or none, with their rows, in one transaction, only if the log still ends at `after`."""
        with translate_errors(self.path), transaction(self._db):
            head = self.head()
            if head.position != after:
                raise Overtaken(after, head.position)
            stored = chain_records(records, head)
            self._db.executemany(
                "INSERT INTO records VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                [
                    (
                        row.position,
                        row.body.decode(),
                        row.hash,
                        *_id_columns(record.id),
                        record.take,
                        record.request,
                    )
                    for row, record in zip(stored, records, strict=True)
                ],
            )
            oldest = min(record.id for record in records)
            self._db.execute(
                "DELETE FROM checkpoints WHERE (session, number, inserted) >= (?, ?, ?)", _id_columns(oldest)
            )
            if snapshot is not None:
                self._db.execute("INSERT INTO checkpoints VALUES (?, ?, ?, ?, ?)", _snapshot_row(snapshot))
            for sql, rows in readable.statements_for(records, changes):
                self._db.executemany(sql, rows)
        return Head(stored[-1].position, stored[-1].hash)

    def read(self, *, after: int = 0) -> Iterator[StoredRecord]:
        """The log in order of writing. Pages, so that no long reader keeps a writer waiting."""
        while rows := self._page(after):
            for row in rows:
                yield _stored(row)
            after = rows[-1][0]

    def _page(self, after: int) -> list[tuple[Any, ...]]:
        """The next rows of the log."""
        with translate_errors(self.path):
            return self._db.execute(
                f"{SELECT_RECORDS} WHERE position > ? ORDER BY position LIMIT ?", (after, PAGE)
            ).fetchall()

    def takes(
        self, *, after: EntryId | None = None, upto: EntryId | None = None, as_of: int | None = None
    ) -> Iterator[Record]:
        """All takes in order of id, then of writing. Pages too."""
        behind = (*_id_columns(after), 1 << 60) if after else (-1, 0, 0, 0)
        upper = _id_columns(upto) if upto else (1 << 60, 0, 0)
        while True:
            with translate_errors(self.path):
                rows = self._db.execute(
                    f"{SELECT_RECORDS} WHERE (session, number, inserted, position) > (?, ?, ?, ?)"
                    " AND (session, number, inserted) <= (?, ?, ?) AND position <= ?"
                    " ORDER BY session, number, inserted, position LIMIT ?",
                    (*behind, *upper, 1 << 60 if as_of is None else as_of, PAGE),
                ).fetchall()
            for row in rows:
                record = _record(row)
                yield record
            if len(rows) < PAGE:
                return
            behind = (*_id_columns(record.id), record.position)

    def find_request(self, request: str) -> Record | None:
        """The record that was appended with this request key."""
        with translate_errors(self.path):
            row = self._db.execute(
                f"{SELECT_RECORDS} WHERE request = ? ORDER BY position LIMIT 1", (request,)
            ).fetchone()
        return _record(row) if row else None

    def latest_snapshot(self, *, upto: EntryId | None = None, as_of: int | None = None) -> Snapshot | None:
        """The latest checkpoint that is not behind `upto` or `as_of`."""
        with translate_errors(self.path):
            row = self._db.execute(
                f"{SELECT_SNAPSHOTS} WHERE (session, number, inserted) <= (?, ?, ?) AND position <= ?"
                " ORDER BY session DESC, number DESC, inserted DESC LIMIT 1",
                (*(_id_columns(upto) if upto else (1 << 60, 0, 0)), 1 << 60 if as_of is None else as_of),
            ).fetchone()
        return _snapshot(row) if row else None

    def snapshots(self) -> Iterator[Snapshot]:
        """All checkpoints, in order of entries."""
        with translate_errors(self.path):
            rows = self._db.execute(f"{SELECT_SNAPSHOTS} ORDER BY session, number, inserted").fetchall()
        yield from map(_snapshot, rows)

    def replace_snapshots(self, snapshots: Sequence[Snapshot]) -> None:
        """Throw all checkpoints away and keep these, in one transaction."""
        columns = ("session", "number", "inserted", "position", "body")
        db = sqlite_utils_database(self._db)
        with translate_errors(self.path), transaction(self._db):
            db.table("checkpoints").delete_where()
            db.table("checkpoints").insert_all(
                dict(zip(columns, _snapshot_row(checkpoint), strict=True)) for checkpoint in snapshots
            )

    def read_model_rows(self, model: ReadModel[Any]) -> list[Row]:
        """What lies in a read table, sorted by its key."""
        columns, key = ", ".join(model.columns), ", ".join(model.key)
        with translate_errors(self.path):
            return self._db.execute(f"SELECT {columns} FROM {model.name} ORDER BY {key}").fetchall()

    def search(self, text: str, *, takes: bool = False) -> Iterator[Record]:
        """The entries in which all these words were said or told, each as it is or going on, in order of entries.

        Any text will do; of an entry only the take that counts, unless all `takes` are asked for.
        """
        looked_for = readable.fts_query(text)
        if looked_for:
            with translate_errors(self.path):
                rows = self._db.execute(SEARCH_RECORDS, (looked_for, takes)).fetchall()
            yield from map(_record, rows)

    def replace_read_models(self, models: Sequence[tuple[ReadModel[Any], Iterable[Row]]], *, after: int) -> None:
        """Throw all read tables away and keep these rows, in one transaction, if the log still ends at `after`."""
        db = sqlite_utils_database(self._db)
        with translate_errors(self.path), transaction(self._db):
            if (head := self.head().position) != after:
                raise Overtaken(after, head)
            db.execute("DROP TABLE IF EXISTS entries_fts")
            for table, rows in models:
                db.execute(f"DROP TABLE IF EXISTS {table.name}")
                db.execute(readable.create_table_sql(table))
                db.table(table.name).insert_all(dict(zip(table.columns, row, strict=True)) for row in rows)
            db.execute(readable.CREATE_SEARCH)
            db.execute(readable.REBUILD_SEARCH)

    def is_search_stale(self) -> bool:
        """Whether the full-text index holds other words than the entries that it is an index of."""
        columns = "position, line, told"
        with translate_errors(self.path), closing(sqlite3.connect(":memory:", isolation_level=None)) as db:
            for statement in (*readable.SCHEMA, readable.CREATE_SEARCH_WORDS):
                db.execute(statement)
            entries = self._db.execute(f"SELECT {columns} FROM entries")
            db.executemany(f"INSERT INTO entries ({columns}) VALUES (?, ?, ?)", entries)
            db.execute(readable.REBUILD_SEARCH)
            self._db.execute(readable.CREATE_SEARCH_WORDS)
            try:
                return (
                    self._db.execute(readable.SELECT_SEARCH_WORDS).fetchall()
                    != db.execute(readable.SELECT_SEARCH_WORDS).fetchall()
                )
            finally:
                self._db.execute("DROP TABLE temp.said")

    def find_column_mismatch(self) -> int | None:
        """The first position whose columns say something else than its body, or None."""
        after = 0
        while rows := self._page(after):
            for row in rows:
                try:
                    _record(row)
                except Damaged:
                    return int(row[0])
            after = rows[-1][0]
        return None

    def find_schema_mismatch(self, models: Sequence[ReadModel[Any]] = ()) -> str | None:
        """What in the file's schema is not as it was founded (with these read tables), letter by letter, or None."""
        with translate_errors(self.path), closing(sqlite3.connect(":memory:", isolation_level=None)) as db:
            for statement in _schema(models):
                db.execute(statement)
            named, expected = _schema_by_name(self._db), _schema_by_name(db)
        for name in sorted(named.keys() | expected.keys()):
            if named.get(name) != expected.get(name):
                return f"'{name}' is missing" if name not in named else f"'{name}' is not as it was founded"
        return None

    def close(self) -> None:
        """Close the file."""
        self._db.close()


def create_store(path: Path, models: Sequence[ReadModel[Any]] = ()) -> SqliteStore:
    """A new, empty ledger file with these read tables. Raises LedgerError when there is one already."""
    try:
        path.touch(exist_ok=False)
    except FileExistsError as error:
        raise LedgerError("there is a ledger already", where=str(path), hint="Choose another folder.") from error
    except OSError as error:
        raise LedgerError(f"no ledger can be made here: {error.strerror}", where=str(path)) from error
    store = open_store(path, write=True, new=True)
    db = sqlite_utils_database(store._db)
    try:
        with translate_errors(path), transaction(store._db):
            for statement in _schema(models):
                db.execute(statement)
            db.execute(f"PRAGMA application_id = {APPLICATION_ID}")
            db.execute(f"PRAGMA user_version = {FORMAT}")
    except BaseException:
        store.close()
        path.unlink()
        raise
    store._db.set_authorizer(_authorize)
    return store


def open_store(path: Path, *, write: bool, new: bool = False) -> SqliteStore:
    """The ledger in `path`. To read, it is opened read-only and nothing is created.

    Raises Damaged when it is no ledger or one of a later version, LedgerError when it is not there or may not
    safely be written (two names for one file).
    """
    if not path.is_file():
        raise LedgerError("there is no ledger", where=str(path), hint="Found one: campaign new NAME.")
    if write and path.stat().st_nlink > 1:
        raise LedgerError(
            "the ledger has a second name (a hard link)",
            where=str(path),
            hint="Keep one and remove the other.",
        )
    with translate_errors(path):
        if new:
            return SqliteStore(_connect(path, write), path)
        try:
            db = _connect(path, write, _check_version)
        except sqlite3.OperationalError:
            _recover(path)
            db = _connect(path, write, _check_version)
    db.set_authorizer(_authorize)
    return SqliteStore(db, path)


def _schema(tables: Sequence[ReadModel[Any]]) -> tuple[str, ...]:
    """The statements that make a ledger with these read tables."""
    return (*SCHEMA, *map(readable.create_table_sql, tables))


def _schema_by_name(db: sqlite3.Connection) -> dict[str, str]:
    """What a schema is made of, by name."""
    return dict(db.execute("SELECT name, sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY name"))


def sqlite_utils_database(db: sqlite3.Connection) -> Database:
    """sqlite-utils over our connection, without other people's plugins."""
    from sqlite_utils import Database

    return Database(db, execute_plugins=False)


@contextmanager
def transaction(db: sqlite3.Connection) -> Iterator[None]:
    """The one transaction there is: take the lock before looking, commit all or roll back all."""
    try:
        db.execute("BEGIN IMMEDIATE")
        yield
        db.execute("COMMIT")
    except BaseException:
        if db.in_transaction:
            db.execute("ROLLBACK")
        raise


@contextmanager
def translate_errors(path: Path) -> Iterator[None]:
    """SQLite's own errors become ours here and go no higher."""
    try:
        yield
    except sqlite3.OperationalError as error:
        text = str(error)
        if "locked" in text or "busy" in text:
            raise LedgerError(
                f"another program has held the ledger for {BUSY_SECONDS} seconds",
                where=str(path),
                hint="Try again.",
            ) from error
        raise LedgerError(f"SQLite says: {text}", where=str(path), hint=_hint(text)) from error
    except (sqlite3.DatabaseError, UnicodeDecodeError) as error:
        raise Damaged(f"SQLite says: {error}", where=str(path), hint="Look at it with: campaign verify.") from error


def _hint(text: str) -> str:
    """What helps against an operational error of SQLite."""
    if "full" in text or "I/O" in text:
        return "Make room on the disk, then say it again."
    if "readonly" in text:
        return "The file or its folder may not be written."
    if "no such table" in text or "no such column" in text or "has no column" in text:
        return "Make the read tables anew: campaign rebuild."
    return "Check that the file is a ledger and may be read."


def _connect(
    path: Path, write: bool, check: Callable[[sqlite3.Connection, Path], None] | None = None
) -> sqlite3.Connection:
    """A connection with our settings and nobody else's, `check`ed; closed again when anything is wrong."""
    uri = f"{path.resolve().as_uri()}?mode={'rw' if write else 'ro'}"
    db = sqlite3.connect(uri, uri=True, timeout=BUSY_SECONDS, isolation_level=None)
    try:
        db.text_factory = _decode_text
        for pragma in ("trusted_schema = OFF", "cell_size_check = ON", "mmap_size = 0", "synchronous = EXTRA"):
            db.execute(f"PRAGMA {pragma}")
        if check is not None:
            check(db, path)
    except BaseException:
        db.close()
        raise
    return db


def _decode_text(stored: bytes) -> str:
    """Text out of the file, also when it is damaged: bodies are read as bytes, and checked there."""
    return stored.decode("utf-8", "replace")


def _check_version(db: sqlite3.Connection, path: Path) -> None:
    """Raises Damaged unless the file says that it is a ledger of this version."""
    (application,) = db.execute("PRAGMA application_id").fetchone()
    (version,) = db.execute("PRAGMA user_version").fetchone()
    if application != APPLICATION_ID:
        raise Damaged("this file is not a campaign ledger", where=str(path), hint="Point -C at a campaign's folder.")
    check_format(version, str(path))


def _recover(path: Path) -> None:
    """A writer was killed in the middle: let SQLite roll its journal back, which a read-only connection cannot."""
    if not os.access(path, os.W_OK):
        raise LedgerError(
            "the ledger cannot be opened",
            where=str(path),
            hint="It may have to be recovered: make it writable.",
        )
    db = _connect(path, write=True)
    try:
        db.execute("SELECT count(*) FROM sqlite_schema").fetchone()
    finally:
        db.close()


def _authorize(action: int, one: str | None, two: str | None, *_: Any) -> int:
    """The authorizer of our own connections: no statement of ours changes a record or hides a table."""
    if action in DENIED or (action in DENIED_ON_RECORDS and one == "records"):
        return sqlite3.SQLITE_DENY
    if action == sqlite3.SQLITE_PRAGMA and (one or "").lower() == "writable_schema":
        return sqlite3.SQLITE_DENY
    return sqlite3.SQLITE_OK


def _stored(row: tuple[Any, ...]) -> StoredRecord:
    """A row of records as exact bytes."""
    return StoredRecord(row[0], row[1], row[2])


def _record(row: tuple[Any, ...]) -> Record:
    """A row of records, decoded. Raises Damaged when its columns say something else than its body."""
    record = decode(_stored(row))
    copies = (*_id_columns(record.id), record.take, record.request)
    if copies != row[3:]:
        raise Damaged("the columns of the record differ from its body", where=f"position {record.position}")
    return record


def _id_columns(entry: EntryId) -> tuple[int, int, int]:
    """An id as the columns of an index."""
    return (entry.session, entry.number, entry.insert)


def _snapshot_row(checkpoint: Snapshot) -> tuple[int, int, int, int, str]:
    """A checkpoint as the columns of its table."""
    return (*_id_columns(checkpoint.entry), checkpoint.position, checkpoint.body.decode())


def _snapshot(row: tuple[int, int, int, int, bytes]) -> Snapshot:
    """The checkpoint in the columns of its table."""
    session, number, insert, position, body = row
    return Snapshot(position=position, entry=EntryId(session, number, insert), body=body)
