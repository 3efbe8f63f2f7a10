"""The texts of the book and its refusals."""

from __future__ import annotations

from typing import Final

from rulebooks.common.dice import Thrown, each_die
from rulebooks.common.texts import Texts

TEXTS: Final = Texts(__file__, "OG-E-")
refusal: Final = TEXTS.refusal
left_over: Final = TEXTS.left_over


def dice_thrown(thrown: Thrown, wrong: str) -> str:
    """OG-DICE-1: return the dice that a line throws, one by one, or that it throws none."""
    return each_die(thrown, wrong) or "no dice are thrown"
