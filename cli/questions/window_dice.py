"""The dice that were thrown for the open windows: they are judged, or chosen from, in a later entry."""

from __future__ import annotations

from ledger.facts import Rolled, WindowChanged, WindowOpened
from ledger.ledger_state import LedgerState
from ledger.records import latest_takes
from ledger.store import ReadableStore
from projections.state import State

WindowDice = dict[str, list[Rolled]]


def window_dice(store: ReadableStore, state: LedgerState[State]) -> WindowDice:
    """Return the rolls of the entries that opened or changed each window that is open in `state`."""
    dice: WindowDice = {name: [] for name in state.state.windows}
    if not dice:
        return {}
    first = min(window.opened for window in state.state.windows.values())
    for record in latest_takes(store.takes(after=first.before, upto=state.last, as_of=state.position)):
        names = {fact.window for fact in record.facts if isinstance(fact, WindowOpened | WindowChanged)}
        for name in names & dice.keys():
            if record.id >= state.state.windows[name].opened:
                dice[name] += [fact for fact in record.facts if isinstance(fact, Rolled)]
    return dice
