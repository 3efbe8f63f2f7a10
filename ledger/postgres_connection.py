"""The connection to one campaign in a database: its tables under the names of `ledger.db`, errors, and reconnecting.

A statement is written for one campaign, as for its file; here it is scoped to the campaign by name of table, with its
id in the text, so that the planner looks at one partition. Nothing is kept in the session, so that a pooler may give
each transaction another one.

A statement outside of a transaction only reads: it is run again after a lost connection. What becomes of a lost
transaction is for the store to find out.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import lru_cache
from socket import AF_INET, SHUT_RDWR, SOCK_STREAM, fromfd, socket
from threading import Timer
from typing import Any, Final, TypeVar
from uuid import uuid4

import psycopg
from psycopg.conninfo import conninfo_to_dict, make_conninfo
from psycopg.errors import (
    IdleInTransactionSessionTimeout,
    InsufficientPrivilege,
    InvalidSchemaName,
    LockNotAvailable,
    QueryCanceled,
    UndefinedColumn,
    UndefinedTable,
)

from ledger.errors import Damaged, LedgerError, Unreadable
from ledger.postgres_address import DatabaseAddress
from ledger.postgres_schema import SCHEMA

CONNECT_SECONDS: Final = 10
DEAD_NETWORK_MILLISECONDS: Final = 10_000  # until bytes that nobody acknowledges are an error
LOCK_SECONDS: Final = 20  # to wait for another writer of the campaign
IDLE_SECONDS: Final = 10  # in a transaction that does nothing, until the server ends it; fewer than LOCK_SECONDS
COMMIT_SECONDS: Final = 30  # until a commit that nobody confirms is given up; it may wait for a standby
AGAIN_SECONDS: Final = 30  # to try to connect again to a server that has gone
PAUSES: Final = (0.05, 0.1, 0.2, 0.5, 1.0)
BEGIN: Final = "BEGIN ISOLATION LEVEL READ COMMITTED"
SNAPSHOT: Final = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
FIRST_LOOK: Final = "SELECT 1"  # the first statement takes the snapshot, BEGIN does not
LIMITS: Final = (
    f"SELECT set_config('lock_timeout', '{LOCK_SECONDS}s', true),"
    f" set_config('idle_in_transaction_session_timeout', '{IDLE_SECONDS}s', true)"
)
ROLLED_BACK: Final = "40"  # begins the codes of transactions that lost a race
SHUT_DOWN: Final = ("57P", "08")  # begin those of a server or a network that goes
READ: Final = re.compile(r"\b(FROM|JOIN) ([a-z_]+)\b(?: AS ([a-z_]+))?")
CHANGED: Final = re.compile(r"^(DELETE FROM|UPDATE) ([a-z_]+)\b(.*?) WHERE ", re.DOTALL)
INSERTED: Final = re.compile(r"^INSERT INTO ([a-z_]+) \((.*?)\) VALUES \(")
Params = Sequence[Any]
R = TypeVar("R")


@lru_cache(1000)
def scoped(sql: str, campaign: str) -> str:
    """Return a statement for the tables of one campaign as one for those of all; parameters are marked with `%s`."""
    start = ""
    if changed := CHANGED.match(sql):
        verb, table, middle = changed.groups()
        start = f"{verb} {SCHEMA}.{table} AS {table}{middle} WHERE campaign = '{campaign}' AND "
        sql = sql[changed.end() :]
    elif inserted := INSERTED.match(sql):
        table, columns = inserted.groups()
        start, sql = f"INSERT INTO {SCHEMA}.{table} (campaign, {columns}) VALUES ('{campaign}', ", sql[inserted.end() :]

    def only(match: re.Match[str]) -> str:
        word, table, name = match.groups()
        return f"{word} (SELECT * FROM {SCHEMA}.{table} WHERE campaign = '{campaign}') AS {name or table}"

    return start + READ.sub(only, sql).replace("BLOB)", f"{SCHEMA}.blob)").replace("?", "%s")


class PostgresConnection:
    """A connection to one campaign, which is made again when it is lost."""

    def __init__(self, address: DatabaseAddress) -> None:
        """Connect, for a campaign with a new id. Raises LedgerError where that fails."""
        self.address, self.campaign = address, str(uuid4())
        with translate_errors(address):
            self._db = connect(address)
        self.in_transaction = False
        self.is_unsure = False  # whether the last transaction was committed
        self.is_unconfirmed = False  # whether the last commit was given up

    def execute(self, sql: str, parameters: Params = (), /) -> psycopg.Cursor[Any]:
        """Run a statement for the campaign."""
        return self.run(scoped(sql, self.campaign), parameters)

    def executemany(self, sql: str, rows: Iterable[Params], /) -> None:
        """Run a statement of a transaction for each row."""
        with self._db.cursor() as cursor:
            cursor.executemany(scoped(sql, self.campaign).encode(), rows)

    def run(self, sql: str, parameters: Params = ()) -> psycopg.Cursor[Any]:
        """Run a statement as it is; outside of a transaction again, if the connection is lost."""
        if self.in_transaction:
            return self._db.execute(sql.encode(), parameters)
        return self.retry(lambda: self._db.execute(sql.encode(), parameters))

    def retry(self, act: Callable[[], R]) -> R:
        """Do something that may be done twice, and do it again on a new connection where the old one is lost.

        Raises the error where no connection can be made for a while.
        """
        end, pauses = time.monotonic() + AGAIN_SECONDS, iter(PAUSES)
        while True:
            try:
                if self._db.closed:
                    self._connect_again()
                return act()
            except psycopg.Error as error:
                if not self.is_lost(error) or time.monotonic() > end:
                    raise
                self.roll_back()
                if not _has_code(error, ROLLED_BACK):
                    self._db.close()
                time.sleep(next(pauses, PAUSES[-1]))

    def is_lost(self, error: psycopg.Error) -> bool:
        """Return whether an error says that the connection, or its transaction, is gone, and no more than that.

        What comes of a killed backend or of a server that starts has no code.
        """
        if self.is_unconfirmed or isinstance(error, LockNotAvailable | QueryCanceled):
            return False
        is_cut = isinstance(error, psycopg.OperationalError) and error.sqlstate is None
        return self._db.closed or is_cut or _has_code(error, ROLLED_BACK, *SHUT_DOWN)

    def _connect_again(self) -> None:
        """Make a new connection in place of the lost one."""
        self.in_transaction = False
        self._db = connect(self.address)

    def begin(self, *, snapshot: bool = False) -> None:
        """Begin a transaction with our limits; with `snapshot` one that sees the state of now and writes nothing."""
        self.is_unconfirmed = False
        self._db.execute(SNAPSHOT if snapshot else BEGIN)
        self.in_transaction = True
        self._db.execute(FIRST_LOOK if snapshot else LIMITS)

    def commit(self) -> None:
        """Commit the transaction. Raises psycopg.OperationalError if it is not known whether it was committed."""
        self.is_unsure = True
        try:
            with self._giving_up():
                self._db.execute("COMMIT")
        except psycopg.Error as error:
            self.is_unsure = self.is_unconfirmed or self.is_lost(error)
            raise
        self.in_transaction = self.is_unsure = False
        if self.is_unconfirmed:  # it was confirmed in the moment in which it was given up
            self.is_unconfirmed = False
            self._db.close()

    @contextmanager
    def _giving_up(self) -> Iterator[None]:
        """End the connection under a commit that waits for too long.

        At the end nobody gives up any more, and `is_unconfirmed` says whether somebody has.
        """
        with fromfd(self._db.fileno(), AF_INET, SOCK_STREAM) as wire:
            timer = Timer(COMMIT_SECONDS, self._give_up, [wire])
            timer.start()
            try:
                yield
            finally:
                timer.cancel()
                timer.join()  # it may be giving up just now

    def _give_up(self, wire: socket) -> None:
        """End the connection: the commit becomes an error here, and goes on in the server."""
        self.is_unconfirmed = True
        with suppress(OSError):
            wire.shutdown(SHUT_RDWR)

    def roll_back(self) -> None:
        """Roll the transaction back, if there still is one."""
        with suppress(psycopg.Error):
            if self.in_transaction:
                self._db.execute("ROLLBACK")
        self.in_transaction = False

    def notify(self) -> None:
        """Tell whoever listens that the campaign has changed. It is a hint: nothing depends on it."""
        with suppress(psycopg.Error):
            self._db.execute("SELECT pg_notify(%s, %s)", (SCHEMA, self.campaign))

    def close(self) -> None:
        """Close the connection."""
        self._db.close()


def connect(address: DatabaseAddress) -> psycopg.Connection[Any]:
    """Return a connection with our settings where the address says nothing else.

    Raises LedgerError for a host that no network can have, and the errors of psycopg.
    """
    ours: dict[str, str | int] = {
        "connect_timeout": CONNECT_SECONDS,
        "tcp_user_timeout": DEAD_NETWORK_MILLISECONDS,
        "keepalives_idle": CONNECT_SECONDS,
        "application_name": "campaign",
        "client_encoding": "UTF8",
    }
    own = conninfo_to_dict(address.database)
    settings = make_conninfo(address.database, **{name: ours[name] for name in ours.keys() - own.keys()})
    try:
        return psycopg.connect(settings, autocommit=True, prepare_threshold=None)
    except UnicodeError as error:  # a name with a part that is empty or longer than 63 characters
        hint = "Write it as it is on the network, as in postgresql://db.example.org/club."
        raise LedgerError("the host of the address is no name of a host", where=str(address), hint=hint) from error


@contextmanager
def translate_errors(address: DatabaseAddress) -> Iterator[None]:
    """Translate psycopg's errors: not there or not now -> LedgerError, text that cannot be stored -> Unreadable."""
    try:
        yield
    except LockNotAvailable as error:
        what = f"another program has held the campaign for {LOCK_SECONDS} seconds"
        raise LedgerError(what, where=str(address), hint="Try again.") from error
    except psycopg.DataError as error:
        raise Unreadable(f"PostgreSQL says: {first_line(error)}", where=str(address)) from error
    except (UndefinedTable, InvalidSchemaName, UndefinedColumn) as error:
        hint = "Create one: campaign new NAME ADDRESS. An older one is made again with campaign rebuild."
        raise LedgerError("the database lacks tables of this version", where=str(address), hint=hint) from error
    except InsufficientPrivilege as error:
        hint = "Ask the owner of the campaign, or of the database."
        raise LedgerError(f"you may not do that: {first_line(error)}", where=str(address), hint=hint) from error
    except (psycopg.OperationalError, IdleInTransactionSessionTimeout) as error:
        what = f"the database cannot be used: {first_line(error)}"
        hint = "Nothing was kept. Check the server and the address, then try again."
        raise LedgerError(what, where=str(address), hint=hint) from error
    except psycopg.Error as error:
        hint = "Look at it with: campaign verify."
        raise Damaged(f"PostgreSQL says: {first_line(error)}", where=str(address), hint=hint) from error


def _has_code(error: psycopg.Error, *beginnings: str) -> bool:
    """Return whether an error has a code that begins so."""
    return (error.sqlstate or "").startswith(beginnings)


def first_line(error: psycopg.Error) -> str:
    """Return the first line of what PostgreSQL or its client says."""
    return str(error).partition("\n")[0].strip() or type(error).__name__
