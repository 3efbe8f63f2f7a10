"""The values that facts changed, read from the journal of the state.

What a value was before a write is looked up in an index of all values by name. It is made when it is first needed and
follows every write and every roll-back of the journal from then on, so that a declaration costs only its own changes.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ledger.facts import BaseFact
from ledger.projection import ChangedValue, Value
from projections.state import Part, State
from projections.values import NAMED, ValueIndex

Write = tuple[Part, Any, Any, Any, BaseFact | None]  # part, key, value before, value after, fact


def value_changes(state: State) -> list[ChangedValue]:
    """Return the changes of values in the writes that the index has not taken in, fact by fact."""
    index = state.index
    if not isinstance(index, ValueIndex):
        index = state.index = _index_before_journal(state)
    changes: list[ChangedValue] = []
    folded: BaseFact | None = None  # whose writes are read
    before: dict[str, Value | None] = {}  # the values before it
    for part, key, old, new, fact in _writes(state, index.upto):
        if fact is not folded:
            changes += _changed(state, index, folded, before)
            folded, before = fact, {}
        for name, value in index.put(part, key, old, new):
            before.setdefault(name, value)
    index.upto = len(state.journal)
    return changes + _changed(state, index, folded, before)


def _changed(
    state: State, index: ValueIndex, fact: BaseFact | None, before: Mapping[str, Value | None]
) -> list[ChangedValue]:
    """Return the values that a fact has changed; what was written without a fact (in tests) has no change."""
    if fact is None:
        return []
    after = [(name, value, index.value(name)) for name, value in before.items()]
    return [_value_change(state, fact, name, value, now) for name, value, now in after if value != now]


def commit_index(state: State) -> None:
    """Keep the index if it has taken in the whole journal, which is about to be cleared; else drop it."""
    if state.index is not None and state.index.upto == len(state.journal):
        state.index.upto = 0
    else:
        state.index = None


def _index_before_journal(state: State) -> ValueIndex:
    """Return an index of the values as they were before the writes of the journal."""
    index = ValueIndex()
    index.fill(state.parts)
    for part, key, old, new, _ in reversed(_writes(state, 0)):
        index.put(part, key, new, old)
    return index


def _writes(state: State, start: int) -> list[Write]:
    """Return the writes of the journal from `start` on to parts that have values."""
    writes: list[Write] = []
    later: dict[tuple[Part, Any], Any] = {}  # the values before the writes that come later
    for part, key, before, fact in reversed(state.journal[start:]):
        if part in NAMED:
            place = (part, key)
            writes.append((part, key, before, later[place] if place in later else state.parts[part].get(key), fact))
            later[place] = before
    writes.reverse()
    return writes


def _value_change(state: State, fact: BaseFact, name: str, before: Value | None, after: Value | None) -> ChangedValue:
    """Return the change of a value with its owner: the being whose name it begins with, if there is one."""
    first, _, rest = name.partition(".")
    owner = state.beings.get(first) if rest else None
    who, what = (owner.name, rest) if owner else (None, name)
    return ChangedValue(fact=fact, name=name, who=who, what=what, before=before, after=after)
