"""A trial: facts folded and taken back, so that what they refuse is refused before a die is drawn."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from ledger.facts import EntryId, Fact
from projections.projection import StateProjection
from projections.state import State

NOT_WRITTEN: Final = EntryId(0, 0)


def try_facts(facts: Iterable[Fact], state: State) -> None:
    """Check that these facts can be decided now, each on the state after the one before. Raises Refused."""
    projection = StateProjection()
    mark = projection.mark(state)
    try:
        for fact in facts:
            projection.step(state, NOT_WRITTEN, fact)
    finally:
        projection.roll_back(state, mark)
