"""Forms of English words: `sneaks`, `sneaking` and `sneaked` are forms of `sneak`."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from ledger.names import fold_case

LEAST: Final = 3  # letters that are left of a word without its ending


@lru_cache(maxsize=4096)
def base_forms(word: str) -> frozenset[str]:
    """Return the word, and what it may be a form of: `hiding` of `hide`, `tries` of `try`, `running` of `run`."""
    folded = fold_case(word)
    return frozenset({folded, *(base for base in _bases(folded) if len(base) >= LEAST)})


def _bases(word: str) -> Iterator[str]:
    """Yield the word without each ending that it has."""
    for ending in ("s", "es", "d", "ed", "ing"):
        if word.endswith(ending):
            yield word.removesuffix(ending)
    for ending in ("ies", "ied"):
        if word.endswith(ending):
            yield f"{word.removesuffix(ending)}y"
    if word.endswith("ing"):
        yield f"{word.removesuffix('ing')}e"
    for ending in ("ing", "ed"):
        stem = word.removesuffix(ending)
        if stem != word and stem[-2:-1] == stem[-1:]:
            yield stem[:-1]


def is_same_word(one: str, other: str) -> bool:
    """Return whether two words are forms of one word."""
    return not base_forms(one).isdisjoint(base_forms(other))
