"""The places of beings, and the ties between beings."""

from __future__ import annotations

from ledger.errors import OutOfBalance
from ledger.facts import EntryId, Linked, Placed
from projections.checks import check_bounds
from projections.state import Folds, Place, State


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


FOLDS: Folds = {Placed: move_being, Linked: change_link}
