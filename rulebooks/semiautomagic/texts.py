"""The texts of the book, its options in force, and its refusals."""

from __future__ import annotations

from typing import Final

from ledger.errors import Refused
from rulebooks.common.texts import Texts
from rulebooks.common.values import field_words

TEXTS: Final = Texts(__file__, "TT-E-")
option: Final = TEXTS.option
refusal: Final = TEXTS.refusal

NOUNS: Final = {"by": "creature", "who": "creature", "name": "creature"}  # what is named in fields that nobody types


def outside_domain(field: str, domain: str, value: object) -> Refused:
    """Return the refusal of a value outside its domain."""
    given = "nothing" if value is None else value
    return refusal("VALUE", what=field_words(field), domain=domain, given=given).of_field(field)


def unknown(field: str, domain: str, value: object) -> Refused:
    """Return the refusal of a name that nobody in play has; `domain` says who would be accepted."""
    return refusal("UNKNOWN", what=NOUNS.get(field, field), domain=domain, name=value)


def no_text(field: str, what: str) -> Refused:
    """Return the refusal of a ruling without its text or its reason."""
    return refusal("REASON", what=what).of_field("reason")


def check_reason(reason: str, what: str) -> None:
    """Refuse a decision of the game master without its reason."""
    if not reason.strip():
        raise refusal("REASON", what=what).of_field("reason")


def left_over(wrong: str) -> Refused:
    """Return the refusal of faces that are left over."""
    return refusal("DICE", expected=f"no more: {wrong}")
