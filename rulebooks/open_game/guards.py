"""Who can act at all: not those whom a condition of the house rules puts out."""

from __future__ import annotations

from projections.state import State
from rulebooks.common.conditions import has_condition
from rulebooks.common.sides import DEAD
from rulebooks.open_game.house_rules import house_rules


def ways_out(state: State) -> tuple[str, ...]:
    """OG-TURN-3: return the conditions with which somebody has no turn: those of pools at 0, and dead."""
    return tuple(dict.fromkeys((DEAD, *(name for _, name in house_rules(state).zero))))


def is_able(who: str, state: State) -> bool:
    """OG-TURN-3: return whether somebody has turns."""
    return not any(has_condition(who, name, state) for name in ways_out(state))
