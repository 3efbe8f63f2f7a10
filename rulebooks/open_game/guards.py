"""Who can act at all: not those whom a condition of the house rules puts out. And the fight that is on."""

from __future__ import annotations

from projections.state import Encounter, State
from rulebooks.common.conditions import has_any
from rulebooks.common.sides import DEAD
from rulebooks.open_game.house_rules import house_rules
from rulebooks.open_game.texts import refusal


def ways_out(state: State) -> tuple[str, ...]:
    """OG-TURN-3: return the conditions with which somebody has no turn: those of pools at 0, and dead."""
    return tuple(dict.fromkeys((DEAD, *(name for _, name in house_rules(state).zero))))


def is_able(who: str, state: State) -> bool:
    """OG-TURN-3: return whether somebody has turns."""
    return not has_any(who, ways_out(state), state)


def running_encounter(state: State) -> Encounter:
    """OG-TURN-1: return the encounter that is running. Raises the refusal where there is none."""
    if state.encounter is None:
        raise refusal("TURN", case="none")
    return state.encounter
