"""Who is meant by how they are, and not by a name: `the one behind the barrels`, `the big one`, `guards in the nave`.

What somebody holds, where they stand and how they are fits the words behind `one` or `guy`. Whom no word fits is meant
as well, behind the others, where a word fits nobody: then it is asked.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence
from typing import Final, NamedTuple

from cli.speech.english import ENGLISH
from cli.speech.named_beings import Named
from cli.speech.words import Word, amount_at, is_passed_over
from projections.state import State
from rulebooks.common.word_forms import base_forms

ONE: Final = "one"
PAIR: Final = 2
ENDING: Final = "'s"
PARTS: Final = re.compile(r"[\s._-]+")
WITH: Final = "with"
DESCRIPTION_MOST: Final = 7  # words of one
NOUN_LEAST: Final = 3  # letters of the end of a longer word: the bow of a longbow
BREAKS: Final = ENGLISH.parting | {
    "then",
    "for",
    "while",
    "as",
    "using",
    "instead",
    WITH,
}  # before what is no more of it
STILL: Final = frozenset(("still", "just", "now", "already"))
UPRIGHT: Final = ENGLISH.upright | ENGLISH.on_feet
FALLEN: Final = ENGLISH.fallen | ENGLISH.lying
GENERIC: Final = frozenset(("gun", "blade", "bow", "axe", "spear", "knife", "sword", "club"))  # of any arm of a kind
DOWN: Final = FALLEN | ENGLISH.helpless  # conditions


class Description(NamedTuple):
    """A description in a sentence: where it ends, and the words that say something about the one who is meant."""

    end: int
    words: Sequence[Word]


def description_at(words: Sequence[Word], start: int) -> Description | None:
    """Return the description that begins here with an article: `the one by the door`, `that tall guy`; else None."""
    at = start
    while at < len(words) - 1 and words[at].text in ENGLISH.articles and not words[at].mark:
        at += 1
    adjectives = at
    while at < len(words) - 1 and words[at].text in ENGLISH.adjectives and not words[at].mark:
        at += 1
    if adjectives == start or words[at].text not in ENGLISH.persons | {ONE}:
        return None
    behind = qualifier_at(words, at + 1, is_subject=_is_first(words, start), is_known=at > adjectives)
    end = behind.end if behind else at + 1
    said = [*words[adjectives:at], *(behind.words if behind else ())]
    return Description(end, said) if said else None


def qualifier_at(words: Sequence[Word], start: int, *, is_subject: bool, is_known: bool = False) -> Description | None:
    """Return what is said of somebody behind a noun: `in the nave`, `who's still up`; None if nothing is.

    `is_subject`: it begins a sentence, and a verb follows. `is_known`: it was said already who is meant, so that `with
    her axe` is of the deed.
    """
    if start >= len(words) or words[start - 1].mark:
        return None
    first = words[start].text
    is_relative = first in ENGLISH.relating
    is_place = first in ENGLISH.whereabouts or first.endswith("ing") or first in UPRIGHT
    if not (is_relative or is_place or (first in ENGLISH.having and not is_known)):
        return None
    end = start + 1
    while end < len(words) and not words[end - 1].mark and end - start < DESCRIPTION_MOST:
        is_other = words[end].text in BREAKS or words[end].text in ENGLISH.subjects or words[end].is_faces
        if is_other or (amount_at(words, end) and words[end].text != ONE):
            break
        end += 1
        if is_subject and _is_whole(words[start:end]):
            break
    said = [word for word in words[start:end] if _says_something(word)]
    return Description(end, said) if said else None


def _says_something(word: Word) -> bool:
    """Return whether a word says where or how somebody is, or what they hold."""
    is_little = is_passed_over(word) or word.text in ENGLISH.whereabouts | ENGLISH.having | STILL
    return word.text in UPRIGHT | FALLEN or not is_little


def _is_whole(words: Sequence[Word]) -> bool:
    """Return whether these words say enough of the one who does something: one word that says something."""
    return any(map(_says_something, words))


def _is_first(words: Sequence[Word], start: int) -> bool:
    """Return whether only little words stand before this one."""
    return all(is_passed_over(word) for word in words[:start])


class Features:
    """The words that fit somebody: of what they hold, where they are, and how they are."""

    def __init__(self, state: State, vital: str) -> None:
        """`vital`: the value that keeps somebody alive."""
        self._state, self._vital = state, vital
        self._known: dict[str, frozenset[str]] = {}

    def of(self, name: str) -> frozenset[str]:
        """Return the words that fit somebody."""
        if name not in self._known:
            self._known[name] = frozenset(self._find(name))
        return self._known[name]

    def _find(self, name: str) -> set[str]:
        state = self._state
        owned = [being.name for being in state.beings_in_order() if being.name.startswith(f"{name}'s ")]
        conditions = {each.name for each in state.conditions.values() if each.who == name}
        texts = [state.place(name), *conditions, *(each.removeprefix(f"{name}'s ") for each in owned)]
        texts += [text for key, value in state.sheet_of(name).items() for text in (key, value) if isinstance(text, str)]
        said = {part for text in texts for part in _parts(text)}
        pool = state.pools.get((name, self._vital))
        is_fallen = bool(conditions & DOWN) or (pool is not None and pool.points <= 0)
        is_hurt = "wounded" in conditions or (pool is not None and pool.most is not None and pool.points < pool.most)
        return said | (FALLEN if is_fallen else UPRIGHT) | (ENGLISH.hurt if is_hurt else ENGLISH.unhurt)


def _parts(text: str) -> Sequence[str]:
    """Return the words of a name or a key, in small letters."""
    return PARTS.split(text.casefold())


class Descriptions:
    """Finds who is described in a sentence."""

    def __init__(self, dead: Collection[str], features: Callable[[str], frozenset[str]] | None) -> None:
        """`features`: the words that fit somebody; without them nobody is described."""
        self._dead, self._features = dead, features

    def said_at(self, words: Sequence[Word], start: int) -> Description | None:
        """Return the description that begins here: `the one by the door`; None if none does."""
        return description_at(words, start) if self._features else None

    def those_of(self, side: Sequence[str], described: Description, start: int) -> Named | None:
        """Return those of a side who may be meant by a description, those whom it fits first; None if nobody is."""
        if self._features is None:
            return None
        living = [name for name in side if name not in self._dead]
        meant, is_sure = those_described(described.words, living, self._features)
        meant = meant if is_sure else list(dict.fromkeys([*meant, *living]))
        size = described.end - start
        return Named(tuple((name,) for name in meant), size, is_unsure=len(meant) > 1) if meant else None

    def narrowed(self, words: Sequence[Word], start: int, found: Named) -> Named:
        """Return those of several who are called alike whom the words behind fit: `the guard in the nave`."""
        names = [name for each in found.readings for name in each]
        if self._features is None or len(names) > len(found.readings):
            return found
        is_first, end = _is_first(words, start), start + found.size
        begins = words[end].text if end < len(words) else ""
        if begins in UPRIGHT | FALLEN and not found.is_unsure:
            return found  # `is that guard still up`
        behind = qualifier_at(words, end, is_subject=is_first)
        if len(names) < PAIR:  # where the only one is who does something: `the guard by the stairs is out cold`
            next_word = words[behind.end : behind.end + 1] if behind and is_first else ()
            is_how = behind is not None and is_first and all(each.text in ENGLISH.copulas for each in next_word)
            return found._replace(size=behind.end - start) if behind and is_how else found
        meant, is_sure = those_described(behind.words, names, self._features) if behind else (names, False)
        if behind is None or not is_sure:
            return found
        return Named(tuple((name,) for name in meant), behind.end - start, is_unsure=len(meant) > 1)


def those_described(
    said: Sequence[Word], names: Sequence[str], features: Callable[[str], frozenset[str]]
) -> tuple[list[str], bool]:
    """Return those of some whom words fit, those first whom most fit, and whether each word fits one of them.

    All of them where no word fits anybody.
    """
    fit = {name: [word for word in said if _fits(word, features(name))] for name in names}
    most = max(map(len, fit.values()), default=0)
    meant = [name for name in names if most and len(fit[name]) == most]
    return meant or [*names], most == len(said)


def _fits(word: Word, features: frozenset[str]) -> bool:
    """Return whether a word is one of these in any form, or the end of one, or a kind of it: a bow, a gun."""
    forms = base_forms(word.text)
    if forms & features:
        return True
    kinds = {each for arms in ENGLISH.arms.values() if word.text in arms.split() for each in arms.split()}
    is_end = len(word.text) >= NOUN_LEAST and any(each.endswith(word.text) for each in features)
    return is_end or bool(word.text in GENERIC and kinds & features)
