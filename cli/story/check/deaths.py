"""Deaths in a text of those who live, by those who did not do it, and the living among the dead. English only."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from cli.story.check.doubt import Doubt, doubt_at
from cli.story.check.english import ENGLISH
from cli.story.check.knowledge import SessionKnowledge
from cli.story.check.text import PlainText, any_of

GAP: Final = r"(?:[ ,]+(?!and\b|but\b|or\b|while\b|as\b|when\b|then\b)[\w'-]+){0,2}?[ ,]+"  # a few words between
DIED: Final = (
    r"(?:died|dies|perished|perishes|bled out|(?:is|was|lay|lies|are|were|fell|falls|dropped|drops|now|stone) dead"
    r"|(?:is|was|were|are|been|got|had been|has been) (?:killed|slain|murdered|executed|slaughtered|beheaded)"
    r"|(?:did not|didn't|does not) survive|breathed (?:his|her|their|its) last)"
)
KILLED: Final = r"(?:kill(?:s|ed)|sl(?:ew|ays|ain)|murder(?:s|ed)|execut(?:es|ed)|slaughter(?:s|ed)|behead(?:s|ed))"
LIVES: Final = (
    r"(?:survived|survives|(?:is|was|were|are) (?:still )?alive|(?:still )?lives on|walked away|walks away"
    r"|still (?:breathes|breathed|stands|stood))"
)
ALIVE: Final = (  # behind a name: at once, or at the end of its clause
    r"(?:(?: still)? (?:lives|lived)(?= on\b| still\b| to tell\b|\s*(?:[.,;!?]|$))"
    r"|[^.!?;:,\n]{1,60}, (?:still |and )?alive\b)"
)
PLACE: Final = r"(?<!where )(?<!where the )(?<!which )(?<!which the )"  # `the house where Oda lived`
LOSS: Final = r"(?:the )?(?:death|murder|killing|corpse) of "
OWNED: Final = r"'s? (?:death|corpse|murder|last breath)"
DENIED: Final = re.compile(rf"\b(?:{'|'.join(ENGLISH['denials'])})\b|n't\b", re.IGNORECASE)
UNDENIED: Final = re.compile(r"(?:did not|didn't|does not) survive|\b(?:falls?|fell|fallen) to\b")  # no denial
SUPPOSED: Final = re.compile(r"\s*(?:had|were|should)\b", re.IGNORECASE)  # `had Oda died, ...`
CLAUSE: Final = re.compile(r"[.!?;:,\n]|\b(?:and|but|while|though)\b")
CORRECTED: Final = re.compile(r"; was: (?:the )?$", re.IGNORECASE)  # what an entry said before
LINE_END: Final = re.compile(r"(?<!\n)\n(?!\n)")  # inside a paragraph
NAMES_MOST: Final = 500  # of one pattern


def death_doubts(text: PlainText, known: SessionKnowledge) -> Iterator[Doubt]:
    """Yield deaths that are none, deaths by somebody else, and those who are dead and live in the text."""
    named = [*known.called]
    for first in range(0, len(named), NAMES_MOST):
        yield from _doubts(text, known, any_of(named[first : first + NAMES_MOST]))


def _doubts(text: PlainText, known: SessionKnowledge, names: str) -> Iterator[Doubt]:
    """Yield the doubts about those who are called so."""
    patterns = patterns_of(names)
    said = LINE_END.sub(" ", text.text)
    for found in patterns["died"].finditer(said):
        if not is_denied(said, found):
            yield from dead_claims(text, known, found, "")
    for found in patterns["killed"].finditer(said):
        if not is_denied(said, found):
            yield from dead_claims(text, known, found, found["by"] or "")
    for found in patterns["lives"].finditer(said):
        who = dead_among(known, found["who"])
        if who and not is_denied(said, found):
            fall = known.dead[who[0]]
            when = f" since {fall.entry}" if fall else ""
            hint = f"{who[0]} is dead{when}."
            yield doubt_at(text, found, "lives", hint)


@lru_cache(maxsize=8)
def patterns_of(names: str) -> dict[str, re.Pattern[str]]:
    """Return the patterns of what is said of those who are called so."""
    who = rf"(?P<who>\b(?:{names})\b)"
    more = rf"(?:(?:,| and| or) (?:the |a )?(?:{names})\b)*"
    by = rf"(?:(?P<by>\b(?:{names})\b){GAP})?"
    few = r"(?:(?!by\b)[a-z'-]+ ){0,2}?"
    listed = rf"{few}(?P<who>(?:the |a )?\b(?:{names})\b{more})"
    return {
        "died": re.compile(
            rf"{who}(?:{OWNED}|{more}{GAP}?{DIED}\b)|\b(?:{LOSS}|dead: )(?:the |a )?(?P<whom>(?:{names})\b{more})",
            re.IGNORECASE,
        ),
        "killed": re.compile(rf"{by}\b{KILLED} {listed}", re.IGNORECASE),
        "lives": re.compile(rf"{PLACE}{who}(?:{GAP}?{LIVES}\b|{ALIVE})", re.IGNORECASE),
    }


def dead_claims(text: PlainText, known: SessionKnowledge, found: re.Match[str], by: str) -> Iterator[Doubt]:
    """Yield a doubt for each of whom a text says that they died, and who did not, or by somebody else."""
    said = (found["who"] or found.groupdict().get("whom") or "").casefold()
    for called in re.split(r",| and | or ", said):
        called = re.sub(r"^(?:the|a) ", "", called.strip())
        meant = known.called.get(called, [])
        dead = [who for who in meant if who in known.dead]
        if meant and not dead:
            yield doubt_at(text, found, "died", f"{known.known_of(meant[0])}; not dead.")
        doers = known.called.get(by.casefold(), [])
        falls = [fall for who in dead if (fall := known.dead[who]) and fall.by]
        if doers and falls and not any(who in fall.by for fall in falls for who in doers):
            yield doubt_at(
                text, found, "died", f"{falls[0].who} died by {' and '.join(falls[0].by)} ({falls[0].entry})."
            )


def dead_among(known: SessionKnowledge, called: str) -> list[str]:
    """Return who is meant, if all who may be meant are dead."""
    meant = known.called.get(called.casefold(), [])
    return meant if meant and all(who in known.dead for who in meant) else []


def is_denied(text: str, found: re.Match[str]) -> bool:
    """Return whether the clause around a claim says that it is not so, only might be, or was corrected."""
    if CORRECTED.search(text, max(0, found.start() - 20), found.start()):
        return True
    begin = max((each.end() for each in CLAUSE.finditer(text, max(0, found.start() - 120), found.start())), default=0)
    begin = max(begin, found.start() - 120)
    said = UNDENIED.sub("", f"{text[begin : found.start()]} {found[0]}")
    return DENIED.search(said) is not None or SUPPOSED.match(said) is not None
