"""Foes of a complex challenge who fall at one blow."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ledger.facts import Fact
from projections.state import State
from rulebooks.common.conditions import has_condition, new_condition
from rulebooks.mars.guards import DEFEATED

GRADE: Final = "grade"
SIMPLE: Final = "simple"


def drop_simple(who: str, state: State) -> Iterator[Fact]:
    """GR-CHAL-3: in a challenge a foe whom the game master has ruled simple drops from one hit, whatever its pools."""
    if state.sheet(who, GRADE) == SIMPLE and not has_condition(who, DEFEATED, state):
        yield new_condition(who, DEFEATED, "GR-CHAL-3")
