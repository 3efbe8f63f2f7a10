"""Absence: who left or fled from a fight is not in the next one, unless named; whoever is named or joins is back."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ledger.facts import Fact
from projections.derived import derived
from projections.state import State
from rulebooks.common.conditions import condition_end, has_condition, new_condition

ABSENT: Final = "absent"


def is_absent(who: str, state: State) -> bool:
    """Return whether somebody stays away from fights."""
    return has_condition(who, ABSENT, state)


@derived("conditions")
def absentees(state: State) -> frozenset[str]:
    """Return those who stay away from fights: mostly nobody does."""
    return frozenset([each.who for id, each in state.conditions.items() if id == f"{ABSENT} {each.who}"])


def begin_absence(who: str, *rules: str) -> Fact:
    """Return the fact that somebody who left a fight stays away from the next."""
    return new_condition(who, ABSENT, *rules)


def end_absence(who: str, state: State, *rules: str) -> Iterator[Fact]:
    """Yield the fact that somebody is back, if they were away."""
    if is_absent(who, state):
        yield condition_end(f"{ABSENT} {who}", state, "back", *rules)
