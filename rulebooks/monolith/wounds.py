"""Critical Damage and its clock, death, and what else puts somebody out of action."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ledger.facts import ConditionBegan, ConditionEnded, Fact
from projections.state import State
from rulebooks.common.clock import run_out, within
from rulebooks.monolith.guards import CRITICAL, DEAD, STABLE, TREATED, UNCONSCIOUS, holds

HOUR: Final = 3600


def critical(who: str, state: State) -> Iterator[Fact]:
    """ML-CRIT-2, ML-CRIT-4: nothing but crawling, and an hour to live. ML-GAP-17: one clock, however often."""
    if holds(who, CRITICAL, state):
        return
    yield from ended(who, (STABLE, TREATED), state, "struck again", "ML-GAP-17")
    yield ConditionBegan(
        rules=("ML-CRIT-2", "ML-CRIT-4"),
        id=f"{CRITICAL} {who}",
        who=who,
        name=CRITICAL,
        ends=(within(HOUR, state),),
    )


def knocked_out(who: str, state: State) -> Iterator[Fact]:
    """ML-TAG-3: unconscious and stable. ML-GAP-18: under Critical Damage unconscious only, and the clock runs on."""
    names = (UNCONSCIOUS,) if holds(who, CRITICAL, state) else (UNCONSCIOUS, STABLE)
    for name in names:
        if not holds(who, name, state):
            yield ConditionBegan(rules=("ML-TAG-3",), id=f"{name} {who}", who=who, name=name)


def dead(who: str, state: State, *rules: str) -> Iterator[Fact]:
    """ML-BODY-1: dead; nothing else holds any more."""
    yield from ended(who, (CRITICAL, TREATED, STABLE, UNCONSCIOUS), state, "dead", *rules)
    yield ConditionBegan(rules=rules, id=f"{DEAD} {who}", who=who, name=DEAD)


def treated(who: str, state: State) -> Iterator[Fact]:
    """ML-CRIT-3: aid stops the clock."""
    if not holds(who, TREATED, state):
        yield ConditionBegan(rules=("ML-CRIT-3",), id=f"{CRITICAL} {who}", who=who, name=CRITICAL)
        yield ConditionBegan(rules=("ML-CRIT-3",), id=f"{TREATED} {who}", who=who, name=TREATED)


def stabilised(who: str, state: State) -> Iterator[Fact]:
    """ML-CRIT-3: rest after aid makes stable."""
    if holds(who, CRITICAL, state) and holds(who, TREATED, state):
        yield from ended(who, (CRITICAL, TREATED), state, "removed", "ML-CRIT-3")
        yield ConditionBegan(rules=("ML-CRIT-3",), id=f"{STABLE} {who}", who=who, name=STABLE)


def expired(state: State) -> Iterator[Fact]:
    """ML-CRIT-4: whoever has had no aid within the hour is dead."""
    for _, condition in run_out(CRITICAL, state):
        yield from dead(condition.who, state, "ML-CRIT-4")


def ended(who: str, names: tuple[str, ...], state: State, because: str, *rules: str) -> Iterator[Fact]:
    """Those of these conditions that hold end."""
    for name in names:
        if holds(who, name, state):
            yield ConditionEnded(rules=rules, id=f"{name} {who}", who=who, name=name, because=because)
