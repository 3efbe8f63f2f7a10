"""The beings that a typed word names.

A being is meant by its whole name, by any word of it, without its accents, by the words of its name without what
stands between them (`drcrow`, `dr.crow`), and by a number behind the beginning of a word: `thug1` and `t1` are Thug 1.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final

from cli.notation.known_words import find_nearest, list_hint, only_match
from cli.notation.scope import Scope
from cli.notation.tokens import LineToken, quote, token_error
from ledger.errors import Unreadable
from ledger.name_match import (
    Match,
    fold_letters,
    fold_name,
    match_name,
    match_numbered,
    names_by_form,
    parts_of_names,
)

ARTICLES: Final = ("a", "an", "the", "of", "de", "der", "den", "die", "das", "el", "la", "le", "les", "von", "van")
TITLES: Final = ("dr", "mr", "mrs", "ms", "sir", "dame", "lord", "lady", "master", "mistress")
OWNED: Final = ("'s", "\u2019s")  # ends a word that says whose something is
PRONOUNS: Final = ("he", "she", "they", "him", "her", "them")  # which begin no name
LESSER_WORDS: Final = frozenset((*ARTICLES, *TITLES))  # a name is called by its other words


def find_being(token: LineToken, word: str, scope: Scope) -> str:
    """Return the display name of a being. Raises Unreadable for none or several."""
    return only_match(token, word, match_being(word, scope), scope.beings, "nobody in play")


def nobody_error(token: LineToken, scope: Scope) -> Unreadable:
    """Return the error for a word that names nobody in play, where a being has to be named."""
    near = find_nearest(token.text, scope.beings)
    return token_error(token, f"'{token.text}' is nobody in play", near, hint=list_hint(scope.beings))


def match_being(word: str, scope: Scope) -> Match:
    """Return the beings that a word may mean: creatures before things, so that `k` is Kess and not Kess's knife.

    Of several whose name it does not say in full those who live, then those whose first name it begins.
    """
    return prefer_first_names(word, match_anybody(word, scope))


def match_anybody(word: str, scope: Scope) -> Match:
    """Return the beings that a word may mean by any word of their names: creatures before things, the living first.

    `marta's` is no beginning of Marta Sable, but what she has.
    """
    match = match_name(word, scope.beings)
    if word.casefold() in PRONOUNS and not match.exact:
        return Match(False, [name for name in match.words if word.casefold() in fold_name(name).split("-")])
    if word.casefold().endswith(OWNED) and not match.exact:
        match = Match(False, [name for name in match.words if fold_name(word) in fold_name(name).split("-")])
    match = prefer_creatures(match, scope.things)
    living = [name for name in match.words if name not in scope.dead]
    return Match(False, living) if living and not match.exact else match


def prefer_first_names(word: str, match: Match) -> Match:
    """Return a match with those whose first name a word begins; then by any word that is no article and no title."""
    if match.exact or len(match.words) < 2:
        return match
    ranks = {name: _rank_of_part(fold_name(word), name) for name in match.words}
    best = min(ranks.values())
    return Match(False, [name for name in match.words if ranks[name] == best])


def _rank_of_part(start: str, name: str) -> int:
    """Return 0 where a name's first word that is no article begins so, 1 for a later word of it, 2 for any other."""
    parts = fold_name(name).split("-")
    own = [part for part in parts if part.rstrip(".") not in LESSER_WORDS] or parts
    fits = [index for index, part in enumerate(own) if part.startswith(start)]
    return min(fits[0], 1) if fits else 0 if match_numbered(start, {name: [fold_name(name), *parts]}) else 2


def prefer_creatures(match: Match, things: Collection[str]) -> Match:
    """Return a match without the things in it, if that leaves anybody."""
    creatures = [name for name in match.words if name not in things]
    return Match(match.exact, creatures) if creatures else match


def join_names(tokens: Sequence[LineToken], scope: Scope) -> list[LineToken]:
    """Return the tokens, with bare words that are together a name or a group in one: `thug 1`, `harbor furies`.

    A word that is a whole name by itself stays alone, as does a number that does not end a name.
    """
    joined, index = list[LineToken](), 0
    many = tuple(name for name in scope.beings if " " in name)
    groups = [group for group in scope.groups() if "-" in group] if many else []
    while index < len(tokens):
        count, name = _name_at(tokens[index:], many, scope) if many else (1, "")
        if name:
            joined.append(LineToken(quote(name), tokens[index].column))
        elif (count := _count_group_words(tokens[index:], groups)) > 1:
            words = (token.raw for token in tokens[index : index + count])
            joined.append(LineToken("-".join(words), tokens[index].column))
        else:
            joined.append(tokens[index])
        index += count
    return joined


def _count_group_words(tokens: Sequence[LineToken], groups: Collection[str]) -> int:
    """Return how many tokens at the beginning are together the word for a group: 2 for `harbor furies`, else 1."""
    most = max((group.count("-") for group in groups), default=0) + 1
    for count in range(min(len(tokens), most), 1, -1):
        words = [token.raw for token in tokens[:count]]
        if '"' not in "".join(words) and fold_name(" ".join(words)) in groups:
            return count
    return 1


def _name_at(tokens: Sequence[LineToken], many: tuple[str, ...], scope: Scope) -> tuple[int, str]:
    """Return how many tokens at the beginning are a name of several words, and the name; 1 and none if they are not."""
    if tokens[0].has_quotes or match_name(tokens[0].raw, scope.beings).exact:
        return 1, ""
    for count in range(min(len(tokens), max(name.count(" ") for name in many) + 1), 1, -1):
        words = [token.raw for token in tokens[:count]]
        typed = fold_name(" ".join(words))
        equal = names_by_form(many, fold_name).get(typed) or names_by_form(many, fold_letters).get(fold_letters(typed))
        numbered = words[-1].isdecimal() and count == 2 and _match_whole_numbered(typed, many)
        if len(named := equal or numbered or []) == 1:
            return count, named[0]
    return 1, ""


def _match_whole_numbered(typed: str, many: tuple[str, ...]) -> list[str]:
    """Return the beings whose names have this whole word and the number: `dovel-2` for `Sergeant Dovel 2`."""
    word, _, number = typed.rpartition("-")
    return [name for name, (_, *own) in parts_of_names(many).items() if own[-1] == number and word in own[:-1]]
