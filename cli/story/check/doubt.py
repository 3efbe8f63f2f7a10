"""A doubt: what a text says that the ledger does not know."""

from __future__ import annotations

from typing import Literal

import msgspec

Kind = Literal["name", "number", "dice", "entry", "date", "died", "lives"]


class Doubt(msgspec.Struct, frozen=True, kw_only=True):
    """A name, a number or a death that is not known: where it stands, and a hint at what is known."""

    line: int
    place: int  # in the whole text
    kind: Kind
    text: str
    hint: str = ""
