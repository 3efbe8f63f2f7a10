"""A session entry by entry: each entry, the state after it, and why each value changed."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from copy import copy

import msgspec

from cli.questions.players_ledger import hidden_beings
from ledger.facts import EntryId, Fact
from ledger.ledger_state import LedgerState, load_state, past_head
from ledger.names import name_key
from ledger.projection import ChangedValue, Value
from ledger.records import Record
from ledger.store import ReadableStore
from projections.projection import StateProjection
from projections.state import State


class ChangeStep(msgspec.Struct, frozen=True, kw_only=True):
    """One fact of an entry that changed a value, with its number in the entry."""

    number: int
    fact: Fact
    before: Value | None
    after: Value | None


class SessionEntry(msgspec.Struct, frozen=True, kw_only=True):
    """An entry of a session.

    Attributes:
        takes: all of its takes; the last counts.
        position: the state after it. It changes with the next entry: read it before.
        steps: by the name of a value the facts that changed it.
    """

    takes: Sequence[Record]
    position: LedgerState[State]
    steps: Mapping[str, Sequence[ChangeStep]]


class SessionStates:
    """The states of a session as of a position: at its opening, and after each entry that is added."""

    def __init__(self, store: ReadableStore, number: int, as_of: int) -> None:
        self._store = store
        self.opening, self.now = (
            load_state(store, StateProjection(), at=EntryId(number, -1), as_of=as_of) for _ in range(2)
        )

    def copy(self) -> SessionStates:
        """Return the same states; what is added to one is not added to the other."""
        other = copy(self)
        other.now = self.now.copy()
        return other

    def add(self, takes: Sequence[Record], as_of: int) -> SessionEntry:
        """Return the next entry, given all its takes. An entry that was taken back changes nothing."""
        record = takes[-1]
        self.now.head = past_head(as_of)
        steps = self._steps(record, self.now.fold_changes(record))
        return SessionEntry(takes=takes, position=self.now, steps=steps)

    def _steps(self, record: Record, changes: Sequence[ChangedValue]) -> Mapping[str, Sequence[ChangeStep]]:
        """Return the facts that changed each value; none of the values of hidden beings."""
        hidden = {name_key(who) for who in hidden_beings(self._store)}
        numbers = {id(fact): (number, fact) for number, fact in enumerate(record.facts, start=1)}
        steps = defaultdict[str, list[ChangeStep]](list)
        for change in changes:
            if change.name.partition(".")[0] not in hidden:
                number, fact = numbers[id(change.fact)]
                step = ChangeStep(number=number, fact=fact, before=change.before, after=change.after)
                steps[change.name].append(step)
        return steps
