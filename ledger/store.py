"""The store protocol: an append-only log of records, with snapshots.

`read` yields the log in order of writing, `takes` in order of entries. A writer gives the head up to which it has read
(`after`); if the log has moved on, or is another one of the same length, nothing is written and Overtaken is raised. An
append deletes the snapshots at and after its oldest entry.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from typing import Any, NamedTuple, Protocol, Unpack

import msgspec

from ledger.errors import Overtaken, Unreadable
from ledger.extracts import Extract, ExtractLimits, Kinds
from ledger.facts import EntryId
from ledger.projection import RowChange
from ledger.records import EMPTY, Head, Record, StoredRecord, store_record


class Snapshot(msgspec.Struct, frozen=True, kw_only=True):
    """The packed state after `entry`, as the log stood at `position`."""

    position: int
    entry: EntryId
    body: bytes


class ChainedTake(NamedTuple):
    """A take, its exact bytes, and the hash of the record before it in the log; None if that is missing."""

    record: Record
    stored: StoredRecord
    before: str | None


class ReadableStore(Protocol):
    """What questions read of a store: the whole log, or what somebody may see of it."""

    def head(self) -> Head:
        """Return the last position and its hash; position 0 when the log is empty."""

    def records(self, *, after: int = 0) -> Iterator[Record]:
        """Yield the log in order of writing, after a position."""

    def takes(
        self, *, after: EntryId | None = None, upto: EntryId | None = None, as_of: int | None = None
    ) -> Iterator[Record]:
        """Yield all takes of the entries after `after` up to `upto`, in order of id, then of writing.

        `as_of`: as if the log ended at that position.
        """

    def entry_ids(self, *, after: int = 0) -> Iterator[tuple[int, EntryId]]:
        """Yield the position and the entry of each take, in order of writing, after a position."""

    def extracts(self, kinds: Kinds, **limits: Unpack[ExtractLimits]) -> Iterator[Extract]:
        """Yield the takes that have facts of these kinds, in order of writing; all, or those within the limits."""

    def ends(self, session: int, *, as_of: int | None = None) -> tuple[Record, ...]:
        """Return the first and the last take of a session that count and have facts; none if there are none."""

    def last_takes(self, *, session: int | None = None, as_of: int | None = None) -> dict[EntryId, int]:
        """Return the entries, of a session or of all, with more than one take, each with the position of its last."""

    def session_sizes(self) -> dict[int, int]:
        """Return the number of takes of each session, in order of sessions."""

    def latest_snapshot(self, *, upto: EntryId | None = None, as_of: int | None = None) -> Snapshot | None:
        """Return the latest snapshot up to the entry `upto` and the position `as_of`."""


class Store(ReadableStore, Protocol):
    """The store of a Ledger: `SqliteStore`, or `MemoryStore` in tests. Both pass the same tests."""

    def append(
        self,
        records: Sequence[Record],
        *,
        after: Head,
        public: Sequence[Record] | None = None,
        snapshot: Snapshot | None = None,
        changes: Iterable[RowChange] = (),
    ) -> Head:
        """Append all records or none, durably. Raises Overtaken unless the log ends at `after`.

        `public` are the records as everybody sees them; without it everybody sees all of them. `changes` are the
        changed rows of read models, for stores that have them.
        """

    def batch(self) -> AbstractContextManager[None]:
        """Make all appends inside in one transaction, durable at its end; if that fails, none of them was made.

        An append inside that raises an error leaves those before it.
        """

    def read(self, *, after: int = 0) -> Iterator[StoredRecord]:
        """Yield the log in order of writing, after a position, as exact bytes."""

    def columns(self) -> Iterator[tuple[Any, ...]]:
        """Yield what stands beside the bytes of all takes, in order of id, then of writing.

        These are position, session, number, insert, take and the request key.
        """

    def chained_takes(self) -> Iterator[ChainedTake]:
        """Yield all takes in order of id, then of writing, each with its bytes and the hash of the record before it."""

    def find_request(self, request: str) -> Record | None:
        """Return the record with this request key."""

    def snapshots(self) -> Iterator[Snapshot]:
        """Yield all snapshots, in order of entries."""

    def replace_snapshots(self, snapshots: Iterable[Snapshot], *, after: Head) -> None:
        """Replace all snapshots. Raises Overtaken unless the log ends at `after`, where they were made."""

    def close(self) -> None:
        """Close the files."""


def follow(store: ReadableStore, *, after: int, wake: Callable[[], bool]) -> Iterator[Record]:
    """Yield records as they are appended by anybody. `wake` waits, and returns whether to go on."""
    position = after
    while True:
        for record in store.records(after=position):
            position = record.position
            yield record
        if not wake():
            return


def check_head(store: Store, expected: Head) -> None:
    """Raise Overtaken unless the log of a store ends at `expected`."""
    if store.head() != expected:
        raise overtaken(store, expected)


def overtaken(store: Store, expected: Head) -> Overtaken:
    """Return the error for a writer that has read the log up to `expected`, where it does not end any more."""
    stored = next(store.read(after=expected.position - 1), None)
    is_read = expected == EMPTY or (stored is not None and Head(stored.position, stored.hash) == expected)
    return Overtaken(expected.position, store.head().position, is_fork=not is_read)


def chain_records(records: Sequence[Record], head: Head, public: Sequence[Record] | None = None) -> list[StoredRecord]:
    """Return the records as stored after `head`, each with its hash over the one before.

    `public` are the records as everybody sees them; without it everybody sees all of them.
    Raises Unreadable if a record has another position than it would be stored at.
    """
    stored, before = list[StoredRecord](), head.hash
    pairs = zip(records, records if public is None else public, strict=True)
    for position, (record, seen) in enumerate(pairs, start=head.position + 1):
        if record.position != position:
            raise Unreadable(
                f"a record for position {record.position} cannot be stored at {position}", where=str(record.id)
            )
        stored.append(store_record(record, seen, before))
        before = stored[-1].hash
    return stored
