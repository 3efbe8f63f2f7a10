"""The takes of an entry, and why one no longer counts."""

from __future__ import annotations

from collections.abc import Sequence

from ledger.errors import InputError
from ledger.facts import Amended, EntryId, parse_entry_id
from ledger.ledger_state import load_state
from ledger.records import Record
from ledger.store import ReadableStore
from projections.projection import StateProjection


def find_take(store: ReadableStore, id: EntryId, take: int | None) -> tuple[Record, list[Record]]:
    """Return a take of an entry (None: the last with facts) and all its takes. Raises InputError."""
    takes = list(store.takes(after=id.before, upto=id))
    with_facts = [record for record in takes if record.facts]
    if not with_facts:
        last = load_state(store, StateProjection(), at=id).last
        raise InputError(f"there is no entry {id}", hint=f"The entry before it is {last}.")
    if take is None:
        return with_facts[-1], takes
    for record in with_facts:
        if record.take == take:
            return record, takes
    known = ", ".join(f"{id}@{record.take}" for record in with_facts)
    raise InputError(f"there is no take {id}@{take}", hint=f"There is: {known}.")


def why_void(store: ReadableStore, record: Record, takes: Sequence[Record]) -> str:
    """Return which entry corrected a take, and how, as it is seen; empty when it counts."""
    successor = next((take for take in takes if take.position > record.position), None)
    if successor is None:
        return ""
    if successor.cause is None:
        return f"declared again as take {successor.take}"
    cause = parse_entry_id(successor.cause)
    for correction in store.takes(after=cause.before, upto=cause):
        for fact in correction.facts:
            if isinstance(fact, Amended) and fact.entry == f"{record.id}@{record.take}":
                because = f", {fact.because}" if fact.because else ""
                changed = "undone" if fact.outcome == "restore" else "amended"
                return f"{changed if successor.facts else 'taken back'} by {cause} ({fact.outcome}{because})"
    return f"changed by {cause}"
