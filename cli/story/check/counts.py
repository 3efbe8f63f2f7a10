"""Numbers in prose beside whom or what they count: `the fourth raider`, `five raiders`, `three wounds`, `Doom at 12`.

A number that the ledger has elsewhere may be wrong here: each is compared with those that its kind, its being or its
token had in the session. English only.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from cli.story.check.doubt import Doubt, doubt_at
from cli.story.check.knowledge import SessionKnowledge
from cli.story.check.number_words import ANY, ORDINAL, WORDS
from cli.story.check.text import PlainText, any_of
from cli.story.plain_words import plural_noun

HAS: Final = r"(?:has|have|had|took|takes|carried|carries|suffered|suffers|with)"
STANDS: Final = r"(?: (?:stands?|stood|is|was|sits?|sat|ends?|ended|lay|lies|now|still|again|down|back|up))*"
LEVEL_END: Final = r"(?=\s*(?:[.,;:!?)\n]|$|and\b|of\b|but\b|while\b))"
ORDINAL_WORD: Final = f"(?a:{'|'.join(ORDINAL)})"
NUMBER: Final = rf"(?:[0-9]{{1,4}}|{ANY})"


def count_doubts(text: PlainText, known: SessionKnowledge) -> Iterator[Doubt]:
    """Yield numbers that are none of the kind, the wounds or the value that they stand beside."""
    yield from kind_doubts(text, known)
    yield from wound_doubts(text, known)
    yield from level_doubts(text, known)


def kind_doubts(text: PlainText, known: SessionKnowledge) -> Iterator[Doubt]:
    """Yield `the fourth raider` of three, and `five raiders`."""
    for kind, numbers in known.kinds.items():
        one, several = re.escape(kind), re.escape(plural_noun(kind))
        hint = f"There were {len(numbers)}: {plural_noun(kind)} {', '.join(map(str, sorted(numbers)))}."
        for found in re.finditer(rf"\b({ORDINAL_WORD}|[0-9]{{1,4}}(?:st|nd|rd|th)) {one}\b", text.text, re.I):
            if number_of(found[1]) not in numbers:
                yield doubt_at(text, found, "number", hint)
        for found in re.finditer(rf"\b({NUMBER}) {several}\b", text.text, re.I):
            if number_of(found[1]) > len(numbers):
                yield doubt_at(text, found, "number", hint)


def wound_doubts(text: PlainText, known: SessionKnowledge) -> Iterator[Doubt]:
    """Yield more wounds than somebody took, in a session in which wounds are taken."""
    wounds = known.wounds
    names = any_of(known.called)
    if not wounds or not names:
        return
    for found in re.finditer(rf"\b(?P<who>{names}) {HAS} (?P<count>{NUMBER}) (?:\w+ )?wounds\b", text.text, re.I):
        meant = known.called.get(found["who"].casefold(), ())
        if meant and all(number_of(found["count"]) > wounds.get(who, 0) for who in meant):
            yield doubt_at(text, found, "number", f"{meant[0]} has {wounds.get(meant[0], 0)}.")


def level_doubts(text: PlainText, known: SessionKnowledge) -> Iterator[Doubt]:
    """Yield values at which nobody of this name, or no token, ever was: `Thessaly at -4`, `Doom stands at 12`."""
    levels = known.levels_of
    names = any_of(levels)
    units = any_of({name for _, name in known.values})
    if not names or not units:
        return
    end = rf"(?:(?= (?:{units})\b)|{LEVEL_END})"
    for found in re.finditer(rf"\b(?P<who>{names})\b{STANDS} at (?P<level>[-−]?[0-9]{{1,6}}){end}", text.text, re.I):
        own = levels.get(found["who"].casefold(), ())
        if own and int(found["level"].replace("−", "-")) not in own:
            hint = f"{found['who']} was at {', '.join(map(str, sorted(own)))}."
            yield doubt_at(text, found, "number", hint)


def number_of(text: str) -> int:
    """Return a number in digits, a word or an ordinal: `three`, `third`, `3rd`; one of several words is its first."""
    digits = re.match(r"[0-9]+", text)
    return int(digits[0]) if digits else WORDS[text.casefold()]
