"""The book's texts, its readings in force, and its refusals."""

from __future__ import annotations

from typing import Final

from ledger.errors import Refused
from ledger.facts import GM, Scalar
from projections.state import State
from rulebooks.common.texts import Texts
from rulebooks.common.values import outside_domain

TEXTS: Final = Texts(__file__)


def option(state: State, name: str) -> Scalar:
    """MO-GAP-1 to 37: the reading that the table has chosen, or the book's own."""
    chosen = state.options.get(name)
    return TEXTS.options[name].default if chosen is None else chosen


def refused(code: str, **values: object) -> Refused:
    """MO-CONV-3: a declaration that breaks a rule is refused with a code and a sentence, and changes nothing."""
    return TEXTS.refused(f"MO-E-{code}", **values).citing("MO-CONV-3")


def check_ruling(*parts: str) -> None:
    """A ruling of the game master needs its content and a reason."""
    if not all(part.strip() for part in parts):
        raise refused("RULING")


def check_gm(by: str) -> None:
    """What only the game master's side says."""
    if by != GM:
        raise outside_domain("by", "the game master (gm)", by)
