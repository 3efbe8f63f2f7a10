"""The texts of the book, its options in force, and its refusals."""

from __future__ import annotations

from typing import Final

from rulebooks.common.dice import no_more_faces
from rulebooks.common.texts import Texts

TEXTS: Final = Texts(__file__, "MO-E-", "MO-CONV-3")
option: Final = TEXTS.option
refusal: Final = TEXTS.refusal
left_over: Final = no_more_faces(refusal)


def check_ruling(*parts: str) -> None:
    """Refuse a ruling of the game master without its content or its reason."""
    if not all(part.strip() for part in parts):
        raise refusal("RULING")
