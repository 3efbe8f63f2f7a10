"""The history of every value: each of its changes, and the fact that made it."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from ledger.facts import EntryId, Fact
from ledger.projection import Value
from projections.projection import StateProjection
from projections.values import ValueIndex


class ValueChange(msgspec.Struct, frozen=True, kw_only=True):
    """A value before and after one fact; None: no value. `number` is the place of the fact in its entry, from 1."""

    entry: EntryId
    number: int
    before: Value | None
    after: Value | None


def value_histories(facts: Iterable[tuple[EntryId, int, Fact]]) -> dict[str, list[ValueChange]]:
    """Return all changes of every value, by name. Raises OutOfBalance when the facts do not add up."""
    projection, index = StateProjection(), ValueIndex()
    state = projection.empty()
    histories: dict[str, list[ValueChange]] = {}
    for entry, number, fact in facts:
        projection.step(state, entry, fact)
        written = state.changes_since_commit().items()
        names = {
            name for (part, key), before in written for name in index.put(part, key, before, state.parts[part].get(key))
        }
        for name in names:
            changes = histories.setdefault(name, [])
            before, after = changes[-1].after if changes else None, index.value(name)
            if before != after:
                changes.append(ValueChange(entry=entry, number=number, before=before, after=after))
        projection.commit(state)
    return {name: changes for name, changes in sorted(histories.items()) if changes}
