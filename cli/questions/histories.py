"""The past of values: which there were, the changes of each, and the records behind them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Final, Protocol

import msgspec

from cli.questions.players_ledger import hidden_beings
from ledger.facts import ConditionBegan, Counted, EntryId, Fact, Wounded, tag
from ledger.ledger_state import LedgerState
from ledger.names import name_key
from ledger.records import Record, latest_takes
from ledger.sql_store import SqlStore
from ledger.store import ReadableStore
from ledger.stored_changes import ChangeTable
from projections.state import State
from projections.value_history import ValueChange, value_histories

ABSENT_IS_ZERO: Final = (ConditionBegan, Counted, Wounded)  # begin values that are 0 where they do not exist
ABSENT_KINDS: Final = tuple(tag(kind) for kind in ABSENT_IS_ZERO)


class Histories(msgspec.Struct, frozen=True, kw_only=True):
    """The records up to an entry, and by the name of each value its changes, oldest first."""

    records: Mapping[EntryId, Record]
    changes: Mapping[str, Sequence[ValueChange]]
    beings: Collection[str] = ()  # whom no fact of these records may name

    def fact(self, change: ValueChange) -> Fact:
        """Return the fact that changed the value."""
        return self.records[change.entry].facts[change.number - 1]


def load_histories(store: ReadableStore, upto: EntryId, as_of: int) -> Histories:
    """Fold all records up to an entry, as of a position. Of beings whose numbers are hidden there is nothing."""
    past, hidden = histories(latest_takes(store.takes(upto=upto, as_of=as_of))), hidden_beings(store)
    keys = set(map(name_key, hidden))
    kept = {name: changes for name, changes in past.changes.items() if name.partition(".")[0] not in keys}
    return msgspec.structs.replace(past, changes=kept)


def histories(records: Iterable[Record]) -> Histories:
    """Fold these records."""
    by_id = {record.id: record for record in records}
    changes = value_histories(
        (id, number, fact) for id, record in by_id.items() for number, fact in enumerate(record.facts, 1)
    )
    return Histories(records=by_id, changes=changes)


class Past(Protocol):
    """The past of all values up to an entry."""

    def counts(self) -> Mapping[str, int]:
        """Return how often each value changed, by name, in order of names."""

    def histories(self, names: Collection[str], most: int | None = None) -> Histories:
        """Return the changes of these values, and at least the records of the last `most` of each."""

    def absent_names(self) -> Iterator[str]:
        """Yield the names, with their owners, of the values that are 0 for those who do not have them."""


class FoldedPast:
    """The past as a fold of all records gives it."""

    def __init__(self, store: ReadableStore, position: LedgerState[State], upto: EntryId | None = None) -> None:
        self._store, self._position, self._upto = store, position, upto or position.last

    @cached_property
    def _all(self) -> Histories:
        return load_histories(self._store, self._upto, self._position.position)

    def counts(self) -> Mapping[str, int]:
        """Return how often each value changed."""
        return {name: len(changes) for name, changes in self._all.changes.items()}

    def histories(self, names: Collection[str], most: int | None = None) -> Histories:
        """Return the changes of all values."""
        return self._all

    def absent_names(self) -> Iterator[str]:
        """Yield the values that began with a fact of such a kind."""
        for name, changes in self._all.changes.items():
            if may_be_absent(self._all.fact(changes[0])):
                yield name


class StoredPast:
    """The past, read from the table `changes`. Only the game master's view reads it."""

    def __init__(self, store: SqlStore, position: LedgerState[State], upto: EntryId | None = None) -> None:
        self._table = ChangeTable(store, upto or position.last)
        self._beings = tuple(being.name for being in position.state.beings.values())

    def counts(self) -> Mapping[str, int]:
        """Return how often each value changed."""
        return self._table.counts()

    def histories(self, names: Collection[str], most: int | None = None) -> Histories:
        """Return the changes of these values alone, and the records of the last `most` of each."""
        rows = {name: self._table.changes(name) for name in names}
        records = self._table.records(row.position for own in rows.values() for row in own[-(most or len(own)) :])
        changes = {
            name: [ValueChange(entry=row.entry, number=row.fact, before=row.before, after=row.after) for row in own]
            for name, own in rows.items()
            if own
        }
        by_id = {record.id: record for record in sorted(records.values(), key=lambda record: record.id)}
        return Histories(records=by_id, changes=changes, beings=self._beings)

    def absent_names(self) -> Iterator[str]:
        """Yield the values that began with a fact of such a kind."""
        rows = [row for row in self._table.first_changes() if row[3] in ABSENT_KINDS]
        records = self._table.records(position for _, position, _, _ in rows)
        for name, position, number, _ in rows:
            if may_be_absent(records[position].facts[number - 1]):
                yield name


def may_be_absent(fact: Fact) -> bool:
    """Return whether a fact begins a value that is 0 for those who do not have it."""
    return isinstance(fact, ABSENT_IS_ZERO) and not getattr(fact, "data", "")


def load_past(store: ReadableStore, position: LedgerState[State], upto: EntryId | None = None) -> Past:
    """Return the past of a state, or only up to an entry: as stored, or as a fold gives it where the table cannot say.

    The table has the history as it is now, of the whole ledger.
    """
    if isinstance(store, SqlStore) and position.position == store.head().position:
        return StoredPast(store, position, upto)
    return FoldedPast(store, position, upto)
