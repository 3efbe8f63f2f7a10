"""The clock of the story: conditions that end after so many seconds."""

from __future__ import annotations

from ledger.facts import Ends
from projections.state import Condition, State


def end_after(seconds: int, state: State) -> Ends:
    """Return an end so many seconds from now."""
    return Ends(at="seconds", due=state.seconds + seconds)


def expired_conditions(name: str, state: State) -> list[tuple[str, Condition]]:
    """Return the conditions of this name whose time is over, first ended first, with their ids."""
    expired = [
        (end.due, id, condition)
        for id, condition in state.conditions.items()
        for end in condition.ends
        if condition.name == name and end.at == "seconds" and end.due <= state.seconds
    ]
    return [(id, condition) for _, id, condition in sorted(expired, key=lambda item: item[:2])]
