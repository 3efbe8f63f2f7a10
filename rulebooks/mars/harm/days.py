"""The end of a day: what sickness and fatigue take, what is over, and rests that are free again."""

from __future__ import annotations

from collections.abc import Iterator

from ledger.dice import Dice
from ledger.facts import Counted, CountsCleared, Fact
from projections.state import State
from rulebooks.common.conditions import condition_end, ending_conditions, has_condition
from rulebooks.common.decisions import decides
from rulebooks.mars.declarations.harm import EndDay
from rulebooks.mars.guards import DEAD, HEALTH, SICKNESS, check_no_encounter
from rulebooks.mars.harm import deprivation, rest, sickness, wounds
from rulebooks.mars.tasks.checks import entry_dice
from rulebooks.mars.turns.durations import end_one


@decides(EndDay)
def end_day(said: EndDay, state: State, dice: Dice) -> Iterator[Fact]:
    """GR-GAP-47: sickness takes its toll, then its time is counted; then rests are free again."""
    check_no_encounter(state)
    throws, alive = entry_dice(dice), living(state)
    slept = {who: state.count(who, rest.LONG) > 0 for who in alive}
    day = state.count("", rest.DAY) + 1
    yield Counted(rules=("GR-GAP-47",), who="", name=rest.DAY, change=1, now=day)
    for who in alive:
        yield from sickness.lose_health_of_sick(who, state)
        yield from deprivation.end_day_of_tired(who, state, slept=slept[who])
    yield from end_due_effects(state)
    for who in alive:
        yield from sickness.end_of_course(who, state, throws)
    for who in alive:
        if has_condition(who, rest.LONG_REST, state):
            yield condition_end(f"{rest.LONG_REST} {who}", state, "not resumed", "GR-GAP-46")
        if not slept[who]:
            yield wounds.notice(who, f"{who} had no long rest", "GR-RES-8", "GR-GAP-48")
    yield CountsCleared(rules=("GR-RES-8", "GR-GAP-47"), until=rest.DAY)


def living(state: State) -> list[str]:
    """Return all characters who are alive, in order of joining."""
    names = (being.name for being in state.beings_in_order() if (being.name, HEALTH) in state.pools)
    return [who for who in names if not has_condition(who, DEAD, state)]


def end_due_effects(state: State) -> Iterator[Fact]:
    """GR-EFF-1: effects that last so many days end when these are over; a sickness asks for its check instead."""
    today = state.count("", rest.DAY)
    for id, condition in ending_conditions(state):
        if condition.name != SICKNESS and any(end.at == rest.DAY and end.due <= today for end in condition.ends):
            yield end_one(id, state, "its days are over", "GR-EFF-1")
