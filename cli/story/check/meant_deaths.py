"""Deaths in a text of those whom it names further back: `she died`, `both are dead`, `... and died`. English only."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from cli.story.check.deaths import DIED, LINE_END, is_denied
from cli.story.check.doubt import Doubt, doubt_at
from cli.story.check.knowledge import SessionKnowledge
from cli.story.check.text import PlainText, any_of

PAIR: Final = 2
REMEMBERED: Final = 50  # names before a death among which the one is that it means
FEW: Final = r"(?: \w+ly| then| now| also| both| all)?"
PRONOUN: Final = re.compile(rf"\b(?P<pronoun>he|she){FEW} {DIED}\b", re.IGNORECASE)
BOTH: Final = re.compile(rf"\bboth(?: of them)?{FEW} {DIED}\b", re.IGNORECASE)
DEATH: Final = re.compile(rf"{DIED}\b", re.IGNORECASE)
GOES_ON: Final = re.compile(
    rf"(?P<act> [^.!?;:,\n]{{1,120}}?) and{FEW} (?={DIED}\b)", re.IGNORECASE
)  # behind a subject
CUT: Final = re.compile(r" (?:and|or|never|nearly|almost|neither) ", re.IGNORECASE)  # another subject, or no deed
BEGIN: Final = re.compile(r"(?:^|[.!?;:,\n])\s*(?:(?:and|but|then|while) )?(?:the |an? )?$", re.IGNORECASE)


class NamePlace(NamedTuple):
    """Somebody who is named in a text, and where."""

    who: str
    start: int
    end: int


def meant_death_doubts(text: PlainText, known: SessionKnowledge) -> Iterator[Doubt]:
    """Yield deaths of those who live, whom a pronoun, `both` or the subject of a clause means."""
    said = LINE_END.sub(" ", text.text)
    named = list(mentions(said, known))
    for found in PRONOUN.finditer(said):
        own = [each.who for each in before(found, named) if is_so(each, found["pronoun"], known)]
        yield from doubts(text, said, found, own[:1], known)
    for found in BOTH.finditer(said):
        last = dict.fromkeys(each.who for each in before(found, named))
        yield from doubts(text, said, found, [*last][:PAIR], known)
    for each in named:
        act = GOES_ON.match(said, each.end) if BEGIN.search(said, max(0, each.start - 40), each.start) else None
        death = DEATH.match(said, act.end()) if act and not CUT.search(act["act"]) else None
        if death:
            yield from doubts(text, said, death, [each.who], known)


def before(found: re.Match[str], named: Sequence[NamePlace]) -> Sequence[NamePlace]:
    """Return who is named before a death, the last first, as far back as a reader remembers."""
    index = bisect_right(named, found.start(), key=lambda each: each.end)
    return named[max(0, index - REMEMBERED) : index][::-1]


def mentions(said: str, known: SessionKnowledge) -> Iterator[NamePlace]:
    """Yield those who are named in a text, in order; nobody for a name that several may have."""
    names = any_of(known.called)
    for found in re.finditer(rf"\b(?:{names})\b", said, re.IGNORECASE) if names else ():
        meant = known.called.get(found[0].casefold(), ())
        if len(meant) == 1:
            yield NamePlace(meant[0], found.start(), found.end())


def is_so(mention: NamePlace, pronoun: str, known: SessionKnowledge) -> bool:
    """Return whether somebody may be called by a pronoun."""
    return known.pronoun(mention.who) == pronoun.casefold()


def doubts(
    text: PlainText, said: str, found: re.Match[str], meant: Sequence[str], known: SessionKnowledge
) -> Iterator[Doubt]:
    """Yield a doubt if one of those who are meant is not dead."""
    alive = [who for who in meant if who not in known.dead]
    if alive and not is_denied(said, found):
        yield doubt_at(text, found, "died", f"{known.known_of(alive[0])}; not dead.")
