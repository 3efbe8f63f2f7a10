"""What bears on a roll: numbers that are added, and sources of advantage and disadvantage."""

from __future__ import annotations

from typing import Final

import msgspec

from projections.derived import derived_of_being
from projections.state import State
from rulebooks.common.conditions import find_condition, has_condition
from rulebooks.mars import guards
from rulebooks.mars.declarations.parts import Rolling
from rulebooks.mars.harm.fatigue import fatigue_of, sources_in_play
from rulebooks.mars.tasks.stat_values import Value
from rulebooks.mars.texts import option

INJURY: Final = "injury"
BURDENED: Final = (guards.STRENGTH, guards.DEXTERITY)


class RollStep(msgspec.Struct, frozen=True):
    """A number that is added to a roll (or taken off), why, and by which rule."""

    change: int
    because: str
    rule: str


class Edge(msgspec.Struct, frozen=True):
    """GR-OUT-5: a source of advantage (1) or disadvantage (-1)."""

    change: int
    because: str
    rule: str


class Burden(msgspec.Struct, frozen=True):
    """What bears on every roll of a value by somebody: steps, edges, and whether fatigue is counted too."""

    steps: tuple[RollStep, ...]
    edges: tuple[Edge, ...]
    is_fatigue_counted: bool


def said_steps(said: Rolling) -> tuple[RollStep, ...]:
    """Return the circumstances that a line names as steps of the roll."""
    if not (said.bonuses or said.penalties):
        return ()
    bonuses = [RollStep(one.n, one.reason or "said", "GR-GAP-54") for one in said.bonuses]
    return (*bonuses, *(RollStep(-one.n, one.reason or "said", "GR-GAP-54") for one in said.penalties))


def said_edges(said: Rolling) -> tuple[Edge, ...]:
    """Return the advantages and disadvantages that a line names."""
    if not (said.advantage or said.disadvantage):
        return ()
    for_it = [Edge(1, reason or "said", "GR-OUT-5") for reason in said.advantage]
    return (*for_it, *(Edge(-1, reason or "said", "GR-OUT-5") for reason in said.disadvantage))


def own_steps(who: str, state: State) -> tuple[RollStep, ...]:
    """Return what is taken off every roll of somebody: for sickness and for fatigue."""
    steps = sickness_step(who, state)
    return steps + fatigue_step(who, state) if sources_in_play(state) else steps


@derived_of_being
def burden_of(who: str, value: Value, state: State) -> Burden:
    """Return what bears on every roll of a value by somebody, as far as it follows from conditions and options."""
    return Burden(sickness_step(who, state), stat_edges(who, value, state), bool(sources_in_play(state)))


def sickness_step(who: str, state: State) -> tuple[RollStep, ...]:
    """GR-SIC-1, GR-SIC-4, GR-GAP-35: the strongest sickness is taken off every roll."""
    degrees = [each.degree for _, each in state.conditions_of(who) if each.name == guards.SICKNESS]
    return (RollStep(-max(degrees), guards.SICKNESS, "GR-SIC-1"),) if degrees else ()


def fatigue_step(who: str, state: State) -> tuple[RollStep, ...]:
    """GR-OUT-14: the degrees of fatigue are taken off every roll, where the table plays it."""
    degrees = fatigue_of(who, state)
    return (RollStep(-degrees, "fatigue", "GR-OUT-14"),) if degrees else ()


def stat_edges(who: str, value: Value, state: State) -> tuple[Edge, ...]:
    """GR-DEB-1, GR-ENH-1, GR-ENB-1: what bears on the stats that take part; GR-GAP-32: or on the one named."""
    if option(state, "stat_effect_scope") == "named_only" and value.name not in guards.STATS:
        return ()
    edges: list[Edge] = []
    burden = next((name for name in (guards.OVERENCUMBERED, guards.ENCUMBERED) if has_condition(who, name, state)), "")
    for stat in dict.fromkeys(value.stats):
        if has_condition(who, f"{guards.DEBILITATION} {stat}", state) or is_injured(who, stat, state):
            edges.append(Edge(-1, f"{guards.DEBILITATION} of {stat}", "GR-DEB-1"))
        if has_condition(who, f"{guards.ENHANCEMENT} {stat}", state):
            edges.append(Edge(1, f"{guards.ENHANCEMENT} of {stat}", "GR-ENH-1"))
        if burden and stat in BURDENED:
            edges.append(Edge(-1, f"{burden} ({stat})", "GR-ENB-2" if burden == guards.OVERENCUMBERED else "GR-ENB-1"))
    return tuple(edges)


def is_injured(who: str, stat: str, state: State) -> bool:
    """GR-OUT-15: whether a stat is injured. In older ledgers an injury took the place of another debilitation."""
    older = find_condition(who, f"{guards.DEBILITATION} {stat}", state)
    return has_condition(who, f"{INJURY} {stat}", state) or (older is not None and older.about == INJURY)


def blind_edges(who: str, target: str, state: State) -> tuple[Edge, ...]:
    """GR-BLI-1: the blind have disadvantage where they act on a given target."""
    return (Edge(-1, f"{who} is blind", "GR-BLI-1"),) if target and has_condition(who, guards.BLIND, state) else ()
