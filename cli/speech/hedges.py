"""What is said of a measure that is not exact: `four metres or so` is four metres, `roughly twenty feet` twenty."""

from __future__ import annotations

import re
from typing import Final

from cli.speech.english import ENGLISH
from ledger.number_words import NUMBERS

UNITS: Final = {*ENGLISH.measures, *ENGLISH.measures.values(), *ENGLISH.units, *ENGLISH.distances}
UNIT: Final = rf"(?:{'|'.join(sorted(UNITS, key=len, reverse=True))})"
NUMBER: Final = rf"(?:[0-9]+|(?:{'|'.join(NUMBERS)})(?:[ -](?:{'|'.join(NUMBERS)}))?)"
BEFORE: Final = re.compile(rf"\b(?:{'|'.join(ENGLISH.roughly)}) (?={NUMBER}(?:-ish|ish)? {UNIT}\b)", re.IGNORECASE)
WITHIN: Final = re.compile(rf"(?<=\w)-?ish(?= {UNIT}\b)", re.IGNORECASE)
BEHIND: Final = re.compile(rf"({NUMBER} {UNIT}),? (?:{'|'.join(ENGLISH.thereabouts)})\b", re.IGNORECASE)


def without_hedges(line: str) -> str:
    """Return a line with its measures as if they were exact."""
    return BEHIND.sub(r"\1", WITHIN.sub("", BEFORE.sub("", line)))
