"""The replay page of a session."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby

from cli.questions.name_table import NO_NAMES, NameTable
from cli.story.span import position_and_session
from cli.web.pages.content import SessionPage
from cli.web.pages.session_draft import PageDraft
from ledger.records import Record
from ledger.store import ReadableStore
from rulebooks.common.game import Game


def session_page(
    store: ReadableStore,
    session: int | None,
    *,
    as_of: int | None,
    book: Game,
    role: str,
    names: NameTable = NO_NAMES,
) -> SessionPage:
    """Return the replay page of a session (None: the last), as of a position. Raises InputError if there is none.

    `names`: what its story calls everybody.
    """
    position, number = position_and_session(store, as_of, session)
    draft = PageDraft(store, number, position, book)
    for takes in takes_by_entry(store.takes(**draft.bounds, as_of=position)):
        draft.add(takes, position)
    return draft.page(role, position, names)


def takes_by_entry(takes: Iterable[Record]) -> Iterator[list[Record]]:
    """Yield all takes of each entry, from takes in order of id."""
    for _, own in groupby(takes, key=lambda take: take.id):
        yield list(own)
