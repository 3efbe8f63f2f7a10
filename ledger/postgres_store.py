"""The store of a campaign in PostgreSQL, for a club of tables.

The row of a campaign in `campaigns` has its head. Appending locks that row, so that it is the queue of this campaign
alone, and changes it only where position and hash are those that were read: after a failover that lost records, the
hash tells a writer who has seen more. A connection that is lost in COMMIT leaves it open whether the records are there:
then the last one is looked for, and only if it is missing are they written again.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from functools import cache
from typing import Any, Final

import psycopg
from psycopg.errors import UniqueViolation
from psycopg.types.json import Jsonb

from ledger.errors import Damaged, LedgerError
from ledger.pending_rows import Appends, last_head
from ledger.postgres_address import DatabaseAddress
from ledger.postgres_connection import COMMIT_SECONDS, PostgresConnection, first_line, translate_errors
from ledger.postgres_schema import SCHEMA, key_of, statements, version
from ledger.projection import ReadModel, Row
from ledger.read_model_sql import Dialect, fts_query
from ledger.record_rows import SELECT_RECORDS, record_of
from ledger.records import EMPTY, Head, Record, RememberingDecoder
from ledger.sql_store import SqlStore
from ledger.sqlite_read_models import matching_positions
from ledger.store import overtaken

SETUP_LOCK: Final = 0x4C444752  # of the transaction that creates the schema
READ_HEAD: Final = f"SELECT position, hash FROM {SCHEMA}.campaigns WHERE id = %s"
TAKE_HEAD: Final = f"{READ_HEAD} FOR UPDATE"
MOVE_HEAD: Final = (
    f"UPDATE {SCHEMA}.campaigns SET position = %s, hash = %s, changed = pg_current_xact_id()"
    " WHERE id = %s AND position = %s AND hash = %s"
)
NEW_CAMPAIGN: Final = f"INSERT INTO {SCHEMA}.campaigns (id, name, hash) VALUES (%s, %s, %s)"
FIND_CAMPAIGN: Final = f"SELECT id FROM {SCHEMA}.campaigns WHERE name = %s"
SEARCHED: Final = "SELECT position, line, told FROM entries WHERE counts >= ?"


@cache
def upsert_sql(model: ReadModel[Any]) -> str:
    """Return the statement that inserts a row or replaces the one with the same key."""
    values, columns = ", ".join("?" * len(model.columns)), ", ".join(model.columns)
    rest = ", ".join(f"{name} = excluded.{name}" for name in model.columns if name not in model.key)
    act = f"UPDATE SET {rest}" if rest else "NOTHING"
    return f"INSERT INTO {model.name} ({columns}) VALUES ({values}) ON CONFLICT ({key_of(model)}) DO {act}"


def database_rows(model: ReadModel[Any], rows: list[Row]) -> list[Row]:
    """Return rows with the values of columns of any type as JSON, which keeps numbers and texts apart."""
    any_type = [index for index, kind in enumerate(model.columns.values()) if kind == "ANY"]
    if not any_type:
        return rows
    adapted = [list[Any](row) for row in rows]
    for row in adapted:
        for index in any_type:
            row[index] = None if row[index] is None else Jsonb(row[index])
    return [tuple(row) for row in adapted]


class PostgresStore(SqlStore):
    """The store protocol over a campaign in a database. Get one from `create_store` or `open_store`."""

    dialect = Dialect(
        insert_record="INSERT INTO records (position, public, sealed, hash, session, number, inserted, take, request)"
        " VALUES (?, convert_to(?, 'UTF8'), convert_to(?, 'UTF8'), ?, ?, ?, ?, ?, ?)",
        insert_snapshot="INSERT INTO snapshots (session, number, inserted, position, body)"
        " VALUES (?, ?, ?, ?, convert_to(?, 'UTF8'))",
        upsert=upsert_sql,
        rows=database_rows,
        has_index=False,
    )

    def __init__(self, db: PostgresConnection, address: DatabaseAddress, *, is_new: bool = False) -> None:
        """`is_new`: the first transaction makes the campaign."""
        super().__init__(db, str(address))
        self.address = address
        self._connection = db
        self._is_new = is_new

    def errors(self) -> AbstractContextManager[None]:
        """Translate the errors of psycopg."""
        return translate_errors(self.address)

    def find_request(self, request: str) -> Record | None:
        """Return the record with this request key; no stored one has a NUL."""
        return None if "\0" in request else super().find_request(request)

    @property
    def source(self) -> DatabaseAddress:
        """The address of the campaign."""
        return self.address

    def copy_aside(self) -> PostgresStore:
        """Return a store over the campaign as it is now, in a transaction on a connection of its own."""
        other = open_store(self.address)
        other._connection.begin(snapshot=True)
        other._reads, other.decoder = self._reads, RememberingDecoder()
        return other

    def find_wrong_head(self) -> str | None:
        """Return how the head in the row of the campaign differs from its records, or None."""
        with self.errors():
            row = self._connection.run(READ_HEAD, (self._connection.campaign,)).fetchone()
        noted, head = Head(*row) if row else EMPTY, self.head()
        return None if noted == head else f"the campaign ends at {noted}, its records end at {head}"

    @contextmanager
    def batch(self) -> Iterator[None]:
        """Make all appends inside in one transaction, durable at its end; if that fails, none of them was made."""
        self._connection.is_unsure = False
        with self.errors():
            appends = Appends(self._connection.retry(self._begin), self.dialect, keeps=True)
            self._appends = appends
            try:
                yield
                self._connection.retry(lambda: self._finish(appends))
            except BaseException as error:
                self._connection.roll_back()
                if self._connection.is_unsure and isinstance(error, psycopg.Error):
                    raise self._unknown(appends, error) from error
                raise
            finally:
                self._appends = None
        if appends.records:
            self.appended = True
            self._connection.notify()

    def _unknown(self, appends: Appends, error: psycopg.Error) -> LedgerError:
        """Return the error of a commit that the database neither confirmed nor refused."""
        name = f"entry {appends.records[0].id}" + (" and all that was said after it" if appends.records[1:] else "")
        return LedgerError(
            f"{self._reason(error)}, and it is not known whether {name} was kept",
            where=str(self.address),
            hint="Look with campaign log before you say it again.",
        )

    def _reason(self, error: psycopg.Error) -> str:
        """Return why it is not known what became of a commit."""
        if self._connection.is_unconfirmed:
            return f"the database has not confirmed a commit for {COMMIT_SECONDS} seconds (it may wait for a standby)"
        return f"the connection was lost ({first_line(error)})"

    def _begin(self) -> Head:
        """Begin a transaction as the only writer of the campaign, and return its head; there is none if that fails.

        Raises LedgerError if a new campaign has the name of another, and Damaged if the log ends otherwise.
        """
        self._connection.roll_back()
        try:
            self._connection.begin()
            return self._take_head()
        except BaseException:
            self._connection.roll_back()
            raise

    def _take_head(self) -> Head:
        """Lock the row of the campaign, or make it, and return its head."""
        campaign = self._connection.campaign
        row = self._connection.run(TAKE_HEAD, (campaign,)).fetchone()
        if row is None and self._is_new:
            self._make_campaign(campaign)
            return EMPTY
        if row is None:
            raise Damaged("the campaign is gone", where=str(self.path), hint="Look with: campaign list.")
        if last_head(self._db) != (head := Head(*row)):
            what = f"the campaign ends at position {head.position}, its records end otherwise"
            raise Damaged(what, where=str(self.path), hint="Nothing was appended. Look at it with: campaign verify.")
        return head

    def _make_campaign(self, id: str) -> None:
        """Make the row of a new campaign. Raises LedgerError if there is one of this name."""
        try:
            self._connection.run(NEW_CAMPAIGN, (id, self.address.name, EMPTY.hash))
        except UniqueViolation as error:
            hint = "Choose another name."
            raise LedgerError("there is a campaign already", where=str(self.address), hint=hint) from error

    def _finish(self, appends: Appends) -> None:
        """Write what is not written, and commit; on a new connection all of it, if it is not there already."""
        if not self._connection.in_transaction:
            head = self._begin()
            self._connection.is_unsure = False
            if head == appends.head:
                self._connection.roll_back()
                return
            if head != appends.start:
                self._connection.roll_back()
                raise overtaken(self, appends.start)
            appends.write_again(self._db)
        appends.write(self._db)
        self._move_head(appends.start, appends.head)
        self._connection.commit()

    def _move_head(self, before: Head, after: Head) -> None:
        """Note the head in the row of the campaign."""
        places = (after.position, after.hash, self._connection.campaign, before.position, before.hash)
        moved = self._connection.run(MOVE_HEAD, places)
        if moved.rowcount != 1:
            raise overtaken(self, before)

    @contextmanager
    def writing(self) -> Iterator[None]:
        """Make what is written inside in one transaction, as only writer of this campaign, durable at its end."""
        with self.errors():
            self._connection.retry(self._begin)
            try:
                yield
                self._commit_once()
            except BaseException:
                self._connection.roll_back()
                raise

    def _commit_once(self) -> None:
        """Commit what can be done again. Raises LedgerError if the connection is lost: it is not known what became."""
        try:
            self._connection.commit()
        except psycopg.Error as error:
            if not self._connection.is_unsure:
                raise
            what = f"{self._reason(error)} while it was committed"
            raise LedgerError(what, where=str(self.address), hint="Do it again.") from error

    def _end_extension(self, after: Head) -> Head:
        head = last_head(self._db)
        self._move_head(after, head)
        return head

    def _extension_error(self, error: LedgerError, after: Head, head: Head) -> LedgerError:
        if isinstance(error.__cause__, psycopg.Error) and head != after:
            with suppress(LedgerError):
                if self.head() == head:
                    return LedgerError(f"{error.what}, but all of it is kept", where=error.where)
        return error

    def _replace_tables(self, models: Sequence[tuple[ReadModel[Any], Iterable[Row]]]) -> None:
        for model, rows in models:
            self._db.execute(f"DELETE FROM {model.name} WHERE true")
            self._db.executemany(upsert_sql(model), database_rows(model, list(rows)))

    def search(self, text: str, *, takes: bool = False) -> Iterator[Record]:
        """Yield the records whose line or narration has all these words or prefixes, in order of entries.

        Only takes that count are searched, unless `takes` is set. The words are those that SQLite finds.
        """
        query = fts_query(text)
        if query:
            with self.errors():
                entries = self.tables.execute(SEARCHED, (int(not takes),))
                found = matching_positions(entries, query)
                rows = self.tables.execute(
                    f"{SELECT_RECORDS} WHERE position = ANY (?) ORDER BY session, number, inserted, position", (found,)
                ).fetchall()
            yield from (record_of(row, self.decoder) for row in rows)

    def is_search_stale(self) -> bool:
        """Return False: there is no index, the words of entries are looked for as they stand."""
        return False

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()


def create_store(address: DatabaseAddress, models: Sequence[ReadModel[Any]] = ()) -> PostgresStore:
    """Return the store of a new campaign, which its first transaction makes, and make the tables if there are none.

    Raises LedgerError if there is a campaign of this name.
    """
    db = PostgresConnection(address)
    try:
        with translate_errors(address):
            _make_tables(db, models)
            check_version(db, models)
            if db.run(FIND_CAMPAIGN, (address.name,)).fetchone():
                raise LedgerError("there is a campaign already", where=str(address), hint="Choose another name.")
    except BaseException:
        db.close()
        raise
    return PostgresStore(db, address, is_new=True)


def open_store(address: DatabaseAddress, models: Sequence[ReadModel[Any]] | None = None) -> PostgresStore:
    """Open a campaign in a database. Raises LedgerError if there is none, or tables of another version.

    With `models` None they are not looked at.
    """
    db = PostgresConnection(address)
    try:
        with translate_errors(address):
            if models is not None:
                check_version(db, models)
            row = db.run(FIND_CAMPAIGN, (address.name,)).fetchone()
        if row is None:
            hint = "The names: campaign list ADDRESS. Create one: campaign new NAME ADDRESS."
            raise LedgerError(f"there is no campaign '{address.name}' for you", where=str(address), hint=hint)
        db.campaign = str(row[0])
    except BaseException:
        db.close()
        raise
    return PostgresStore(db, address)


def _make_tables(db: PostgresConnection, models: Sequence[ReadModel[Any]]) -> None:
    """Make the schema with all tables, if there is none."""
    if comment_of(db) is not None:
        return
    db.begin()
    try:
        db.run("SELECT pg_advisory_xact_lock(%s)", (SETUP_LOCK,))
        if comment_of(db) is None:
            for statement in statements(models):
                db.run(statement)
        db.commit()
    except BaseException:
        db.roll_back()
        raise


def comment_of(db: PostgresConnection) -> str | None:
    """Return what the comment of the schema says; None if there is no schema."""
    query = "SELECT coalesce(obj_description(oid, 'pg_namespace'), '') FROM pg_namespace WHERE nspname = %s"
    row = db.run(query, (SCHEMA,)).fetchone()
    return None if row is None else str(row[0])


def check_version(db: PostgresConnection, models: Sequence[ReadModel[Any]]) -> None:
    """Raise LedgerError unless the tables are those of this version."""
    comment, expected = comment_of(db), version(models)
    if comment is None:
        hint = "Create a campaign in it: campaign new NAME ADDRESS."
        raise LedgerError("the database has no campaigns", where=str(db.address), hint=hint)
    if comment != expected:
        raise LedgerError(
            f"the tables of the database are of another version: {comment}, not {expected}",
            where=str(db.address),
            hint="Use the program that made them, or copy each campaign into another database: campaign copy.",
        )
