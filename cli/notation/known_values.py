"""The values that a typed word names: `hp` and `kess.health`, and what to type for one that there is not."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from cli.notation.known_beings import find_being, match_being
from cli.notation.known_words import find_nearest, list_hint, match_word, nearest_words, only_one
from cli.notation.scope import Scope
from cli.notation.tokens import LineToken, token_error
from ledger import names
from ledger.declarations import Ruling
from ledger.errors import Unreadable
from ledger.facts import GM
from ledger.name_match import Match, fold_word
from rulebooks.common.beings import name_in_line

OPTION: Final = "option"  # `option.NAME=READING`: a reading of the book


def find_values(word: str, who: str, scope: Scope) -> Match:
    """Return the values that a word may mean: first those of `who`, then by whole name, then those of nobody."""
    known = list(scope.values())
    if who and (own := find_own_values(word, who, scope)).words:
        return own
    if (whole := match_word(word, known)).exact:
        return whole
    part, dot, rest = word.partition(".")
    beings = match_being(part, scope).words if dot else []
    if beings:
        return Match(False, [name for being in beings for name in find_own_values(rest, being, scope).words])
    return _match_parts(word, [name for name in known if "." not in name])


def find_own_values(word: str, who: str, scope: Scope) -> Match:
    """Return the whole names of the values of one being that a word may mean."""
    prefix = f"{names.name_key(who)}."
    own = [name.removeprefix(prefix) for name in scope.values() if name.startswith(prefix)]
    short_names = scope.short_names()
    short = match_word(word, short_names)
    value = short_names[short.words[0]] if short.exact else ""
    match = Match(True, [value]) if value in own else _match_parts(word, own)
    return Match(match.exact, [prefix + name for name in match.words])


def _match_parts(word: str, known: Sequence[str]) -> Match:
    """Return the names with as many parts as the word, each begun by its part: `hea` is `health`, not `health.most`."""
    whole, parts = match_word(word, known), fold_word(word).split(".")
    words = [
        name
        for name in known
        if len(own := fold_word(name).split(".")) == len(parts)
        and all(part and mine.startswith(part) for part, mine in zip(parts, own, strict=True))
    ]
    return whole if whole.exact or not words else Match(False, words)


def find_value_to_set(token: LineToken, word: str, scope: Scope) -> str:
    """Return the whole name of a value that a ruling sets. A being's may be new."""
    known = match_word(word, scope.values())
    if known.exact or token.has_quotes:
        return known.words[0] if known.exact else word
    part, _, rest = word.partition(".")
    settable = scope.words(Ruling, "changes", GM)
    if part == OPTION or part in settable:
        return word
    who = find_being(token, part, scope)
    own = find_own_values(rest, who, scope).words if rest not in settable else []
    return only_one(token, own) if own else f"{names.name_key(who)}.{rest}"


def new_value_error(token: LineToken, who: str, value: str, change: str, scope: Scope) -> Unreadable:
    """Return the error for a change of a value that a being does not have: what to type instead."""
    prefix = f"{names.name_key(who)}."
    own = [name.removeprefix(prefix) for name in scope.values() if name.startswith(prefix)]
    near = [value_in_line(prefix + name) for name in nearest_words(value, own)]
    what, amount = f"{who} has no value '{value}' that {change} could change", change.lstrip("+-")
    if not scope.can_set(prefix + value, int(amount)):
        return token_error(token, what, near, list_hint(own))
    ruling = f'! ruling "what" "why" {value_in_line(prefix + value)}={amount}'
    return token_error(token, what, near).with_more_hint(f"Type {ruling} to set a new one")


def value_in_line(name: str) -> str:
    """Return the name of a value as it stands in a line: each part of it that has a space in quotation marks."""
    return ".".join(map(name_in_line, name.split(".")))


def unknown_value_error(token: LineToken, who: str, scope: Scope) -> Unreadable:
    """Return the error for a word that names no value, with the nearest."""
    prefix = f"{names.name_key(who)}."
    known = [name.removeprefix(prefix) for name in scope.values() if name.startswith(prefix) or not who]
    what = f"'{token.text}' is not a value of {who}" if who else f"'{token.text}' is neither a being nor a value"
    short = [word for word, value in scope.short_names().items() if not who or value in known]
    near = find_nearest(token.text, [*known, *short, *(() if who else scope.beings)])
    return token_error(token, what, near, hint=list_hint(known))
