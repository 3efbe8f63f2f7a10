"""The texts of the book, its options in force, and its refusals."""

from __future__ import annotations

from functools import partial
from typing import Final

from ledger.dice import LEAVE_OUT
from ledger.errors import Refused
from rulebooks.common import values
from rulebooks.common.texts import Texts

TEXTS: Final = Texts(__file__, "DB-E-")
option: Final = TEXTS.option
refusal: Final = TEXTS.refusal


def value_refusal(field: str, domain: str, value: object) -> Refused:
    """DB-PLAY-9: return the refusal of a value outside its domain, or of none (None) where one is needed."""
    name = values.field_words(field)
    refused = refusal("VALUE", "missing" if value is None else "", field=name, domain=domain, value=value)
    return refused.of_field(field)


def left_over(wrong: str) -> Refused:
    """DB-ROLL-5: return the refusal of typed faces for which there is no die."""
    return refusal("DIE", sides=12).with_hint(LEAVE_OUT)


check_whole: Final = partial(values.check_whole, refusal=value_refusal)
