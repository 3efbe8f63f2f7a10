"""What the grammar asks about the table, and what a word means there: a being in play, a value by its name."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final

import msgspec

from cli.notation.tokens import Fit, Token, fitting, fold, nearest, the_one, there, unclear, wrong
from ledger import names
from ledger.declarations import Declaration, Ruling
from ledger.errors import Unreadable
from ledger.facts import GM

OPTION: Final = "option"  # `option.NAME=READING`: a reading of the book


class Around(msgspec.Struct, frozen=True):
    """What the grammar asks about the table.

    `names` are the beings in play, `kinds` the declarations that may be typed, `words` the words that a field of a
    declaration is known to take from a speaker, `values` the names of values (`kess.might`, `doom`), `short` the
    short forms of their last part (`hp` for `health`), `vital` the value that a number behind a name alone means.
    """

    names: Sequence[str]
    kinds: Sequence[type[Declaration]]
    words: Callable[[type[Declaration], str, str], Iterable[str]]
    values: Callable[[], Iterable[str]]
    short: Callable[[], Mapping[str, str]]
    vital: Callable[[], str]


def being_meant(token: Token, word: str, around: Around) -> str:
    """The being that is meant, by its display name."""
    return the_one(token, word, around.names, "nobody in play", inside=True)


def only(token: Token, found: list[str]) -> str:
    """The only one found. Raises Unreadable when there are more."""
    if len(found) > 1:
        raise unclear(token, token.text, found)
    return found[0]


def unknown_value(token: Token, who: str, around: Around) -> Unreadable:
    """The error for a word that names no value, with the nearest."""
    mine = f"{names.name_key(who)}."
    near = [name.removeprefix(mine) for name in around.values() if name.startswith(mine) or not who]
    what = f"'{token.text}' is no value of {who}" if who else f"'{token.text}' is neither a being nor a value"
    close = nearest(token.text, [*near, *around.short(), *(() if who else around.names)])
    return wrong(token, what, close, hint=there(near))


def values_meant(word: str, who: str, around: Around) -> Fit:
    """The names of the values that this may mean: of `who` first, then by its whole name, then nobody's."""
    known = list(around.values())
    if who and (own := own_values(word, who, around)).found:
        return own
    if (whole := fitting(word, known)).exact:
        return whole
    part, dot, rest = word.partition(".")
    beings = fitting(part, around.names, inside=True).found if dot else []
    if beings:
        owns = [own_values(rest, being, around) for being in beings]
        return Fit(False, [name for own in owns for name in own.found])
    return _by_parts(word, [name for name in known if "." not in name])


def own_values(word: str, who: str, around: Around) -> Fit:
    """The values of this being that are meant, by their whole names."""
    mine = f"{names.name_key(who)}."
    own = [name.removeprefix(mine) for name in around.values() if name.startswith(mine)]
    known = around.short()
    meant = fitting(word, known)
    short = [known[letters] for letters in meant.found] if meant.exact else []
    found = Fit(True, short[:1]) if short and short[0] in own else _by_parts(word, own)
    return Fit(found.exact, [mine + name for name in found.found])


def _by_parts(word: str, known: Sequence[str]) -> Fit:
    """The names with as many parts as this word, each of them begun by it: `hea` is `health`, not `health.most`."""
    whole, parts = fitting(word, known), fold(word).split(".")
    found = [
        name
        for name in known
        if len(own := fold(name).split(".")) == len(parts)
        and all(part and mine.startswith(part) for part, mine in zip(parts, own, strict=True))
    ]
    return whole if whole.exact or not found else Fit(False, found)


def value_set(token: Token, word: str, around: Around) -> str:
    """The whole name of a value that is set. It may be new, if it is a being's."""
    known = fitting(word, around.values())
    if known.exact or token.literal:
        return known.found[0] if known.exact else word
    part, _, rest = word.partition(".")
    if part == OPTION or part in around.words(Ruling, "changes", GM):
        return word
    who = being_meant(token, part, around)
    found = own_values(rest, who, around).found
    return only(token, found) if found else f"{names.name_key(who)}.{rest}"
