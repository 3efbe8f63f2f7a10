"""Rests: what short and long ones give back, interrupted ones, and how many there are in a day."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from ledger.facts import Counted, CountsCleared, Fact, Judged, Rested
from projections.state import State
from rulebooks.common.beings import speaker
from rulebooks.common.conditions import condition_end, find_condition, has_condition, new_condition
from rulebooks.common.decisions import decides
from rulebooks.common.sums import SumSteps
from rulebooks.common.values import point_gain
from rulebooks.mars import guards
from rulebooks.mars.declarations.harm import LongRest, ResumeLongRest, ShortRest
from rulebooks.mars.harm import fatigue, sickness, wounds
from rulebooks.mars.tasks.stat_values import FORTITUDE, INITIATIVE, WILLPOWER, value_of
from rulebooks.mars.texts import refusal

SHORT: Final = "short rests"
LONG: Final = "long rests"
LIMITS: Final = {SHORT: 2, LONG: 1}
LONG_REST: Final = "long rest"
CUT_SHORT: Final = "cut short"
TREATED: Final = "treated"
DAY: Final = "day"
RECOVERY: Final = {guards.ENDURANCE: FORTITUDE, guards.STAMINA: INITIATIVE, guards.FOCUS: WILLPOWER}
MINUTES: Final = (30, 60, 120)
SIMPLE: Final = 5
HEALTH_A_NIGHT: Final = 1
HEALTH_TREATED: Final = 2


def check_rester(who: str, state: State) -> None:
    """GR-GAP-63, GR-GAP-64: the unconscious can rest, the dying and those in an encounter cannot."""
    guards.check_alive(who, state)
    guards.check_no_encounter(state)
    if has_condition(who, guards.DYING, state):
        raise refusal("DYING", name=who)


@decides(ShortRest)
def short_rest(said: ShortRest, state: State) -> Iterator[Fact]:
    """GR-RES-3: 30 to 60 minutes, or up to 2 hours with one simple activity; two in a day (GR-RES-8)."""
    check_rester(said.by, state)
    least, most, with_activity = MINUTES
    simple = said.activity is not None and said.activity <= SIMPLE
    if not least <= said.minutes <= (with_activity if simple else most) or (said.activity or 0) > SIMPLE:
        raise refusal("REST-LENGTH", case="alone" if said.activity is None else "", minutes=said.minutes)
    if has_begun_long_rest(said.by, state):
        raise refusal("REST-LIMIT", case="long", name=said.by, line=speaker(said.by, state))
    check_left(said.by, SHORT, state)
    amounts = {resource: short_amount(said.by, resource, state) for resource in RECOVERY}
    yield count_rest(said.by, SHORT, state)
    yield from restore(said.by, "short rest", amounts, state, "GR-RES-1", "GR-RES-3")


def has_begun_long_rest(who: str, state: State) -> bool:
    """GR-GAP-47: whether the long rest of this day has begun."""
    return bool(state.count(who, LONG)) or has_condition(who, LONG_REST, state)


def check_left(who: str, rest: str, state: State) -> None:
    """GR-RES-8: two short rests and one long rest in a day."""
    if state.count(who, rest) >= LIMITS[rest]:
        raise refusal("REST-LIMIT", name=who, line=speaker(who, state))


def count_rest(who: str, rest: str, state: State) -> Counted:
    """GR-RES-8: a rest of this day is taken."""
    now = state.count(who, rest) + 1
    return Counted(rules=("GR-RES-8",), who=who, name=rest, change=1, now=now, of=LIMITS[rest], until=DAY)


def least_recovery(who: str, resource: str, state: State) -> int:
    """GR-RES-1: the minimum of FORT, INIT or WILL. GR-GAP-50: never below 0."""
    return max(0, value_of(who, RECOVERY[resource], state).roll.least)


def half_recovery(who: str, resource: str, state: State) -> int:
    """GR-RES-1, GR-GAP-45: half of the maximum of FORT, INIT or WILL, rounded down."""
    return max(0, value_of(who, RECOVERY[resource], state).roll.most) // 2


def short_amount(who: str, resource: str, state: State) -> SumSteps:
    """GR-RES-1: what a short rest gives back of a resource."""
    amount = SumSteps(resource, least_recovery(who, resource, state))
    reduce(amount, who, resource, state)
    return amount


def long_amount(who: str, resource: str, state: State) -> SumSteps:
    """GR-RES-1, GR-RES-7: what a long rest gives back, with the short rests that were not taken that day."""
    if resource == guards.HEALTH:
        return SumSteps(guards.HEALTH, HEALTH_A_NIGHT)
    amount = SumSteps(resource, half_recovery(who, resource, state))
    unused = LIMITS[SHORT] - state.count(who, SHORT)
    amount.add(unused * least_recovery(who, resource, state), "GR-RES-7", f"{unused} short rests not taken")
    reduce(amount, who, resource, state)
    return amount


def days_of_rest(who: str, state: State) -> int:
    """GR-RES-1: a long rest a day gives one health back."""
    health = state.pools.get((who, guards.HEALTH))
    return -(-((health.most or 0) - health.points) // HEALTH_A_NIGHT) if health and health.most else 0


def reduce(amount: SumSteps, who: str, resource: str, state: State) -> None:
    """GR-RES-2, GR-SIC-3, GR-GAP-45: capped at the maximum, then less for the sick and the tired, but 1 at least."""
    most = state.pools[who, resource].most or 0
    amount.bound("min", most, "GR-RES-2", f"maximum of {resource}")
    least = min(1, amount.total)
    sick = -(-sickness.strongest(who, state) // 2)
    if sick:
        amount.add(-sick, "GR-SIC-3", "sickness")
        amount.bound("max", least, "GR-SIC-3", "not below 1")
    tired = fatigue.fatigue_half(who, state)
    if tired:
        amount.add(-tired, "GR-OUT-14", "fatigue")
        amount.bound("max", 0, "GR-OUT-14", "not below 0")


def restore(
    who: str, rest: str, amounts: Mapping[str, SumSteps], state: State, *rules: str, whole: bool = True
) -> Iterator[Fact]:
    """GR-RES-2: give resources back; none ends above its maximum."""
    yield Rested(rules=rules, who=who, rest=rest, whole=whole)
    cited = dict.fromkeys(step.rule for amount in amounts.values() for step in amount.steps)
    yield Judged(
        rules=tuple(dict.fromkeys((*rules, *cited))),
        what=rest,
        who=who,
        sums=tuple(amount.sum() for amount in amounts.values()),
        result="rested" if whole else CUT_SHORT,
        final=True,
    )
    for resource, amount in amounts.items():
        room = (state.pools[who, resource].most or 0) - state.points(who, resource)
        gained = min(amount.total, room)
        if gained:
            over = amount.total - gained
            yield point_gain(who, resource, gained, rest, state, "GR-RES-1", "GR-RES-2", over=over)
    yield from wounds.end_dying_of_healed(who, state)


@decides(LongRest)
def long_rest(said: LongRest, state: State) -> Iterator[Fact]:
    """GR-RES-4: about 8 hours of sleep, one in a day; begun and ended in one line, or in two with time to treat."""
    check_rester(said.by, state)
    condition = find_condition(said.by, LONG_REST, state)
    if condition is not None and (condition.about == CUT_SHORT or said.begin):
        case = "interrupted" if condition.about == CUT_SHORT else "long"
        raise refusal("REST-LIMIT", case=case, name=said.by, line=speaker(said.by, state))
    check_left(said.by, LONG, state)
    if said.begin:
        yield new_condition(said.by, LONG_REST, "GR-RES-4")
        return
    amounts = {resource: long_amount(said.by, resource, state) for resource in guards.RESOURCES}
    if condition is not None and is_treated(said.by, state):
        amounts[guards.HEALTH].add(HEALTH_TREATED - HEALTH_A_NIGHT, "GR-RES-5", TREATED)
    if said.interrupted:
        yield from interrupt_rest(said.by, amounts, state)
        return
    yield from end_long_rest(said.by, state)
    yield from restore(said.by, LONG_REST, amounts, state, "GR-RES-1", "GR-RES-4")
    yield from restore_abilities(said.by)


def is_treated(who: str, state: State) -> bool:
    """GR-RES-5: whether medicine has helped in this rest."""
    condition = find_condition(who, LONG_REST, state)
    return condition is not None and dict(condition.effects).get(TREATED, 0) > 1


def interrupt_rest(who: str, amounts: Mapping[str, SumSteps], state: State) -> Iterator[Fact]:
    """GR-RES-4, GR-GAP-46: half of each amount now, rounded down; the remainder when the rest is resumed."""
    left = {resource: amount.total - amount.total // 2 for resource, amount in amounts.items()}
    condition = find_condition(who, LONG_REST, state)
    for amount in amounts.values():
        amount.take("/down", 2, "GR-RES-4", CUT_SHORT)
    yield new_condition(
        who,
        LONG_REST,
        "GR-RES-4",
        "GR-GAP-46",
        about=CUT_SHORT,
        effects=(*(condition.effects if condition else ()), *((f"{name} left", n) for name, n in left.items())),
    )
    yield from restore(who, LONG_REST, amounts, state, "GR-RES-1", "GR-RES-4", whole=False)


@decides(ResumeLongRest)
def resume_long_rest(said: ResumeLongRest, state: State) -> Iterator[Fact]:
    """GR-RES-4: resuming an interrupted rest gives back the rest of it."""
    check_rester(said.by, state)
    condition = find_condition(said.by, LONG_REST, state)
    if condition is None or condition.about != CUT_SHORT:
        raise refusal("REST-LIMIT", case="nothing", name=said.by, line=speaker(said.by, state))
    left = dict(condition.effects)
    amounts = {resource: SumSteps(resource, left[f"{resource} left"]) for resource in guards.RESOURCES}
    yield from end_long_rest(said.by, state)
    yield from restore(said.by, LONG_REST, amounts, state, "GR-RES-4", "GR-GAP-46")
    yield from restore_abilities(said.by)


def end_long_rest(who: str, state: State) -> Iterator[Fact]:
    """GR-RES-8: the long rest of this day is complete."""
    if has_condition(who, LONG_REST, state):
        yield condition_end(f"{LONG_REST} {who}", state, "complete", "GR-RES-4")
    yield count_rest(who, LONG, state)


def restore_abilities(who: str) -> Iterator[Fact]:
    """GR-RES-6: abilities that are limited per rest come back."""
    yield CountsCleared(rules=("GR-RES-6",), until="rest", who=who)


def treated(who: str, helped: bool, state: State) -> Fact:
    """GR-RES-5, GR-GAP-46: note a treatment, which happens once in a long rest; what it adds comes with the rest."""
    condition = state.conditions[f"{LONG_REST} {who}"]
    effects = dict(condition.effects) | {TREATED: 1 + helped}
    if helped and condition.about == CUT_SHORT:
        effects[f"{guards.HEALTH} left"] += HEALTH_TREATED - HEALTH_A_NIGHT
    return new_condition(who, LONG_REST, "GR-RES-5", about=condition.about, effects=tuple(effects.items()))


def has_been_treated(who: str, state: State) -> bool:
    """GR-RES-5: whether somebody has treated them in this rest, with success or without."""
    condition = find_condition(who, LONG_REST, state)
    return condition is not None and TREATED in dict(condition.effects)
