"""Hazards: the table of their damage, and exposure that goes on round after round."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

import msgspec

from ledger.facts import Ends, Fact
from projections.state import Condition, Encounter, State
from rulebooks.common.conditions import new_condition
from rulebooks.common.decisions import decides
from rulebooks.dusk_bastards.declarations.harm import Hazard
from rulebooks.dusk_bastards.declarations.parts import Row
from rulebooks.dusk_bastards.guards import encounter_of, is_out
from rulebooks.dusk_bastards.harm.damage import Hit, check_can_be_hurt, hurt
from rulebooks.dusk_bastards.harm.stun import stun
from rulebooks.dusk_bastards.texts import check_whole, value_refusal
from rulebooks.dusk_bastards.world.clock import COMBAT

EXPOSED: Final = "exposed to "


class Source(NamedTuple):
    """A row of the table: its damage, whether that comes every round, and whether it is ambient."""

    damage: int
    per_round: bool = True
    ambient: bool = True
    shocks: bool = False  # DB-HAZ-3: the next action may be lost


TABLE: Final[dict[Row, Source]] = {
    "falling": Source(1, per_round=False),  # per ten feet
    "minor_fire": Source(3),
    "major_fire": Source(6),
    "acid_splash": Source(2),
    "acid_bath": Source(6),
    "cold": Source(1),
    "severe_cold": Source(3),
    "shock": Source(1, shocks=True),
    "electrocution": Source(6, shocks=True),
    "crush": Source(3, per_round=False, ambient=False),
    "huge_crush": Source(6, per_round=False, ambient=False),
    "collision": Source(6, per_round=False, ambient=False),
}


def row_words(row: Row) -> str:
    """Return the name of a row in plain words."""
    return row.replace("_", " ")


EXPOSURES: Final = {EXPOSED + row_words(row): row for row in TABLE if TABLE[row].per_round}  # by condition


@decides(Hazard)
def apply_hazard(said: Hazard, state: State) -> Iterator[Fact]:
    """DB-HAZ-2: one instance when exposure starts, one more in each later round; in a combat they wait for theirs."""
    check_row(said)
    check_can_be_hurt(said.target, state)
    hit = hazard_hit(said.target, said.row, said.feet or 0)
    encounter = encounter_of(said.target, state)
    combat = encounter if encounter and encounter.scale == COMBAT else None
    for _ in range(1 if combat else said.rounds):
        if not is_out(said.target, state):
            yield from hurt(hit, state)
    if said.lose_action and not is_out(said.target, state):
        yield stun(said.target, state, "DB-HAZ-3")
    if combat:
        yield from begin_exposure(said.target, said.row, said.rounds - 1, combat, state)


def check_row(said: Hazard) -> None:
    """DB-HAZ-1, DB-HAZ-3: only a fall has feet, only exposure has rounds, only a shock costs an action."""
    source = TABLE[said.row]
    check_whole("rounds", said.rounds, 1, None if source.per_round else 1)
    if said.feet is not None:
        check_whole("feet", said.feet, 0)
    if (said.row == "falling") != (said.feet is not None):
        needed = "the feet fallen (feet=30)" if said.row == "falling" else "empty: only a fall counts them"
        raise value_refusal("feet", needed, said.feet)
    if said.lose_action and not source.shocks:
        raise value_refusal("lose_action", "empty: only shock and electrocution cost an action", said.row)


def hazard_hit(target: str, row: Row, feet: int = 0) -> Hit:
    """DB-HAZ-1: the damage of its row; a fall 1 for every whole ten feet (DB-GAP-41)."""
    source = TABLE[row]
    return Hit(
        target=target,
        amount=source.damage * (feet // 10) if row == "falling" else source.damage,
        ambient=source.ambient,
        how=row_words(row),
        because=("DB-HAZ-1", "DB-HAZ-2") if source.per_round else ("DB-HAZ-1",),
    )


# Exposure


def begin_exposure(target: str, row: Row, rounds: int, combat: Encounter, state: State) -> Iterator[Fact]:
    """DB-HAZ-2: so many more instances to come, each at this point of a later round (DB-DUR-1).

    Outside all slots, the point is the start of the target's own movement.
    """
    whose, phase = (combat.turn, combat.phase) if combat.turn else (target, "movement")
    ends = Ends(at="slot", whose=whose, phase=phase, due=combat.round + 1)
    yield from keep_exposure(target, row, rounds, ends, state)


def continue_exposure(condition: Condition, combat: Encounter, state: State) -> Iterator[Fact]:
    """DB-HAZ-2: the next instance, which meets armor and the rule of 0 health on its own; then the rounds left."""
    row = EXPOSURES[condition.name]
    yield from hurt(hazard_hit(condition.who, row), state)
    (end,) = condition.ends
    later = msgspec.structs.replace(end, due=combat.round + 1)
    yield from keep_exposure(condition.who, row, condition.degree - 1, later, state)


def keep_exposure(who: str, row: Row, rounds: int, ends: Ends, state: State) -> Iterator[Fact]:
    """DB-HAZ-2: the exposure goes on while there are rounds left, and somebody to be hurt."""
    if rounds and not is_out(who, state):
        name = EXPOSED + row_words(row)
        yield new_condition(who, name, "DB-HAZ-2", "DB-DUR-1", degree=rounds, ends=(ends,))
