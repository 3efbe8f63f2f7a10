"""Effort: its levels, its price and its limits."""

from __future__ import annotations

from typing import Final

from ledger.errors import Refused
from projections.state import State
from rulebooks.common.beings import name_in_line
from rulebooks.dusk_bastards.declarations.tasks import Search, Task
from rulebooks.dusk_bastards.harm.condition_effects import EFFORT, condition_values
from rulebooks.dusk_bastards.texts import option, refusal

EFFORT_STEPS_MOST: Final = 6


def free_levels(said: Task, state: State) -> int:
    """DB-EFFORT-6: levels that an ability grants on this attempt, or for as long as it lasts."""
    return said.free_effort + sum(condition_values(said.by, EFFORT, state))


def effort_cost(levels: int) -> int:
    """DB-EFFORT-2: 3 points for the first level, 2 more for each level after."""
    return 3 + 2 * (levels - 1) if levels else 0


def light_wound_cost(who: str, levels: int, state: State) -> int:
    """DB-EFFORT-7: a light wound in force makes every paid level cost 1 more; DB-WOUND-6: two do not double it."""
    light = [wound for _, wound in state.wounds_of(who) if wound.in_force and wound.kind == "light"] if levels else []
    if not light:
        return 0
    wounds = len(light) if option(state, "wound_penalties_stack") == "yes" else 1
    return wounds * (1 if option(state, "light_wound_cost") == "per_use" else levels)


def level_words(levels: int) -> str:
    """Return a number of levels in words."""
    return f"{levels} level" if levels == 1 else f"{levels} levels"


def effort_price(who: str, levels: int, state: State) -> int:
    """DB-EFFORT-2 and DB-EFFORT-7 together: the price of so many paid levels for this character now."""
    return effort_cost(levels) + light_wound_cost(who, levels, state)


def effort_limit(who: str, state: State) -> int:
    """DB-EFFORT-4: how many levels a character may pay for on one task; the sheet says so."""
    written = state.sheet(who, "effort_limit")
    return written if isinstance(written, int) else 1


def check_effort(said: Task, stat: str, state: State, *, retry: bool) -> None:
    """DB-EFFORT-3, 5, 4, in the catalogue's order: the right pool, six levels at most, the character's limit.

    DB-RETRY-2: a retry takes one level at least, paid or free.
    """
    if said.effort_pool is not None and said.effort_pool != stat:
        raise refusal("EFFORT-POOL", stat=stat)
    if said.effort > EFFORT_STEPS_MOST:
        raise refusal("EFFORT-SIX")
    if said.effort > effort_limit(said.by, state):
        raise refusal("EFFORT-LIMIT", name=said.by, limit=level_words(effort_limit(said.by, state)))
    if retry and not said.effort + free_levels(said, state):
        raise retry_refusal(said)


def retry_refusal(said: Task) -> Refused:
    """DB-RETRY-1, DB-GAP-78: a retry needs Effort; the refusal says what to write if it is another task."""
    if not isinstance(said, Search) or not said.task or said.difficulty is None:
        return refusal("RETRY-EFFORT")
    words = [name_in_line(said.by), name_in_line(said.task), f"v{said.difficulty}", said.stat or ""]
    return refusal("RETRY-EFFORT", case="task", task=said.task, line=" ".join(filter(None, words)))
