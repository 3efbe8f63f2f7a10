"""The history of every value: each of its changes, and the fact that made it."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from ledger.facts import EntryId, Fact
from ledger.projection import Value
from projections.projection import StateProjection


class ValueChange(msgspec.Struct, frozen=True, kw_only=True):
    """A value before and after one fact; None: no value. `number` is the place of the fact in its entry, from 1."""

    entry: EntryId
    number: int
    before: Value | None
    after: Value | None


def value_histories(facts: Iterable[tuple[EntryId, int, Fact]]) -> dict[str, list[ValueChange]]:
    """Return all changes of every value, by name. Raises OutOfBalance when the facts do not add up."""
    projection = StateProjection()
    state = projection.empty()
    histories: dict[str, list[ValueChange]] = {}
    for entry, number, fact in facts:
        projection.step(state, entry, fact)
        for change in projection.value_changes(state):
            histories.setdefault(change.name, []).append(
                ValueChange(entry=entry, number=number, before=change.before, after=change.after)
            )
        projection.commit(state)
    return dict(sorted(histories.items()))
