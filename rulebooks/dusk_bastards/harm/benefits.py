"""What conditions give while they last: armor, free levels of Effort, skills."""

from __future__ import annotations

from typing import Final

from projections.state import State

EFFORT: Final = "effort"


def condition_values(who: str, what: str, state: State) -> list[int]:
    """How much of this each condition of somebody gives."""
    held = (found for _, found in state.conditions_of(who))
    return [number for found in held for name, number in found.effects if name == what]
