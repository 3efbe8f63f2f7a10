"""The clock of the story: the length of a round of each scale, and the ends of effects as time passes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ledger.facts import Fact, TimePassed
from projections.state import State
from rulebooks.common.conditions import condition_end, ending_conditions

COMBAT: Final = "combat"
A_DAY: Final = 86400
ROUND: Final = {COMBAT: 6, "exploration": 600, "downtime": A_DAY}  # DB-TIME-1, in seconds


def pass_combat(rounds: int, state: State) -> Iterator[Fact]:
    """DB-TIME-1: a combat took about 6 seconds a round."""
    number = "a round" if rounds == 1 else f"{rounds} rounds"
    yield from pass_time(rounds * ROUND[COMBAT], f"{number} of combat", state, "DB-TIME-1")


def pass_time(seconds: int, label: str, state: State, *rules: str) -> Iterator[Fact]:
    """DB-TIME-3: the clock goes on, and effects that last until then end."""
    yield TimePassed(rules=rules, seconds=seconds, because=label)
    now = state.seconds
    for id, condition in ending_conditions(state):
        if any(end.at == "seconds" and end.due <= now for end in condition.ends):
            yield condition_end(id, state, "due", "DB-TIME-3")
