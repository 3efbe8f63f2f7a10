"""The replay page of a session, kept while the ledger grows: what is appended costs what it adds, not the session.

A correction goes back to a copy of the draft from before the oldest entry that it changed, and adds the entries from
there again. What changes how older entries are seen, as a reveal does, begins with the opening. Nothing is kept of
another ledger that took the place of this one: its last record known has another hash.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from cli.questions.name_table import NO_NAMES, NameTable
from cli.questions.players_ledger import PlayersLedger, store_for
from cli.story.span import position_and_session
from cli.web.pages.content import SessionPage
from cli.web.pages.session_draft import PageDraft
from ledger.facts import Amended, EntryId, parse_entry_id
from ledger.records import Record, decode
from ledger.redecide import group_by_entry
from ledger.store import ReadableStore, Store
from rulebooks.common.game import Game

STRIDE: Final = 16  # entries between two copies of the draft


class SessionKeeper:
    """A page of a session (None: the last) for a role, as the ledger is whenever it is asked for."""

    def __init__(self, session: int | None, role: str) -> None:
        self._session, self._role = session, role
        self._hash = ""  # of the last record that is known; empty: nothing is
        self._position = 0  # of that record
        self._seen: ReadableStore
        self._draft: PageDraft
        self._copies: list[PageDraft]  # from before every so many entries

    def page(self, store: Store, book: Game, names: NameTable = NO_NAMES) -> SessionPage:
        """Return the page as the ledger is now. Raises InputError if there is no such session.

        `names`: what its story calls everybody.
        """
        known, self._hash = self._hash, ""  # after an error nothing is known
        stored = list(store.read(after=max(self._position - 1, 0)))
        if known and stored and stored[0].hash == known:
            self._move_to(store)
            self._position, last = stored[-1].position, stored[-1].hash
            self._follow(list(map(decode, stored[1:])), book)
        else:
            self._position, last = (head := store.head()).position, head.hash
            self._seen = store_for(store, book, self._role)
            self._begin(book)
        page = self._draft.page(self._role, self._position, names)
        self._hash = last
        return page

    def _move_to(self, store: Store) -> None:
        """Read from another connection to the ledger from now on."""
        if isinstance(self._seen, PlayersLedger):
            self._seen.read_from(store)
        else:
            self._seen = store
        for draft in (self._draft, *self._copies):
            draft.store = self._seen

    def _begin(self, book: Game) -> None:
        """Make the draft from the opening on."""
        _, number = position_and_session(self._seen, self._position, self._session)
        self._copies = []
        self._draft = PageDraft(self._seen, number, self._position, book)
        self._add()

    def _follow(self, appended: Sequence[Record], book: Game) -> None:
        """Add what was appended, from the oldest entry on that it changed."""
        if not appended:
            return
        is_seen_as_before = not isinstance(self._seen, PlayersLedger) or self._seen.follow(appended)
        oldest = min(id for record in appended for id in changed_entries(record))
        is_next_session = self._session is None and max(record.session for record in appended) > self._draft.number
        if not is_seen_as_before or is_next_session or oldest.session < self._draft.number:
            self._begin(book)
            return
        while self._draft.last >= oldest:
            self._draft = self._copies.pop()
        self._add()

    def _add(self) -> None:
        """Add the entries that the draft lacks."""
        takes = self._seen.takes(**self._draft.bounds, as_of=self._position)
        for number, own in enumerate(group_by_entry(takes), start=self._draft.added):
            if number % STRIDE == 0:
                self._copies.append(self._draft.copy())
            self._draft.add(own, self._position)


def changed_entries(record: Record) -> Iterator[EntryId]:
    """Yield the entries that a record may change: its own, and those that it corrects."""
    yield record.id
    for fact in record.facts:
        if isinstance(fact, Amended):
            yield parse_entry_id(fact.entry.partition("@")[0])
