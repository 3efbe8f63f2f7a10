"""Windows: rolls, attacks and checks that wait for an answer."""

from __future__ import annotations

import msgspec

from ledger.errors import OutOfBalance
from ledger.facts import EntryId, WindowChanged, WindowClosed, WindowOpened
from projections.state import Folds, State, Window
from projections.tokens import check_caps


def open_window(state: State, entry: EntryId, fact: WindowOpened) -> None:
    """Add a window. Its name must not be in use."""
    if fact.window in state.windows:
        raise OutOfBalance(f"'{fact.window}' is open already", where=f"entry {entry}")
    order = 1 + max([window.order for window in state.windows.values()]) if state.windows else 1
    window = Window(kind=fact.kind, who=fact.who, awaits=fact.awaits, data=fact.data, opened=entry, order=order)
    state.put("windows", fact.window, window)


def change_window(state: State, entry: EntryId, fact: WindowChanged) -> None:
    """Change what a window waits for. The entry that opened it stays."""
    window = msgspec.structs.replace(_open_window(state, entry, fact.window), awaits=fact.awaits, data=fact.data)
    state.put("windows", fact.window, window)


def close_window(state: State, entry: EntryId, fact: WindowClosed) -> None:
    """Delete a window. After the last one, the caps of tokens apply again."""
    _open_window(state, entry, fact.window)
    state.put("windows", fact.window, None)
    if not state.windows:
        check_caps(state, entry)


def _open_window(state: State, entry: EntryId, name: str) -> Window:
    """Return an open window. Raises OutOfBalance when there is none of this name."""
    window = state.windows.get(name)
    if window is None:
        raise OutOfBalance(f"'{name}' is not open", where=f"entry {entry}")
    return window


FOLDS: Folds = {WindowOpened: open_window, WindowChanged: change_window, WindowClosed: close_window}
