"""The parts of a line that is read at a glance: texts that lead somewhere, as many as have room."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

import msgspec

from ledger.names import capital

LINE_MOST: Final = 76  # letters: two rows of a phone, with the name of the line
SEMICOLON: Final = "; "
ETC: Final = " …"


class LeadPart(msgspec.Struct, frozen=True):
    """A part of a line: a text, the address that it leads to, and what stands between the part before and it."""

    text: str
    address: str = ""
    between: str = SEMICOLON


Parts = Sequence[LeadPart]


def text_of(parts: Parts) -> str:
    """Return the text of parts."""
    return capital("".join(f"{part.between if index else ''}{part.text}" for index, part in enumerate(parts)))


def fullest(ways: Iterable[Parts]) -> Parts:
    """Return the first of the ways to say a line that has room, or else the last, cut to fit; nothing for none."""
    last: Parts = ()
    for last in ways:
        if len(text_of(last)) < LINE_MOST:
            return last
    return with_longest_cut(last, LINE_MOST) if last else last


def with_longest_cut(parts: Parts, most: int) -> Parts:
    """Return parts, the longest of which ends early, at the end of a word."""
    longest = max(parts, key=lambda part: len(part.text))
    room = most - len(text_of(parts)) + len(longest.text) - len(ETC)
    text = longest.text[: max(room, 1)].rpartition(" ")[0].rstrip(",;:") + ETC
    return [msgspec.structs.replace(part, text=text) if part is longest else part for part in parts]


def entry_address(entry: str) -> str:
    """Return where an entry stands on its page."""
    return f"#e{entry}"
