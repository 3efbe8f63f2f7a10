"""Names, texts and numbers from outside: checked and normalised once, at the door, never at replay.

Names are Unicode NFC, begin with a letter, hold letters, digits, spaces, hyphens and apostrophes, and are unique
when case-folded. Texts are NFC without control, bidirectional or other invisible characters. Numbers are whole
and lie within 10^9 either way. (Unicode tables differ between Python versions: what is stored is the result.)
"""

from __future__ import annotations

import re
import unicodedata
from typing import Final

from ledger.errors import Unreadable

NUMBER_MOST: Final = 10**9
NAME_LENGTH_MOST: Final = 60
TEXT_LENGTH_MOST: Final = 2000
WHOLE = re.compile(r"[+-]?[0-9]{1,12}", re.ASCII)
INVISIBLE: Final = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
BLANK_LETTERS: Final = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u3164\uffa0")
SELECTORS: Final = (range(0xFE00, 0xFE10), range(0xE0100, 0xE01F0))  # of variants: marks that nobody sees


def escaped(text: str) -> str:
    """`text` with everything that a terminal could act on spelled out, as escapes of Python."""
    return "".join(ascii(letter)[1:-1] if unicodedata.category(letter) in INVISIBLE else letter for letter in text)


def normalized(text: str, *, where: str = "text", most: int = TEXT_LENGTH_MOST) -> str:
    """`text` in NFC, on one line. Raises Unreadable for invisible characters, lone surrogates or too much of it."""
    if len(text) > most:
        raise Unreadable(f"{len(text)} characters are too many", where=where, hint=f"{most} are the most.")
    for letter in text:
        if unicodedata.category(letter) in INVISIBLE:
            raise Unreadable(
                f"'{escaped(letter)}' is an invisible or control character", where=where, hint="Leave it out."
            )
    return unicodedata.normalize("NFC", text)


def valid_name(text: str, *, where: str = "name") -> str:
    """`text` as the name of a being or a person. Raises Unreadable with the letter that does not fit."""
    clean = normalized(" ".join(part for part in text.split(" ") if part), where=where, most=NAME_LENGTH_MOST)
    if not clean:
        raise Unreadable("a name is empty", where=where, hint="Give it at least one letter.")
    if not clean[0].isalpha():
        raise Unreadable(f"'{clean}' does not begin with a letter", where=where, hint="Begin it with a letter.")
    for place, letter in enumerate(clean):
        marks = unicodedata.category(letter).startswith("M") and not _crowded(clean, place)
        if not (letter.isalpha() or letter.isdigit() or letter in " -'’_" or marks) or _blank(letter):
            seen = ascii(letter)[1:-1] if _blank(letter) else letter
            raise Unreadable(
                f"'{clean}' has '{seen}' in it",
                where=where,
                hint="Names take letters, digits, spaces, hyphens and apostrophes.",
            )
    return clean


def _blank(letter: str) -> bool:
    """Whether this counts as a letter or a mark and yet shows nothing."""
    return letter in BLANK_LETTERS or any(ord(letter) in selectors for selectors in SELECTORS)


def _crowded(text: str, place: int) -> bool:
    """Whether more than two combining marks in a row stand at `place`."""
    return place >= 2 and all(unicodedata.category(letter).startswith("M") for letter in text[place - 2 : place + 1])


def name_key(text: str) -> str:
    """What makes two names the same: case-folded NFC, spaces as hyphens. Also the name's part in a value's name."""
    return unicodedata.normalize("NFC", text.casefold()).replace(" ", "-")


def parse_whole(text: str, *, where: str = "number") -> int:
    """`text` as a whole number of ASCII digits. Raises Unreadable for anything else, or beyond 10^9."""
    if not WHOLE.fullmatch(text):
        raise Unreadable(f"'{escaped(text)}' is not a whole number", where=where, hint="Write digits only, as in 12.")
    return bounded(int(text), where=where)


def bounded(number: int, *, where: str = "number") -> int:
    """`number` if it lies within 10^9 either way; raises Unreadable otherwise."""
    if not -NUMBER_MOST <= number <= NUMBER_MOST:
        raise Unreadable(f"{number} is beyond 10^9", where=where, hint="Numbers lie within 10^9 either way.")
    return number
