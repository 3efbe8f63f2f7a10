"""Dice as people write them: `2d6+3`, `4d6kh3`, `d%`, `3d6!`, `6d6>=5`, `4dF`, `2d6+str`. Nothing is thrown here.

The library d20 was considered: its parser takes other notation (no `!`, no fudge dice, no names of values), its
evaluation draws its own dice, and the base install would need it with two more libraries.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

import msgspec

from ledger.names import NUMBER_MOST, fold_case

DICE_MOST: Final = 100  # of one expression
SIDES_MOST: Final = 1000
PARTS_MOST: Final = 12
AMOUNT_MOST: Final = 1_000_000
EXTRA_MOST: Final = 10  # dice that one die may give by exploding
NAME: Final = r"[^\W\d_][\w'’-]*"
DICE: Final = re.compile(
    r"(?P<count>\d+)?d(?P<sides>\d+|%|f)(?P<more>(?:!|(?:kh|kl|dh|dl|k)\d*|>=?\d+)*)", re.ASCII | re.IGNORECASE
)
MORE: Final = re.compile(r"(?P<mark>!|kh|kl|dh|dl|k|>=|>)(?P<number>\d*)", re.ASCII | re.IGNORECASE)
PIECE: Final = re.compile(
    rf"\s*(?P<sign>[+-]?)\s*(?P<body>[0-9]*d(?:[0-9]+|%|f\b)[^\s+-]*|[0-9]+|{NAME})", re.IGNORECASE
)
EXAMPLES: Final = "2d6+3, 4d6kh3, d%, 3d6!, 6d6>=5, 4dF or 2d6+str"


class BadExpression(Exception):
    """An expression that cannot be rolled: what is wrong with it."""


class Part(msgspec.Struct, frozen=True, kw_only=True):
    """A part of an expression: dice, a number, or a value of whoever rolls. `sign` is 1 or -1.

    `keep` is how many of the highest dice count, or of the lowest if it is negative; 0: all. `explodes`: a die at its
    maximum gives one more. `least`: a die counts as one if it shows so much, instead of its face; 0: it does not.
    """

    sign: int = 1
    number: int = 0
    value: str = ""
    count: int = 0
    sides: int = 0
    keep: int = 0
    explodes: bool = False
    fudge: bool = False
    least: int = 0


Expression = tuple[Part, ...]


@lru_cache(maxsize=1024)
def parse_expression(text: str) -> Expression:
    """Return the parts of an expression.

    >>> [(part.sign, part.count, part.sides, part.number) for part in parse_expression("2d6-3")]
    [(1, 2, 6, 0), (-1, 0, 0, 3)]

    Raises BadExpression for anything that is not dice, numbers and names of values with + or - between them.
    """
    parts: list[Part] = []
    index = 0
    while index < len(text.rstrip()):
        match = PIECE.match(text, index)
        if match is None or (parts and not match["sign"]):
            raise BadExpression(f"'{text}' is not understood at '{text[index : index + 10].strip()}'")
        parts.append(parse_part(-1 if match["sign"] == "-" else 1, match["body"]))
        index = match.end()
    if not parts:
        raise BadExpression("there is nothing to roll")
    if len(parts) > PARTS_MOST:
        raise BadExpression(f"{len(parts)} parts are too many: {PARTS_MOST} are the most")
    if sum(part.count for part in parts) > DICE_MOST:
        raise BadExpression(f"{sum(part.count for part in parts)} dice are too many: {DICE_MOST} are the most")
    return tuple(parts)


def parse_part(sign: int, body: str) -> Part:
    """Return one part: a number, dice, or the name of a value. Raises BadExpression."""
    if re.fullmatch("[0-9]+", body):
        return Part(sign=sign, number=bounded(body, "a number", AMOUNT_MOST))
    if not re.match(r"[0-9]*d(?:[0-9]|%|f\b|f\W)", body, re.IGNORECASE):
        return Part(sign=sign, value=fold_case(body))
    match = DICE.fullmatch(body)
    if match is None:
        raise BadExpression(f"'{body}' is not a roll that is known")
    count = bounded(match["count"] or "1", "the number of dice", DICE_MOST, 1)
    fudge = match["sides"] in "fF"
    sides = (
        3 if fudge else 100 if match["sides"] == "%" else bounded(match["sides"], "the sides of a die", SIDES_MOST, 2)
    )
    part = Part(sign=sign, count=count, sides=sides, fudge=fudge)
    for more in MORE.finditer(match["more"]):
        part = with_mark(part, more["mark"].casefold(), more["number"], body)
    if part.fudge and (part.explodes or part.least):
        raise BadExpression(f"'{body}': fudge dice neither explode nor count successes")
    return part


def with_mark(part: Part, mark: str, number: str, body: str) -> Part:
    """Return dice with what a mark behind them says. Raises BadExpression for a number that does not fit them."""
    if mark == "!":
        if number:
            raise BadExpression(f"'{body}': a die explodes at its highest face, so write ! alone")
        return msgspec.structs.replace(part, explodes=True)
    if mark.startswith(">"):
        least = bounded(number, "a success", SIDES_MOST) + (mark == ">")
        if not 1 <= least <= part.sides:
            raise BadExpression(f"'{body}': a d{part.sides} cannot be asked for {least} or more")
        return msgspec.structs.replace(part, least=least)
    if part.keep:
        raise BadExpression(f"'{body}' says twice which dice are kept")
    chosen = bounded(number or "1", "the dice kept or dropped", DICE_MOST)
    kept = part.count - chosen if mark.startswith("d") else chosen
    if not 1 <= kept <= part.count:
        raise BadExpression(f"'{body}' keeps {kept} of {part.count} dice")
    return msgspec.structs.replace(part, keep=-kept if mark in ("kl", "dh") else kept)


def bounded(digits: str, what: str, most: int, least: int = 0) -> int:
    """Return a number within its bounds. Raises BadExpression outside them, also for very many digits."""
    if len(digits) > len(str(NUMBER_MOST)) or not least <= int(digits) <= most:
        raise BadExpression(f"{what} must be {least} to {most}, not {digits[:12]}{'...' if len(digits) > 12 else ''}")
    return int(digits)


def with_edge(expression: Expression, edge: str) -> Expression:
    """Return an expression with advantage or disadvantage: one die more of its first dice, and the worst is left out.

    Raises BadExpression where there are no dice, or where they keep some already.
    """
    place = next((index for index, part in enumerate(expression) if part.count), None)
    if edge == "none":
        return expression
    if place is None:
        raise BadExpression(f"there are no dice for the {edge}")
    part = expression[place]
    if part.keep:
        raise BadExpression(f"these dice keep some of them already, so they take no {edge}")
    keep = part.count if edge == "advantage" else -part.count
    more = msgspec.structs.replace(part, count=part.count + 1, keep=keep)
    return (*expression[:place], more, *expression[place + 1 :])
