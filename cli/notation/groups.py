"""Words that name several beings: `foes`, and the plural of a word that numbered beings share (`thugs`)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import lru_cache

from cli.notation.known_beings import find_being, match_anybody, match_being
from cli.notation.scope import Scope
from cli.notation.tokens import LineToken, token_error
from ledger.name_match import Match, fold_name, match_name

ALL = "all"  # the group of everybody who is here
SIBILANTS = ("s", "x", "z", "ch", "sh")


def plurals(word: str) -> Iterator[str]:
    """Yield the plurals of a word: `thugs`, `witches`, `furies`, `wolves`, `swordsmen`."""
    yield f"{word}s"
    if word.endswith(SIBILANTS):
        yield f"{word}es"
    for end, plural in (("y", "ies"), ("fe", "ves"), ("f", "ves"), ("man", "men")):
        if word.endswith(end):
            yield word.removesuffix(end) + plural


def numbered_groups(beings: Iterable[str], here: Collection[str]) -> dict[str, tuple[str, ...]]:
    """Return those of the numbered beings who are here, under each plural of each word of their names."""
    groups = defaultdict[str, list[str]](list)
    for name in beings:
        own = (name,) if name in here else ()
        for plural in _plurals_of_name(name):
            groups[plural] += own
    return {plural: tuple(members) for plural, members in groups.items()}


@lru_cache(maxsize=4096)
def _plurals_of_name(name: str) -> tuple[str, ...]:
    """Return each plural of each word of a name with a number; none of other names."""
    *words, number = fold_name(name).split("-")
    if not words or not number.isdecimal():
        return ()
    return tuple(plural for word in dict.fromkeys(("-".join(words), *words)) for plural in plurals(word))


def find_group(token: LineToken, scope: Scope) -> Sequence[str] | None:
    """Return the beings of the group that a word names; None if it names none. Raises Unreadable if nobody is here."""
    if token.has_quotes or match_name(token.raw, scope.beings).exact:
        return None
    members = scope.groups().get(fold_name(token.raw))
    if members is not None and not members:
        raise token_error(token, f"nobody of '{token.raw}' is here", hint="Name whom you mean.")
    return members


def find_stem(token: LineToken, scope: Scope) -> list[str]:
    """Return those who are here of numbered beings, if a word is the whole name of several without their number."""
    stem, names = fold_name(token.raw), match_anybody(token.raw, scope).words
    if token.has_quotes or len(names) < 2:
        return []
    parts = [fold_name(name).rpartition("-") for name in names]
    if any(word != stem or not number.isdecimal() for word, _, number in parts):
        return []
    here = scope.groups().get(ALL, names)
    return [name for name in names if name in here]


def find_beings(token: LineToken, scope: Scope) -> list[str]:
    """Return the beings of a list with commas, each group and each stem with its members.

    Raises Unreadable for an unknown word.
    """
    names = list[str]()
    for piece in token.split(","):
        names += find_group(piece, scope) or find_stem(piece, scope) or [find_being(piece, piece.text, scope)]
    return names


def match_several(token: LineToken, scope: Scope) -> Match:
    """Return the word itself if it names a group, or is a list of beings with commas; else no word."""
    pieces = token.split(",")
    several = len(pieces) > 1 or find_group(token, scope)
    known = several and all(find_group(piece, scope) or match_being(piece.text, scope).words for piece in pieces)
    return Match(False, [token.text] if known else [])


def join_lists(tokens: Sequence[LineToken], scope: Scope) -> list[LineToken]:
    """Return the tokens with each list of beings that has spaces behind its commas in one: `k, o, b`.

    The list of speakers, with which a line begins, is one whomever it names.
    """
    joined, left = list[LineToken](), list(tokens)
    while left:
        token = left.pop(0)
        while left and token.raw.endswith(",") and (not joined or _are_beings(token, left[0], scope)):
            token = LineToken(token.raw + left.pop(0).raw, token.column)
        joined.append(token)
    return joined


def _are_beings(token: LineToken, following: LineToken, scope: Scope) -> bool:
    """Return whether the last word before the comma at the end of a token, and the first one behind it, name beings."""
    *_, last = LineToken(token.raw[:-1], token.column).split(",")
    words = (last.split("=")[-1], following.split(",")[0])
    return all(match_being(word.text, scope).words or find_group(word, scope) for word in words)
