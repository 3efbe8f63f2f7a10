"""The store: an append-only log of records, seen through a small protocol, and one plain store in memory.

The log stands in order of writing, history in order of entries: `read` follows the one, `takes` the other.
A writer says where it looked (`after`); if the log has moved on since, nothing is written and `Overtaken` is
raised: read again, decide again. A snapshot is a packed state at an entry; it is disposable, and an append
deletes those that a take of an older entry makes wrong.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Protocol

import msgspec

from ledger.errors import Overtaken, Unreadable
from ledger.facts import EntryId
from ledger.projection import RowChange
from ledger.records import EMPTY, Head, Record, StoredRecord, decode, encode, record_hash


class Snapshot(msgspec.Struct, frozen=True, kw_only=True):
    """The packed state after `entry`, as the log stood at `position`."""

    position: int
    entry: EntryId
    body: bytes


class Store(Protocol):
    """What the table needs of a store. Both stores of this house pass one and the same test suite."""

    def head(self) -> Head:
        """The end of the log; position 0 when it is empty."""

    def append(
        self,
        records: Sequence[Record],
        *,
        after: int,
        snapshot: Snapshot | None = None,
        changes: Iterable[RowChange] = (),
    ) -> Head:
        """Add all records or none, only if the log still ends at `after` (else Overtaken). Durable on return.

        `changes` are what they come to in the read tables, where the store keeps any.
        """

    def read(self, *, after: int = 0) -> Iterator[StoredRecord]:
        """The log in order of writing, from the position behind `after`, in exact bytes."""

    def takes(
        self, *, after: EntryId | None = None, upto: EntryId | None = None, as_of: int | None = None
    ) -> Iterator[Record]:
        """All takes of the entries behind `after` up to `upto`, in order of id, then of writing.

        `as_of`: as if the log ended at that position.
        """

    def find_request(self, request: str) -> Record | None:
        """The record that was appended with this request key."""

    def latest_snapshot(self, *, upto: EntryId | None = None, as_of: int | None = None) -> Snapshot | None:
        """The latest snapshot that is not behind `upto` or `as_of`."""

    def snapshots(self) -> Iterator[Snapshot]:
        """All snapshots, in order of entries."""

    def replace_snapshots(self, snapshots: Sequence[Snapshot]) -> None:
        """Throw all snapshots away and keep these."""

    def close(self) -> None:
        """Let go of files."""


def follow(store: Store, *, after: int, wake: Callable[[], bool]) -> Iterator[Record]:
    """Records as they are appended, whoever appends them. `wake` waits a while and says whether to go on."""
    position = after
    while True:
        for stored in store.read(after=position):
            position = stored.position
            yield decode(stored)
        if not wake():
            return


class MemoryStore:
    """The plain store: lists in memory. For tests, what-ifs and odds; the model that the file is held against."""

    def __init__(self) -> None:
        self._log: list[StoredRecord] = []
        self._records: list[Record] = []
        self._snapshots: list[Snapshot] = []

    def head(self) -> Head:
        """The end of the log."""
        return Head(len(self._log), self._log[-1].hash) if self._log else EMPTY

    def append(
        self,
        records: Sequence[Record],
        *,
        after: int,
        snapshot: Snapshot | None = None,
        changes: Iterable[RowChange] = (),
    ) -> Head:
        """Add all records or none; see Store. Nobody reads tables here, so none are kept."""
        head = self.head()
        if head.position != after:
            raise Overtaken(after, head.position)
        stored = chain_records(records, head)
        self._log += stored
        self._records += records
        oldest = min(record.id for record in records)
        self._snapshots = [kept for kept in self._snapshots if kept.entry < oldest]
        if snapshot is not None:
            self._snapshots.append(snapshot)
        return self.head()

    def read(self, *, after: int = 0) -> Iterator[StoredRecord]:
        """The log in order of writing."""
        yield from self._log[after:]

    def takes(
        self, *, after: EntryId | None = None, upto: EntryId | None = None, as_of: int | None = None
    ) -> Iterator[Record]:
        """All takes in order of id, then of writing."""
        wanted = [
            record
            for record in self._records[:as_of]
            if (after is None or record.id > after) and (upto is None or record.id <= upto)
        ]
        yield from sorted(wanted, key=lambda record: (record.id, record.position))

    def find_request(self, request: str) -> Record | None:
        """The record with this request key."""
        return next((record for record in self._records if record.request == request), None)

    def latest_snapshot(self, *, upto: EntryId | None = None, as_of: int | None = None) -> Snapshot | None:
        """The latest snapshot within these bounds."""
        fitting = (
            kept
            for kept in reversed(self._snapshots)
            if (upto is None or kept.entry <= upto) and (as_of is None or kept.position <= as_of)
        )
        return next(fitting, None)

    def snapshots(self) -> Iterator[Snapshot]:
        """All snapshots, in order of entries."""
        yield from self._snapshots

    def replace_snapshots(self, snapshots: Sequence[Snapshot]) -> None:
        """Keep these snapshots only."""
        self._snapshots = sorted(snapshots, key=lambda kept: kept.entry)

    def close(self) -> None:
        """Nothing to let go of."""


def chain_records(records: Sequence[Record], head: Head) -> list[StoredRecord]:
    """The records as they are to be stored behind `head`, each linked to the one before.

    Raises Unreadable when one does not say the position at which it would stand.
    """
    stored, before = [], head.hash
    for position, record in enumerate(records, start=head.position + 1):
        if record.position != position:
            raise Unreadable(
                f"a record for position {record.position} cannot stand at {position}", where=str(record.id)
            )
        body = encode(record)
        before = record_hash(before, body)
        stored.append(StoredRecord(record.position, body, before))
    return stored
