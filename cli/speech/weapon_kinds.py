"""Weapons by what they do: of two weapons `eats lead` means the pistol, and `between the ribs` the knife."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from cli.speech.english import ENGLISH
from cli.speech.words import Word
from rulebooks.common.word_forms import base_forms


def kinds_said(words: Iterable[Word]) -> frozenset[str]:
    """Return the kinds of weapons of which a sentence says the name or what they do."""
    forms = {form for word in words for form in base_forms(word.text)}
    told = {kind: (*arms.split(), *ENGLISH.blows[kind].split()) for kind, arms in ENGLISH.arms.items()}
    return frozenset(kind for kind, each in told.items() if not forms.isdisjoint(each))


def is_of_kind(weapon: str, kind: str) -> bool:
    """Return whether a weapon is of a kind by the last word of its name: `arming sword` is a blade."""
    return weapon.casefold().split()[-1] in ENGLISH.arms[kind].split()


def weapons_named(words: Sequence[Word], weapons: Sequence[str]) -> Sequence[str]:
    """Return those of some weapons of which a sentence says the last word of the name."""
    forms = {form for word in words for form in base_forms(word.text)}
    return [weapon for weapon in weapons if weapon.casefold().split()[-1] in forms]


def weapons_said(words: Sequence[Word], weapons: Sequence[str]) -> Sequence[str]:
    """Return those of some weapons of which a sentence tells: by their names, else by what they do."""
    kinds = kinds_said(words)
    named = weapons_named(words, weapons)
    return named or [weapon for weapon in weapons if any(is_of_kind(weapon, kind) for kind in kinds)]


def weapons_meant(words: Sequence[Word], weapons: Sequence[str]) -> Sequence[str]:
    """Return those of some weapons of which a sentence tells; all of them if it tells of none."""
    return weapons_said(words, weapons) or weapons
