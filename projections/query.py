"""The little language of `when`: values compared with numbers, words and one another.

    question = every { "or" every }         sign    = < <= = == != >= >
    every    = one { "and" one }            operand = 12, "a word", or a bare word: a value's name, or else a word
    one      = "not" one | "(" question ")" | operand sign operand

A value that there is not (not yet, or no more) makes its comparison false, also one with `!=`; `not` turns that
round. Numbers have an order; words are the same or not, whatever their case; spaces, hyphens and underscores are one.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final

import msgspec

from ledger import names
from ledger.errors import Unreadable
from ledger.facts import EntryId
from ledger.projection import Value
from projections.value_history import ValueChange

EXAMPLE: Final = "Ask as in 'kess.might < 3 and doom >= 5'."
SIGNS: Final[Mapping[str, Callable[[int, int], bool]]] = {
    "<": operator.lt,
    "<=": operator.le,
    "=": operator.eq,
    "!=": operator.ne,
    ">=": operator.ge,
    ">": operator.gt,
}
SAME: Final = ("=", "!=")


class Bare(msgspec.Struct, frozen=True):
    """A word without quotation marks, and its column: a value's name, or just a word."""

    text: str
    at: int


class Named(msgspec.Struct, frozen=True):
    """A value, by its whole name."""

    name: str


Operand = int | str | Bare | Named


class Comparison(msgspec.Struct, frozen=True):
    """Two operands, and the sign between them with its column."""

    left: Operand
    sign: str
    right: Operand
    at: int


class Not(msgspec.Struct, frozen=True):
    """What does not hold."""

    of: Question


class Every(msgspec.Struct, frozen=True):
    """All of them hold."""

    of: tuple[Question, ...]


class Some(msgspec.Struct, frozen=True):
    """One of them holds, or several."""

    of: tuple[Question, ...]


Question = Comparison | Not | Every | Some


def settled(asked: Question, meant: Callable[[str], str], whole: Callable[[str], str | None]) -> Question:
    """The question with its bare words read: `whole` knows a value by its whole name, `meant` by any beginning of it.

    A bare word is a value if it has a dot or is a whole name; or where its comparison has no value otherwise. What
    `meant` raises for a word that is no value goes through. Raises Unreadable for a comparison that can never hold.
    """
    match asked:
        case Not():
            return Not(settled(asked.of, meant, whole))
        case Every() | Some():
            return type(asked)(tuple(settled(part, meant, whole) for part in asked.of))
    left, right = (_named(side, meant, whole) for side in (asked.left, asked.right))
    if not isinstance(left, Named) and not isinstance(right, Named):
        left = Named(meant(left.text)) if isinstance(left, Bare) else left
        right = Named(meant(right.text)) if isinstance(right, Bare) and not isinstance(left, Named) else right
    left, right = (side.text if isinstance(side, Bare) else side for side in (left, right))
    if not isinstance(left, Named) and not isinstance(right, Named):
        raise Unreadable("no value is compared here", where=f"column {asked.at}", hint=EXAMPLE)
    if asked.sign not in SAME and (isinstance(left, str) or isinstance(right, str)):
        what = "words are the same or not, they have no order"
        raise Unreadable(what, where=f"column {asked.at}", hint="Compare them with = or !=.")
    return Comparison(left, asked.sign, right, asked.at)


def _named(side: Operand, meant: Callable[[str], str], whole: Callable[[str], str | None]) -> Operand:
    """The value that a bare word is beyond doubt, or what stands there."""
    if not isinstance(side, Bare):
        return side
    name = meant(side.text) if "." in side.text else whole(side.text)
    return side if name is None else Named(name)


def comparisons(asked: Question) -> Iterator[Comparison]:
    """All comparisons in a question, from the left."""
    match asked:
        case Comparison():
            yield asked
        case Not():
            yield from comparisons(asked.of)
        case _:
            for part in asked.of:
                yield from comparisons(part)


def named(asked: Question) -> list[str]:
    """The values that a settled question is about, each once, from the left."""
    sides = (side for found in comparisons(asked) for side in (found.left, found.right))
    return list(dict.fromkeys(side.name for side in sides if isinstance(side, Named)))


def holds(asked: Question, values: Mapping[str, Value | None]) -> bool:
    """Whether a settled question is to be answered with yes where the values stand so."""
    match asked:
        case Not():
            return not holds(asked.of, values)
        case Every():
            return all(holds(part, values) for part in asked.of)
        case Some():
            return any(holds(part, values) for part in asked.of)
    left, right = (_stands(side, values) for side in (asked.left, asked.right))
    if left is None or right is None:
        return False
    if isinstance(left, int) and isinstance(right, int):
        return SIGNS[asked.sign](left, right)
    same = isinstance(left, str) and isinstance(right, str) and _key(left) == _key(right)
    return asked.sign in SAME and same == (asked.sign == "=")


def _key(word: str) -> str:
    """What makes two words the same."""
    return names.name_key(word).replace("_", "-")


def _stands(side: Operand, values: Mapping[str, Value | None]) -> Value | None:
    """What stands on one side of a comparison."""
    if isinstance(side, Named):
        return values.get(side.name)
    assert not isinstance(side, Bare)
    return side


def written(asked: Question) -> str:
    """A question as it is understood: whole names, words in quotes, brackets where they are needed."""
    match asked:
        case Not():
            return f"not {_enclosed(asked.of, Every, Some)}"
        case Every():
            return " and ".join(_enclosed(part, Some, Every) for part in asked.of)
        case Some():
            return " or ".join(_enclosed(part, Some) for part in asked.of)
    return f"{_spelled(asked.left)} {asked.sign} {_spelled(asked.right)}"


def _enclosed(part: Question, *kinds: type[Question]) -> str:
    """A part of a question, in brackets if it is of these kinds."""
    return f"({written(part)})" if isinstance(part, kinds) else written(part)


def _spelled(side: Operand) -> str:
    """One side of a comparison, as it may be typed."""
    match side:
        case Named():
            return side.name
        case Bare():
            return side.text
        case str():
            return '"' + re.sub(r'(["\\])', r"\\\1", side) + '"'
    return str(side)


class Stretch(msgspec.Struct, frozen=True, kw_only=True):
    """A while in which a question held: from the end of one entry until another changed that; None: it still does."""

    since: EntryId
    until: EntryId | None


def stretches(asked: Question, past: Mapping[str, Sequence[ValueChange]], start: EntryId) -> list[Stretch]:
    """When a settled question held, asked at the end of `start` and of each later entry that changed one of its values.

    `past` is what `histories` found.
    """
    moves: dict[EntryId, dict[str, Value | None]] = {start: {}}
    for name in named(asked):
        for change in past[name]:
            moves.setdefault(max(change.entry, start), {})[name] = change.after
    values: dict[str, Value | None] = {}
    found: list[Stretch] = []
    since: EntryId | None = None
    for entry, moved in sorted(moves.items()):
        values |= moved
        if holds(asked, values) == (since is not None):
            continue
        if since is not None:
            found.append(Stretch(since=since, until=entry))
        since = entry if since is None else None
    return found if since is None else [*found, Stretch(since=since, until=None)]
