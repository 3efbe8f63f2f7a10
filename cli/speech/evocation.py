"""Lines that the words of a sentence call to mind, in whatever order they stand: asked where nothing else is read.

A phrase of the book that shares rare words with it evokes its line; so does a verb whose fields explain an item or a
word of the rules that is named. What they lack is filled from who, how many and how much is named, the line is tried,
and those that leave the fewest words unexplained are offered. None of them is ever taken without a question.
"""

from __future__ import annotations

from collections.abc import Sequence

from cli.speech.evoked_lines import Evocation
from cli.speech.evoker import Evoker
from cli.speech.readings import Reader
from cli.speech.word_order import PARTED_MOST
from cli.speech.words import Word


def evoked(words: Sequence[Word], reader: Reader) -> Evocation:
    """Return lines that would be allowed, those that leave the fewest words over; none where nothing is evoked.

    Those that leave out somebody or a number are none where another does not.
    """
    if len(words) > PARTED_MOST or not words:
        return Evocation()
    return Evoker(words, reader).evocation()


def closest(words: Sequence[Word], reader: Reader) -> Evocation:
    """Return lines as `evoked`, with those that leave out one thing that is said."""
    return Evoker(words, reader, is_last=True).evocation() if 0 < len(words) <= PARTED_MOST else Evocation()


def supposed_lines(words: Sequence[Word], reader: Reader) -> Sequence[str]:
    """Return the lines that a sentence calls to mind, be they allowed now or refused."""
    return Evoker(words, reader, is_supposed=True).evocation().lines if 0 < len(words) <= PARTED_MOST else ()


def evoked_lines(words: Sequence[Word], reader: Reader) -> Sequence[str]:
    """Return the lines that a sentence calls to mind and that leave out nobody and no number."""
    found = evoked(words, reader)
    return () if found.lost else found.lines
