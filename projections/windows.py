"""Windows: what waits for an answer before its result counts."""

from __future__ import annotations

import msgspec

from ledger.errors import OutOfBalance
from ledger.facts import EntryId, WindowChanged, WindowClosed, WindowOpened
from projections.state import Evolve, State, Window


def opened(state: State, entry: EntryId, fact: WindowOpened) -> None:
    """Something begins to wait; it cannot wait twice."""
    if fact.window in state.windows:
        raise OutOfBalance(f"'{fact.window}' is open already", where=f"entry {entry}")
    window = Window(kind=fact.kind, who=fact.who, awaits=fact.awaits, data=fact.data, opened=entry)
    state.put(state.windows, fact.window, window)


def changed(state: State, entry: EntryId, fact: WindowChanged) -> None:
    """What waits is not what it was; who opened it stays."""
    window = msgspec.structs.replace(_open(state, entry, fact.window), awaits=fact.awaits, data=fact.data)
    state.put(state.windows, fact.window, window)


def closed(state: State, entry: EntryId, fact: WindowClosed) -> None:
    """Nothing waits any more, and the caps of tokens hold again."""
    _open(state, entry, fact.window)
    state.put(state.windows, fact.window, None)
    if not state.windows:
        _capped(state, entry)


def _open(state: State, entry: EntryId, name: str) -> Window:
    """The window of that name. Raises OutOfBalance when none is open."""
    window = state.windows.get(name)
    if window is None:
        raise OutOfBalance(f"'{name}' is not open", where=f"entry {entry}")
    return window


def _capped(state: State, entry: EntryId) -> None:
    """Raises OutOfBalance when somebody holds more tokens than they may."""
    for (who, token), held in state.tokens.items():
        if held.most is not None and held.count > held.most:
            raise OutOfBalance(f"{who} holds {held.count} {token}, {held.most} are the most", where=f"entry {entry}")


EVOLVE: Evolve = {WindowOpened: opened, WindowChanged: changed, WindowClosed: closed}
