"""Conditions computed from hit points: Wounded, down, dead; and flight."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ledger.facts import GM, ConditionBegan, ConditionEnded, Fact, SheetChanged, WindowClosed, WindowOpened
from projections.state import State
from rulebooks.common.conditions import condition_end, has_condition, new_condition
from rulebooks.momentum.guards import FLED, HP
from rulebooks.momentum.texts import option

WOUNDED: Final = "wounded"
DOWN: Final = "down"
DEAD: Final = "dead"
WAYS_OUT: Final = (DEAD, DOWN, FLED)
FATE: Final = "fate"
DEATH_SINCE: Final = 2  # the revision since which a PC whose fate is ruled to be death is dead
RULES: Final = {WOUNDED: ("MO-WND-1",), DOWN: ("MO-HP-3", "MO-HP-1"), DEAD: ("MO-HP-2", "MO-HP-1")}


def is_wounded(who: str, state: State) -> bool:
    """MO-WND-1: above 0 HP and at half of the maximum or less. MO-GAP-4 and MO-GAP-28 have other readings."""
    pool = state.pools[who, HP]
    if state.side(who) != "pc" and option(state, "foes_wounded") == "no":
        return False
    reading, most = option(state, "wounded_at"), pool.most or 0
    low = 2 * pool.points <= most if reading == "half_or_less" else reading != "off" and pool.points <= 3
    return pool.points > 0 and low


def dies(who: str, state: State) -> bool:
    """MO-HP-2, MO-HP-3: a foe at 0 HP is dead, a PC where the game master has ruled so."""
    is_ruled = state.revision >= DEATH_SINCE and str(state.sheet(who, FATE)).casefold() == DEAD
    return state.side(who) != "pc" or is_ruled


def update_conditions(who: str, state: State) -> Iterator[Fact]:
    """MO-WND-1, MO-HP-2, MO-HP-3: begin and end the conditions computed from somebody's HP."""
    none_left = state.points(who, HP) == 0
    gone = (DEAD if dies(who, state) else DOWN) if none_left else ""
    for name, holds in ((WOUNDED, is_wounded(who, state)), (DOWN, gone == DOWN), (DEAD, gone == DEAD)):
        if holds and not has_condition(who, name, state):
            yield new_condition(who, name, *RULES[name])
        elif not holds and has_condition(who, name, state):
            yield condition_end(f"{name} {who}", state, "removed", *RULES[name])
    window = f"{FATE} {who}"
    if gone == DOWN and not state.sheet(who, FATE) and window not in state.windows:
        yield WindowOpened(rules=("MO-HP-3",), window=window, kind=FATE, who=who, awaits=(GM,), data="")
    if not none_left and (ruled := state.sheet(who, FATE)) is not None:
        yield SheetChanged(rules=("MO-HP-3",), who=who, key=FATE, was=ruled, now=None, because="up again")
    if not none_left and window in state.windows:
        yield WindowClosed(rules=("MO-HP-3",), window=window, outcome="up again")


def update_all_conditions(state: State) -> Iterator[Fact]:
    """Update the conditions of everybody with HP, in order of joining: after a ruling or another reading."""
    for being in state.beings_in_order():
        if (being.name, HP) in state.pools:
            yield from update_conditions(being.name, state)


def begin_flight(who: str) -> ConditionBegan:
    """MO-ROUND-8: a combatant who has fled is out until another fight."""
    return new_condition(who, FLED, "MO-ROUND-8")


def end_flight(who: str) -> ConditionEnded:
    """MO-ROUND-8: a combatant who fled from an earlier fight is in this one."""
    return ConditionEnded(rules=("MO-ROUND-8",), id=f"{FLED} {who}", who=who, name=FLED, because="removed")
