"""Waits: the time that an action takes, outside rounds and in them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ledger.facts import Counted, Fact
from projections.state import Encounter, State
from rulebooks.dusk_bastards.guards import encounter_of
from rulebooks.dusk_bastards.harm.stun import come_to
from rulebooks.dusk_bastards.world.clock import COMBAT, ROUND, pass_time

ROUND_TIME: Final = "seconds of this round"


def pass_time_for(who: str, seconds: int, label: str, state: State, *rules: str) -> Iterator[Fact]:
    """DB-TIME-1: so much time passes for everybody.

    In a round of exploration or downtime all act at the same time: only the time beyond the longest action passes.
    """
    running = encounter_of(who, state)
    in_round = running is not None and running.scale != COMBAT
    gone = state.count("", ROUND_TIME) if in_round else 0
    if seconds <= gone:
        return
    yield from pass_time(seconds - gone, label, state, *rules)
    if in_round:
        change = seconds - gone
        yield Counted(rules=("DB-TIME-1",), who="", name=ROUND_TIME, change=change, now=seconds, until="round")
    yield from come_to_outside(state)


def come_to_outside(state: State) -> Iterator[Fact]:
    """DB-ZERO-4: when time passes, everybody outside encounters can act again."""
    for being in state.beings_in_order():
        if encounter_of(being.name, state) is None:
            yield from come_to(being.name, state)


def end_round_time(encounter: Encounter, state: State) -> Iterator[Fact]:
    """DB-TIME-1: a round takes about 10 minutes or a day: at its end passes what its actions have not taken."""
    left = ROUND[encounter.scale] - state.count("", ROUND_TIME)
    if left > 0:
        yield from pass_time(left, f"a round of {encounter.scale}", state, "DB-TIME-1")
