"""Needs that are missed or met, where the table plays fatigue."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ledger.facts import Counted, Fact
from projections.state import State
from rulebooks.common.decisions import decides
from rulebooks.mars.declarations.harm import Deprive
from rulebooks.mars.guards import check_alive
from rulebooks.mars.harm.fatigue import SLEEPLESSNESS, SOURCES, STARVATION, fatigue_half, fatigue_of
from rulebooks.mars.harm.wounds import lose_health
from rulebooks.mars.texts import is_on, refusal

MEALS: Final = "meals missed"
DEGREES: Final = {"water": 2, "sleep": 1}
MEALS_A_DEGREE: Final = 3
RELIEF: Final = 2
RULE: Final = "GR-OUT-14"


@decides(Deprive)
def deprive(said: Deprive, state: State) -> Iterator[Fact]:
    """GR-OUT-14: a need that was missed adds degrees; one that is met takes up to 2 of its own off."""
    check_alive(said.who, state)
    if not is_on(state, "fatigue"):
        raise refusal("VALUE", case="off", what="fatigue")
    if said.met:
        yield from relieve(said.who, said.need, state)
    elif said.need == "meals":
        yield from miss_meal(said.who, state)
    else:
        yield tire(said.who, SOURCES[said.need], DEGREES[said.need], state)


def relieve(who: str, need: str, state: State) -> Iterator[Fact]:
    """GR-OUT-14: meeting a need takes off up to 2 degrees of that source; a meal begins the count anew."""
    missed = state.count(who, MEALS)
    if need == "meals" and missed:
        yield Counted(rules=(RULE,), who=who, name=MEALS, change=-missed, now=0, because="a meal")
    degrees = min(RELIEF, state.count(who, SOURCES[need]))
    if degrees:
        yield tire(who, SOURCES[need], -degrees, state)


def miss_meal(who: str, state: State) -> Iterator[Fact]:
    """GR-OUT-14: every third missed meal is a degree of starvation."""
    missed = state.count(who, MEALS) + 1
    if missed < MEALS_A_DEGREE:
        yield Counted(rules=(RULE,), who=who, name=MEALS, change=1, now=missed, because="missed")
        return
    if missed > 1:
        yield Counted(rules=(RULE,), who=who, name=MEALS, change=1 - missed, now=0, because="the third")
    yield tire(who, STARVATION, 1, state)


def tire(who: str, source: str, degrees: int, state: State) -> Counted:
    """Return the change of the degrees of a source."""
    now = state.count(who, source) + degrees
    return Counted(rules=(RULE,), who=who, name=source, change=degrees, now=now)


def end_day_of_tired(who: str, state: State, *, slept: bool) -> Iterator[Fact]:
    """GR-OUT-14: a day without a long rest adds a degree of sleeplessness, one with it meets that need.

    Then what is left of fatigue takes health.
    """
    if not is_on(state, "fatigue"):
        return
    if slept:
        yield from relieve(who, "sleep", state)
    else:
        yield tire(who, SLEEPLESSNESS, DEGREES["sleep"], state)
    if fatigue_of(who, state):
        yield from lose_health(who, fatigue_half(who, state), "fatigue", state, RULE)
