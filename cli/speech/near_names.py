"""Who is meant by the beginning of a name, or by one with a wrong letter."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from difflib import SequenceMatcher, get_close_matches

from cli.notation.known_beings import match_being, prefer_creatures
from cli.notation.scope import Scope
from cli.speech.english import ENGLISH
from cli.speech.named_beings import Named
from cli.speech.words import Word
from ledger.name_match import fold_name

LIKE, LETTERS = 0.8, 4  # how much a word with a wrong letter is like the one that is meant, and how long it is


def near_stem(words: Sequence[Word], index: int, stems: Collection[str]) -> str:
    """Return the name of several before a number that a word is but for one letter, `thugg 2`; else nothing."""
    word, behind = words[index], words[index + 1 : index + 2]
    if not behind or not behind[0].text.isdecimal() or len(word.text) < LETTERS or word.text in ENGLISH.little:
        return ""
    return next(iter(get_close_matches(word.text, stems, 1, LIKE)), "")


def near_name(word: Word, scope: Scope, by_word: Mapping[str, Sequence[str]]) -> Named | None:
    """Return who is meant by the beginning of a name, or by a word with one wrong letter; None if nobody is."""
    if word.is_quoted or not word.raw[0].isalpha():
        return None
    match = prefer_creatures(match_being(word.raw, scope), scope.things)
    if match.words:
        return Named(tuple((name,) for name in match.words), 1)
    folded = fold_name(word.raw)
    if len(folded) < LETTERS:
        return None
    near = [part for part in by_word if SequenceMatcher(None, folded, part).ratio() >= LIKE]
    names = dict.fromkeys(name for part in near for name in by_word[part])
    return Named(tuple((name,) for name in names), 1) if names else None
