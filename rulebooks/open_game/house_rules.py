"""The house rules of a table: its dice, results, order and moves, as the entries of a sheet that the ledger keeps.

A file only brings them in: they are recorded with the declaration that casts it, and every later line reads them from
the state. So an edited file changes nothing until it is cast again, with a reason, and no replay depends on one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from itertools import pairwise
from typing import Any, Final

import msgspec

from ledger.facts import Scalar
from ledger.names import NUMBER_MOST, fold_case
from projections.state import State
from rulebooks.open_game.expressions import EXAMPLES, BadExpression, Expression, parse_expression

HOUSE: Final = "House book"  # the name of their sheet
KIND: Final = "house"
WORD: Final = re.compile(r"[^\W\d_](?:[\w'’ -]{0,38}[\w'’])?")
RANGE: Final = re.compile(r"(-?[0-9]{1,6})(?:(\+)|(-)|(?:-| to )(-?[0-9]{1,6}))?", re.ASCII)
STATES: Final = ("full", "empty", "on", "off")
MOVE_KEYS: Final = ("roll", "vs", "under")
ON: Final = "on"
SUCCESS: Final = "success"
FAILURE: Final = "failure"


class BadRule(Exception):
    """A house rule that cannot be: its key, what is wrong with it, and what to write."""

    def __init__(self, key: str, what: str, hint: str) -> None:
        super().__init__(what)
        self.key, self.what, self.hint = key, what, hint


class Degree(msgspec.Struct, frozen=True, kw_only=True):
    """A result and the totals or margins that it stands for; None: no bound."""

    result: str
    least: int | None
    most: int | None


class Change(msgspec.Struct, frozen=True, kw_only=True):
    """What a move does to a value: of whoever makes it, or of its `target`; `result`: with this one only.

    `state` is one of STATES. Else the expression is added (`sign` 1) or taken off (-1), or is the new number if it
    `sets`.
    """

    value: str
    target: bool
    result: str
    state: str = ""
    expression: Expression = ()
    sets: bool = False
    sign: int = 1

    def whose(self, who: str, against: str) -> str:
        """Return whose value it changes when somebody makes the move against somebody."""
        return against if self.target else who


class Move(msgspec.Struct, frozen=True, kw_only=True):
    """A move of the table: what is rolled, against what, and what changes."""

    name: str
    roll: Expression = ()
    vs: str = ""
    under: str = ""
    changes: tuple[Change, ...] = ()


class HouseRules(msgspec.Struct, frozen=True, kw_only=True):
    """All rules of a table. `zero`: the condition that a pool at 0 brings, by pool."""

    dice: Expression = ()
    order: Expression = ()
    results: tuple[Degree, ...] = ()
    margins: tuple[Degree, ...] = ()
    zero: tuple[tuple[str, str], ...] = ()
    moves: Mapping[str, Move] = {}


def house_rules(state: State) -> HouseRules:
    """Return the rules that the table plays by now; none before their sheet is cast."""
    being = state.being(HOUSE)
    return parse_rules(tuple(state.sheet_of(HOUSE).items())) if being and being.kind == KIND else HouseRules()


@lru_cache(maxsize=64)
def parse_rules(entries: tuple[tuple[str, Scalar], ...]) -> HouseRules:
    """Return the rules in the entries of their sheet. Raises BadRule for the first entry that is none."""
    tables: dict[str, dict[str, Scalar]] = {}
    for key, value in entries:
        table, _, rest = key.partition(".")
        tables.setdefault(table, {})[rest] = value
    results, margins = (parse_degrees(name, tables.get(name, {})) for name in ("results", "margins"))
    known = {degree.result for degree in (*results, *margins)} | {SUCCESS, FAILURE}
    return HouseRules(
        dice=expression_of("dice", tables["dice"][""]) if "dice" in tables else (),
        order=expression_of("order", tables["order"][""]) if "order" in tables else (),
        results=results,
        margins=margins,
        zero=tuple(
            (word_of(f"zero.{pool}", pool), word_of(f"zero.{pool}", name))
            for pool, name in tables.get("zero", {}).items()
        ),
        moves=parse_moves(tables.get("moves", {}), known),
    )


def word_of(key: str, word: Scalar) -> str:
    """Return a word as it is kept: in small letters, with hyphens for spaces. Raises BadRule for another text."""
    if not isinstance(word, str) or not WORD.fullmatch(word):
        raise BadRule(key, f"'{str(word)[:40]}' is not a name", "Write up to 40 letters, digits, hyphens and spaces.")
    return fold_case(word)


def expression_of(key: str, text: Scalar) -> Expression:
    """Return the expression of an entry. Raises BadRule for anything else."""
    try:
        return parse_expression(str(text))
    except BadExpression as error:
        raise BadRule(key, str(error), f"Write a roll as {EXAMPLES}.") from error


def parse_degrees(table: str, entries: Mapping[str, Scalar]) -> tuple[Degree, ...]:
    """Return the results of a table, the lowest first. Raises BadRule for a number with no result or with two."""
    degrees = [parse_degree(f"{table}.{key}", key, value) for key, value in entries.items()]
    degrees.sort(key=lambda degree: -NUMBER_MOST if degree.least is None else degree.least)
    for lower, higher in pairwise(degrees):
        if lower.most is None or higher.least is None or higher.least <= lower.most:
            raise BadRule(table, f"{lower.result} and {higher.result} overlap", "Give each number one result.")
        if higher.least != lower.most + 1:
            raise BadRule(table, f"{lower.most + 1} has no result", "Give each number one result.")
    if degrees and (degrees[0].least is not None or degrees[-1].most is not None):
        hint = 'Write the lowest as "6-" and the highest as "10+".'
        raise BadRule(table, "very low or very high numbers have no result", hint)
    return tuple(degrees)


def parse_degree(where: str, key: str, value: Scalar) -> Degree:
    """Return one result: `10+`, `7-9`, `6-` or `8`. Raises BadRule for another key."""
    match = RANGE.fullmatch(key)
    if match is None:
        raise BadRule(where, f"'{key[:40]}' is no range of numbers", 'Write "10+", "7-9", "6-" or "8".')
    number = int(match[1])
    least = None if match[3] else number
    most = None if match[2] else int(match[4]) if match[4] else number
    if least is not None and most is not None and most < least:
        raise BadRule(where, f"'{key}' ends before it begins", f'Write "{most}-{least}".')
    return Degree(result=word_of(where, value), least=least, most=most)


def parse_moves(entries: Mapping[str, Scalar], results: set[str]) -> dict[str, Move]:
    """Return the moves by name. Raises BadRule for a key that says nothing."""
    parts: dict[str, dict[str, Any]] = {}
    for path, value in entries.items():
        name, *keys = path.split(".")
        where = f"moves.{path}"
        move = parts.setdefault(word_of(where, name), {"changes": []})
        if keys == ["roll"]:
            move["roll"] = expression_of(where, value)
        elif len(keys) == 1 and keys[0] in MOVE_KEYS:
            move[keys[0]] = number_or_word(where, value)
        else:
            move["changes"].append(parse_change(where, keys, value, results))
    for name, move in parts.items():
        if not move.get("roll") and (move.keys() & {"vs", "under"} or any(each.result for each in move["changes"])):
            raise BadRule(f"moves.{name}", "it has results and no roll", 'Add roll = "2d6".')
        if {"vs", "under"} <= move.keys():
            raise BadRule(f"moves.{name}", "it has both vs and under", "Leave one of them out.")
    return {name: Move(name=name, **{**move, "changes": tuple(move["changes"])}) for name, move in parts.items()}


def number_or_word(where: str, value: Scalar) -> str:
    """Return what a roll is compared with: a number, or the name of a value. Raises BadRule."""
    return str(value) if re.fullmatch("-?[0-9]{1,7}", str(value), re.ASCII) else word_of(where, value)


def parse_change(where: str, keys: list[str], value: Scalar, results: set[str]) -> Change:
    """Return what one entry of a move changes. Raises BadRule for a result that no roll has, and for other keys."""
    rest, result, target = list(keys), "", False
    if len(rest) > 1 and rest[0] == ON:
        result = word_of(where, rest[1])
        rest = rest[2:]
        if result not in results:
            raise BadRule(where, f"no roll has the result {result}", f"There are: {', '.join(sorted(results))}.")
    if len(rest) > 1 and rest[0] == "target":
        target, rest = True, rest[1:]
    if len(rest) != 1:
        hint = f"A move has {', '.join(MOVE_KEYS)}, values that change, and tables target and {ON}.RESULT."
        raise BadRule(where, "this key says nothing", hint)
    return Change(value=word_of(where, rest[0]), target=target, result=result, **parse_new_value(where, value))


def parse_new_value(where: str, value: Scalar) -> dict[str, Any]:
    """Return how a value changes: `full`, `empty`, `on`, `off`, `+2`, `-1d8`, or a number to set. Raises BadRule."""
    hint = f'Write "+1", "-2d6", a number to set it to, or {", ".join(STATES)}.'
    if isinstance(value, int):
        if value < 0:
            raise BadRule(
                where, f"{value} may mean to set it or to take it off", f'Write "{value}" in quotes to take it off.'
            )
        return {"expression": parse_expression(str(value)), "sets": True}
    if value in STATES:
        return {"state": value}
    if not value.startswith(("+", "-", "=")):
        raise BadRule(where, f"'{value[:40]}' is no change", hint)
    expression = expression_of(where, value if value[0] != "=" else value[1:])
    sign = -1 if value[0] == "-" else 1
    parts = tuple(msgspec.structs.replace(part, sign=part.sign * sign) for part in expression)
    return {"expression": parts, "sets": value[0] == "=", "sign": sign}


def flat_entries(table: Mapping[str, Any], path: str = "", depth: int = 0) -> Iterable[tuple[str, Any]]:
    """Yield the entries of nested tables by the path of their keys: `rest.hp`. Full stops of a key stand apart."""
    for key, value in table.items():
        name = f"{path}{str(key).replace('.', ' . ')}"
        if isinstance(value, Mapping) and depth < 5:
            yield from flat_entries(value, f"{name}.", depth + 1)
        else:
            yield name, value


def degree_of(number: int, degrees: Iterable[Degree]) -> str:
    """Return the result that a number stands for; empty where a table has no results."""
    fitting = (
        degree.result
        for degree in degrees
        if (degree.least is None or degree.least <= number) and (degree.most is None or number <= degree.most)
    )
    return next(fitting, "")
