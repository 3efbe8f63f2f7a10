"""Results with their sums and dice in full: rows of steps, margins, and where the faces come from."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from cli.phrases.results import operand, score
from cli.questions.why import EntryRoll
from ledger.facts import Die, Judged, Sum
from ledger.names import escape
from rulebooks.common.texts import Wording

SOURCES: Final = {
    "seed": "drawn from the session's seed",
    "unmixed": "drawn from the session's seed, to which no player added words,",
    "sealed": "drawn from the session's seed, which is sealed until it closes,",
    "fixed": "drawn from a fixed seed",
    "unproved": "unproved, since the session's seed is lost,",
    "revealed": "drawn by a correction, after the seed was revealed,",
    "table": "typed in from the table",
}


def result_title(fact: Judged) -> str:
    """Return what was judged, of whom, and against whom."""
    title = escape(fact.what) + (f" of {escape(fact.who)}" if fact.who else "")
    return title + (f", {escape(fact.against)}" if fact.against and fact.against != fact.who else "")


def result_numbers(fact: Judged, wording: Wording) -> str:
    """Return ` (11 against 9, 2 over)`, and whether the result is not final."""
    numbers = ", ".join(part for part in (score(fact, wording), _margin(fact)) if part)
    return (f" ({numbers})" if numbers else "") + ("" if fact.final else ", not final yet")


def _margin(fact: Judged) -> str:
    """Return the margin in words."""
    if fact.margin is None:
        return ""
    return f"{abs(fact.margin)} {'over' if fact.margin > 0 else 'short'}" if fact.margin else "exactly"


def first_die(total: Sum, fact: Judged, dice: Sequence[EntryRoll], wording: Wording) -> str:
    """Return the name of the die with which a sum begins; empty if it begins with another number."""
    if total.total != fact.total:
        return ""
    rolls = [each.roll for each in dice if each.roll.purpose in fact.rolls]
    die = next((die for roll in rolls for die in roll.dice if die.kept and die.face == total.start), None)
    if die is None:
        return ""
    return next((name for name in wording.dice if die.label and name.startswith(die.label)), f"d{die.sides}")


def sum_rows(total: Sum, die: str) -> Iterator[list[str]]:
    """Return the rows of a sum: reason, operation, value so far, rule. Steps that do not count are in brackets."""
    yield [escape(total.name), "", "" if die else str(total.start), ""]
    if die:
        yield [f"  {escape(die)}", "", str(total.start), ""]
    for step in total.steps:
        operation = operand(step) if step.counted else f"({operand(step)})"
        rule = escape(step.rule) if step.counted else f"{escape(step.rule)}, not counted"
        yield [f"  {escape(step.because)}", operation, str(step.now), rule]


def roll_source(dice: EntryRoll, of: str) -> str:
    """Return the faces of a roll and where they came from: from another entry than `of`, or from it."""
    faces = ", ".join(
        " ".join(part for part in (escape(die.label), _sides(die), str(die.face)) if part)
        + (f" (after die {die.of + 1})" if die.of is not None else "")
        + ("" if die.kept else " (not counted)")
        for die in dice.roll.dice
    )
    entry = "" if dice.entry == of else f" in {dice.entry}"
    source = SOURCES.get(dice.origin or dice.roll.source, escape(dice.roll.source))
    return f'{faces}: {source}{entry} as "{escape(dice.roll.purpose)}"'


def _sides(die: Die) -> str:
    """Return `d6`; empty where the label has it already."""
    sides = f"d{die.sides}"
    return "" if sides in die.label.split() else sides
