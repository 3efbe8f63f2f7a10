"""A doubt: what a text says that the ledger does not know."""

from __future__ import annotations

import re
from typing import Literal

import msgspec

from cli.story.check.text import PlainText

Kind = Literal["name", "number", "dice", "entry", "date", "died", "lives"]


class Doubt(msgspec.Struct, frozen=True, kw_only=True):
    """A name, a number or a death that is not known: where it stands, and a hint at what is known."""

    line: int
    place: int  # in the whole text
    kind: Kind
    text: str
    hint: str = ""


def doubt_at(text: PlainText, found: re.Match[str], kind: Kind, hint: str) -> Doubt:
    """Return a doubt for what was found in a text, on one line."""
    said = " ".join(found[0].split())
    return Doubt(line=text.line_at(found.start()), place=found.start(), kind=kind, text=said, hint=hint)
