"""The last resort: lines that are closest to a sentence, asked beside what it may mean or why it is not taken.

Each was tried and is allowed now; none is ever taken without a question.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from cli.notation.tokens import TELL_MARKS
from cli.speech.evocation import evoked
from cli.speech.heard import ASKED_MOST, Unclear, omission_note, unclear
from cli.speech.readings import Reader
from cli.speech.words import Word
from ledger.errors import LedgerError, Refused

CLOSEST_MOST: Final = 3  # lines that are offered
READ_MOST: Final = 3  # lines of the readings that stand before them


def with_closest(typed: str, words: Sequence[Word], error: LedgerError, reader: Reader) -> LedgerError:
    """Return why a sentence is not taken, with the closest lines; the same error where nothing is close."""
    if isinstance(error, Refused):
        return error
    asked = error.lines if isinstance(error, Unclear) else ()
    found = evoked(words, reader)
    lines = [line for line in found.lines if not any(_says_less(line, each) for each in asked)][:CLOSEST_MOST]
    if not lines:
        return error
    if not asked:
        return unclear(typed, lines, omission_note(typed, found.lost))
    read = [line for line in asked if line[:1] not in TELL_MARKS]
    told = [line for line in asked if line[:1] in TELL_MARKS]
    then = error.then if isinstance(error, Unclear) else {}
    kept = [*read[:READ_MOST], *lines, *read[READ_MOST:]][: ASKED_MOST - len(told)]
    question = unclear(typed, [*kept, *told], error.what, error.where, then)
    question.shows_odds = isinstance(error, Unclear) and error.shows_odds
    return question


def _says_less(line: str, asked: str) -> bool:
    """Return whether a line is one that is asked about, or its beginning."""
    return asked == line or asked.startswith(f"{line} ")
