"""Who is in play, and what stands on their sheets."""

from __future__ import annotations

from ledger.errors import OutOfBalance
from ledger.facts import EntryId, Joined, SheetChanged
from ledger.names import name_key
from projections.state import Being, Evolve, State


def joined(state: State, entry: EntryId, fact: Joined) -> None:
    """A being comes into play with its sheet; names are unique when case-folded."""
    if name_key(fact.who) in state.beings:
        raise OutOfBalance(f"{fact.who} is in play already", where=f"entry {entry}")
    being = Being(name=fact.who, kind=fact.kind, side=fact.side, seen=fact.seen, joined=len(state.beings))
    state.put(state.beings, name_key(fact.who), being)
    for name, value in fact.sheet:
        state.put(state.sheets, (fact.who, name), value)


def sheet_changed(state: State, entry: EntryId, fact: SheetChanged) -> None:
    """An entry of a sheet changes; what stood there must be what the fact says."""
    _known(state, entry, fact.who)
    stood = state.sheet(fact.who, fact.key)
    if stood != fact.was:
        raise OutOfBalance(f"{fact.who}'s {fact.key} was {stood}, not {fact.was}", where=f"entry {entry}")
    state.put(state.sheets, (fact.who, fact.key), fact.now)


def _known(state: State, entry: EntryId, who: str) -> Being:
    """Somebody in play. Raises OutOfBalance for anybody else."""
    being = state.being(who)
    if being is None:
        raise OutOfBalance(f"{who} is not in play", where=f"entry {entry}")
    return being


EVOLVE: Evolve = {Joined: joined, SheetChanged: sheet_changed}
