"""The forms of sentences: how a deed is said so that it is not like those before it."""

from __future__ import annotations

import re
from collections import Counter, deque
from collections.abc import Sequence
from typing import Final

import msgspec

from cli.story.clauses import NAMES

PAIR: Final = 2  # sentences of the same form that may stand in a row
RECENT: Final = 4  # clauses that the next one is compared with
WITH: Final = " with the "
VERB: Final = re.compile("\x02\\*?\\w+\x03")
SAID: Final = re.compile(r'\("[^"]*"\)|"[^"]*"')
MANY: Final = re.compile(r"X(?:(?:, | and )X)+")
ARMED: Final = re.compile(r" with the [\w'-]+(?: and the [\w'-]+)*| (?:once|twice|three times|badly)\b")
OWN_ARM: Final = re.compile(r"X's [\w -]+ (?=V)")


class Way(msgspec.Struct, frozen=True):
    """A way to say a deed: the sentence, and its clauses."""

    text: str
    clauses: tuple[str, ...]
    endings: tuple[str, ...] = ()  # what blows left, and in which way it is said
    is_rare: bool = False  # one of several sentences of the book, none of which should come again in an evening


class Forms:
    """Chooses ways to say deeds; it remembers the forms of those that it has chosen."""

    def __init__(self) -> None:
        self._sentences = deque[str](maxlen=PAIR)
        self._clauses = deque[str](maxlen=RECENT)
        self._endings = deque[str](maxlen=RECENT)
        self._armed = deque[bool](maxlen=PAIR)
        self._used = Counter[str]()

    @property
    def is_armed(self) -> bool:
        """Return whether each of the last sentences says with what."""
        return list(self._armed) == [True] * PAIR

    def choose(self, ways: Sequence[Way], lead: str = "") -> str:
        """Return the sentence whose clauses are least like the last ones, the first of equal ones.

        One that would be the third of its form has the `lead` before it.
        """
        best = min(ways, key=lambda way: (self._is_third(way.text), self._uses(way), self._likeness(way)))
        self._used.update([shape_of(best.clauses[0])] if best.is_rare else [])
        text = f"{lead}{best.text}" if self._is_third(best.text) else best.text
        self._sentences.append(shape_of(text))
        self._armed.append(WITH in text)
        self._clauses.extend(map(shape_of, best.clauses))
        self._endings.extend(best.endings)
        return text

    def _is_third(self, text: str) -> bool:
        """Return whether the last sentences all have the form of this one."""
        return list(self._sentences) == [shape_of(text)] * PAIR

    def _uses(self, way: Way) -> int:
        """Return how often the form of a sentence came in the evening; 0 for one that may come again."""
        return self._used[shape_of(way.clauses[0])] if way.is_rare else 0

    def _likeness(self, way: Way) -> int:
        """Return how often the forms of the clauses came lately, and what they say that blows left."""
        endings = sum(map(self._endings.count, way.endings))
        return sum(self._clauses.count(shape_of(clause)) for clause in way.clauses) + endings


def shape_of(text: str) -> str:
    """Return the form of a marked sentence: without who, which verbs, which weapons, and what people said."""
    text = SAID.sub("Q", NAMES.sub("X", VERB.sub("V", text)))
    return OWN_ARM.sub("X's W ", MANY.sub("X", ARMED.sub("", text)))
