"""Reasons that people gave for what they changed without more words, as a story quotes them or puts them in words."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

import msgspec

from cli.phrases.parts import readable
from cli.phrases.patterns import mark_verb
from cli.phrases.verbs import base_forms
from cli.story.being_names import BeingNames
from cli.story.clauses import IT_WAS_RULED, STILL, Clause
from cli.story.plain_words import plain_words
from cli.story.remarks import is_means
from cli.story.task_words import GERUND, way
from cli.story.tense import in_past, words_behind_verbs
from ledger.facts import (
    ConditionEnded,
    EncounterEnded,
    Judged,
    PointsLost,
    PointsRegained,
    PoolSet,
    Ruled,
    SheetChanged,
    WoundChanged,
    Wounded,
)
from ledger.names import escape
from projections.recap.episodes import Episode
from projections.recap.events import RULING

LEAVING: Final = "leave-encounter"
AT_TABLE: Final = re.compile(r"\b(?:I|we|us|our|forgot)\b")  # in a reason that is no part of the story
NO_REASON: Final = re.compile(r"(?:the |a )?(?:house )?rul(?:e|ing)|as ruled|now|then", re.IGNORECASE)
MEANS: Final = re.compile(r"(?:with|by) .+|\w+ly")  # with what, or how: `grudgingly`
SPOKEN: Final = re.compile(r"[;:?!]|\b(?:I|we|you|my|our|your)\b")


def quoted(reason: str) -> list[str]:
    """Return a reason as what somebody said; none for an empty one."""
    return [f'"{reason}"'] if reason.strip('"') else []


def reason_of(episode: Episode) -> str:
    """Return why a sheet, a pool or a wound was changed without more words; that it was ruled so is no reason.

    Why points came back is one only in people's own words.
    """
    changed = (
        fact.because
        for fact in episode.facts
        if isinstance(fact, SheetChanged | WoundChanged | PoolSet)
        or (isinstance(fact, PointsRegained) and fact.because in episode.said.values())
    )
    return readable(next((reason for reason in changed if reason and is_reason(reason)), ""))


def is_reason(text: str) -> bool:
    """Return whether a reason says more than that it was ruled so."""
    return NO_REASON.fullmatch(text.strip('"')) is None


def reason_to_leave(episode: Episode) -> str:
    """Return why somebody leaves an encounter; empty for all other lines."""
    return str(episode.said.get("reason", "")) if episode.said.get("say") == LEAVING else ""


def is_in_words(ruling: Ruled) -> bool:
    """Return whether a ruling is one in the table's own words."""
    return ruling.name == RULING and bool(ruling.text)


def ruling_clause(text: str, ruling: Ruled) -> Clause | None:
    """Return a ruling in these words as a clause; None for one without words, or of how the table plays."""
    if not text or is_for_table(ruling):
        return None
    in_words = is_in_words(ruling)
    return Clause(text, is_ruling=in_words or text.startswith(IT_WAS_RULED), in_words=in_words)


def is_for_table(ruling: Ruled) -> bool:
    """Return whether a ruling is of how the table plays: of a rule of the book, or for a reason of the table's own."""
    return ruling.name == RULING and (bool(ruling.cites) or AT_TABLE.search(ruling.because) is not None)


def say_how(clause: Clause, leaving: str) -> None:
    """Say the only reason of a clause as a part of its sentence: the way that somebody left, or what they did.

    `leaving`: why they left, if they did.
    """
    reason = clause.words[0].strip('"') if len(clause.words) == 1 else ""
    if not reason or SPOKEN.search(reason):
        return
    if reason == leaving and is_deed(reason) and clause.subject:
        clause.text, reason = clause.subject, in_past(reason)
    elif reason == leaving and way(reason) and clause.subject:
        clause.text = f"{clause.subject} {mark_verb('go', plural=False)}"
    elif not is_manner(reason):
        return
    clause.tail, clause.words = f" {escape(reason)}", []


def say_cure(clause: Clause, episode: Episode) -> None:
    """Say what did somebody good as what it is owed to, and how they are then as no harm: `still wounded`."""
    reason = clause.words[0].strip('"') if len(clause.words) == 1 else ""
    if not reason or not is_cure(episode) or not is_means(reason):
        return
    clause.tail, clause.words = f"{clause.tail}{plain_words().owed.format(escape(reason))}", []
    clause.effects = [
        msgspec.structs.replace(each, how=f"{STILL}{each.how}") if each.name and each.how else each
        for each in clause.effects
    ]


def is_cure(episode: Episode) -> bool:
    """Return whether in an episode somebody came to or is better, by no throw, and nobody is worse."""
    better = [
        isinstance(fact, ConditionEnded | PointsRegained)
        or (isinstance(fact, PoolSet) and fact.now > fact.was)
        or (isinstance(fact, WoundChanged) and not fact.value)
        for fact in episode.facts
    ]
    worse = (isinstance(fact, Judged | PointsLost | Wounded | EncounterEnded) for fact in episode.facts)
    return any(better) and not any(worse)


def is_manner(reason: str) -> bool:
    """Return whether a reason says what somebody did at that: `cursing the rain`, but not `smelling salts`."""
    doing, _, rest = reason.partition(" ")
    return bool(GERUND.match(doing)) and (not rest or rest.partition(" ")[0] in words_behind_verbs())


def is_deed(reason: str) -> bool:
    """Return whether a reason begins with what somebody does: `throws the club away`."""
    first = reason.partition(" ")[0]
    done = in_past(reason).partition(" ")[0]
    return done not in ("", first) and bool(base_forms(first))


def helper_words(reason: str, names: BeingNames, called: Callable[[str], str]) -> dict[str, str]:
    """Return who did something, and how, by a reason that only says it: `Greta, with one hand`.

    What is somebody's is a thing: `Osk's necktie`. Any other reason has no words.
    """
    who, _, how = reason.partition(", ")
    owner, owned, thing = reason.partition("'s ")
    known = {word.casefold(): each for each in names.kinds for word in (called(each), each)}
    if who.casefold() in known and (not how or MEANS.fullmatch(how)):
        return {"because_by": names(known[who.casefold()]), **({"because_how": escape(how)} if how else {})}
    return {"because_thing": reason} if owned and thing.isalpha() and owner.casefold() in known else {}
