"""Stun: what it breaks off as it comes, and what it costs as a turn begins."""

from __future__ import annotations

from collections.abc import Iterator

from ledger.facts import Fact
from projections.state import State
from rulebooks.common.conditions import condition_end, find_condition, new_condition
from rulebooks.common.values import action_use
from rulebooks.mars.guards import AP, STUNNED
from rulebooks.mars.harm.concentration import DIFFICULTY, ask_for_check
from rulebooks.mars.harm.interruption import interrupt


def stun(who: str, times: int, difficulty: int | None, source: str, state: State, *rules: str) -> Iterator[Fact]:
    """GR-STU-2: stuns add up until the next turn. GR-STU-5, GR-CON-3: actions in progress are lost."""
    earlier = find_condition(who, STUNNED, state)
    degree = times + (earlier.degree if earlier else 0)
    yield new_condition(who, STUNNED, "GR-STU-2", "GR-STU-4", *rules, degree=degree, about=source)
    yield from interrupt(who, "stunned", state, "GR-STU-5")
    yield from ask_for_check(who, DIFFICULTY if difficulty is None else difficulty, state)


def pay_stun(who: str, state: State) -> Iterator[Fact]:
    """GR-STU-1, GR-STU-2: the turn begins: all stuns end, each costs 1 action point, as far as there are any."""
    condition = find_condition(who, STUNNED, state)
    if condition is None:
        return
    yield condition_end(f"{STUNNED} {who}", state, "a turn begins", "GR-STU-1")
    cost = min(condition.degree, state.actions_left(who, AP))
    if cost:
        yield action_use(who, AP, state, "lost", "GR-STU-1", "GR-STU-2", "GR-STU-3", cost=cost)
