"""The texts of the book, its options in force, and its refusals."""

from __future__ import annotations

from typing import Final

from ledger.dice import LEAVE_OUT
from ledger.errors import Refused
from rulebooks.common.texts import Texts

TEXTS: Final = Texts(__file__, "ML-E-")
option: Final = TEXTS.option
refusal: Final = TEXTS.refusal


def left_over(wrong: str) -> Refused:
    """ML-SAVE-1, ML-ATK-1: the refusal of faces that are left over."""
    return refusal("DICE", expected=f"no more: {wrong}").with_hint(LEAVE_OUT)
