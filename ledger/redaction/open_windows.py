"""The windows that are open before an entry, found session by session when they are asked for."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from typing import Any, Final

from ledger.extracts import Kinds
from ledger.facts import EntryId, WindowClosed, WindowOpened
from ledger.ledger_state import load_state
from ledger.projection import Projection
from ledger.records import Record
from ledger.store import ReadableStore

KINDS: Final[Kinds] = frozenset((WindowOpened, WindowClosed))

Open = dict[str, EntryId]  # by window, the entry that opened it
Changes = dict[str, list[tuple[EntryId, bool]]]  # by window, the entries that opened it and closed it, in their order


class OpenWindows:
    """The open windows of a ledger as of a position."""

    def __init__(self, store: ReadableStore, projection: Projection[Any], as_of: int) -> None:
        self.store, self._projection, self._as_of = store, projection, as_of
        self._sessions = dict[int, Changes]()
        self._starts = dict[int, Open]()  # what is open at the start of a session

    def opening(self, window: str, entry: EntryId) -> EntryId | None:
        """Return the entry that opened a window which is open before an entry; None if it is not open there."""
        changes = self._session(entry.session).get(window, [])
        if index := bisect_left(changes, entry, key=lambda change: change[0]):
            opened, is_open = changes[index - 1]
            return opened if is_open else None
        return self._start(entry.session).get(window)

    def follow(self, records: Sequence[Record]) -> None:
        """Take in records that were appended behind all others."""
        for record in records:
            self._as_of = max(self._as_of, record.position)
            if (changes := self._sessions.get(record.session)) is not None:
                add_changes(changes, record.id, record.facts)

    def _session(self, number: int) -> Changes:
        """Return the changes of a session."""
        if number not in self._sessions:
            changes = self._sessions[number] = {}
            takes = self.store.extracts(KINDS, session=number, as_of=self._as_of)
            for take in sorted((take for take in takes if take.counts), key=lambda take: take.id):
                add_changes(changes, take.id, take.facts)
        return self._sessions[number]

    def _start(self, number: int) -> Open:
        """Return what is open at the start of a session: after the one before, or in the state there."""
        if number == 0:
            return {}
        if number not in self._starts:
            if number - 1 in self._starts:
                self._starts[number] = after_changes(self._starts[number - 1], self._session(number - 1))
            else:
                state = load_state(self.store, self._projection, at=EntryId(number, -1), as_of=self._as_of).state
                self._starts[number] = dict(self._projection.openings(state))
        return self._starts[number]


def add_changes(changes: Changes, entry: EntryId, facts: Iterable[object]) -> None:
    """Add what the next entry of a session opened and closed."""
    for fact in facts:
        if isinstance(fact, WindowOpened | WindowClosed):
            changes.setdefault(fact.window, []).append((entry, isinstance(fact, WindowOpened)))


def after_changes(before: Open, changes: Changes) -> Open:
    """Return what is open at the end of a session, with what was open at its start."""
    last = {window: own[-1] for window, own in changes.items()}
    kept = {window: entry for window, entry in before.items() if window not in last}
    return kept | {window: entry for window, (entry, is_open) in last.items() if is_open}
