"""The book's texts, its readings in force, and its refusals."""

from __future__ import annotations

from typing import Final

from ledger.errors import Refused
from ledger.facts import Scalar
from ledger.names import NUMBER_MOST
from projections.state import State
from rulebooks.common.texts import Texts

TEXTS: Final = Texts(__file__)


def option(state: State, name: str) -> Scalar:
    """DB-PLAY-7: the reading that the table has chosen, or the book's own."""
    chosen = state.options.get(name)
    return TEXTS.options[name].default if chosen is None else chosen


def refused(code: str, **values: object) -> Refused:
    """DB-PLAY-9: a declaration that breaks a rule is refused with a code and a sentence."""
    return TEXTS.refused(f"DB-E-{code}", **values)


def value_refused(field: str, domain: str, value: object) -> Refused:
    """DB-PLAY-9: a value outside its domain."""
    return refused("VALUE", field=field, domain=domain, value=value)


def whole(field: str, value: int, least: int, most: int | None = None) -> None:
    """Raises the refusal of a number outside its domain. No number lies beyond 10^9."""
    highest = NUMBER_MOST if most is None else most
    if not least <= value <= highest:
        short = most is None and value < least
        domain = f"a whole number of {least} or more" if short else f"a whole number from {least} to {highest}"
        raise value_refused(field, domain, value)
