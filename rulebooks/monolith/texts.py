"""The texts of the book, its options in force, and its refusals."""

from __future__ import annotations

from typing import Final

from rulebooks.common.texts import Texts

TEXTS: Final = Texts(__file__, "ML-E-")
option: Final = TEXTS.option
refusal: Final = TEXTS.refusal
left_over: Final = TEXTS.left_over
