"""Measures in a text: how many feet, hours or crowns. English only."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final, NamedTuple

from cli.story.check.english import ENGLISH
from cli.story.check.number_words import numbers_in_words
from cli.story.plain_words import plural_noun

DIGITS: Final = re.compile(r"(?<![\w.])[0-9]{1,6}(?![\w.])")
UNITS: Final = frozenset(ENGLISH["measures"])
IRREGULAR: Final = dict(each.split() for each in ENGLISH["irregular"])
SECONDS: Final = {"minutes": 60, "hours": 3600, "days": 86400}
UNIT: Final = re.compile(r"[ -](?:of (?:the|his|her|its|their|our|my) )?([a-z]+)(?: ([a-z]+))?", re.IGNORECASE)
ANOTHER: Final = re.compile(r"\b(an?|another) ([a-z]+)", re.IGNORECASE)


class Measure(NamedTuple):
    """A number with its unit in the plural, as it stands in a text."""

    number: int
    unit: str
    text: str
    start: int


def measures_in(text: str) -> Iterator[Measure]:
    """Yield the measures in a text; `an hour` is one, `another hour` makes it two."""
    numbers = [(each.number, each.start, each.start + len(each.text)) for each in numbers_in_words(text)]
    numbers += [(int(found[0]), found.start(), found.end()) for found in DIGITS.finditer(text)]
    for number, start, end in numbers:
        behind = UNIT.match(text, end)
        for place in (1, 2) if behind else ():
            if behind and behind[place] and (unit := plural_of(behind[place])) in UNITS:
                yield Measure(number, unit, text[start : behind.end(place)], start)
                break
    for found in ANOTHER.finditer(text):
        if (unit := plural_of(found[2])) in UNITS:
            yield Measure(1 + (found[1].casefold() == "another"), unit, found[0], found.start())


def measures_of(value: Any) -> Iterator[tuple[str, int]]:
    """Yield the measures in a value, at any depth: in its texts, and `days: 4`; `seconds: 3600` is one hour."""
    if isinstance(value, str):
        yield from ((each.unit, each.number) for each in measures_in(value))
    elif isinstance(value, Mapping):
        for key, inside in value.items():
            if isinstance(inside, int) and key in UNITS:
                yield key, inside
            elif isinstance(inside, int) and key == "seconds":
                yield from ((unit, inside // size) for unit, size in SECONDS.items() if inside % size == 0)
            yield from measures_of(inside)
    elif isinstance(value, list | tuple):
        for inside in value:
            yield from measures_of(inside)


def plural_of(word: str) -> str:
    """Return the plural of a word that may stand in it, in small letters."""
    small = word.casefold()
    return small if small in UNITS else IRREGULAR.get(small) or plural_noun(small)
