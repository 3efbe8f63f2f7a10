"""The book's texts, its readings in force, and its refusals."""

from __future__ import annotations

from typing import Final

from ledger.errors import Refused
from projections.state import State
from rulebooks.common.texts import Texts

TEXTS: Final = Texts(__file__)


def option(state: State, name: str) -> str:
    """The reading that the table has chosen, or the book's own."""
    chosen = state.options.get(name)
    return str(TEXTS.options[name].default if chosen is None else chosen)


def refused(code: str, **values: object) -> Refused:
    """A declaration that breaks a rule is refused with a code and a sentence."""
    return TEXTS.refused(f"ML-E-{code}", **values)
