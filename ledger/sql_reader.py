"""What is read of a campaign by SQL: records in order of writing or of entries, snapshots, and rows of read models.

The queries are those of SQLite and of PostgreSQL alike. All is read in pages, so that no reader blocks a writer for
long, and no more is fetched than is asked for.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing
from itertools import chain, count
from typing import Any, Final, Unpack

from ledger.errors import Damaged
from ledger.extracts import WHOLE, Extract, ExtractLimits, Kinds, body_filter, decode_extract
from ledger.facts import EntryId
from ledger.pending_rows import Appends, hash_at
from ledger.projection import ReadModel, Row
from ledger.record_rows import SELECT_COLUMNS, SELECT_IDS, SELECT_RECORDS, id_columns, record_of, stored_record
from ledger.records import DECODER, EMPTY, Head, Record, RecordDecoder, StoredRecord, current_bytes, decode, whole_bytes
from ledger.snapshot_rows import SELECT_SNAPSHOTS, snapshot_of, snapshot_problem
from ledger.sql_connection import Connection
from ledger.store import ChainedTake, Snapshot

PAGE: Final = 500
FIRST: Final = 20  # rows that are read at once where one of the first is looked for
SNAPSHOTS_AT_ONCE: Final = 20  # each is the whole state
NO_LIMIT: Final = 1 << 60
FilePath = str | os.PathLike[str]
SELECT_BODIES: Final = (
    "SELECT position, CAST(public AS BLOB), CAST(sealed AS BLOB), session, number, inserted FROM records"
)
LAST_TAKES: Final = (
    "SELECT session, number, inserted, max(position) FROM records WHERE session BETWEEN ? AND ? AND position <= ?"
    " GROUP BY session, number, inserted HAVING count(*) > 1"
)


class SqlReader:
    """The reading half of a store in a database: a `ReadableStore`, the stored bytes, and rows of read models."""

    decoder: RecordDecoder = DECODER

    def __init__(self, db: Connection, path: FilePath) -> None:
        """`path`: where the campaign is, a path or an address, for people."""
        self.path = path
        self._db = db
        self._appends: Appends | None = None  # in a transaction that goes on
        self._reads = [0]  # records read so far, also by copies
        self.checks_index = True  # whether the index by which takes are read is compared with the last records
        self.wrong_snapshots: dict[EntryId, str] = {}  # that were passed over, and what is wrong with them

    @property
    def records_read(self) -> int:
        """How many records were read so far, by this store and its copies in memory."""
        return self._reads[0]

    def errors(self) -> AbstractContextManager[None]:
        """Translate the errors of the database: for now it cannot be used -> LedgerError, corrupt -> Damaged."""
        raise NotImplementedError

    @property
    def tables(self) -> Connection:
        """The connection. What a batch has collected is written first, so that it can be read."""
        if self._appends is not None:
            self._appends.write(self._db)
        return self._db

    def head(self) -> Head:
        """Return the last position and its hash; position 0 when the log is empty.

        Raises Damaged if the index by which takes are read lacks one of the last records: history would be another.
        """
        if self._appends is not None:
            return self._appends.head
        self._check_index()
        with self.errors():
            row = self.tables.execute(
                "SELECT position, CAST(hash AS TEXT) FROM records ORDER BY position DESC LIMIT 1"
            ).fetchone()
        return Head(row[0], row[1]) if row else EMPTY

    def _check_index(self) -> None:
        """Raise Damaged if the database reads takes by an index that lacks one of the last records."""

    def read(self, *, after: int = 0) -> Iterator[StoredRecord]:
        """Yield the log in order of writing, in pages, so that no reader blocks a writer for long.

        What a batch has collected is not written for this.
        """
        if self._appends is not None and (collected := self._appends.collected(after)) is not None:
            yield from collected
            return
        while rows := self._page(after):
            self._reads[0] += len(rows)
            for row in rows:
                yield stored_record(row)
            after = rows[-1][0]

    def _page(self, after: int) -> list[tuple[Any, ...]]:
        """Return the next rows of the log."""
        with self.errors():
            return self.tables.execute(
                f"{SELECT_RECORDS} WHERE position > ? ORDER BY position LIMIT ?", (after, PAGE)
            ).fetchall()

    def records(self, *, after: int = 0) -> Iterator[Record]:
        """Yield the log in order of writing, after a position."""
        return (decode(stored, self.decoder) for stored in self.read(after=after))

    def takes(
        self, *, after: EntryId | None = None, upto: EntryId | None = None, as_of: int | None = None
    ) -> Iterator[Record]:
        """Yield the takes in order of id, then of writing, in pages. Raises Damaged like `head`."""
        self._check_index()
        behind = (*id_columns(after), NO_LIMIT) if after else (-1, 0, 0, 0)
        upper = id_columns(upto) if upto else (NO_LIMIT, 0, 0)
        for rows in self._pages_by_entry(behind, upper, NO_LIMIT if as_of is None else as_of):
            for row in rows:
                yield record_of(row, self.decoder)

    def columns(self) -> Iterator[tuple[Any, ...]]:
        """Yield the columns beside the bytes of all takes, in order of id. Raises Damaged like `head`."""
        self._check_index()
        pages = self._pages(SELECT_COLUMNS, (-1, 0, 0, 0), key=lambda row: (*row[1:4], row[0]))
        yield from chain.from_iterable(pages)

    def chained_takes(self) -> Iterator[ChainedTake]:
        """Yield all takes in order of id, then of writing, each with its bytes and the hash of the record before it."""
        last = EMPTY
        for rows in self._pages_by_entry((-1, 0, 0, 0), (NO_LIMIT, 0, 0), NO_LIMIT):
            for row in rows:
                stored = stored_record(row)
                is_next = stored.position == last.position + 1
                before = last.hash if is_next else self._hash_at(stored.position - 1)
                yield ChainedTake(record_of(row, self.decoder), stored, before)
                last = Head(stored.position, stored.hash)

    def _hash_at(self, position: int) -> str | None:
        """Return the hash that is stored at a position; None if there is no record."""
        if not position:
            return EMPTY.hash
        with self.errors():
            return hash_at(self.tables, position)

    def _pages_by_entry(
        self, behind: tuple[int, ...], upper: tuple[int, ...], as_of: int
    ) -> Iterator[list[tuple[Any, ...]]]:
        """Yield the rows of takes in order of id, then of writing, in pages."""
        query = (
            f"{SELECT_RECORDS} WHERE (session, number, inserted, position) > (?, ?, ?, ?)"
            " AND (session, number, inserted) <= (?, ?, ?) AND position <= ?"
            " ORDER BY session, number, inserted, position LIMIT ?"
        )
        for rows in self._pages(query, behind, (*upper, as_of), key=lambda row: (*row[4:7], row[0])):
            self._reads[0] += len(rows)
            yield rows

    def _pages(
        self,
        query: str,
        behind: tuple[int, ...],
        bounds: tuple[int, ...] = (),
        *,
        key: Callable[[tuple[Any, ...]], tuple[int, ...]] = lambda row: row[:1],
        most: int | None = None,
    ) -> Iterator[list[tuple[Any, ...]]]:
        """Yield the rows of a query in pages. Its arguments: the key of the row before, the bounds, the most rows."""
        most = PAGE if most is None else most
        while True:
            with self.errors():
                rows = self.tables.execute(query, (*behind, *bounds, most)).fetchall()
            yield rows
            if len(rows) < most:
                return
            behind = key(rows[-1])

    def entry_ids(self, *, after: int = 0) -> Iterator[tuple[int, EntryId]]:
        """Yield the position and the entry of each take, in order of writing, after a position, in pages."""
        for position, session, number, insert in chain.from_iterable(self._pages(SELECT_IDS, (after,))):
            yield position, EntryId(session, number, insert)

    def extracts(self, kinds: Kinds, **limits: Unpack[ExtractLimits]) -> Iterator[Extract]:
        """Yield the takes that have facts of these kinds, in order of writing; all, or those of a session."""
        session, as_of, is_wanted = limits.get("session"), limits.get("as_of"), body_filter(kinds, limits)
        last, end = self.last_takes(session=session, as_of=as_of), NO_LIMIT if as_of is None else as_of
        for rows in self._pages_of_bodies(session, end):
            for position, public, sealed, *columns in rows:
                body = current_bytes(whole_bytes(public, sealed))
                if is_wanted(body):
                    take = decode_extract(position, body, WHOLE if limits.get("whole") else kinds)
                    if [take.session, take.number, take.insert] != columns:
                        raise Damaged("the columns of the record differ from its bytes", where=f"position {position}")
                    take.counts = last.get(take.id, position) == position
                    yield take

    def _pages_of_bodies(self, session: int | None, end: int) -> Iterator[list[tuple[Any, ...]]]:
        """Yield position, body and entry of records in order of writing, in pages."""
        where = "" if session is None else " AND session = ?"
        bounds = (end,) if session is None else (end, session)
        query = f"{SELECT_BODIES} WHERE position > ? AND position <= ?{where} ORDER BY position LIMIT ?"
        for rows in self._pages(query, (0,), bounds):
            self._reads[0] += len(rows)
            yield rows

    def ends(self, session: int, *, as_of: int | None = None) -> tuple[Record, ...]:
        """Return the first and the last take of a session that count and have facts; none if there are none."""
        ends = (self._first_with_facts(session, order, as_of) for order in ("ASC", "DESC"))
        return tuple(record for record in ends if record is not None)

    def _first_with_facts(self, session: int, order: str, as_of: int | None) -> Record | None:
        """Return the first take of a session in an order of entries that counts and has facts."""
        query = (
            f"{SELECT_RECORDS} WHERE session = ? AND position <= ?"
            f" ORDER BY number {order}, inserted {order}, position DESC LIMIT {FIRST} OFFSET ?"
        )
        last, skipped = list[Any](), 0
        while True:
            with self.errors():
                rows = self.tables.execute(query, (session, NO_LIMIT if as_of is None else as_of, skipped)).fetchall()
            for row in rows:
                is_older, last = last == [*row[4:7]], [*row[4:7]]
                if not is_older and (record := record_of(row, self.decoder)).facts:
                    return record
            if len(rows) < FIRST:
                return None
            skipped += FIRST

    def last_takes(self, *, session: int | None = None, as_of: int | None = None) -> dict[EntryId, int]:
        """Return the entries, of a session or of all, with more than one take, each with the position of its last."""
        own = (0, NO_LIMIT) if session is None else (session, session)
        with self.errors():
            rows = self.tables.execute(LAST_TAKES, (*own, NO_LIMIT if as_of is None else as_of)).fetchall()
        return {EntryId(*id): position for *id, position in rows}

    def session_sizes(self) -> dict[int, int]:
        """Return the number of takes of each session, in order of sessions."""
        with self.errors():
            return dict(self.tables.execute("SELECT session, count(*) FROM records GROUP BY session ORDER BY session"))

    def find_request(self, request: str) -> Record | None:
        """Return the record with this request key."""
        with self.errors():
            row = self._db.execute(
                f"{SELECT_RECORDS} WHERE request = ? ORDER BY position LIMIT 1", (request,)
            ).fetchone()
        if row:
            return record_of(row, self.decoder)
        return self._appends.find_request(request) if self._appends is not None else None

    def latest_snapshot(self, *, upto: EntryId | None = None, as_of: int | None = None) -> Snapshot | None:
        """Return the latest snapshot up to the entry `upto` and the position `as_of`; a wrong one is passed over."""
        query = (
            f"{SELECT_SNAPSHOTS} WHERE (session, number, inserted) <= (?, ?, ?) AND position <= ?"
            " ORDER BY session DESC, number DESC, inserted DESC LIMIT 1 OFFSET ?"
        )
        bounds = (*(id_columns(upto) if upto else (NO_LIMIT, 0, 0)), NO_LIMIT if as_of is None else as_of)
        for passed in count():
            with self.errors():
                row = self.tables.execute(query, (*bounds, passed)).fetchone()
            if row is None or (problem := snapshot_problem(row)) is None:
                return snapshot_of(row) if row else None
            self.wrong_snapshots[snapshot_of(row).entry] = problem
        return None

    def snapshots(self) -> Iterator[Snapshot]:
        """Yield all snapshots, in order of entries, in pages."""
        query = (
            f"{SELECT_SNAPSHOTS} WHERE (session, number, inserted) > (?, ?, ?)"
            " ORDER BY session, number, inserted LIMIT ?"
        )
        pages = self._pages(query, (-1, 0, 0), key=lambda row: row[:3], most=SNAPSHOTS_AT_ONCE)
        yield from map(snapshot_of, chain.from_iterable(pages))

    def find_column_mismatch(self) -> int | None:
        """Return the first position whose columns differ from its bytes, or None."""
        after = 0
        while rows := self._page(after):
            for row in rows:
                try:
                    record_of(row, self.decoder)
                except Damaged:
                    return int(row[0])
            after = rows[-1][0]
        return None

    def read_model_rows(self, model: ReadModel[Any]) -> list[Row]:
        """Return the stored rows of a read model, sorted by its key."""
        return list(self.each_row(model))

    def each_row(self, model: ReadModel[Any]) -> Iterator[Row]:
        """Yield the stored rows of a read model, sorted by its key."""
        columns, key = ", ".join(model.columns), ", ".join(model.key)
        query = f"SELECT {columns} FROM {model.name} ORDER BY {key}"
        with self.errors(), closing(self.tables.execute(query)) as rows:
            yield from rows
