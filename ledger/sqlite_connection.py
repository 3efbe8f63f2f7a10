"""Connections to `ledger.db`: settings, transactions, errors and the authorizer.

A rollback journal with `synchronous=EXTRA` is used instead of WAL: there is one file to copy, and every acknowledged
record is in it. Each write is one `transaction`. Triggers and authorizer prevent accidents; against the
owner of the machine only the hash chain and a head kept elsewhere help.
"""

from __future__ import annotations

import os
import sqlite3
import stat
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from functools import partial
from itertools import chain, repeat
from typing import TYPE_CHECKING, Any, Final

from ledger import sqlite_schema
from ledger.errors import Damaged, LedgerError
from ledger.projection import ReadModel
from ledger.records import FORMAT, check_format

if TYPE_CHECKING:
    from sqlite_utils import Database

FilePath = str | os.PathLike[str]

BEGIN: Final = "BEGIN IMMEDIATE"
BUSY_SECONDS: Final = 20
PAUSES: Final = (0.001, 0.002, 0.005, 0.01, 0.02, 0.025, 0.05, 0.1)  # between two tries to get a lock
STEPS_COUNTED_AT_ONCE: Final = 100_000
STEPS_MOST: Final = 1_000_000_000  # of SQLite's virtual machine, in one statement: about 20 seconds

TEXT: Final = partial(str, encoding="utf-8", errors="replace")  # also damaged text: bodies are read as bytes
WAL_VERSIONS: Final = b"\2\2"  # of the file format, for writing and reading: bytes 18 and 19

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


class BoundedConnection(sqlite3.Connection):
    """A connection whose statements end: one that takes too many steps is interrupted.

    A lock is waited for BUSY_SECONDS in all, by all statements together until a transaction is committed. A transaction
    begins with the file as it is now, also if another one was written over it.
    """

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.path: FilePath | None = None  # None for a temporary file
        self._written: tuple[int, ...] | None = None  # the file as it was after the last commit of this connection
        self._steps = 0
        self._patience: float = BUSY_SECONDS
        self.set_progress_handler(self._count_steps, STEPS_COUNTED_AT_ONCE)

    def _count_steps(self) -> bool:
        """Return whether to interrupt the statement."""
        self._steps += STEPS_COUNTED_AT_ONCE
        return self._steps > STEPS_MOST

    def execute(self, *arguments: Any) -> sqlite3.Cursor:
        """Run a statement with a count of its own, again and again while another program has the lock."""
        pauses = chain(PAUSES, repeat(PAUSES[-1]))
        if arguments[0] == BEGIN:
            self._forget_pages()
        while True:
            self._steps = 0
            try:
                cursor = super().execute(*arguments)
            except sqlite3.OperationalError as error:
                if not is_busy(error) or not self.wait(next(pauses)):
                    raise
            else:
                if arguments[0] == "COMMIT":
                    self._patience = BUSY_SECONDS
                    self._written = file_times(self.path)
                return cursor

    def _forget_pages(self) -> None:
        """Forget the pages that were read if somebody else has written the file since the last commit.

        SQLite asks for the number of commits alone: a copy of the file that went another way may have as many.
        """
        if self._written is None or self._written != file_times(self.path):
            super().execute("PRAGMA shrink_memory")

    def executemany(self, *arguments: Any) -> sqlite3.Cursor:
        """Run a statement for many rows with a count of its own."""
        self._steps = 0
        return super().executemany(*arguments)

    def wait(self, seconds: float) -> bool:
        """Wait for a lock, and return True; False if it has been waited for long enough."""
        if self._patience <= 0:
            return False
        time.sleep(seconds)
        self._patience -= seconds
        return True


def file_times(path: FilePath | None) -> tuple[int, ...] | None:
    """Return what changes of a file when it is written; None if there is no such file."""
    try:
        status = os.stat(path or "")
    except OSError:
        return None
    return status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns


def is_busy(error: sqlite3.Error) -> bool:
    """Return whether another program has the lock of the file."""
    return getattr(error, "sqlite_errorcode", 0) & 0xFF == sqlite3.SQLITE_BUSY


def connect_checked(path: FilePath, *, write: bool, models: Sequence[ReadModel[Any]] | None) -> BoundedConnection:
    """Return a connection to an existing ledger, recovered if a writer was killed. Raises Damaged for another file."""

    def check(db: sqlite3.Connection, path: FilePath) -> None:
        check_version(db, path)
        check_schema(db, path, models)

    try:
        db = connect(path, write=write, prepare=check)
    except sqlite3.OperationalError as error:
        if is_busy(error) or not (why := find_recovery(path)):  # a lock has been waited for already
            raise
        _recover(path, why)
        db = connect(path, write=write, prepare=check)
    db.set_authorizer(authorize)
    return db


def check_writable(path: FilePath) -> None:
    """Raise LedgerError if the ledger is read-only, or its folder, where SQLite makes a journal for each write."""
    reading = "" if find_recovery(path) else "; reading works as it is"
    for what, each in (("the ledger", path), ("the folder of the ledger", os.path.dirname(os.path.realpath(path)))):
        if not os.access(each, os.W_OK):
            raise LedgerError(
                f"{what} is read-only for you", where=str(each), hint=f"Make it writable, or check the disk{reading}."
            )


def find_recovery(path: FilePath) -> str:
    """Return why a ledger can perhaps not be read before something is written, or nothing."""
    file = os.path.realpath(path)
    if os.path.exists(f"{file}-journal"):
        return "a writer was killed, and its journal must be rolled back before the ledger can be read"
    with suppress(OSError), open(file, "rb") as content:
        if content.read(20)[18:] == WAL_VERSIONS:
            return (
                "another program has switched the ledger to a write-ahead log (WAL), which is read with files beside it"
            )
    return ""


def leave_wal(db: sqlite3.Connection, path: FilePath, *, write: bool) -> bool:
    """Return whether the file uses a write-ahead log; with `write` it does not any more.

    Another program may have switched it. A copy of the file alone then lacks the lines that are only in the log.
    """
    (mode,) = db.execute("PRAGMA journal_mode").fetchone()
    if write and mode == "wal":
        try:
            sqlite3.Connection.execute(db, "PRAGMA journal_mode = DELETE")  # at once: waiting does not close a program
        except sqlite3.OperationalError as error:
            raise LedgerError(
                "another program has switched the ledger to a write-ahead log, and has it open",
                where=str(path),
                hint="Close that program, so that one file holds every line again.",
            ) from error
    return bool(mode == "wal")


def connect(
    path: FilePath, *, write: bool, prepare: Callable[[sqlite3.Connection, FilePath], None] | None = None
) -> BoundedConnection:
    """Return a connection with our settings, after `prepare`; it is closed again on any error."""
    uri = f"file://{uri_path(os.path.realpath(path))}?mode={'rw' if write else 'ro'}"
    db = sqlite3.connect(uri, uri=True, timeout=0, isolation_level=None, factory=BoundedConnection)
    try:
        db.path, db.text_factory = path, TEXT
        for pragma in ("trusted_schema = OFF", "cell_size_check = ON", "mmap_size = 0", "synchronous = EXTRA"):
            db.execute(f"PRAGMA {pragma}")
        if prepare is not None:
            prepare(db, path)
    except BaseException:
        db.close()
        raise
    return db


def uri_path(path: str) -> str:
    """Return a path as a URI has it: bytes beyond ASCII, and letters with a meaning there, in hexadecimal."""
    return "".join(chr(byte) if byte < 128 and chr(byte) not in "%?#" else f"%{byte:02X}" for byte in os.fsencode(path))


def copy_pages(db: BoundedConnection) -> BoundedConnection:
    """Return a connection to a copy, read in one transaction, in a temporary file that is gone when it is closed."""
    copy = sqlite3.connect("", isolation_level=None, factory=BoundedConnection)
    try:
        copy.text_factory = TEXT
        _copy_pages(db, copy)
        for pragma in ("trusted_schema = OFF", "cell_size_check = ON"):
            copy.execute(f"PRAGMA {pragma}")
    except BaseException:
        copy.close()
        raise
    copy.set_authorizer(authorize)
    return copy


def copy_into(db: BoundedConnection, path: FilePath, *, named: FilePath) -> None:
    """Copy all pages, read in one transaction, into a file that is empty or not there, and sync it.

    Who may not read the file that is copied may not read the copy. Errors are those of `named`.
    """
    rights = stat.S_IMODE(os.stat(db.path or path).st_mode) | stat.S_IRUSR | stat.S_IWUSR
    os.close(os.open(path, os.O_WRONLY | os.O_CREAT, rights))
    os.chmod(path, rights)  # before there is anything in it
    with translate_errors(named), closing(sqlite3.connect(path, isolation_level=None)) as copy:
        copy.execute("PRAGMA synchronous = EXTRA")
        _copy_pages(db, copy)
        copy.execute("PRAGMA journal_mode = DELETE")  # of a ledger that another program has switched


def _copy_pages(db: BoundedConnection, copy: sqlite3.Connection) -> None:
    """Copy all pages into another database, as soon as nobody has locked them."""

    def check_lock(status: int, *_: int) -> None:
        if status in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED) and not db.wait(PAUSES[-1]):
            raise sqlite3.OperationalError("database is locked")

    db.backup(copy, progress=check_lock, sleep=0)


def check_version(db: sqlite3.Connection, path: FilePath) -> None:
    """Raise Damaged unless the file is a ledger of this version."""
    (application,) = db.execute("PRAGMA application_id").fetchone()
    if os.path.getsize(path) == 0:
        hint = "What a killed campaign new left, campaign new takes over; else restore a backup."
        raise Damaged("this ledger is an empty file", where=str(path), hint=hint)
    if application != sqlite_schema.APPLICATION_ID:
        raise Damaged("this file is not a campaign ledger", where=str(path), hint="Point -C at a campaign's folder.")
    check_format(format_of(db), str(path), FORMAT)


def format_of(db: sqlite3.Connection) -> int:
    """Return the number of the format that a file says it has."""
    (number,) = db.execute("PRAGMA user_version").fetchone()
    return int(number)


def check_schema(db: sqlite3.Connection, path: FilePath, models: Sequence[ReadModel[Any]] | None) -> None:
    """Raise Damaged if the file lacks something of a ledger, or has what no ledger has and what could act.

    Tables and views of somebody's own, plain indexes and the statistics of ANALYZE are no error.
    """
    if name := sqlite_schema.find_foreign_object(db, models):
        found = sqlite_schema.schema_objects(db).get(name, ())
        if (
            found
            and name not in sqlite_schema.new_schema_objects(models or ())
            and not sqlite_schema.is_model_of_old_version(name, found)
        ):
            kind, _, removal = sqlite_schema.stranger(name, found)
            import shlex  # imported here to start faster

            command = shlex.join(["sqlite-utils", os.fspath(path), removal])
            raise Damaged(
                f"it has a {kind} that no ledger has and that can change what is stored: '{name}'",
                where=str(path),
                hint=f"If you made it, remove it and look at what it did: {command}; campaign verify. Else restore a"
                " backup.",
            )
        if sqlite_schema.is_model_of_old_version(name, found):
            raise Damaged(
                f"its table '{name}' is of another version",
                where=str(path),
                hint="The records are as they were. Make its tables again: campaign rebuild.",
            )
        raise Damaged(
            f"its schema is not that of a ledger: '{name}' differs",
            where=str(path),
            hint="Restore a backup: added triggers or tables can change what is stored.",
        )


def _recover(path: FilePath, why: str) -> None:
    """Let SQLite roll back the journal of a killed writer, which a read-only connection cannot do."""
    try:
        check_writable(path)
    except LedgerError as error:
        hint = "Make it writable and repeat the command."
        raise LedgerError(f"{why}, but {error.what}", where=error.where, hint=hint) from error
    db = connect(path, write=True)
    try:
        db.execute("SELECT count(*) FROM sqlite_schema").fetchone()
    finally:
        db.close()


def authorize(action: int, one: str | None, two: str | None, *_: Any) -> int:
    """Deny every statement that changes a record or hides a table."""
    if action in DENIED or (action in DENIED_ON_RECORDS and one == "records"):
        return sqlite3.SQLITE_DENY
    if action == sqlite3.SQLITE_PRAGMA and (one or "").lower() == "writable_schema":
        return sqlite3.SQLITE_DENY
    return sqlite3.SQLITE_OK


def sqlite_utils_database(db: sqlite3.Connection) -> Database:
    """Return sqlite-utils over this connection, without plugins. Imported late: it is heavy and rarely needed."""
    from sqlite_utils import Database

    return Database(db, execute_plugins=False)


@contextmanager
def transaction(db: sqlite3.Connection) -> Iterator[None]:
    """Take the write lock, then commit everything or roll everything back."""
    try:
        db.execute(BEGIN)
        yield
        db.execute("COMMIT")
    except BaseException:
        if db.in_transaction:
            db.execute("ROLLBACK")
        raise


@contextmanager
def translate_errors(path: FilePath) -> Iterator[None]:
    """Translate sqlite3 errors: locked, full or read-only becomes LedgerError, corrupt becomes Damaged."""
    try:
        yield
    except sqlite3.OperationalError as error:
        text = str(error)
        if getattr(error, "sqlite_errorcode", 0) == sqlite3.SQLITE_READONLY_DBMOVED:
            raise LedgerError(
                "the ledger was moved, or another file took its place",
                where=str(path),
                hint="Nothing was written. Open it again, look at its log, then decide again.",
            ) from error
        if "locked" in text or "busy" in text:
            raise LedgerError(
                f"another program has held the ledger for {BUSY_SECONDS} seconds", where=str(path), hint="Try again."
            ) from error
        raise LedgerError(f"SQLite says: {text}", where=str(path), hint=_hint(text)) from error
    except (sqlite3.DatabaseError, UnicodeDecodeError) as error:
        raise Damaged(f"SQLite says: {error}", where=str(path), hint="Look at it with: campaign verify.") from error


def _hint(text: str) -> str:
    """Return the hint for an operational error of SQLite."""
    if "full" in text or "I/O" in text:
        return "Free some space on the disk, then try again."
    if "interrupted" in text:
        return "Restore a backup: a statement did not end, so the file is damaged."
    if "readonly" in text:
        return "Make the file and its folder writable."
    if "no such table" in text or "no such column" in text or "has no column" in text:
        return "Make the read tables again: campaign rebuild."
    return "Check that the file is a ledger and readable."
