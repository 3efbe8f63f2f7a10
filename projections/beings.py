"""Beings in play and their sheets."""

from __future__ import annotations

import msgspec

from ledger.errors import OutOfBalance
from ledger.facts import VISIBLE, EntryId, Joined, Revealed, SheetChanged
from ledger.names import name_key
from projections.state import Being, Folds, State


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


def reveal_being(state: State, entry: EntryId, fact: Revealed) -> None:
    """Note that everybody sees the numbers of a being from now on."""
    being = state.being(fact.who) if fact.who else None
    if being is not None and being.seen != VISIBLE:
        state.put("beings", name_key(fact.who), msgspec.structs.replace(being, seen=VISIBLE))


FOLDS: Folds = {Joined: add_being, Revealed: reveal_being, SheetChanged: change_sheet}
