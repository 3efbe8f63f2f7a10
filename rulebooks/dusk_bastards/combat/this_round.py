"""What attacker and target have done this round: a charge, cover taken, an interception, melee."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import msgspec

from ledger.facts import ConditionBegan, Counted, Fact
from projections.state import State
from rulebooks.common.conditions import condition_end, find_condition, has_condition
from rulebooks.dusk_bastards.combat.situations import MOVED
from rulebooks.dusk_bastards.declarations.parts import BANDS
from rulebooks.dusk_bastards.guards import is_foe
from rulebooks.dusk_bastards.harm.durations import until_round_end
from rulebooks.dusk_bastards.tasks.difficulty import RollModifier
from rulebooks.dusk_bastards.turns.cycle import CHARGING
from rulebooks.dusk_bastards.turns.movement import EARLY_MELEE, MELEE, MOVING_AWAY
from rulebooks.dusk_bastards.world.surroundings import forget_distances, record_distance

INTERCEPTED: Final = "intercepted"
STOPPED: Final = "stopped"
TAKING_COVER: Final = "taking cover"


class Interception(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An interceptor and a target, either to protect somebody or to stop a movement."""

    by: str
    target: str
    protects: bool


def round_modifiers(by: str, target: str, state: State, *, charge: bool) -> tuple[RollModifier, ...]:
    """DB-MOD-4: the modifiers of an attack from what attacker and target have done this round."""
    return (
        *(charge_ease(by, target, state) if charge else ()),
        *cover_hindrance(target, state),
        *interception_hindrance(by, target, state),
    )


def charge_ease(by: str, target: str, state: State) -> tuple[RollModifier, ...]:
    """DB-MOVE-3: the attack on the target of a charge in the action phase is eased by one; then the ease is gone."""
    charge, encounter = find_condition(by, CHARGING, state), state.encounter
    if charge is None or charge.about != target or encounter is None or encounter.phase != "action":
        return ()
    return (RollModifier("charge", "DB-MOVE-3", -1, f"{by} charges"),)


def cover_hindrance(target: str, state: State) -> tuple[RollModifier, ...]:
    """DB-REACT-1: the next attack on somebody who takes cover is hindered by one."""
    taking_cover = has_condition(target, TAKING_COVER, state)
    return (RollModifier(TAKING_COVER, "DB-REACT-1", 1, f"{target} takes cover"),) if taking_cover else ()


def interception_hindrance(by: str, target: str, state: State) -> tuple[RollModifier, ...]:
    """DB-REACT-5: an intercepted enemy is hindered by one against anyone other than the interceptor."""
    return tuple(
        RollModifier(INTERCEPTED, "DB-REACT-5", 1, f"{condition.about} intercepts {by}")
        for _, condition in state.conditions_of(by)
        if condition.name == INTERCEPTED and condition.about != target
    )


def end_charge_and_cover(by: str, target: str, state: State, *, charge: bool) -> Iterator[Fact]:
    """DB-MOVE-3, DB-REACT-1: an attack uses up the ease of a charge and the hindrance of cover taken."""
    if charge and charge_ease(by, target, state):
        yield condition_end(f"{CHARGING} {by}", state, "used", "DB-MOVE-3")
    if cover_hindrance(target, state):
        yield condition_end(f"{TAKING_COVER} {target}", state, "used", "DB-REACT-1")


def record_melee(one: str, other: str, state: State) -> Iterator[Fact]:
    """DB-MOVE-3: melee is remembered for both sides, by the round; before the first one, that there was any."""
    encounter = state.encounter
    if encounter is None:
        return
    name, now = (MELEE, encounter.round) if encounter.round else (EARLY_MELEE, 1)
    for who in (one, other):
        change = now - state.count(who, name)
        if change and state.being(who) is not None:
            yield Counted(rules=("DB-MOVE-3",), who=who, name=name, change=change, now=now, until="encounter")


# Interceptions that succeed: a movement that ends, an enemy that is hindered for the rest of the round


def apply_interception(interception: Interception, state: State) -> Iterator[Fact]:
    """DB-REACT-4, DB-REACT-5: a movement ends, or an enemy is hindered to the end of the round."""
    by, target = interception.by, interception.target
    foe = ("DB-REACT-8",) if is_foe(by, state) else ()
    main, name = ("DB-REACT-5", INTERCEPTED) if interception.protects else ("DB-REACT-4", STOPPED)
    yield ConditionBegan(
        rules=(main, *foe, "DB-DUR-3"),
        id=f"{name} {target} by {by}" if interception.protects else f"{name} {target}",
        who=target,
        name=name,
        about=by,
        ends=until_round_end(state),
    )
    if not interception.protects:
        yield from stop_movement(target, state, "DB-REACT-4", *foe)
        yield from forget_distances(target, state)
        yield from record_distance(by, target, BANDS.index("immediate"), state, "DB-REACT-4")


def stop_movement(who: str, state: State, *rules: str) -> Iterator[Fact]:
    """DB-REACT-4: a stopped mover stays in reach, and has moved an immediate distance; a charge has no effect."""
    change = 1 - state.count(who, MOVED)
    if change < 0:
        yield Counted(rules=rules, who=who, name=MOVED, change=change, now=1, until="round")
    if state.count(who, MOVING_AWAY):
        yield Counted(rules=rules, who=who, name=MOVING_AWAY, change=-1, now=0, until="round")
    if has_condition(who, CHARGING, state):
        yield condition_end(f"{CHARGING} {who}", state, "stopped", *rules)
