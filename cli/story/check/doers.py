"""Falls and deaths in a text by somebody else, `Oda was killed by Brock`, of too many, and flights of the dead."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from cli.story.check.deaths import DIED, GAP, KILLED, LINE_END, NAMES_MOST, is_denied
from cli.story.check.doubt import Doubt, doubt_at
from cli.story.check.knowledge import SessionKnowledge
from cli.story.check.number_words import ANY, WORDS
from cli.story.check.text import PlainText, any_of
from cli.story.plain_words import plural_noun

ENDED: Final = (
    r"(?:(?:killed|slain|murdered|executed|slaughtered|beheaded|felled|finished)(?: off)?"
    r"|(?:brought|cut|struck|shot|put|beaten|run|hacked) (?:down|dead|through))"
)
FELLED: Final = (
    rf"(?:(?:was|were|is|are|been|got|being)(?: [a-z]+ly)? {ENDED},? by|(?:died|perished) by|(?:falls?|fell|fallen) to)"
)
BRINGS: Final = r"(?:brought|brings|cut|cuts|struck|strikes|shot|shoots|put|puts|beat|beats|hacked)"
FLED: Final = r"(?:fled|flees|got away|gets away|ran away|runs away|escape[sd](?=[.,;!?]|$))"
CAUGHT: Final = re.compile(r"\b(?:dead|died|killed|slain|slew|down|shot|cut|felled|caught|fell)\b", re.IGNORECASE)
PAIR: Final = 2
SENTENCE_END: Final = re.compile(r"[.!?]|$")


def doer_doubts(text: PlainText, known: SessionKnowledge) -> Iterator[Doubt]:
    """Yield falls by somebody else than the ledger has, more dead of a kind than it has, and flights of the dead."""
    said = LINE_END.sub(" ", text.text)
    yield from group_doubts(text, said, known)
    named = [*known.called]
    for first in range(0, len(named), NAMES_MOST):
        names = any_of(named[first : first + NAMES_MOST])
        yield from fall_doubts(text, said, names, known)
        yield from flight_doubts(text, said, names, known)


def fall_doubts(text: PlainText, said: str, names: str, known: SessionKnowledge) -> Iterator[Doubt]:
    """Yield falls of these by somebody else: `fell to Brock`, `was killed by Brock`, `Brock cut Oda down`."""
    who, by = rf"\b(?P<who>{names})\b", rf"(?P<by>(?:{names})\b(?:(?:,| and) (?:the )?(?:{names})\b)*)"
    passive = rf"{who}{GAP}?{FELLED} (?:the |an? )?{by}"
    brings = rf"{BRINGS} (?:the |an? )?(?=(?:{names}) (?:dead|down)\b(?! to\b))"
    active = rf"\b{by} (?:felled (?:the |an? )?|{brings}){who}(?: dead| down)?"
    for pattern in (passive, active):
        for found in re.finditer(pattern, said, re.IGNORECASE):
            meant = known.called.get(found["who"].casefold(), ())
            falls = [fall for fall in known.falls if fall.who in meant and fall.by]
            own = {who for fall in falls for who in fall.by}
            if own and not is_denied(said, found) and not is_among(found["by"], own, known):
                hint = f"{falls[-1].who} fell to {' and '.join(falls[-1].by)} ({falls[-1].entry})."
                yield doubt_at(text, found, "died", hint)


def is_among(called: str, own: set[str], known: SessionKnowledge) -> bool:
    """Return whether one of those who are called so is among these, or a thing of theirs: `Osk's sabre` for Osk."""
    each_called = (
        re.sub(r"^(?:the|and|and the) ", "", each.strip()) for each in re.split(r",| and ", called.casefold())
    )
    meant = [who for each in each_called for who in known.called.get(each, ())]
    return not meant or any(who == doer or who.startswith(f"{doer}'s ") for who in meant for doer in own)


def flight_doubts(text: PlainText, said: str, names: str, known: SessionKnowledge) -> Iterator[Doubt]:
    """Yield flights of those who are dead and never left, unless the sentence goes on with their end."""
    left = {fall.who for fall in known.falls if fall.kind == "left"}
    for found in re.finditer(rf"\b(?P<who>{names})\b{GAP}?{FLED}\b", said, re.IGNORECASE):
        meant = known.called.get(found["who"].casefold(), [])
        end = SENTENCE_END.search(said, found.end())
        goes_on = said[found.end() : end.start() if end else None]
        is_dead = meant and all(who in known.dead and who not in left for who in meant)
        if is_dead and not is_denied(said, found) and not CAUGHT.search(goes_on):
            yield doubt_at(text, found, "lives", f"{meant[0]} is dead.")


def group_doubts(text: PlainText, said: str, known: SessionKnowledge) -> Iterator[Doubt]:
    """Yield more dead of a kind than there are, if there are any: `both guards died`, `he killed two guards`."""
    for kind, numbers in known.kinds.items():
        dead = {who for who in known.called.get(kind, ()) if who in known.dead}
        count = rf"(?<!\bof )(?<!\bof the )\b(?P<count>both|all(?: {ANY})?|{ANY})"
        several = rf"{count}(?: of)?(?: the)? {re.escape(plural_noun(kind))}\b"
        for pattern in (rf"{several}{GAP}?{DIED}\b", rf"\b{KILLED} {several}"):
            for found in re.finditer(pattern, said, re.IGNORECASE):
                claimed = count_of(found["count"], len(numbers))
                if dead and len(dead) < claimed <= len(numbers) and not is_denied(said, found):
                    yield doubt_at(text, found, "died", f"Dead: {', '.join(sorted(dead))}.")


def count_of(words: str, most: int) -> int:
    """Return how many are meant by `both`, `all`, `all three` or a number."""
    last = words.casefold().rpartition(" ")[2]
    return WORDS.get(last, most if last == "all" else PAIR)
