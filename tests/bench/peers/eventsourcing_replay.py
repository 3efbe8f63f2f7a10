"""Replay the facts of a ledger with the `eventsourcing` package, in its best configuration, and our own fold.

It runs in an environment of its own. Best: msgspec instead of the package's JSON transcoder, a mapper without topics,
and a projector function that folds into one mutable state.
"""

from __future__ import annotations

import sqlite3
import sys
from collections.abc import Iterable
from pathlib import Path
from time import process_time
from uuid import UUID

import msgspec
from eventsourcing.application import Repository
from eventsourcing.persistence import EventStore, JSONTranscoder, Mapper, StoredEvent
from eventsourcing.sqlite import SQLiteAggregateRecorder, SQLiteDatastore

from ledger.facts import EntryId, Fact
from ledger.records import DECODER
from projections.projection import StateProjection
from projections.state import State

CAMPAIGN = UUID(int=1)
BODIES = (
    "SELECT CAST(coalesce(substr(sealed, 33), public) AS BLOB) FROM records"
    " ORDER BY session, number, inserted, position"
)


class FactRecorded(msgspec.Struct, frozen=True, gc=False):
    """A fact as an event of the aggregate that is the whole campaign."""

    originator_id: UUID
    originator_version: int
    entry: EntryId
    fact: Fact


class FactMapper(Mapper):
    """Maps facts to stored events with msgspec."""

    encoder = msgspec.json.Encoder()
    decoder = msgspec.json.Decoder(tuple[EntryId, Fact])

    def to_stored_event(self, event):
        """Return an event as it is stored."""
        state = self.encoder.encode((event.entry, event.fact))
        return StoredEvent(event.originator_id, event.originator_version, "fact", state)

    def to_domain_event(self, stored):
        """Return a stored event, decoded."""
        return FactRecorded(stored.originator_id, stored.originator_version, *self.decoder.decode(stored.state))


def project(state: State | None, events: Iterable[FactRecorded]) -> State:
    """Fold events with the projection of every game."""
    projection = StateProjection()
    state = state or projection.empty()
    step = projection.step
    for event in events:
        step(state, event.entry, event.fact)
    projection.commit(state)
    return state


def main() -> None:
    """Copy the facts of the takes that count into a store of the package, then replay them for each line read."""
    last = {}
    for (body,) in sqlite3.connect(sys.argv[1]).execute(BODIES):
        record = DECODER.decode(body)
        last[record.id] = record
    facts = [(record.id, fact) for record in last.values() for fact in record.facts]
    recorder = SQLiteAggregateRecorder(SQLiteDatastore(str(Path(sys.argv[2]) / "eventsourcing.db")))
    recorder.create_table()
    store = EventStore(FactMapper(JSONTranscoder()), recorder)
    store.put([FactRecorded(CAMPAIGN, version, *fact) for version, fact in enumerate(facts, start=1)])
    repository = Repository(store)
    print(len(facts), flush=True)
    for _ in sys.stdin:
        start = process_time()
        repository.get(CAMPAIGN, projector_func=project)
        print(process_time() - start, flush=True)


main()
