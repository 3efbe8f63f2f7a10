"""Critical Damage and its clock, unconsciousness and death."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ledger.facts import ConditionBegan, Fact
from projections.state import State
from rulebooks.common.conditions import condition_end, end_after, expired_conditions, has_condition, new_condition
from rulebooks.monolith.guards import CRITICAL, DEAD, STABLE, TREATED, UNCONSCIOUS

HOUR: Final = 3600


def begin_critical(who: str, state: State) -> Iterator[Fact]:
    """ML-CRIT-2, ML-CRIT-4: nothing but crawling, and an hour to live. ML-GAP-17: one clock, however often."""
    if has_condition(who, CRITICAL, state):
        return
    yield from end_conditions(who, (STABLE, TREATED), state, "struck again", "ML-GAP-17")
    yield start_clock(who, state, "ML-CRIT-2", "ML-CRIT-4")


def start_clock(who: str, state: State, *rules: str) -> ConditionBegan:
    """ML-CRIT-4: Critical Damage with an hour to live."""
    return new_condition(who, CRITICAL, *rules, ends=(end_after(HOUR, state),))


def knock_out(who: str, state: State) -> Iterator[Fact]:
    """ML-TAG-3: unconscious and stable. ML-GAP-18: under Critical Damage unconscious only, and the clock runs on."""
    names = (UNCONSCIOUS,) if has_condition(who, CRITICAL, state) else (UNCONSCIOUS, STABLE)
    for name in names:
        if not has_condition(who, name, state):
            yield new_condition(who, name, "ML-TAG-3")


def kill(who: str, state: State, *rules: str) -> Iterator[Fact]:
    """ML-BODY-1: dead; all other conditions end."""
    yield from end_conditions(who, (CRITICAL, TREATED, STABLE, UNCONSCIOUS), state, "dead", *rules)
    yield new_condition(who, DEAD, *rules)


def treat(who: str, state: State, rule: str = "ML-CRIT-3") -> Iterator[Fact]:
    """ML-CRIT-3: aid stops the clock."""
    if not has_condition(who, TREATED, state):
        if has_condition(who, CRITICAL, state):
            yield new_condition(who, CRITICAL, "ML-CRIT-3")
        yield new_condition(who, TREATED, rule)


def stabilise(who: str, state: State) -> Iterator[Fact]:
    """ML-CRIT-3: rest after aid makes stable."""
    if has_condition(who, CRITICAL, state) and has_condition(who, TREATED, state):
        yield from end_conditions(who, (CRITICAL, TREATED), state, "removed", "ML-CRIT-3")
        yield new_condition(who, STABLE, "ML-CRIT-3")


def end_expired_clocks(state: State) -> Iterator[Fact]:
    """ML-CRIT-4: death after an hour without aid."""
    for _, condition in expired_conditions(CRITICAL, state):
        yield from kill(condition.who, state, "ML-CRIT-4")


def end_conditions(who: str, names: tuple[str, ...], state: State, because: str, *rules: str) -> Iterator[Fact]:
    """End those of these conditions that somebody has."""
    for name in names:
        if has_condition(who, name, state):
            yield condition_end(f"{name} {who}", state, because, *rules)
