"""The dice of a roll of Foundry (versions 12 to 14): faces in the order in which they are typed, and the formula.

A roll is JSON: `terms` are dice, numbers, operators, and pools and brackets with rolls in them. Fields are those of
https://foundryvtt.com/api: RollTermData, DiceTermData, DiceTermResult. What a formula of ours cannot say (a product, a
pool, dice that are rolled again below 3) has faces all the same, and no formula.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator, Sequence
from typing import Any, Final

import msgspec

from ledger.names import NUMBER_MOST

DEPTH_MOST: Final = 8  # of rolls in a roll
DICE_MOST: Final = 100
TOO_MANY_DICE: Final = f"it has more than {DICE_MOST} dice"
TERMS_MOST: Final = 200
SIDES_MOST: Final = 1_000_000
FORMULA_MOST: Final = 60  # letters
FATE, COIN, OPERATOR, NUMERIC = "FateDie", "Coin", "OperatorTerm", "NumericTerm"
KEEPS: Final = re.compile(r"(?:kh|kl|dh|dl|k)[0-9]*", re.ASCII | re.IGNORECASE)
COUNTS: Final = re.compile(r"cs(>=?[0-9]+)", re.ASCII | re.IGNORECASE)
EXPLODES: Final = re.compile(r"x=?([0-9]*)", re.ASCII | re.IGNORECASE)
REROLLS: Final = re.compile(r"rr?[<>=]*[0-9]*", re.ASCII | re.IGNORECASE)


class BadRoll(Exception):
    """A roll that cannot be read: what is wrong with it."""


class DieResult(msgspec.Struct, frozen=True):
    """A die of a term. One that is `rerolled` or has `exploded` is followed by another behind all of the first."""

    result: int
    active: bool = True
    discarded: bool = False
    rerolled: bool = False
    exploded: bool = False


class RollTerm(msgspec.Struct, frozen=True):
    """A term of a roll; which fields it has depends on its class."""

    kind: str = msgspec.field(default="", name="class")
    number: Any = None
    faces: Any = None
    modifiers: list[str] = []
    results: list[Any] = []
    operator: str = ""
    rolls: list[Any] = []
    roll: Any = None


class FoundryRoll(msgspec.Struct, frozen=True):
    """A roll: its terms, and what they came to."""

    terms: list[RollTerm] = []
    total: Any = None


class RolledDice(msgspec.Struct, frozen=True):
    """The dice of a roll. `faces`: all faces, once for each order in which a line may have them.

    `formula`: as our dice have it; empty where they cannot say it.
    """

    formula: str
    faces: tuple[tuple[int, ...], ...]
    total: int | None


def rolled_dice(data: object) -> RolledDice:
    """Return the dice of a roll, which is JSON or a text with JSON. Raises BadRoll."""
    roll = read_roll(data)
    deep: list[int] = []
    flat: list[int] = []
    for term in dice_terms(roll, 0):
        chains = chains_of(term)
        deep += [face for chain in chains for face in chain]
        flat += [chain[0] for chain in chains] + [face for chain in chains for face in chain[1:]]
        if len(deep) > DICE_MOST:
            raise BadRoll(TOO_MANY_DICE)
    if not deep:
        raise BadRoll("it has no dice")
    orders = tuple(dict.fromkeys((tuple(deep), tuple(flat))))
    return RolledDice(formula_of(roll.terms), orders, whole_number(roll.total))


def whole_number(total: object) -> int | None:
    """Return a total that a ledger may claim; None for a part of a number, and for anything else."""
    if not isinstance(total, int | float) or isinstance(total, bool) or abs(total) > NUMBER_MOST:
        return None
    return int(total) if total == int(total) else None


def read_roll(data: object) -> FoundryRoll:
    """Return a roll of JSON or of a text with JSON. Raises BadRoll."""
    try:
        value = msgspec.json.decode(data) if isinstance(data, str) else data
        return msgspec.convert(value, FoundryRoll)
    except RecursionError:
        raise BadRoll("it cannot be read: it is nested too deeply") from None
    except msgspec.MsgspecError as error:
        raise BadRoll(f"it cannot be read: {error}") from None


def dice_terms(roll: FoundryRoll, depth: int) -> Iterator[RollTerm]:
    """Yield the dice of a roll and of those in it. Raises BadRoll."""
    if depth > DEPTH_MOST:
        raise BadRoll(f"more than {DEPTH_MOST} rolls stand in each other")
    if max([len(roll.terms), *(len(term.rolls) for term in roll.terms)]) > TERMS_MOST:
        raise BadRoll(f"it has more than {TERMS_MOST} terms")
    for term in roll.terms:
        if term.faces is not None:
            yield term
        for inner in [*term.rolls, *([term.roll] if term.roll is not None else [])]:
            yield from dice_terms(read_roll(inner), depth + 1)


def chains_of(term: RollTerm) -> list[list[int]]:
    """Return the faces of a term: each die with those that its explosions gave. Raises BadRoll for impossible ones.

    A die that was rolled again has the face that came last.
    """
    if len(term.results) > DICE_MOST:
        raise BadRoll(TOO_MANY_DICE)
    try:
        results = msgspec.convert(term.results, list[DieResult])
    except msgspec.ValidationError as error:
        raise BadRoll(f"a die cannot be read: {error}") from None
    first = [each for each in results if not (each.rerolled or each.exploded)]
    count = term.number if type(term.number) is int else len(first)
    chains = [[each] for each in results[: max(count, 0)]]
    waiting = deque(chains)
    for extra in results[len(chains) :]:
        while waiting and not (waiting[0][-1].rerolled or waiting[0][-1].exploded):
            waiting.popleft()
        if not waiting:
            raise BadRoll(f"{count} dice have {len(results)} faces")
        chain = waiting.popleft()
        chain[-1:] = [extra] if chain[-1].rerolled else [chain[-1], extra]
        waiting.append(chain)
    return [[face_of(term, each.result) for each in chain] for chain in chains]


def face_of(term: RollTerm, shown: int) -> int:
    """Return the face that a die shows, from 1: fate dice and coins count otherwise. Raises BadRoll."""
    sides = {FATE: 3, COIN: 2}.get(term.kind, term.faces)
    if type(sides) is not int or not 2 <= sides <= SIDES_MOST:
        raise BadRoll("a die has no number of sides")
    face = shown + {FATE: 2, COIN: 1}.get(term.kind, 0)
    if not 1 <= face <= sides:
        raise BadRoll(f"a d{sides} shows {shown if abs(shown) <= NUMBER_MOST else 'an absurd number'}")
    return face


def formula_of(terms: Sequence[RollTerm]) -> str:
    """Return `2d20kh1+5`; empty for what is more than dice and numbers that are added."""
    text = ""
    for term in terms:
        part = part_of(term)
        if not part:
            return ""
        text += part
    return text if len(text) <= FORMULA_MOST else ""


def part_of(term: RollTerm) -> str:
    """Return one part of a formula: dice, a number, `+` or `-`; empty for anything else."""
    if term.kind == OPERATOR:
        return term.operator if term.operator in ("+", "-") else ""
    number = term.number
    if type(number) is not int or number < 0:
        return ""
    if term.kind == NUMERIC:
        return str(number)
    if not isinstance(term.faces, int) or term.kind == COIN:
        return ""
    marks = [mark_of(modifier, term.faces) for modifier in term.modifiers]
    if None in marks:
        return ""
    return f"{number}d{'F' if term.kind == FATE else term.faces}{''.join(map(str, marks))}"


def mark_of(modifier: str, faces: int) -> str | None:
    """Return a modifier as our dice have it: `!` for `x6` of a d6; None for one that they have not."""
    if KEEPS.fullmatch(modifier):
        return modifier.lower()
    if counted := COUNTS.fullmatch(modifier):
        return counted[1]
    if explodes := EXPLODES.fullmatch(modifier):
        return "!" if explodes[1] in ("", str(faces)) else None
    return "" if REROLLS.fullmatch(modifier) else None
