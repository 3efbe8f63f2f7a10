"""Where everybody is, and what ties one being to another."""

from __future__ import annotations

from ledger.errors import OutOfBalance
from ledger.facts import EntryId, Linked, Placed
from projections.checks import check_bounds
from projections.state import Evolve, Place, State


def placed(state: State, entry: EntryId, fact: Placed) -> None:
    """Somebody is there now, wherever they were."""
    state.put(state.places, fact.who, Place(place=fact.place, square=fact.square) if fact.place else None)


def linked(state: State, entry: EntryId, fact: Linked) -> None:
    """A tie begins, is of another degree, or ends, between two in play. Raises OutOfBalance for any other."""
    for who in (fact.one, fact.other):
        if state.being(who) is None:
            raise OutOfBalance(f"{who} is not in play", where=f"entry {entry}")
    tie = (fact.one, fact.tie, fact.other)
    if not fact.on and tie not in state.links:
        raise OutOfBalance(f"{fact.one} has no tie '{fact.tie}' to {fact.other}", where=f"entry {entry}")
    check_bounds(entry, fact, fact.degree, 1, None)
    state.put(state.links, tie, fact.degree if fact.on else None)


EVOLVE: Evolve = {Placed: placed, Linked: linked}
