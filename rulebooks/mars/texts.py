"""The texts of the book, its options in force, and its refusals."""

from __future__ import annotations

from functools import partial
from typing import Final

from ledger.errors import Refused
from projections.state import State
from rulebooks.common import values
from rulebooks.common.texts import Texts

TEXTS: Final = Texts(__file__, "GR-E-")
option: Final = TEXTS.option
refusal: Final = TEXTS.refusal
ON: Final = "on"


def is_on(state: State, name: str) -> bool:
    """Return whether an option that is on or off is on."""
    return option(state, name) == ON


def whole_option(state: State, name: str) -> int:
    """Return an option that is a number."""
    return int(option(state, name))


def value_refusal(field: str, domain: str, value: object) -> Refused:
    """Return the refusal of a value outside its domain."""
    given = "nothing" if value is None else value
    return refusal("VALUE", what=field, domain=domain, given=given).of_field(field)


def check_reason(reason: str, what: str) -> None:
    """GR-GAP-54: a judgement of the game master is recorded with its reason."""
    if not reason.strip():
        raise refusal("REASON", what=what, field="reason").of_field("reason")


def no_text(field: str, what: str) -> Refused:
    """Return the refusal of a ruling without its text or reason."""
    return refusal("REASON", what=what, field=field).of_field(field)


def left_over(wrong: str) -> Refused:
    """Return the refusal of typed faces for which there is no die."""
    return refusal("DICE", expected=f"none that are left over: {wrong}")


check_whole: Final = partial(values.check_whole, refusal=value_refusal)
