"""The texts of the book and its refusals."""

from __future__ import annotations

from typing import Final

from ledger.dice import LEAVE_OUT
from ledger.errors import Refused
from rulebooks.common.dice import Thrown, each_die
from rulebooks.common.texts import Texts

TEXTS: Final = Texts(__file__, "OG-E-")
refusal: Final = TEXTS.refusal


def left_over(wrong: str) -> Refused:
    """OG-DICE-1: the refusal of faces that are left over."""
    return refusal("DICE", expected=f"no more: {wrong}").with_hint(LEAVE_OUT)


def dice_thrown(thrown: Thrown, wrong: str) -> str:
    """OG-DICE-1: return the dice that a line throws, one by one, or that it throws none."""
    return each_die(thrown, wrong) or "no dice are thrown"
