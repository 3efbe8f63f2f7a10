"""Phrases that are like a sentence: they share words with it, and rare words count most."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from functools import cache, lru_cache
from math import log
from typing import Final, NamedTuple

from cli.notation.tokens import GM_MARK
from cli.speech.english import ENGLISH
from cli.speech.frames import ASK, Frame
from cli.speech.slots import is_filled
from cli.speech.words import Word
from rulebooks.common.word_forms import base_forms


class Closeness(NamedTuple):
    """How close a sentence has to be to a phrase that it calls to mind, and a line to the best one."""

    shared_least: float  # of the weight of the phrase's words that is said in the sentence
    worse_most: float  # by how much a line may be worse than the best
    tried_most: int  # lines that are tried for a sentence


CLOSE: Final = Closeness(0.7, 5.0, 40)
LOOSE: Final = Closeness(0.35, 12.0, 40)  # where nothing else is meant


class PhraseWords:
    """Phrases by their words, without the little ones."""

    def __init__(self, frames: Iterable[Frame]) -> None:
        said = [(frame, words) for frame in frames if (words := [*filter(None, map(_content_of, frame.parts))])]
        self._frames = [frame for frame, _ in said]
        self._with = defaultdict[str, list[int]](list)
        for number, (_, words) in enumerate(said):
            for word in dict.fromkeys(words):
                self._with[word].append(number)
        self._weights = {word: log(1 + len(said) / len(numbers)) for word, numbers in self._with.items()}
        self._wholes = [sum(self._weights[word] for word in words) for _, words in said]

    def has(self, word: str) -> bool:
        """Return whether a word stands in one of the phrases."""
        return any(_stem(form) in self._with for form in base_forms(word))

    def like(
        self, words: Sequence[Word], most: int, fits: Callable[[Frame], bool], closeness: Closeness = CLOSE
    ) -> list[tuple[Frame, float]]:
        """Return the best phrase of each line that is like these words and fits, with how much, those most like first.

        At most so many. A phrase of the game master's side is never loosely like a sentence.
        """
        said = {stem for word in words for stem in map(_stem, base_forms(word.text))} & self._with.keys()
        shared = defaultdict[int, float](float)
        for word in said:
            for number in self._with[word]:
                shared[number] += self._weights[word]
        likeness = {
            number: 2 * weight - self._wholes[number]
            for number, weight in shared.items()
            if weight >= closeness.shared_least * self._wholes[number]
        }
        best: dict[str, tuple[Frame, float]] = {}
        for number in sorted(likeness, key=lambda number: -likeness[number]):
            frame = self._frames[number]
            is_loose = shared[number] < CLOSE.shared_least * self._wholes[number]
            is_aside = frame.template.removeprefix(ASK).startswith(GM_MARK)
            if frame.template not in best and not (is_loose and is_aside) and fits(frame):
                best[frame.template] = (frame, likeness[number])
            if len(best) == most:
                break
        return list(best.values())


@lru_cache(maxsize=8192)
def _stem(word: str) -> str:
    """Return the shortest form that a word may be of."""
    return min(base_forms(word), key=lambda form: (len(form), form))


@cache
def _content_of(part: str) -> str:
    """Return the stem of a part of a phrase that is a word and no little one; empty for another: there are few."""
    return "" if is_filled(part) or part in ENGLISH.little else _stem(part)
