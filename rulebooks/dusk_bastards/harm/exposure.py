"""The hazards of the table, and exposure that lasts: damage at the same point of every round."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

import msgspec

from ledger.facts import ConditionBegan, Ends, Fact
from projections.state import Condition, Encounter, State
from rulebooks.dusk_bastards.declarations import Row
from rulebooks.dusk_bastards.guards import is_out
from rulebooks.dusk_bastards.harm.damage import Hit, hurt

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
EXPOSURES: Final = {EXPOSED + row.replace("_", " "): row for row in TABLE if TABLE[row].per_round}  # by condition


def hazard_hit(target: str, row: Row, feet: int = 0) -> Hit:
    """DB-HAZ-1: the damage of its row; a fall 1 for every whole ten feet (DB-GAP-41)."""
    source = TABLE[row]
    return Hit(
        target=target,
        amount=source.damage * whole_tens(feet) if row == "falling" else source.damage,
        ambient=source.ambient,
        how=row_words(row),
        because=("DB-HAZ-1", "DB-HAZ-2") if source.per_round else ("DB-HAZ-1",),
    )


def whole_tens(feet: int) -> int:
    """DB-HAZ-1: whole tens only."""
    return feet // 10


def row_words(row: Row) -> str:
    """A row of the table as it is told."""
    return row.replace("_", " ")


def begin_exposure(target: str, row: Row, rounds: int, found: Encounter, state: State) -> Iterator[Fact]:
    """DB-HAZ-2: so many more instances to come, each at this point of a later round (DB-DUR-1).

    Where nobody's slot is running, the point is the start of the bearer's own movement.
    """
    whose, phase = (found.turn, found.phase) if found.turn else (target, "movement")
    ends = Ends(at="slot", whose=whose, phase=phase, due=found.round + 1)
    yield from keep_exposure(target, row, rounds, ends, state)


def continue_exposure(condition: Condition, found: Encounter, state: State) -> Iterator[Fact]:
    """DB-HAZ-2: the next instance, which meets armor and the rule of 0 health on its own; then the rounds left."""
    row = EXPOSURES[condition.name]
    yield from hurt(hazard_hit(condition.who, row), state)
    (here,) = condition.ends
    later = msgspec.structs.replace(here, due=found.round + 1)
    yield from keep_exposure(condition.who, row, condition.degree - 1, later, state)


def keep_exposure(who: str, row: Row, rounds: int, ends: Ends, state: State) -> Iterator[Fact]:
    """DB-HAZ-2: the exposure goes on while there are rounds left, and somebody to be hurt."""
    if rounds and not is_out(who, state):
        name = EXPOSED + row_words(row)
        rules = ("DB-HAZ-2", "DB-DUR-1")
        yield ConditionBegan(rules=rules, id=f"{name} {who}", who=who, name=name, degree=rounds, ends=(ends,))
