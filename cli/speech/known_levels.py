"""Levels of a skill that are said though the sheet has them: `picks the lock, she's trained` is no second training."""

from __future__ import annotations

from typing import Final

from cli.notation.schema import fields_of
from ledger.declarations import Declaration
from projections.state import State

PLUS: Final = "plus"


def without_known_level(line: str, said: Declaration, state: State) -> str:
    """Return the line of a task without the level that the sheet gives its skill: `+t` of one that is trained."""
    kind = type(said)
    skill = (getattr(said, kind.free_as) or getattr(said, kind.free)) if kind.free_as else ""
    level = state.sheet(said.by, f"{kind.free_as}.{skill}") if skill else None
    known = {f"+{field.notes[PLUS]}" for field in fields_of(kind) if level == field.name and field.notes.get(PLUS)}
    return " ".join(token for token in line.split(" ") if token not in known) if known else line
