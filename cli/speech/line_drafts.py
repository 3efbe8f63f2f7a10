"""The beginning of a line that a sentence may mean, with the words that stand behind it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from cli.speech.english import ENGLISH
from cli.speech.lost_words import LostWords
from cli.speech.words import Word
from ledger.declarations import Declaration
from ledger.number_words import NUMBERS

COUNTING: Final = frozenset((*ENGLISH.pair, "pair"))  # words for two

AS_RULED: Final = '"as the game master says"'  # why a ruling is so that nobody gives a reason for


class LineDraft(NamedTuple):
    """The beginning of a line, and the words behind the frame that made it.

    `is_group`: those who say it were named together, so that it is about those of them who can. `is_about`: the frame
    names somebody. `skipped`: places of the words that are explained already. `lost`: words, and `unnamed`: beings,
    that the frame has and the line has not.
    """

    text: str
    kind: type[Declaration]
    by: str
    words: Sequence[Word]
    start: int
    weight: int
    is_unsure: bool
    is_answer: bool = False
    is_group: bool = False
    is_about: bool = False
    skipped: frozenset[int] = frozenset()
    lost: tuple[LostWords, ...] = ()
    unnamed: tuple[LostWords, ...] = ()


def counts_them(draft: LineDraft) -> bool:
    """Return whether a sentence counts those who say it, as `both of them`: none is left out without a question."""
    before = [word.text for word in draft.words[: draft.start]]
    return any(word in COUNTING or NUMBERS.get(word, 0) > 1 for word in before)


def words_said_by(draft: LineDraft) -> frozenset[str]:
    """Return the words that the frame of a draft has and its line has not."""
    return frozenset(each.raw for each in (*draft.lost, *draft.unnamed))


def with_reason(line: str, reason: str) -> str:
    """Return a line with a quoted reason behind it, or in place of the one that a ruling in the words of a book has."""
    return line.replace(AS_RULED, reason, 1) if AS_RULED in line else f"{line} {reason}"
