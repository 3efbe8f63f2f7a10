"""The dice that an entry threw, drawn as dice, and what they add up to in one line: `10 + 11 = 21 ≥ 9`."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Final

import msgspec

from cli.web.pages.content import DieFace, EntryThrow
from cli.web.pages.hues import hue_class
from cli.web.pages.markup import Child, Html, element
from ledger.facts import BaseFact, Die, Judged, Rolled, Sum
from ledger.names import escape

SHAPES: Final = {  # outlines of 24 by 24, by the number of sides
    4: "M12 2 23 21H1Z",
    6: "M3 3H21V21H3Z",
    8: "M12 1 23 12 12 23 1 12Z",
    10: "M12 1 23 9V15L12 23 1 15V9Z",
    12: "M12 1 19 4 23 10V15L19 20 12 23 5 20 1 15V10L5 4Z",
    20: "M12 1 22 6.5V17.5L12 23 2 17.5V6.5Z",
}
ROUND_SHAPE: Final = "M12 1A11 11 0 0 1 12 23A11 11 0 0 1 12 1Z"
MINUS: Final = "−"


class DiceTones(msgspec.Struct, frozen=True):
    """The colours of dice: by their names in the book, else by who threw them."""

    names: dict[str, str]
    hues: dict[str, int]


def entry_throws(
    facts: Sequence[BaseFact], dice: Sequence[Rolled], low: Collection[str], tones: DiceTones
) -> Iterator[EntryThrow]:
    """Yield the dice that were thrown in an entry by the results that rest on them, with their sums.

    Args:
        facts: those of the entry.
        dice: those that were thrown in it.
        low: the judgements in which a low roll is good.
        tones: the colours of dice.
    """
    own = {each.purpose: each for each in dice}
    results = [fact for fact in facts if isinstance(fact, Judged)]
    for result in sorted(results, key=lambda fact: fact.total is None):  # one with a sum says more
        rolls = [own.pop(purpose) for purpose in result.rolls if purpose in own]
        faces = [die_face(die, roll.who, tones) for roll in rolls for die in roll.dice]
        if faces:
            kept = [die for roll in rolls for die in roll.dice if die.kept]
            yield EntryThrow(what=escape(result.what), dice=tuple(faces), **sum_parts(result, kept, low))
    for roll in own.values():  # which no result names
        what = escape(roll.purpose.partition(" ")[0])
        yield EntryThrow(what=what, dice=tuple(die_face(die, roll.who, tones) for die in roll.dice))


def die_face(die: Die, who: str, tones: DiceTones) -> DieFace:
    """Return a die as it is drawn."""
    tone = tones.names.get(die.label.casefold()) or hue_class(escape(who), tones.hues) or ""
    return DieFace(sides=die.sides, face=die.face, kept=die.kept, label=escape(die.label), tone=tone)


def sum_parts(result: Judged, kept: Sequence[Die], low: Collection[str]) -> dict[str, str]:
    """Return what stands between the dice and behind them: a plus where they add up, and the total with its target."""
    if result.total is None:
        return {}
    faces = sum(die.face for die in kept)
    others = next((added(each, kept) for each in result.sums if each.total == result.total), ())
    is_sum = faces + sum(others) == result.total
    terms = "".join(f" {'+' if number > 0 else MINUS} {abs(number)}" for number in others if number) if is_sum else ""
    is_shown = bool(terms) or not is_sum or len(kept) > 1  # else the one die says it
    total = f" {'=' if is_sum else '→'} {signed(result.total)}" if is_shown else ""
    return {"between": "+" if is_sum else "", "total": f"{terms}{total}{target_words(result, low)}".strip()}


def added(total: Sum, kept: Sequence[Die]) -> tuple[int, ...]:
    """Return the numbers that a sum adds to dice; none where it does anything else but add."""
    steps = [step for step in total.steps if step.counted]
    if any(step.op not in ("+", "-") for step in steps):
        return ()
    numbers = [total.start, *(step.value if step.op == "+" else -step.value for step in steps)]
    for die in kept:
        if die.face not in numbers:
            return ()
        numbers.remove(die.face)
    return tuple(numbers)


def target_words(result: Judged, low: Collection[str]) -> str:
    """Return how a total compares with the number that it was thrown against."""
    if result.target is None or result.total is None:
        return ""
    if result.what in low:
        sign = "≤" if result.total <= result.target else ">"
    else:
        sign = "≥" if result.total >= result.target else "<"
    return f" {sign} {signed(result.target)}"


def signed(number: int) -> str:
    """Return a number with a sign that is as wide as a plus."""
    return str(number).replace("-", MINUS)


# Markup


def throw_lines(throws: Sequence[EntryThrow]) -> Html | None:
    """Return a line for each throw: its dice as dice, and what they add up to; nothing without any."""
    lines = [element("p", None, throw_line(throw, is_named=len(throws) > 1)) for throw in throws]
    return element("div", {"class": "throws"}, lines) if lines else None


def throw_line(throw: EntryThrow, *, is_named: bool) -> Iterator[Child]:
    """Yield the dice of a throw, what stands between them, and what they add up to."""
    if throw.what and is_named:
        yield element("small", None, throw.what)
    is_first = True
    for die in throw.dice:
        yield f" {throw.between} " if throw.between and die.kept and not is_first else " "
        yield die_drawing(die)
        is_first = is_first and not die.kept
    yield f" {throw.total}"


def die_drawing(die: DieFace) -> Html:
    """Return a die as a drawing with its face in it."""
    kind = " ".join(part for part in ("die", die.tone, "" if die.kept else "unkept") if part)
    label = f"{die.label} d{die.sides}: {die.face}".strip() + ("" if die.kept else " (not counted)")
    shape = element("path", {"d": SHAPES.get(die.sides, ROUND_SHAPE)})
    face = element("text", {"x": 12, "y": 19 if die.sides == 4 else 16}, str(die.face))
    return element("svg", {"class": kind, "viewBox": "0 0 24 24", "role": "img", "aria-label": label}, shape, face)
