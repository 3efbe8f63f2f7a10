"""The clock of the story."""

from __future__ import annotations

from ledger.facts import EntryId, TimePassed
from projections.checks import check_bounds
from projections.state import Folds, State


def advance_clock(state: State, entry: EntryId, fact: TimePassed) -> None:
    """Add seconds to the clock. It never goes back."""
    check_bounds(entry, fact, fact.seconds, 0, None)
    state.put("clock", "seconds", state.seconds + fact.seconds)


FOLDS: Folds = {TimePassed: advance_clock}
