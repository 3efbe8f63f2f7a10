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
from cli.story.check.measures import measures_in
from cli.story.check.number_words import ANY, ORDINAL, WORDS, numbers_in_words
from cli.story.check.text import PlainText, any_of
from cli.story.plain_words import plural_noun

HAS: Final = r"(?:has|have|had|took|takes|carried|carries|suffered|suffers|with)"
STANDS: Final = r"(?: (?:stands?|stood|is|was|sits?|sat|ends?|ended|lay|lies|now|still|again|down|back|up))*"
STANDS_NOW: Final = re.compile(r" (?:stands?|is|sits?|lies|ends?) ", re.IGNORECASE)
SENTENCE: Final = re.compile(r"[^.!?]+")
LEVEL_END: Final = r"(?=\s*(?:[.,;:!?)\n]|$|and\b|of\b|but\b|while\b))"
ORDINAL_WORD: Final = f"(?a:{'|'.join(ORDINAL)})"
NUMBER: Final = rf"(?:[0-9]{{1,4}}|{ANY})"


def count_doubts(text: PlainText, known: SessionKnowledge) -> Iterator[Doubt]:
    """Yield numbers that are none of the kind, the wounds or the value that they stand beside."""
    yield from kind_doubts(text, known)
    yield from wound_doubts(text, known)
    yield from level_doubts(text, known)
    yield from measure_doubts(text, known)


def kind_doubts(text: PlainText, known: SessionKnowledge) -> Iterator[Doubt]:
    """Yield `the fourth raider` of three, and `five raiders`."""
    for kind, numbers in known.kinds.items():
        one, several = re.escape(kind), re.escape(plural_noun(kind))
        hint = f"There were {len(numbers)}: {plural_noun(kind)} {', '.join(map(str, sorted(numbers)))}."
        for found in re.finditer(rf"\b({ORDINAL_WORD}|[0-9]{{1,4}}(?:st|nd|rd|th)) {one}\b", text.text, re.I):
            if number_of(found[1]) not in numbers:
                yield doubt_at(text, found, "number", hint)
        for found in re.finditer(rf"\b({NUMBER}) {several}\b", text.text, re.I):
            count = number_of(found[1])
            if count > len(numbers) and not is_counted(count, (kind, plural_noun(kind)), known):
                yield doubt_at(text, found, "number", hint)


def is_counted(count: int, words: tuple[str, str], known: SessionKnowledge) -> bool:
    """Return whether people's own words have so many of a kind in one sentence: `Salvors, four of them`."""
    kind = re.compile(rf"\b(?:{any_of(words)})\b", re.IGNORECASE)
    sentences = (found[0] for text in known.own_words for found in SENTENCE.finditer(text) if kind.search(found[0]))
    return any(count == each.number for sentence in sentences for each in numbers_in_words(sentence))


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
    levels, last = known.levels_of, known.levels_at_end
    names = any_of(levels)
    units = any_of({name for _, name in known.values})
    if not names or not units:
        return
    end = rf"(?:(?= (?:{units})\b)|{LEVEL_END})"
    level = rf"(?P<level>[-−]?[0-9]{{1,6}}|{ANY})"
    for found in re.finditer(rf"\b(?P<who>{names})\b(?P<stands>{STANDS}) at {level}{end}", text.text, re.I):
        levels_then = last if STANDS_NOW.search(f"{found['stands']} ") else levels
        own = levels_then.get(found["who"].casefold(), ())
        if own and number_of(found["level"].replace("−", "-")) not in own:
            hint = f"{found['who']} was at {', '.join(map(str, sorted(own)))}."
            yield doubt_at(text, found, "number", hint)


def measure_doubts(text: PlainText, known: SessionKnowledge) -> Iterator[Doubt]:
    """Yield measures of which the ledger has others, and no two in sum: `fourteen crowns`, where it has twelve."""
    for each in measures_in(text.text):
        own = known.measures.get(each.unit, set())
        sums = {one + other for one in own for other in own if one != other}
        if own and each.number > 1 and each.number not in own | sums:
            hint = f"The ledger has {', '.join(map(str, sorted(own)))} {each.unit}."
            line = text.line_at(each.start)
            yield Doubt(line=line, place=each.start, kind="number", text=" ".join(each.text.split()), hint=hint)


def number_of(text: str) -> int:
    """Return a number in digits, a word or an ordinal: `three`, `third`, `3rd`; one of several words is its first."""
    digits = re.match(r"-?[0-9]+", text)
    return int(digits[0]) if digits else WORDS[text.casefold()]
