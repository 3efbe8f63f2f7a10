"""Scores: Body, which damage wears down, and any others under their own names."""

from __future__ import annotations

from typing import Final

from projections.state import State
from rulebooks.common.pronouns import PRONOUNS
from rulebooks.common.values import sheet_number

BODY: Final = "body"
RESOLVE: Final = "resolve"
HP: Final = "hp"
ARMOR: Final = "armor"
WIELDS: Final = "wields"
WEAPON: Final = "weapon."
NO_SCORES: Final = (ARMOR, WIELDS, "player", PRONOUNS)  # the other entries of a sheet


def score_of(who: str, score: str, state: State) -> int | None:
    """ML-GAP-2: any score on the sheet by its name; Body as it is now. None: there is no such score."""
    if score == BODY:
        return state.points(who, BODY) if (who, BODY) in state.pools else None
    written = state.sheet(who, score)
    is_score = isinstance(written, int) and score not in NO_SCORES
    return written if is_score and isinstance(written, int) else None


def scores_of(who: str, state: State) -> list[str]:
    """Return the names of somebody's scores."""
    named = [entry for entry in state.sheet_of(who) if score_of(who, entry, state) is not None]
    return [*([BODY] if (who, BODY) in state.pools else []), *named]


def armor_of(who: str, state: State) -> int:
    """ML-GAP-4: the number on the sheet."""
    return sheet_number(who, ARMOR, state)
