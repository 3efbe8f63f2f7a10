"""Which of several names a word means: by the whole name, any word of it, its beginning, or a number behind it.

A name is compared without its accents, and by its words without what stands between them (`drcrow`, `dr.crow`); `thug1`
and `t1` are Thug 1.
"""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from ledger import names

THE: Final = "the"  # names nobody by itself: `the lamps go out` is not about The Warden
NUMBERED: Final = re.compile(r"(.*?[^\d-])-?([0-9]+)", re.DOTALL)


class Match(NamedTuple):
    """The known words that a typed word may mean, and whether it is one of them in full."""

    exact: bool
    words: list[str]


@lru_cache(maxsize=4096)
def fold_word(text: str) -> str:
    """Return a word in the form in which words are compared: without case; space, hyphen and underscore are one."""
    return names.fold_case(text).replace("_", "-")


@lru_cache(maxsize=4096)
def fold_name(text: str) -> str:
    """Return a name in the form in which names are compared last: its key, without accents and apostrophes."""
    letters = unicodedata.normalize("NFD", names.name_key(text).replace("_", "-"))
    plain = (letter for letter in letters if not (unicodedata.category(letter).startswith("M") or letter in "'\u2019"))
    return unicodedata.normalize("NFC", "".join(plain)) or fold_word(text)


@lru_cache(maxsize=4096)
def fold_letters(text: str) -> str:
    """Return a name as its letters and digits alone: `drcrow` for `Dr. Crow` and `dr.crow`."""
    return "".join(letter for letter in fold_name(text) if letter.isalnum())


@lru_cache(maxsize=16)
def names_by_form(known: tuple[str, ...], form: Callable[[str], str]) -> Mapping[str, Sequence[str]]:
    """Return names by a form of theirs, in their order: every word of a line is compared with the same names."""
    by_form = defaultdict[str, list[str]](list)
    for name in known:
        by_form[form(name)].append(name)
    return dict(by_form)


@lru_cache(maxsize=4)
def parts_of_names(known: tuple[str, ...]) -> Mapping[str, Sequence[str]]:
    """Return of each name its whole and its words, folded."""
    return {name: [fold_name(name), *fold_name(name).split("-")] for name in known}


@lru_cache(maxsize=4)
def _names_by_part(known: tuple[str, ...]) -> Mapping[str, Sequence[str]]:
    """Return the names that have each folded word, or are it, in their order."""
    by_part = defaultdict[str, list[str]](list)
    for name, parts in parts_of_names(known).items():
        for part in dict.fromkeys(parts):
            by_part[part].append(name)
    return dict(by_part)


def match_name(word: str, beings: Iterable[str]) -> Match:
    """Return the beings that a word means: by whole name, number, one of the words of the name, or its beginning."""
    match = _match_known(word, beings if isinstance(beings, tuple) else tuple(beings))
    return Match(match.exact, list(match.words))


@lru_cache(maxsize=4096)
def _match_known(word: str, beings: tuple[str, ...]) -> Match:
    """Return the beings that a word means: a line asks for the same words many times."""
    known = tuple(dict.fromkeys(beings))
    for form in (str, names.name_key, fold_word, fold_name):
        if equal := names_by_form(known, form).get(form(word)):
            return Match(True, list(equal))
    start = fold_name(word)
    if not start:
        return Match(False, [])
    if start == THE:
        return Match(False, [])
    by_part = _names_by_part(known)
    if start in by_part:
        return Match(False, list(by_part[start]))
    if ended := [name for name in known if "-" in start and parts_of_names(known)[name][0].endswith(f"-{start}")]:
        return Match(False, ended)  # `well-warden` for The Well-Warden
    begun = {name for part, whose in by_part.items() if part.startswith(start) for name in whose}
    if begun:
        return Match(False, [name for name in known if name in begun])
    parts = parts_of_names(known)
    if numbered := match_numbered(start, parts):
        return Match(False, numbered)
    letters = fold_letters(word)
    several = [name for name in known if len(parts[name]) > 2]
    if equal := [name for name in several if fold_letters(name) == letters]:
        return Match(False, equal)
    return Match(False, [name for name in several if letters and fold_letters(name).startswith(letters)])


def match_numbered(word: str, parts: Mapping[str, Sequence[str]]) -> list[str]:
    """Return the beings with this number whose name, or a word of it, begins so: `t1` for `Thug 1`."""
    match = NUMBERED.fullmatch(word)
    if match is None:
        return []
    start, number = match.groups()
    numbered = [name for name, own in parts.items() if own[-1] == number]
    for fits in (str.__eq__, str.startswith):
        if meant := [name for name in numbered if any(fits(part, start) for part in parts[name][1:-1])]:
            return meant
    return []
