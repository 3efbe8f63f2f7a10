"""A session entry by entry: each entry as it is seen, the state after it as it is seen, and why each value changed."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

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
    """A session as of a position, with the state at its opening; iterated, its entries with the states after them."""

    def __init__(self, view: View, number: int, as_of: int) -> None:
        self._view, self._number, self._as_of = view, number, as_of
        self._start, self._end = EntryId(number, -1), EntryId(number + 1, -1)
        self._position = load_state(view.store, StateProjection(), at=self._start, as_of=as_of)
        self._fold = view.fold(self._position)
        self.opening = self._fold.state(self._position)

    def __iter__(self) -> Iterator[SeenEntry]:
        """Yield every entry with a take; one that was taken back changes nothing."""
        takes = defaultdict[EntryId, list[Record]](list)
        for take in self._view.store.takes(after=self._start, upto=self._end, as_of=self._as_of):
            takes[take.id].append(take)
        for own in takes.values():
            record = own[-1]
            changes = self._position.fold_changes(record)
            self._fold.add(record)
            seen = self._view.record(record)
            facts = self._view.facts(record) if seen is not None else []
            yield SeenEntry(
                whole=record,
                record=seen,
                numbers=[number for number, _ in facts],
                takes=list(self._view.records(own)) if seen is not None else [],
                position=self._fold.state(self._position),
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
