"""Bare words that mean something together: `heavy strike` is `heavy-strike`, `one hour` a choice, `might 3` a pair."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache

from cli.notation.known_words import match_word
from cli.notation.schema import Field
from cli.notation.tokens import NUMBER, LineToken, span_words
from ledger.name_match import fold_word


def join_phrases(tokens: Sequence[LineToken], known: Iterable[str], upto: int | None = None) -> list[LineToken]:
    """Return the tokens, with bare words that are together one of the known words in one.

    `upto`: only words that begin before this token.
    """
    phrases = _phrases(tuple(known))
    most = max((phrase.count("-") for phrase in phrases), default=0) + 1
    joined, index = list[LineToken](), 0
    while index < len(tokens):
        is_joined = upto is None or index < upto
        count = _count_phrase(tokens[index : index + most], phrases) if is_joined else 1
        words = (token.raw for token in tokens[index : index + count])
        joined.append(LineToken("-".join(words), tokens[index].column) if count > 1 else tokens[index])
        index += count
    return joined


@lru_cache(maxsize=64)
def _phrases(known: tuple[str, ...]) -> frozenset[str]:
    """Return those of the known words that have several parts, folded."""
    return frozenset(folded for word in known if "-" in (folded := fold_word(word)))


def _count_phrase(tokens: Sequence[LineToken], phrases: frozenset[str]) -> int:
    """Return how many of these tokens, from the first on, are together a known word; 1 if they are none."""
    for count in range(len(tokens), 1, -1):
        words = [token.raw for token in tokens[:count]]
        if not any(token.has_quotes for token in tokens[:count]) and fold_word("-".join(words)) in phrases:
            return count
    return 1


def join_amounts(tokens: Sequence[LineToken], amounts: Sequence[Field]) -> list[LineToken]:
    """Return the tokens, with a word and the number behind it in one where a list takes both: `might:3`."""
    joined: list[LineToken] = []
    for token in tokens:
        word = joined[-1] if joined else None
        is_amount = word and any(match_word(word.raw, first.choices).words for first in amounts)
        if word and is_amount and NUMBER.fullmatch(token.raw):
            joined[-1] = LineToken(f"{word.raw}:{token.raw}", word.column)
        else:
            joined.append(token)
    return joined


def join_choices(tokens: Sequence[LineToken], choices: Sequence[str]) -> list[LineToken]:
    """Return the tokens, with two bare words that are together a choice in one: `one hour`, as `1h`, is `one_hour`."""
    joined: list[LineToken] = []
    for token in tokens:
        word = joined[-1] if joined else None
        if span := next((choice for choice in span_words(token.raw) if choice in choices), ""):
            joined.append(LineToken(span, token.column))
        elif (
            word and not (word.has_quotes or token.has_quotes) and match_word(f"{word.raw}_{token.raw}", choices).exact
        ):
            joined[-1] = LineToken(f"{word.raw}_{token.raw}", word.column)
        else:
            joined.append(token)
    return joined
