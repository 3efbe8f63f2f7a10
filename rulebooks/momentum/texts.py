"""The texts of the book, its options in force, and its refusals."""

from __future__ import annotations

from typing import Final

from ledger.errors import Refused
from rulebooks.common.texts import Texts

TEXTS: Final = Texts(__file__, "MO-E-", "MO-CONV-3")
option: Final = TEXTS.option
refusal: Final = TEXTS.refusal
left_over: Final = TEXTS.left_over


def check_ruling(**parts: str) -> None:
    """Refuse a ruling of the game master without its content or its reason; `parts` are fields of its declaration."""
    for field, text in parts.items():
        if not text.strip():
            raise no_text(field)


def no_text(field: str, what: str = "") -> Refused:
    """Return the refusal of a ruling without its text or reason."""
    return refusal("RULING").of_field(field)
