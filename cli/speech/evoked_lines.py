"""The lines that a sentence calls to mind: how each begins, and those that are offered in the end."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from itertools import zip_longest
from typing import Final, NamedTuple

from cli.speech.english import ENGLISH
from cli.speech.frames import Frame
from cli.speech.grave_lines import LEAVE
from cli.speech.lexicon import Kind
from cli.speech.words import Word
from rulebooks.common.word_forms import base_forms

WAY: Final = "way"


class Evoked(NamedTuple):
    """The beginning of a line that a sentence evokes, and the places of the words that it explains."""

    text: str
    kind: Kind
    by: str
    used: frozenset[int]
    likeness: float
    is_about: bool = False  # the phrase names somebody


class Evocation(NamedTuple):
    """Lines that a sentence calls to mind. `lost`: who and how much is named in it, and not in each of these lines."""

    lines: Sequence[str] = ()
    lost: tuple[str, ...] = ()


def is_behind_article(words: Sequence[Word], at: int) -> bool:
    """Return whether an article stands before a word, which then names a thing."""
    return at > 0 and words[at - 1].text in ENGLISH.articles


def leaves_a_thing(frame: Frame, words: Sequence[Word], places: Collection[int]) -> bool:
    """Return whether a phrase of who leaves is said of a thing: `leaves his coat on the hook`, `splits her fire`.

    `places`: where the words of the phrase stand.
    """
    things = ENGLISH.articles | ENGLISH.possessives
    return LEAVE in frame.template.split() and any(words[at + 1].text in things for at in places if at + 1 < len(words))


def names_verb(said: Collection[str], kinds: Iterable[Kind]) -> bool:
    """Return whether a word that says what is lost is a verb of the game master here, with a rule of its own."""
    return any(kind.aside and not ENGLISH.losses.isdisjoint({*kind.verbs}.intersection(said)) for kind in kinds)


def forms_of_change(words: Sequence[Word]) -> list[str]:
    """Return the forms of the words that may say what is lost or gained: a floor that gives way gives nothing."""
    behind = [word.text for word in words[1:]]
    said = [word.text for word, after in zip_longest(words, behind) if after != WAY]
    return [form for word in said if word not in ENGLISH.articles for form in base_forms(word)]
