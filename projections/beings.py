"""Who is in play, and what stands on their sheets."""

from __future__ import annotations

from ledger.errors import OutOfBalance
from ledger.facts import EntryId, Joined
from ledger.names import key
from projections.state import Being, Evolve, State


def joined(state: State, entry: EntryId, fact: Joined) -> None:
    """A being comes into play with its sheet; names are unique when case-folded."""
    if key(fact.who) in state.beings:
        raise OutOfBalance(f"{fact.who} is in play already", where=f"entry {entry}")
    being = Being(name=fact.who, kind=fact.kind, side=fact.side, seen=fact.seen, joined=len(state.beings))
    state.put(state.beings, key(fact.who), being)
    for name, value in fact.sheet:
        state.put(state.sheets, (fact.who, name), value)


EVOLVE: Evolve = {Joined: joined}
