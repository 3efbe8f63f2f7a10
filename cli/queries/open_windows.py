"""The windows that are open before an entry, found session by session when they are asked for."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from typing import Final

from ledger.extracts import Kinds
from ledger.facts import EntryId, WindowClosed, WindowOpened
from ledger.ledger_state import load_state
from ledger.records import Record
from ledger.store import Store
from projections.projection import StateProjection

KINDS: Final[Kinds] = frozenset((WindowOpened, WindowClosed))

Open = dict[str, EntryId]  # by window, the entry that opened it


class OpenWindows:
    """The open windows of a ledger as of a position."""

    def __init__(self, store: Store, as_of: int) -> None:
        self._store, self._as_of = store, as_of
        self._sessions = dict[int, list[tuple[EntryId, Open]]]()  # by session, its changes: what is open after an entry

    def before(self, entry: EntryId) -> Open:
        """Return the windows that are open before an entry."""
        changes = self._session(entry.session)
        return dict(changes[bisect_left(changes, entry, key=lambda change: change[0]) - 1][1])

    def follow(self, records: Sequence[Record]) -> None:
        """Take in records that were appended behind all others."""
        for record in records:
            self._as_of = max(self._as_of, record.position)
            if (changes := self._sessions.get(record.session)) is not None:
                self._add(changes, record.id, record.facts)

    def _add(self, changes: list[tuple[EntryId, Open]], entry: EntryId, facts: Iterable[object]) -> None:
        """Add the next entry of a session."""
        opened = dict(changes[-1][1])
        for fact in facts:
            if isinstance(fact, WindowOpened):
                opened[fact.window] = entry
            elif isinstance(fact, WindowClosed):
                opened.pop(fact.window, None)
        changes.append((entry, opened))

    def _session(self, number: int) -> list[tuple[EntryId, Open]]:
        """Return the changes of a session, the first of them before its first entry."""
        if number not in self._sessions:
            start = EntryId(number, -1)
            changes = [(start, self._at_start(number, start))]
            takes = self._store.extracts(KINDS, session=number, as_of=self._as_of)
            self._sessions[number] = changes
            for take in sorted((take for take in takes if take.counts), key=lambda take: take.id):
                self._add(changes, take.id, take.facts)
        return self._sessions[number]

    def _at_start(self, number: int, start: EntryId) -> Open:
        """Return what is open at the start of a session: at the end of the one before, or in the state there."""
        if number == 0:
            return {}
        if number - 1 in self._sessions:
            return dict(self._sessions[number - 1][-1][1])
        state = load_state(self._store, StateProjection(), at=start, as_of=self._as_of).state
        return {name: window.opened for name, window in state.windows.items()}
