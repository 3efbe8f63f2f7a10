"""Known words: the one that a typed word is, else every one that it begins; and the errors for none or several."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Final

from cli.notation.scope import Scope
from cli.notation.tokens import LineToken, join_with_or, token_error
from ledger import names
from ledger.declarations import Declaration
from ledger.errors import Unreadable
from ledger.name_match import Match, fold_word

LISTED_MOST: Final = 12


def match_word(word: str, candidates: Iterable[str]) -> Match:
    """Return the candidates that are this word, else those that begin with it."""
    match = _match_known(word, tuple(candidates))
    return Match(match.exact, list(match.words))


@lru_cache(maxsize=4096)
def _match_known(word: str, candidates: tuple[str, ...]) -> Match:
    """Return the candidates that are this word, or begin with it: lines ask for the same words many times."""
    known = list(dict.fromkeys(candidates))
    for form in (str, names.fold_case, fold_word):
        wanted = form(word)
        if equal := [candidate for candidate in known if form(candidate) == wanted]:
            return Match(True, equal)
    start = fold_word(word)
    return Match(False, [candidate for candidate in known if fold_word(candidate).startswith(start)] if start else [])


def find_kind_of_verb(word: str, kinds: Sequence[type[Declaration]]) -> type[Declaration] | None:
    """Return the first declaration that has this word as a verb, in full."""
    return _kinds_by_verb(tuple(kinds)).get(fold_word(word))


@lru_cache(maxsize=16)
def _kinds_by_verb(kinds: Sequence[type[Declaration]]) -> Mapping[str, type[Declaration]]:
    """Return the first of these declarations with each verb, in the form in which words are compared."""
    return {fold_word(verb): kind for kind in reversed(kinds) for verb in kind.verbs}


def match_phrase(word: str, candidates: Iterable[str], others: Iterable[str] = ()) -> Match:
    """Return the candidates that a word means, else those in which a later word begins so: `gun` for `long gun`.

    The `others` are meant by their whole names, and by less where no candidate is meant.
    """
    match = _match_phrase(word, candidates)
    if match.exact:
        return match
    other = _match_phrase(word, others)
    return other if other.exact or not match.words else match


def _match_phrase(word: str, candidates: Iterable[str]) -> Match:
    known = list(dict.fromkeys(candidates))
    whole, start = match_word(word, known), fold_word(word)
    if whole.words or not start:
        return whole
    later = [(candidate, [fold_word(part) for part in candidate.split()[1:]]) for candidate in known]
    equal = [candidate for candidate, parts in later if start in parts]
    begun = (candidate for candidate, parts in later if any(part.startswith(start) for part in parts))
    return Match(False, equal or list(begun))


def full_word(word: str, known: Iterable[str], scope: Scope) -> str:
    """Return the known word that a short name stands for: `health` for `hp`; any other word as it is."""
    short_names = scope.short_names()
    short = match_word(word, short_names)
    return short_names[short.words[0]] if short.exact and short_names[short.words[0]] in known else word


def find_word(token: LineToken, word: str, candidates: Iterable[str], what: str) -> str:
    """Return the one candidate that is meant. Raises Unreadable (`'x' is {what}`) for none or several."""
    known = list(candidates)
    return only_match(token, word, match_word(word, known), known, what)


def only_match(token: LineToken, word: str, match: Match, known: Sequence[str], what: str) -> str:
    """Return the only word of a match. Raises Unreadable (`'x' is {what}`) for none or several."""
    if not match.words:
        raise token_error(token, f"'{word}' is {what}", find_nearest(word, known), hint=list_hint(known))
    return only_one(token, match.words, word)


def only_one(token: LineToken, words: list[str], word: str = "") -> str:
    """Return the only word of the list. Raises Unreadable if there are more."""
    if len(words) > 1:
        raise ambiguous_error(token, word or token.text, words)
    return words[0]


def ambiguous_error(token: LineToken, word: str, words: Sequence[str]) -> Unreadable:
    """Return the error for a word that may mean several."""
    return token_error(token, f"'{word}' may be {join_with_or(words)}", hint="Write more of it.")


def list_hint(known: Sequence[str]) -> str:
    """Return the hint that lists the known words, or the first of them."""
    more = ", ..." if len(known) > LISTED_MOST else "."
    return f"There is: {', '.join(known[:LISTED_MOST])}{more}" if known else "There is none yet."


def find_nearest(word: str, candidates: Iterable[str]) -> Iterator[str]:
    """Yield at most three candidates that look like `word`. They are looked for when the first is asked for."""
    yield from nearest_words(word, candidates)


def nearest_words(word: str, candidates: Iterable[str], likeness: float = 0.52) -> list[str]:
    """Return at most three candidates that look like `word`, the best first; `likeness` is 1 for the word itself."""
    from difflib import get_close_matches  # imported here to start faster: most lines are right

    folded = {fold_word(candidate): candidate for candidate in candidates}
    return [folded[near] for near in get_close_matches(fold_word(word)[:60], folded, n=3, cutoff=likeness)]
