"""The clock of the story."""

from __future__ import annotations

from typing import Final

from ledger.facts import EntryId, TimePassed
from projections.checks import check_bounds
from projections.state import Folds, State

LONG: Final = 600  # seconds: as long as the shortest rest of some books, and longer than a fight


def advance_clock(state: State, entry: EntryId, fact: TimePassed) -> None:
    """Add seconds to the clock. It never goes back. A long time that passes at once is kept for the scene."""
    check_bounds(entry, fact, fact.seconds, 0, None)
    state.put("clock", "seconds", state.seconds + fact.seconds)
    if fact.seconds >= LONG:
        state.put("scene", "passed", str(entry))


FOLDS: Folds = {TimePassed: advance_clock}
