"""The world on record, folded beside the changed one, up to the entry after which both are the same.

Entries are decided from the state before them, their input and their dice. So once no edit is left and both states are
equal, all later entries follow as they are recorded, and need not be decided again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final, Generic

from ledger.facts import Declared, EntryId, Invalidated
from ledger.ledger_state import LedgerState
from ledger.projection import S
from ledger.records import Record
from ledger.redecide import Input, TakeHistory
from ledger.whatif.outcomes import EntryOutcome, entry_outcome

MOST_BETWEEN: Final = 32  # entries between two comparisons: packing two states takes as long as deciding a few entries


class RecordedWorld(Generic[S]):
    """The entries on record from the first changed one on. `is_joined`: the changed world is the same from here on."""

    def __init__(
        self,
        state: LedgerState[S],
        history: TakeHistory,
        edits: Iterable[EntryId],
        check: Callable[[LedgerState[S], Sequence[Record]], bool] = lambda state, takes: True,
    ) -> None:
        """`state` is that before the first entry.

        `check` returns whether the installed rules decide an entry as it is recorded, in the state before it. Where
        they do not, no entry follows as it is recorded.
        """
        self.state, self.history, self.is_joined = state, history, False
        refused = (id for id, takes in history.entries.items() if takes[-1].has(Invalidated))
        self._decided_up_to = max((*edits, *refused), default=None)  # what was refused may be possible now
        self._check, self._rules_differ = check, False
        self._left = list(history.entries)[::-1]
        self._since, self._next = 0, 1

    def joins(self, id: EntryId, changed: LedgerState[S]) -> bool:
        """Fold the entries up to `id`; return whether this world and the changed one after it are the same."""
        self._fold_upto(id)
        if self._rules_differ or (self._decided_up_to is not None and id < self._decided_up_to):
            return False
        self._since += 1
        if self._since == self._next:
            self._next += min(self._next, MOST_BETWEEN)
            self.is_joined = self.state.leads_on_like(changed)
        return self.is_joined

    def fold_rest(self) -> None:
        """Fold all entries that are left."""
        while self._left:
            self._fold_next()

    def outcomes_left(self) -> Iterator[EntryOutcome]:
        """Yield the outcomes of the entries that are left once the worlds are joined: none changes."""
        for id in reversed(self._left):
            record = self.history.entries[id][-1]
            if (declared := record.declared) is not None:
                said = _pass_input(declared) if id in self.history.implied else self.history.input(id)
                yield entry_outcome(id, None, said, record, record.facts)

    def _fold_upto(self, id: EntryId) -> None:
        """Fold the entries up to `id`."""
        while self._left and self._left[-1] <= id:
            self._fold_next()

    def _fold_next(self) -> None:
        """Fold the next entry."""
        takes = self.history.entries[self._left.pop()]
        self._rules_differ = not self._check(self.state, takes) or self._rules_differ
        self.state.fold(takes[-1])


def _pass_input(declared: Declared) -> Input:
    """Return the input of an implied pass as it is recorded."""
    return Input(declaration_json=declared.said, by=declared.by, line=declared.line)
