"""Interceptions that succeed: a movement that ends, an enemy that is hindered for the rest of the round."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import msgspec

from ledger.facts import ConditionBegan, Counted, Fact
from projections.state import State
from rulebooks.common.conditions import condition_end, has_condition
from rulebooks.dusk_bastards.combat.situations import MOVED
from rulebooks.dusk_bastards.declarations.parts import BANDS
from rulebooks.dusk_bastards.guards import is_foe
from rulebooks.dusk_bastards.harm.durations import until_round_end
from rulebooks.dusk_bastards.tasks.difficulty import RollModifier
from rulebooks.dusk_bastards.turns.cycle import CHARGING
from rulebooks.dusk_bastards.turns.movement import MOVING_AWAY
from rulebooks.dusk_bastards.world.surroundings import forget_distances, record_distance

INTERCEPTED: Final = "intercepted"
STOPPED: Final = "stopped"


class Interception(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An interceptor and a target, either to protect somebody or to stop a movement."""

    by: str
    target: str
    protects: bool


def interception_hindrance(by: str, target: str, state: State) -> tuple[RollModifier, ...]:
    """DB-REACT-5: an intercepted enemy is hindered by one against anyone other than the interceptor."""
    return tuple(
        RollModifier(INTERCEPTED, "DB-REACT-5", 1, f"{condition.about} intercepts {by}")
        for _, condition in state.conditions_of(by)
        if condition.name == INTERCEPTED and condition.about != target
    )


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
