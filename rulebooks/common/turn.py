"""The moment of somebody, and the running round."""

from __future__ import annotations

import msgspec

from projections.state import Encounter, State


class ActorTurn(msgspec.Struct, frozen=True, kw_only=True):
    """What this moment is for somebody, asked once for each declaration; a book adds what it needs."""

    who: str
    encounter: Encounter | None  # that they are in, if any


def current_round(state: State) -> int:
    """Return the number of the running round; 0 outside encounters and before the first."""
    return state.encounter.round if state.encounter else 0
