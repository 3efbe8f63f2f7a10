"""Rows of snapshots: a body with a hash, and the head at which the snapshot was made.

A stored body begins with two words of 64 hex digits: the hash of the record at the position of the snapshot, and a hash
of the snapshot itself. A snapshot that somebody changed, or that belongs to other records, is passed over.
"""

from __future__ import annotations

import hashlib
from typing import Any, Final

from ledger.facts import EntryId
from ledger.record_rows import id_columns
from ledger.records import GENESIS
from ledger.store import Snapshot

SnapshotRow = tuple[int, int, int, int, bytes, str | None, int]

SELECT_SNAPSHOTS: Final = (
    "SELECT session, number, inserted, snapshots.position, CAST(snapshots.body AS BLOB),"
    " (SELECT CAST(hash AS TEXT) FROM records WHERE records.position = snapshots.position),"
    " EXISTS (SELECT 1 FROM records WHERE (records.session, records.number, records.inserted)"
    " = (snapshots.session, snapshots.number, snapshots.inserted))"
    " FROM snapshots"
)
INSERT_SNAPSHOT: Final = "INSERT INTO snapshots VALUES (?, ?, ?, ?, ?)"
DELETE_SNAPSHOTS_FROM: Final = "DELETE FROM snapshots WHERE (session, number, inserted) >= (?, ?, ?)"


def snapshot_row(snapshot: Snapshot, head: str | None) -> tuple[Any, ...]:
    """Return a snapshot as a row of its table, with the hash of the record at its position, and its own hash."""
    head = head or GENESIS
    text = f"{head} {snapshot_hash(head, snapshot)} {snapshot.body.decode()}"
    return (*id_columns(snapshot.entry), snapshot.position, text)


def snapshot_of(row: SnapshotRow) -> Snapshot:
    """Return a row of snapshots, decoded."""
    session, number, insert, position, text, *_ = row
    return Snapshot(position=position, entry=EntryId(session, number, insert), body=text.split(b" ", 2)[-1])


def snapshot_problem(row: SnapshotRow) -> str | None:
    """Return what is wrong with a row of snapshots, or None."""
    head, _, rest = row[4].partition(b" ")
    expected = row[5] or GENESIS
    if rest.partition(b" ")[0].decode("ascii", "replace") != snapshot_hash(
        head.decode("ascii", "replace"), snapshot_of(row)
    ):
        return "its hash does not match its body"
    if head != expected.encode():
        return "it was made at another head"
    return None if row[6] else "there is no such entry"


def snapshot_hash(head: str, snapshot: Snapshot) -> str:
    """Return the hash of a snapshot: 64 hex digits over the head it was made at, its place, and its body."""
    place = f"{snapshot.position} {snapshot.entry}"
    return hashlib.sha256(
        b"\n".join((b"campaign-ledger snapshot v1", head.encode(), place.encode(), snapshot.body))
    ).hexdigest()
