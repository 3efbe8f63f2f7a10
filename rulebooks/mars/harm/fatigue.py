"""Fatigue, an option: the degrees of hunger, thirst and lost sleep, and what they take off."""

from __future__ import annotations

from typing import Final

from projections.derived import derived
from projections.state import State
from rulebooks.mars.texts import is_on

STARVATION: Final = "starvation"
DEHYDRATION: Final = "dehydration"
SLEEPLESSNESS: Final = "sleeplessness"
SOURCES: Final = {"meals": STARVATION, "water": DEHYDRATION, "sleep": SLEEPLESSNESS}


def fatigue_of(who: str, state: State) -> int:
    """GR-OUT-14: the degrees of all sources; 0 where the table does not play it."""
    return sum([state.count(who, source) for source in sources_in_play(state)])


@derived("options")
def sources_in_play(state: State) -> tuple[str, ...]:
    """GR-OUT-14: the sources of fatigue; none where the table does not play it."""
    return tuple(SOURCES.values()) if is_on(state, "fatigue") else ()


def fatigue_half(who: str, state: State) -> int:
    """GR-OUT-14: half of it, rounded up, is taken off movement, off health each day, and off what rests give."""
    return -(-fatigue_of(who, state) // 2)
