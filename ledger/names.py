"""Checks of names, texts and numbers from outside: once, when they come in, never at replay.

Names are Unicode NFC, begin with a letter, have letters, digits, spaces and some punctuation, and are unique without
their case and that punctuation. Texts are NFC without control, bidirectional or other invisible characters, and without
letters that carry a stack of marks. Numbers are whole and at most 10^9 either way. Unicode tables differ between Python
versions, so the normalized text is stored.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from ledger.errors import Unreadable

NUMBER_MOST: Final = 10**9
NAME_LENGTH_MOST: Final = 60
TEXT_LENGTH_MOST: Final = 2000
MARKS_MOST: Final = 4  # on one letter: no living script needs more, and they stand over the lines above and below
COPY = re.compile(r"(.+) [0-9]+", re.DOTALL)
WHOLE = re.compile(r"[+-]?[0-9]{1,12}", re.ASCII)
INVISIBLE: Final = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
BLANK_LETTERS: Final = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u3164\uffa0")
NAME_SIGNS: Final = " -'’_&()[]"  # in a name beside letters and digits
NAME_STOPS: Final = ".,:"  # in a name at the end of a word: inside one they would part a value or a list
UNKEYED: Final = str.maketrans("", "", "&()[].,:")
SELECTORS: Final = (range(0xFE00, 0xFE10), range(0xE0100, 0xE01F0))  # variation selectors are invisible marks


def _is_plain(text: str) -> bool:
    """Whether a text is printable ASCII, as most are: it has nothing to look for letter by letter."""
    return text.isascii() and text.isprintable()


def escape(text: str) -> str:
    """Return the text with control and invisible characters as Python escapes."""
    if _is_plain(text):
        return text
    return "".join(ascii(letter)[1:-1] if unicodedata.category(letter) in INVISIBLE else letter for letter in text)


def normalize(text: str, *, where: str = "text", most: int = TEXT_LENGTH_MOST) -> str:
    """Return the text in NFC.

    Raises Unreadable for invisible characters (line breaks too), for more than `most`, and for stacked marks.
    """
    if len(text) > most:
        raise Unreadable(f"{len(text)} characters are too many", where=where, hint=f"{most} are the most.")
    if _is_plain(text):
        return text
    for letter in text:
        if unicodedata.category(letter) in INVISIBLE:
            raise Unreadable(
                f"'{escape(letter)}' is an invisible or control character", where=where, hint="Leave it out."
            )
    clean = unicodedata.normalize("NFC", text)
    marks = 0
    for letter in clean:
        marks = marks + 1 if unicodedata.category(letter).startswith("M") else 0
        if marks > MARKS_MOST:
            raise Unreadable(
                "a letter carries too many marks", where=where, hint=f"{MARKS_MOST} on one letter are the most."
            )
    return clean


def valid_name(text: str, *, where: str = "name") -> str:
    """Return the name of a being or a person. Raises Unreadable with the first character that is not allowed."""
    clean = normalize(" ".join(part for part in text.split(" ") if part), where=where, most=NAME_LENGTH_MOST)
    if not clean:
        raise Unreadable("a name is empty", where=where, hint="Give it at least one letter.")
    if not clean[0].isalpha():
        raise Unreadable(f"'{clean}' does not begin with a letter", where=where, hint="Begin it with a letter.")
    for index, letter in enumerate(clean):
        marks = unicodedata.category(letter).startswith("M") and not _is_crowded(clean, index)
        stops = letter in NAME_STOPS and clean[index + 1 : index + 2] in ("", " ")
        if not (letter.isalpha() or letter.isdigit() or letter in NAME_SIGNS or stops or marks) or _is_blank(letter):
            seen = ascii(letter)[1:-1] if _is_blank(letter) else letter
            raise Unreadable(
                f"'{clean}' has '{seen}' in it",
                where=where,
                hint="Names take letters, digits, spaces, - ' & ( ) [ ], and . , : at the end of a word.",
            )
    return clean


def valid_title(text: str) -> str:
    """Return the name of a campaign, which no line says. Raises Unreadable unless it has a letter or digit."""
    clean = normalize(" ".join(part for part in text.split(" ") if part), where="name", most=NAME_LENGTH_MOST)
    if not any(letter.isalnum() and not _is_blank(letter) for letter in clean):
        raise Unreadable("a name has no letter", where="name", hint="Give it at least one letter or digit.")
    return clean


def _is_blank(letter: str) -> bool:
    """Whether a letter or mark of Unicode is invisible."""
    return letter in BLANK_LETTERS or any(ord(letter) in selectors for selectors in SELECTORS)


def _is_crowded(text: str, index: int) -> bool:
    """Whether this is the third combining mark in a row."""
    return index >= 2 and all(unicodedata.category(letter).startswith("M") for letter in text[index - 2 : index + 1])


@lru_cache(maxsize=4096)
def fold_case(text: str) -> str:
    """Return a text case-folded in NFC, with hyphens for spaces."""
    return unicodedata.normalize("NFC", text.casefold()).replace(" ", "-")


@lru_cache(maxsize=4096)
def name_key(text: str) -> str:
    """Return the key under which names are unique and values named: `ash-oak` for "Ash & Oak"."""
    plain = text.translate(UNKEYED)
    return fold_case(text if plain == text else " ".join(plain.split()))


def name_of_copies(name: str) -> str:
    """Return the name that numbered copies share: `Watchman` of `Watchman 2`; a name without a number as it is."""
    copy = COPY.fullmatch(name)
    return copy[1] if copy else name


def capital(text: str) -> str:
    """Return a sentence with a capital letter at its beginning."""
    return text[:1].upper() + text[1:]


def plural(number: int, one: str, more: str) -> str:
    """Return a number with its noun: `1 entry`, `2 entries`."""
    return f"{number} {one if number == 1 else more}"


def word_list(names: Sequence[str], word: str = "and") -> str:
    """Return names as a sentence lists them: `Kess`, `Kess and Orrin`, `Kess, Orrin and Tamsin`; empty for none."""
    *most, last = names or [""]
    return f"{', '.join(most)} {word} {last}" if most else last


def parse_whole(text: str, *, where: str = "number") -> int:
    """Return the whole number in the text. Raises Unreadable unless it is ASCII digits within 10^9."""
    if not WHOLE.fullmatch(text):
        raise Unreadable(f"'{escape(text)}' is not a whole number", where=where, hint="Write digits only, as in 12.")
    return check_number(int(text), where=where)


def check_number(number: int, *, where: str = "number") -> int:
    """Return the number. Raises Unreadable when it is beyond 10^9 either way."""
    if not -NUMBER_MOST <= number <= NUMBER_MOST:
        raise Unreadable(f"{number} is beyond 10^9", where=where, hint="Use a number within 10^9 either way.")
    return number
