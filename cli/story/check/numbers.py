"""Numbers in a text that are none of the session: dice, entries, dates, and all others, in digits and in words.

Counts of somebody or something, in words, are not looked at: the smallest numbers, up to the beings and the rounds.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from cli.story.check.doubt import Doubt, doubt_at
from cli.story.check.knowledge import SessionKnowledge
from cli.story.check.number_words import numbers_in_words
from cli.story.check.text import PlainText

DICE: Final = re.compile(r"(?<![\w.])([0-9]{0,4})[dDwW]([0-9]{1,4})(?:\s?[+-]\s?[0-9]{1,3})?(?!\w)")
DATE: Final = re.compile(r"(?<![\w.-])[0-9]{4}-[0-9]{2}-[0-9]{2}(?![\w-])")
ENTRY: Final = re.compile(r"(?<![\w.])[0-9]{1,6}\.[0-9]{1,6}(?:\+[0-9]{1,3})?(?:@[0-9]{1,3})?(?![\w])")
ITEM: Final = re.compile(r"^[ \t]*[0-9]{1,4}[.)](?=\s)", re.MULTILINE)
ORDINAL: Final = re.compile(r"(?<![\w.])([0-9]{1,9})(?:st|nd|rd|th)\b", re.IGNORECASE)
NUMBER: Final = re.compile(r"(?<![\w.])[-+−]?[0-9](?:[0-9]|[, '](?=[0-9]{3}(?!\d))){0,60}(?!\w)")
PAIR: Final = re.compile(
    r"(?<![\w.])(from )?([0-9]{1,6}) (of|to|against) ([0-9]{1,6})(?![\w]|[.,][0-9])", re.IGNORECASE
)
LONG: Final = "A number so long is none of the ledger's."
DIGITS_MOST: Final = 12


def number_doubts(text: PlainText, known: SessionKnowledge) -> Iterator[Doubt]:
    """Yield the numbers that are not known, each at its first place in each line."""
    left = ITEM.sub(blank, text.text)
    for found in DICE.finditer(left):
        if int(found[2]) not in known.dice:
            sides = ", ".join(f"d{sides}" for sides in sorted(known.dice)) or "none"
            yield doubt_at(text, found, "dice", f"Dice of the session: {sides}.")
    left = DICE.sub(blank, left)
    for found in DATE.finditer(left):
        if found[0] not in known.dates:
            yield doubt_at(text, found, "date", f"The session was on {' and '.join(known.dates) or 'no day'}.")
    left = DATE.sub(blank, left)
    entries = [found for found in ENTRY.finditer(left) if int(found[0].partition(".")[0]) == known.sessions[-1]]
    for found in entries:
        if found[0].partition("@")[0] not in known.entries:
            yield doubt_at(text, found, "entry", f"The last one is {known.last_entry}.")
    for found in entries:
        left = left[: found.start()] + blank(found) + left[found.end() :]
    left = ENTRY.sub(lambda found: found[0].replace(".", " "), left)
    yield from other_numbers(text, left, known)


def other_numbers(text: PlainText, left: str, known: SessionKnowledge) -> Iterator[Doubt]:
    """Yield the other numbers that are not known, in digits and in words."""
    for found in ORDINAL.finditer(left):
        if int(found[1]) not in known.numbers and int(found[1]) not in known.counts:
            yield doubt_at(text, found, "number", hint_for(text, found.start(), known))
    yield from pair_doubts(text, left, known)
    left = ORDINAL.sub(blank, left)
    for found in NUMBER.finditer(left):
        digits = re.sub(r"[^0-9]", "", found[0])
        if len(digits) > DIGITS_MOST:
            yield doubt_at(text, found, "number", LONG)
        elif int(digits) not in known.numbers and (int(digits) or known.numbers):
            yield doubt_at(text, found, "number", hint_for(text, found.start(), known))
    for number in numbers_in_words(left):
        if number.number and number.number not in known.counts and number.number not in known.numbers:
            line = text.line_at(number.start)
            hint = hint_for(text, number.start, known)
            yield Doubt(line=line, place=number.start, kind="number", text=number.text, hint=hint)


def pair_doubts(text: PlainText, left: str, known: SessionKnowledge) -> Iterator[Doubt]:
    """Yield pairs that are none of the session though each number is: `5 of 8`, `from 9 to 4`, `12 against 9`."""
    for found in PAIR.finditer(left):
        one, other = int(found[2]), int(found[4])
        if {one, other} <= known.numbers and not is_pair(found, one, other, known):
            yield doubt_at(text, found, "number", hint_for(text, found.start(), known))


def is_pair(found: re.Match[str], one: int, other: int, known: SessionKnowledge) -> bool:
    """Return whether the ledger has a value with its most, a value before and after, or the two numbers of a roll.

    A number of somebody or something, as in `2 of 3 raiders`, is none, and neither is `2 to 3` without `from`. What a
    roll needed that is hidden may be any number.
    """
    match found[3].casefold():
        case "of":
            return (one, other) in known.levels or other not in {most for _, most in known.levels}
        case "to":
            return not found[1] or any({one, other} <= values for values in known.values.values())
    return one in known.unmeasured or any({one, other} <= numbers for numbers in known.rolls)


def hint_for(text: PlainText, place: int, known: SessionKnowledge) -> str:
    """Return what is known of those who are named in the sentence of a number."""
    around = text.sentence_at(place).casefold()
    named = [being.name for being in known.beings if being.name.casefold() in around]
    of = "; ".join(known.known_of(who) for who in named[:3])
    hidden = [who for who in named[:3] if known.is_hidden(who)]
    more = f" What the players do not see of {hidden[0]} is compared with --as gm." if hidden else ""
    return f"At the end {of}.{more}" if of else "No number of the session is this one."


def blank(found: re.Match[str]) -> str:
    """Return blanks in the place of what was found."""
    return " " * len(found[0])
