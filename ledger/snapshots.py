"""When snapshots are taken, and how to compute all of them again.

A snapshot is the packed state after an entry, so that a ledger opens without folding all of its facts. It is taken when
a session opens and after every 500 facts or so. Snapshots may be deleted: `campaign rebuild` makes them again.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ledger.facts import SessionOpened
from ledger.ledger_state import LedgerState, initial_state
from ledger.projection import Projection, S
from ledger.records import Record, latest_takes
from ledger.store import Snapshot, Store

FACTS_BETWEEN_SNAPSHOTS: Final = 500


def snapshot_if_due(state: LedgerState[S], record: Record) -> Snapshot | None:
    """Return the snapshot to store with `record`, whose facts are folded into `state`; None if none is due."""
    return state.to_snapshot(record.id, record.position) if _is_due(state, record) else None


def build_snapshots(store: Store, projection: Projection[S]) -> Iterator[Snapshot]:
    """Yield all snapshots of a ledger, computed from its records."""
    state, position = initial_state(projection), store.head().position
    for record in latest_takes(store.takes()):
        state.fold(record)
        if _is_due(state, record) and not state.reusable_numbers:  # a snapshot does not hold them
            yield state.to_snapshot(record.id, position)
            state.facts_since_snapshot = 0


def _is_due(state: LedgerState[S], record: Record) -> bool:
    """Return whether a snapshot is due after a record whose facts are folded into `state`."""
    return record.has(SessionOpened) or (bool(record.facts) and state.facts_since_snapshot >= FACTS_BETWEEN_SNAPSHOTS)
