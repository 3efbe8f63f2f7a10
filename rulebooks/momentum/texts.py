"""The book's texts, its readings in force, and its refusals."""

from __future__ import annotations

from typing import Final

from rulebooks.common.texts import Texts

TEXTS: Final = Texts(__file__, "MO-E-", "MO-CONV-3")
option: Final = TEXTS.option
refused: Final = TEXTS.refused


def check_ruling(*parts: str) -> None:
    """A ruling of the game master needs its content and a reason."""
    if not all(part.strip() for part in parts):
        raise refused("RULING")
