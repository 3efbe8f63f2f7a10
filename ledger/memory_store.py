"""A store and seeds in memory: the reference for the SQLite store and the seed files."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Unpack

from ledger.extracts import WHOLE, Extract, ExtractLimits, Kinds, body_filter, decode_extract
from ledger.facts import EntryId
from ledger.projection import RowChange
from ledger.records import EMPTY, Head, Record, StoredRecord, latest_takes
from ledger.store import ChainedTake, Snapshot, chain_records, check_head


class MemoryStore:
    """A store of lists."""

    def __init__(self) -> None:
        self._log: list[StoredRecord] = []
        self._records: list[Record] = []
        self._snapshots: list[Snapshot] = []

    def head(self) -> Head:
        """Return the last position and its hash."""
        return Head(len(self._log), self._log[-1].hash) if self._log else EMPTY

    def append(
        self,
        records: Sequence[Record],
        *,
        after: Head,
        public: Sequence[Record] | None = None,
        snapshot: Snapshot | None = None,
        changes: Iterable[RowChange] = (),
    ) -> Head:
        """Append all records or none; there are no read models."""
        check_head(self, after)
        stored = chain_records(records, after, public)
        self._log += stored
        self._records += records
        oldest = min(record.id for record in records)
        self._snapshots = [kept for kept in self._snapshots if kept.entry < oldest]
        if snapshot is not None:
            self._snapshots.append(snapshot)
        return self.head()

    @contextmanager
    def batch(self) -> Iterator[None]:
        """Take back all appends inside if an error leaves the block."""
        before = self._log[:], self._records[:], self._snapshots[:]
        try:
            yield
        except BaseException:
            self._log, self._records, self._snapshots = before
            raise

    def read(self, *, after: int = 0) -> Iterator[StoredRecord]:
        """Yield the log in order of writing."""
        yield from self._log[after:]

    def records(self, *, after: int = 0) -> Iterator[Record]:
        """Yield the log in order of writing, after a position."""
        yield from self._records[after:]

    def takes(
        self, *, after: EntryId | None = None, upto: EntryId | None = None, as_of: int | None = None
    ) -> Iterator[Record]:
        """Yield the takes in order of id, then of writing."""
        wanted = [
            record
            for record in self._records[:as_of]
            if (after is None or record.id > after) and (upto is None or record.id <= upto)
        ]
        yield from sorted(wanted, key=lambda record: (record.id, record.position))

    def columns(self) -> Iterator[tuple[Any, ...]]:
        """Yield what stands beside the bytes of all takes, in order of id, then of writing."""
        for take in self.takes():
            yield take.position, take.session, take.number, take.insert, take.take, take.request

    def chained_takes(self) -> Iterator[ChainedTake]:
        """Yield all takes in order of id, each with the hash of the record before it."""
        hashes = [EMPTY.hash, *(stored.hash for stored in self._log)]
        for take in self.takes():
            yield ChainedTake(take, self._log[take.position - 1], hashes[take.position - 1])

    def entry_ids(self, *, after: int = 0) -> Iterator[tuple[int, EntryId]]:
        """Yield the position and the entry of each take, in order of writing, after a position."""
        yield from ((record.position, record.id) for record in self._records[after:])

    def extracts(self, kinds: Kinds, **limits: Unpack[ExtractLimits]) -> Iterator[Extract]:
        """Yield the takes that have facts of these kinds."""
        last, is_wanted = self.last_takes(as_of=limits.get("as_of")), body_filter(kinds, limits)
        for stored, record in zip(self._log[: limits.get("as_of")], self._records, strict=False):
            if limits.get("session") in (None, record.session) and is_wanted(stored.body):
                take = decode_extract(stored.position, stored.body, WHOLE if limits.get("whole") else kinds)
                take.counts = last.get(take.id, take.position) == take.position
                yield take

    def ends(self, session: int, *, as_of: int | None = None) -> tuple[Record, ...]:
        """Return the first and the last take of a session that count and have facts."""
        takes = latest_takes(self.takes(after=EntryId(session, -1), upto=EntryId(session + 1, -1), as_of=as_of))
        own = [take for take in takes if take.facts]
        return (own[0], own[-1]) if own else ()

    def last_takes(self, *, session: int | None = None, as_of: int | None = None) -> dict[EntryId, int]:
        """Return the entries with more than one take."""
        takes = [record for record in self._records[:as_of] if session in (None, record.session)]
        retaken = {id for id, count in Counter(record.id for record in takes).items() if count > 1}
        return {record.id: record.position for record in takes if record.id in retaken}

    def session_sizes(self) -> dict[int, int]:
        """Return the number of takes of each session."""
        return dict(sorted(Counter(record.session for record in self._records).items()))

    def find_request(self, request: str) -> Record | None:
        """Return the record with this request key."""
        return next((record for record in self._records if record.request == request), None)

    def latest_snapshot(self, *, upto: EntryId | None = None, as_of: int | None = None) -> Snapshot | None:
        """Return the latest snapshot within these bounds that is of an entry."""
        entries = {record.id for record in self._records}
        fitting = (
            kept
            for kept in reversed(self._snapshots)
            if kept.entry in entries
            and (upto is None or kept.entry <= upto)
            and (as_of is None or kept.position <= as_of)
        )
        return next(fitting, None)

    def snapshots(self) -> Iterator[Snapshot]:
        """Yield all snapshots, in order of entries."""
        yield from self._snapshots

    def replace_snapshots(self, snapshots: Iterable[Snapshot], *, after: Head) -> None:
        """Replace all snapshots."""
        check_head(self, after)
        self._snapshots = sorted(snapshots, key=lambda kept: kept.entry)

    def close(self) -> None:
        """Do nothing."""


class MemorySeeds:
    """Seeds in a dict."""

    def __init__(self) -> None:
        self.kept: dict[str, bytes] = {}

    def copy(self) -> MemorySeeds:
        """Return a copy."""
        other = MemorySeeds()
        other.kept = dict(self.kept)
        return other

    def save(self, commitment: str, seed: bytes) -> None:
        """Save a seed."""
        self.kept[commitment] = seed

    def get(self, commitment: str) -> bytes | None:
        """Return the seed, or None."""
        return self.kept.get(commitment)

    def delete(self, commitment: str) -> None:
        """Delete a seed."""
        self.kept.pop(commitment, None)
