"""Exposure that lasts: a hazard that does its damage at the same point of every round."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import msgspec

from ledger.facts import ConditionBegan, Ends, Fact
from projections.state import Condition, Encounter, State
from rulebooks.dusk_bastards.able import is_out
from rulebooks.dusk_bastards.health import Hit, hurt

EXPOSED: Final = "hazard"


def exposed(hit: Hit, rounds: int, found: Encounter, state: State) -> Iterator[Fact]:
    """DB-HAZ-2: so many more instances to come, each at this point of a later round (DB-DUR-1).

    Where nobody's slot is running, the point is the start of the bearer's own movement.
    """
    whose, phase = (found.turn, found.phase) if found.turn else (hit.target, "movement")
    yield from lasting(hit, rounds, Ends(at="slot", whose=whose, phase=phase, due=found.round + 1), state)


def exposed_again(condition: Condition, found: Encounter, state: State) -> Iterator[Fact]:
    """DB-HAZ-2: the next instance, which meets armor and the rule of 0 health on its own; then the rounds left."""
    hit = msgspec.json.decode(condition.data, type=Hit)
    yield from hurt(hit, state)
    (here,) = condition.ends
    yield from lasting(hit, condition.degree - 1, msgspec.structs.replace(here, due=found.round + 1), state)


def lasting(hit: Hit, rounds: int, ends: Ends, state: State) -> Iterator[Fact]:
    """DB-HAZ-2: the exposure goes on while there are rounds left, and somebody to be hurt."""
    if rounds and not is_out(hit.target, state):
        yield ConditionBegan(
            rules=("DB-HAZ-2", "DB-DUR-1"),
            id=f"{hit.how} {hit.target}",
            who=hit.target,
            name=hit.how,
            degree=rounds,
            about=EXPOSED,
            ends=(ends,),
            data=msgspec.json.encode(hit, order="deterministic").decode(),
        )
