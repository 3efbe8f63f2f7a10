"""The other actions: move, use an item, crawl, aid, rest; and let time pass."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ledger.facts import Counted, Fact, Rested, Ruled, TimePassed
from projections.state import State
from rulebooks.common.conditions import has_condition
from rulebooks.common.decisions import decides
from rulebooks.common.encounters import PassTime
from rulebooks.common.values import action_use, check_whole
from rulebooks.monolith import guards, turns, wounds
from rulebooks.monolith.declarations import Aid, Crawl, Move, OtherAction, Rest
from rulebooks.monolith.texts import refusal

FEET_MOST: Final = 40
FEET: Final = "feet"


@decides(Move)
def move(said: Move, state: State) -> Iterator[Fact]:
    """ML-ACT-1: up to 40 feet; ML-ACT-3: a second move takes the action, and is again up to 40 feet."""
    guards.find_actor(said.by, state)
    turns.check_declared(state)
    turns.check_turn(said.by, state)
    if not 0 <= said.feet <= FEET_MOST:
        raise refusal("MOVE", name=said.by, feet=said.feet)
    first = not turns.phase(state) or state.actions_left(said.by, "move")
    if not first:
        turns.check_action(said.by, state)
    yield from turns.close_first_part(said.by, state)
    if turns.phase(state):
        action, rule = ("move", "ML-ACT-1") if first else ("action", "ML-ACT-3")
        yield action_use(said.by, action, state, "used", rule, "ML-ACT-1")
        now = state.count(said.by, FEET) + said.feet
        yield Counted(rules=("ML-ACT-1",), who=said.by, name=FEET, change=said.feet, now=now, until="round")


@decides(OtherAction)
def other_action(said: OtherAction, state: State) -> Iterator[Fact]:
    """ML-ACT-2: an item or another reasonable deed is the action; its result is the game master's ruling."""
    guards.find_actor(said.by, state)
    turns.check_declared(state)
    turns.check_turn(said.by, state)
    turns.check_action(said.by, state)
    if not said.text or not said.ruling:
        raise refusal("RULING", what="its result").of_field("ruling")
    yield from turns.close_first_part(said.by, state)
    yield Ruled(rules=("ML-ACT-2",), name="deed", text=said.ruling, because=said.text)
    yield from turns.spend_action(said.by, state, "ML-ACT-2")


@decides(Crawl)
def crawl(said: Crawl, state: State) -> Iterator[Fact]:
    """ML-CRIT-2: under Critical Damage, or stable after it (ML-GAP-6), and conscious; how far is a ruling."""
    guards.find_actor(said.by, state)
    down = has_condition(said.by, guards.CRITICAL, state) or has_condition(said.by, guards.STABLE, state)
    if not down or any(has_condition(said.by, name, state) for name in (guards.UNCONSCIOUS, guards.DEAD, guards.FLED)):
        raise refusal("TARGET", case="crawl", name=said.by)
    yield Ruled(rules=("ML-CRIT-2",), name="crawl", text=said.ruling or "weakly", because="grasping for life")


@decides(Aid)
def aid(said: Aid, state: State) -> Iterator[Fact]:
    """ML-CRIT-3: aid is an action of somebody able to act; it stops the clock."""
    guards.find_actor(said.by, state)
    guards.find_actor(said.patient, state, "patient")
    turns.check_declared(state)
    if not has_condition(said.patient, guards.CRITICAL, state):
        raise refusal("TARGET", case="aid", name=said.patient)
    turns.check_turn(said.by, state)
    turns.check_action(said.by, state)
    yield from turns.close_first_part(said.by, state)
    yield from turns.spend_action(said.by, state, "ML-CRIT-3")
    yield from wounds.treat(said.patient, state)


@decides(Rest)
def rest(said: Rest, state: State) -> Iterator[Fact]:
    """ML-CRIT-3: rest after aid makes stable; without aid it does nothing."""
    guards.find_actor(said.by, state)
    yield Rested(rules=("ML-CRIT-3",), who=said.by, rest="rest")
    yield from wounds.stabilise(said.by, state)


@decides(PassTime)
def pass_time(said: PassTime, state: State) -> Iterator[Fact]:
    """ML-CRIT-4: all time that passes runs on every clock."""
    check_whole("seconds", said.seconds, 0)
    yield TimePassed(rules=("ML-CRIT-4",), seconds=said.seconds, because=said.label or "waiting")
    yield from wounds.end_expired_clocks(state)
