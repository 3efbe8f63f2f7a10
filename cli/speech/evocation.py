"""Lines that the words of a sentence call to mind, in whatever order they stand: asked where nothing else is read.

A phrase of the book that shares rare words with it evokes its line; so does a verb whose fields explain an item or a
word of the rules that is named. What they lack is filled from who, how many and how much is named, the line is tried,
and those that leave the fewest words unexplained are offered. None of them is ever taken without a question.
"""

from __future__ import annotations

from collections.abc import Sequence

from cli.speech.evoked_lines import Evocation
from cli.speech.evoker import Evoker
from cli.speech.phrase_likeness import CLOSE, LOOSE, Closeness
from cli.speech.readings import Reader
from cli.speech.word_order import PARTED_MOST
from cli.speech.words import Word


def evoked(words: Sequence[Word], reader: Reader) -> Evocation:
    """Return lines that would be allowed, those that leave the fewest words over; none where nothing is evoked.

    Those that leave out somebody or a number are none where another does not.
    """
    return _evocation(words, reader)


def evoked_in_part(words: Sequence[Word], reader: Reader) -> Evocation:
    """Return lines as `evoked`, with those that leave out one thing that is said."""
    return _evocation(words, reader, is_last=True)


def loosely_evoked(words: Sequence[Word], reader: Reader) -> Evocation:
    """Return the lines of phrases of which only some words are said; none without a phrase."""
    return _evocation(words, reader, LOOSE, is_last=True)


def supposed_lines(words: Sequence[Word], reader: Reader) -> Sequence[str]:
    """Return the lines that a sentence calls to mind, be they allowed now or refused."""
    return _evocation(words, reader, is_supposed=True).lines


def evoked_lines(words: Sequence[Word], reader: Reader) -> Sequence[str]:
    """Return the lines that a sentence calls to mind and that leave out nobody and no number."""
    found = evoked(words, reader)
    return () if found.lost else found.lines


def _evocation(
    words: Sequence[Word],
    reader: Reader,
    closeness: Closeness = CLOSE,
    *,
    is_supposed: bool = False,
    is_last: bool = False,
) -> Evocation:
    """Return what a sentence calls to mind; nothing for one that is too long."""
    if not 0 < len(words) <= PARTED_MOST:
        return Evocation()
    return Evoker(words, reader, closeness, is_supposed=is_supposed, is_last=is_last).evocation()
