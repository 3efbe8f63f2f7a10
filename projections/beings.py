"""Beings in play: their sheets, their places, and the ties between them."""

from __future__ import annotations

from ledger.errors import OutOfBalance
from ledger.facts import EntryId, Joined, Linked, Placed, SheetChanged
from ledger.names import name_key
from projections.checks import check_bounds
from projections.state import Being, Folds, Place, State


def add_being(state: State, entry: EntryId, fact: Joined) -> None:
    """Add a being and its sheet. Names are unique when case-folded."""
    if name_key(fact.who) in state.beings:
        raise OutOfBalance(f"{fact.who} is in play already", where=f"entry {entry}")
    being = Being(name=fact.who, kind=fact.kind, side=fact.side, seen=fact.seen, joined=len(state.beings))
    state.put("beings", name_key(fact.who), being)
    for name, value in fact.sheet:
        state.put("sheets", (fact.who, name), value)


def change_sheet(state: State, entry: EntryId, fact: SheetChanged) -> None:
    """Change one entry of a sheet. The fact must state the value before."""
    if state.being(fact.who) is None:
        raise OutOfBalance(f"{fact.who} is not in play", where=f"entry {entry}")
    before = state.sheet(fact.who, fact.key)
    if before != fact.was:
        raise OutOfBalance(f"{fact.who}'s {fact.key} was {before}, not {fact.was}", where=f"entry {entry}")
    state.put("sheets", (fact.who, fact.key), fact.now)


def move_being(state: State, entry: EntryId, fact: Placed) -> None:
    """Move a being to a place, or to none."""
    state.put("places", fact.who, Place(place=fact.place, square=fact.square) if fact.place else None)


def change_link(state: State, entry: EntryId, fact: Linked) -> None:
    """Begin a tie between two beings, change its degree, or end it."""
    for who in (fact.one, fact.other):
        if state.being(who) is None:
            raise OutOfBalance(f"{who} is not in play", where=f"entry {entry}")
    link = (fact.one, fact.tie, fact.other)
    if not fact.on and link not in state.links:
        raise OutOfBalance(f"{fact.one} has no tie '{fact.tie}' to {fact.other}", where=f"entry {entry}")
    check_bounds(entry, fact, fact.degree, 1, None)
    state.put("links", link, fact.degree if fact.on else None)


FOLDS: Folds = {Joined: add_being, SheetChanged: change_sheet, Placed: move_being, Linked: change_link}
