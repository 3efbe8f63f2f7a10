"""Ties between two beings: member, leader, rider, holder."""

from __future__ import annotations

from ledger.errors import OutOfBalance
from ledger.facts import EntryId, Linked
from projections.state import Evolve, State


def linked(state: State, entry: EntryId, fact: Linked) -> None:
    """Two beings in play are tied, or tied to another degree; what is untied must have been tied."""
    for who in (fact.one, fact.other):
        if state.being(who) is None:
            raise OutOfBalance(f"{who} is not in play", where=f"entry {entry}")
    place = (fact.one, fact.tie, fact.other)
    if not fact.on and place not in state.links:
        raise OutOfBalance(f"{fact.one} is no {fact.tie} of {fact.other}", where=f"entry {entry}")
    state.put(state.links, place, fact.degree if fact.on else None)


EVOLVE: Evolve = {Linked: linked}
