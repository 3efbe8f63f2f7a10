"""A checkpoint: all parts of a state, to which it returns at once, however much was written since.

A roll-back undoes write after write. Whoever plays on from one state again and again returns to it faster so.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from projections.derived import OwnValues
from projections.state import State


class Checkpoint(msgspec.Struct, frozen=True):
    """The items of each part, what follows from what each being has, and how long the journal was."""

    parts: Mapping[str, Mapping[Any, Any]]
    own: Mapping[str, OwnValues]
    mark: int


def new_checkpoint(state: State) -> Checkpoint:
    """Return a checkpoint of a state as it is now."""
    parts = {part: dict(items) for part, items in state.parts.items()}
    own = state.keep_for_return([being.name for being in state.beings.values()])
    return Checkpoint(parts, own, len(state.journal))


def return_to(checkpoint: Checkpoint, state: State) -> None:
    """Undo all that was written to a state since its checkpoint."""
    for part, items in state.parts.items():
        items.clear()
        items.update(checkpoint.parts[part])
    del state.journal[checkpoint.mark :]
    state.index = None  # whoever asks for changed values makes another
    state.forget_all()
    state.own.update(checkpoint.own)
    state.look_up_again()
