"""What ends when its time is over: conditions with an end so many seconds away, on the story's clock."""

from __future__ import annotations

from ledger.facts import Ends
from projections.state import Condition, State


def clock(state: State) -> int:
    """The seconds that have passed in the story."""
    return state.clock.get("seconds", 0)


def within(seconds: int, state: State) -> Ends:
    """An end so many seconds from now."""
    return Ends(at="seconds", due=clock(state) + seconds)


def run_out(name: str, state: State) -> list[tuple[str, Condition]]:
    """Conditions of this name whose time is over, in the order in which it was, with their ids."""
    found = [
        (end.due, id, condition)
        for id, condition in state.conditions.items()
        for end in condition.ends
        if condition.name == name and end.at == "seconds" and end.due <= clock(state)
    ]
    return [(id, condition) for _, id, condition in sorted(found, key=lambda one: one[:2])]
