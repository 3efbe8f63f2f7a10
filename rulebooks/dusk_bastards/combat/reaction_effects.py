"""What reactions leave behind for the rest of a round: cover taken, enemies kept busy, a standard action owed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import msgspec

from ledger.facts import ConditionBegan, Counted, Ends, Fact
from projections.state import State
from rulebooks.dusk_bastards.declarations import BANDS
from rulebooks.dusk_bastards.guards import DELAYED, has_condition
from rulebooks.dusk_bastards.tasks.difficulty import RollModifier
from rulebooks.dusk_bastards.texts import option
from rulebooks.dusk_bastards.turns.cycle import NO_STANDARD, action_use
from rulebooks.dusk_bastards.turns.movement_results import CHARGING, MOVING_AWAY
from rulebooks.dusk_bastards.world.clock import COMBAT, condition_end
from rulebooks.dusk_bastards.world.surroundings import forget_distances, record_distance

TAKING_COVER: Final = "taking cover"
INTERCEPTED: Final = "intercepted"
STOPPED: Final = "stopped"


class Interception(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Who intercepts whom; protecting somebody, or to stop a movement."""

    by: str
    target: str
    protects: bool


def until_round_end(state: State) -> tuple[Ends, ...]:
    """DB-DUR-3: what is for the round ends with it at the latest."""
    return (Ends(at="round", due=state.encounter.round if state.encounter else 0),)


# Take Cover


def cover_condition(who: str, state: State) -> ConditionBegan:
    """DB-REACT-1: the next attack of this round is hindered."""
    id = f"{TAKING_COVER} {who}"
    return ConditionBegan(
        rules=("DB-REACT-1", "DB-DUR-3"), id=id, who=who, name=TAKING_COVER, ends=until_round_end(state)
    )


def cover_hindrance(who: str, state: State) -> tuple[tuple[RollModifier, ...], list[Fact]]:
    """DB-REACT-1: the attack on whoever takes cover is hindered by one; used up by it."""
    id = f"{TAKING_COVER} {who}"
    if id not in state.conditions:
        return (), []
    return (RollModifier(TAKING_COVER, "DB-REACT-1", 1, f"{who} takes cover"),), [
        condition_end(id, state, "used", "DB-REACT-1")
    ]


def pay_for_cover(who: str, state: State) -> Iterator[Fact]:
    """DB-REACT-3: the standard action of the next action phase to begin, this round's or the next round's.

    Read the other way it is this round's as long as it is not used. Where there are no phases there is none to pay.
    """
    found, rather_now = state.encounter, option(state, "take_cover_costs") == "this_round_if_unused"
    if found is None or found.scale != COMBAT:
        return
    before = found.phase == "movement"
    if (before or rather_now) and state.actions_left(who, "standard"):
        yield action_use(who, "standard", state, "lost", "DB-REACT-3")
    elif rather_now and has_condition(who, DELAYED, state):
        yield condition_end(f"{DELAYED} {who}", state, "lost", "DB-REACT-3")
    elif not before or rather_now:
        ends = (Ends(at="encounter"),)
        yield ConditionBegan(rules=("DB-REACT-3",), id=f"{NO_STANDARD} {who}", who=who, name=NO_STANDARD, ends=ends)


# Intercept


def interception_hindrance(by: str, target: str, state: State) -> tuple[RollModifier, ...]:
    """DB-REACT-5: what an intercepted enemy does to anyone other than the interceptor is hindered by one."""
    return tuple(
        RollModifier(INTERCEPTED, "DB-REACT-5", 1, f"{found.about} intercepts {by}")
        for _, found in state.conditions_of(by)
        if found.name == INTERCEPTED and found.about != target
    )


def apply_interception(what: Interception, state: State) -> Iterator[Fact]:
    """DB-REACT-4, DB-REACT-5: a movement ends, or an enemy is hindered to the end of the round."""
    being = state.being(what.by)
    whose = ("DB-REACT-8",) if being is not None and being.kind == "npc" else ()
    if what.protects:
        yield ConditionBegan(
            rules=("DB-REACT-5", *whose, "DB-DUR-3"),
            id=f"{INTERCEPTED} {what.target} by {what.by}",
            who=what.target,
            name=INTERCEPTED,
            about=what.by,
            ends=until_round_end(state),
        )
        return
    yield ConditionBegan(
        rules=("DB-REACT-4", *whose, "DB-DUR-3"),
        id=f"{STOPPED} {what.target}",
        who=what.target,
        name=STOPPED,
        about=what.by,
        ends=until_round_end(state),
    )
    yield from stop_movement(what.target, state, "DB-REACT-4", *whose)
    yield from forget_distances(what.target, state)
    yield from record_distance(what.by, what.target, BANDS.index("immediate"), state, "DB-REACT-4")


def stop_movement(who: str, state: State, *rules: str) -> Iterator[Fact]:
    """DB-REACT-4: who is stopped stays in reach, and has moved an immediate distance; a charge comes to nothing."""
    change = 1 - state.count(who, "moved")
    if change < 0:
        yield Counted(rules=rules, who=who, name="moved", change=change, now=1, until="round")
    if state.count(who, MOVING_AWAY):
        yield Counted(rules=rules, who=who, name=MOVING_AWAY, change=-1, now=0, until="round")
    if has_condition(who, CHARGING, state):
        yield condition_end(f"{CHARGING} {who}", state, "stopped", *rules)
