"""Health: its maximum, without wounds and with those in force, and how far it recovers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from ledger.facts import Fact
from projections.state import State
from rulebooks.common.conditions import find_condition
from rulebooks.common.sheets import change_maximum
from rulebooks.dusk_bastards.declarations.parts import STATS
from rulebooks.dusk_bastards.texts import option

HEALTH: Final = "health"
LASTING: Final = "lasting damage"


def maximum_health(who: str, state: State) -> int:
    """DB-DMG-1: the second highest of the three stat maxima, by place; others bring theirs on the sheet."""
    written = state.sheet(who, HEALTH)
    if isinstance(written, int):
        return written
    return second_highest(state.pools[who, stat].most or 0 for stat in STATS)


def second_highest(maxima: Iterable[int]) -> int:
    """DB-DMG-1: by place, so that a tie for the highest gives that number."""
    return sorted(maxima)[-2]


def half(points: int, state: State) -> int:
    """DB-GAP-2: halves are rounded up, unless the table reads it otherwise."""
    return points // 2 if option(state, "halves_round") == "down" else (points + 1) // 2


def effective_maximum(who: str, state: State) -> int:
    """DB-WOUND-8: halved by a severe wound in force, at most 1 with a critical one, never below 1."""
    most = maximum_health(who, state)
    kinds = [wound.kind for _, wound in state.wounds_of(who) if wound.in_force]
    severe = kinds.count("severe")
    times = severe if severe > 1 and option(state, "wound_penalties_stack") == "yes" else min(severe, 1)
    for _ in range(times):
        most = max(1, half(most, state))
    return min(most, 1) if "critical" in kinds else most


def recovery_maximum(who: str, state: State) -> int:
    """DB-SPEC-4: ordinary recovery stops at the effective maximum less the lasting damage, at 1 at least."""
    lasting, most = find_condition(who, LASTING, state), effective_maximum(who, state)
    return max(1, most - lasting.degree) if lasting else most


def set_maximum_health(who: str, state: State) -> Iterator[Fact]:
    """DB-WOUND-8: health above the effective maximum is cut off; when it rises again health does not."""
    most = effective_maximum(who, state)
    yield from change_maximum(who, HEALTH, most, "effective maximum", state, "DB-WOUND-8", "DB-WOUND-6")
