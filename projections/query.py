"""Questions of `when`: comparisons of values with numbers, words and one another.

    question  = all { "or" all }
    all       = condition { "and" condition }
    condition = "not" condition | "(" question ")" | operand sign operand
    operand   = 12, "a word", or a bare word: the name of a value, else a word
    sign      = < <= = == != >= >

A comparison with a value that does not exist is false, also one with `!=`. Numbers have an order. Words are equal or
not, in any case; spaces, hyphens and underscores are the same. `query_parser` parses a question.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final

import msgspec

from ledger.errors import Unreadable
from ledger.facts import EntryId
from ledger.names import fold_case
from ledger.projection import Value
from projections.value_history import ValueChange

EXAMPLE: Final = "Ask as in 'encounter.round >= 3 and clock.seconds < 60'."
SIGNS: Final[Mapping[str, Callable[[int, int], bool]]] = {
    "<": operator.lt,
    "<=": operator.le,
    "=": operator.eq,
    "!=": operator.ne,
    ">=": operator.ge,
    ">": operator.gt,
}
EQUALITY: Final = ("=", "!=")


class Bare(msgspec.Struct, frozen=True):
    """A word without quotation marks, and its column: the name of a value, or a word."""

    text: str
    column: int


class ValueName(msgspec.Struct, frozen=True):
    """The full name of a value."""

    name: str


Operand = int | str | Bare | ValueName


class Comparison(msgspec.Struct, frozen=True):
    """Two operands and the sign between them, with its column."""

    left: Operand
    sign: str
    right: Operand
    column: int


class Not(msgspec.Struct, frozen=True):
    """True if its part is false."""

    part: Question


class And(msgspec.Struct, frozen=True):
    """True if all parts are true."""

    parts: tuple[Question, ...]


class Or(msgspec.Struct, frozen=True):
    """True if any part is true."""

    parts: tuple[Question, ...]


Question = Comparison | Not | And | Or


def resolve(question: Question, find: Callable[[str], str], exact: Callable[[str], str | None]) -> Question:
    """Return the question with every bare word replaced by the name of a value or by a word.

    A bare word is a value if it has a dot or is the full name of one, or if its comparison has no value otherwise.

    Args:
        question: a parsed question.
        find: returns the full name of the value that a word abbreviates; what it raises passes through.
        exact: returns the value of which the word is the full name, or None.

    Raises Unreadable for a comparison that can never be true.
    """
    match question:
        case Not():
            return Not(resolve(question.part, find, exact))
        case And() | Or():
            return type(question)(tuple(resolve(part, find, exact) for part in question.parts))
    left, right = (_resolve_operand(operand, find, exact) for operand in (question.left, question.right))
    if not isinstance(left, ValueName) and not isinstance(right, ValueName):
        left = ValueName(find(left.text)) if isinstance(left, Bare) else left
        right = ValueName(find(right.text)) if isinstance(right, Bare) and not isinstance(left, ValueName) else right
    left, right = (operand.text if isinstance(operand, Bare) else operand for operand in (left, right))
    where = f"column {question.column}"
    if not isinstance(left, ValueName) and not isinstance(right, ValueName):
        raise Unreadable("the comparison has no value", where=where, hint=EXAMPLE)
    if question.sign not in EQUALITY and (isinstance(left, str) or isinstance(right, str)):
        raise Unreadable("words have no order", where=where, hint="Compare them with = or !=.")
    return Comparison(left, question.sign, right, question.column)


def _resolve_operand(operand: Operand, find: Callable[[str], str], exact: Callable[[str], str | None]) -> Operand:
    """Return the value that a bare word certainly is, or the operand itself."""
    if not isinstance(operand, Bare):
        return operand
    name = find(operand.text) if "." in operand.text else exact(operand.text)
    return operand if name is None else ValueName(name)


def comparisons(question: Question) -> Iterator[Comparison]:
    """Yield all comparisons of a question, from the left."""
    match question:
        case Comparison():
            yield question
        case Not():
            yield from comparisons(question.part)
        case _:
            for part in question.parts:
                yield from comparisons(part)


def value_names(question: Question) -> list[str]:
    """Return the values of a resolved question, each once, from the left."""
    operands = (operand for comparison in comparisons(question) for operand in (comparison.left, comparison.right))
    return list(dict.fromkeys(operand.name for operand in operands if isinstance(operand, ValueName)))


def is_true(question: Question, values: Mapping[str, Value | None]) -> bool:
    """Return the answer to a resolved question for these values."""
    match question:
        case Not():
            return not is_true(question.part, values)
        case And():
            return all(is_true(part, values) for part in question.parts)
        case Or():
            return any(is_true(part, values) for part in question.parts)
    left, right = (_operand_value(operand, values) for operand in (question.left, question.right))
    if left is None or right is None:
        return False
    if isinstance(left, int) and isinstance(right, int):
        return SIGNS[question.sign](left, right)
    equal = isinstance(left, str) and isinstance(right, str) and _word_key(left) == _word_key(right)
    return question.sign in EQUALITY and equal == (question.sign == "=")


def _word_key(word: str) -> str:
    return fold_case(word).replace("_", "-")


def _operand_value(operand: Operand, values: Mapping[str, Value | None]) -> Value | None:
    assert not isinstance(operand, Bare), "resolve the question first"
    return values.get(operand.name) if isinstance(operand, ValueName) else operand


def format_question(question: Question) -> str:
    """Return a question as text: full names, words in quotes, brackets only where they are needed."""
    match question:
        case Not():
            return f"not {_format_part(question.part, And, Or)}"
        case And():
            return " and ".join(_format_part(part, Or, And) for part in question.parts)
        case Or():
            return " or ".join(_format_part(part, Or) for part in question.parts)
    return f"{_format_operand(question.left)} {question.sign} {_format_operand(question.right)}"


def _format_part(part: Question, *bracketed: type[Question]) -> str:
    text = format_question(part)
    return f"({text})" if isinstance(part, bracketed) else text


def _format_operand(operand: Operand) -> str:
    match operand:
        case ValueName():
            return operand.name
        case Bare():
            return operand.text
        case str():
            return '"' + re.sub(r'(["\\])', r"\\\1", operand) + '"'
    return str(operand)


class Stretch(msgspec.Struct, frozen=True, kw_only=True):
    """The entries in which a question was true: from the end of `since` until `until` changed it (None: still true)."""

    since: EntryId
    until: EntryId | None


def stretches(question: Question, histories: Mapping[str, Sequence[ValueChange]], start: EntryId) -> list[Stretch]:
    """Return all stretches in which a resolved question was true, from the end of the entry `start` on."""
    changes: dict[EntryId, dict[str, Value | None]] = {start: {}}
    for name in value_names(question):
        for change in histories[name]:
            changes.setdefault(max(change.entry, start), {})[name] = change.after
    values: dict[str, Value | None] = {}
    true_stretches: list[Stretch] = []
    since: EntryId | None = None
    for entry, changed in sorted(changes.items()):
        values |= changed
        if is_true(question, values) == (since is not None):
            continue
        if since is not None:
            true_stretches.append(Stretch(since=since, until=entry))
        since = entry if since is None else None
    return true_stretches if since is None else [*true_stretches, Stretch(since=since, until=None)]
