"""A session entry by entry: each entry as it is seen, the state after it as it is seen, and why each value changed."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from copy import copy

import msgspec

from cli.queries.histories import is_open
from cli.queries.redaction import NumberedFacts
from cli.queries.view import View
from ledger.facts import EntryId, Fact
from ledger.ledger_state import LedgerState, load_state
from ledger.projection import ChangedValue, Value
from ledger.records import Record
from projections.projection import StateProjection
from projections.state import State


class ChangeStep(msgspec.Struct, frozen=True, kw_only=True):
    """One fact of an entry that changed a value, with its number in the entry and as it is seen."""

    number: int
    fact: Fact
    before: Value | None
    after: Value | None


class SeenEntry(msgspec.Struct, frozen=True, kw_only=True):
    """An entry of a session as it is seen.

    Attributes:
        whole: the record as it is stored: for its id alone, where it is not seen.
        record: the record as it is seen; None if it is secret.
        numbers: the numbers in the whole entry of the facts that are seen, in their order.
        takes: all takes of the entry as they are seen, the one that counts last; none if it is secret.
        position: the state after the entry as it is seen. It changes with the next entry: read it before.
        steps: by the name of a value the facts that changed it, as far as they are seen.
    """

    whole: Record
    record: Record | None
    numbers: Sequence[int]
    takes: Sequence[Record]
    position: LedgerState[State]
    steps: Mapping[str, Sequence[ChangeStep]]


class SessionStates:
    """The states of a session as of a position: at its opening, and after each entry that is added."""

    def __init__(self, view: View, number: int, as_of: int) -> None:
        self._view = view
        start = EntryId(number, -1)
        self.before = load_state(view.store, StateProjection(), at=start, as_of=as_of)
        self.now = load_state(view.store, StateProjection(), at=start, as_of=as_of)
        self._fold = view.fold(self.now)
        self.opening = self._fold.state(self.before)

    def copy(self) -> SessionStates:
        """Return the same states; what is added to one is not added to the other."""
        other = copy(self)
        other.now, other._fold = self.now.copy(), self._fold.copy()
        return other

    def seen(self) -> LedgerState[State]:
        """Return the state now as it is seen. It changes with the next entry: read it before."""
        return self._fold.state(self.now)

    def add(self, takes: Sequence[Record], as_of: int) -> SeenEntry:
        """Return the next entry, of which these are all takes; one that was taken back changes nothing."""
        record = takes[-1]
        self.now.position = as_of
        changes = self.now.fold_changes(record)
        self._fold.add(record)
        seen = self._view.record(record)
        facts = self._view.facts(record) if seen is not None else []
        return SeenEntry(
            whole=record,
            record=seen,
            numbers=[number for number, _ in facts],
            takes=list(self._view.records(takes)) if seen is not None else [],
            position=self.seen(),
            steps=self._steps(record, facts, changes),
        )

    def _steps(
        self, record: Record, facts: NumberedFacts, changes: Sequence[ChangedValue]
    ) -> Mapping[str, Sequence[ChangeStep]]:
        """Return the facts that changed each value, as far as they are seen: of a secret entry without reasons."""
        known = dict(facts)
        if not facts:
            known = {number: fact for number, fact in enumerate(self._view.changes(record), start=1) if is_open(fact)}
        numbers = {id(fact): number for number, fact in enumerate(record.facts, start=1)}
        steps = defaultdict[str, list[ChangeStep]](list)
        for change in changes:
            number = numbers[id(change.fact)]
            if number in known and not self._view.hides(change.name):
                step = ChangeStep(number=number, fact=known[number], before=change.before, after=change.after)
                steps[change.name].append(step)
        return steps
