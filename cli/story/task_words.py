"""What somebody tries, in their own words, as it follows `managed to`, and as what they did.

`climbs the wall` is `climb the wall` and `climbed the wall`. A way is gone (`along the beam` is `get along the beam`),
and what somebody asks is made out (`whose feet these are` is `make out whose feet these were`).
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from typing import Any, Final

from cli.phrases.patterns import Marked, mark_verb
from cli.phrases.verbs import FORMS, infinitive
from cli.story.plain_words import is_thing, plain_words
from ledger.names import escape, word_list

GERUND: Final = re.compile(r"\w*[aeiouy]\w*ing\b", re.IGNORECASE)  # not `sing`, `swing` or `bring`
CLAUSE: Final = re.compile(  # words behind which a verb stands that stays in the present
    r"[,;:.?!]|\b(?:while|when|that|because|so|who|whoever|whatever|which|if|is|are|has|have|does|he|she|they|we|I|you|my|our|me|us)\b"
    r"|\b(?:before|until|till)\b(?! (?:(?:the|an?|his|her|its|their|this|that) )?[\w'-]+$)"  # not `before the sleeper`
)
SEVERAL: Final = re.compile(r"\band\b")  # between what may be two deeds
PAST: Final = {
    now: then for one, several, *thens in FORMS.values() for now, then in zip((one, several), thens, strict=True)
}
PERSON: Final = re.compile(r"\b(?:I|we|us|our|my|me|you|your)\b")  # of who asks
ASKED: Final = re.compile(r"\?$|\b(?:is|are|was|were|has|have) (?:it|this|that|these|he|she|they)$")  # in its own order
CALL: Final = re.compile(r", [\w'-]+[.!?]*$")  # ends what is said to somebody: `row, love`
PRESENT: Final = re.compile(rf"\b(?:{'|'.join(PAST)})\b")
BEYOND: Final = re.compile(rf"\b(?:to|{'|'.join({*PAST.values()})})\b")  # in a question that is in the past, or none
ASKING: Final = ("task_to", "reason_to")  # of a roll, where somebody may ask what they want to know


def as_done(task: str) -> Marked:
    """Return what somebody tries as they did it, with a mark for its verb: `bar the door` is `barred the door`."""
    verb, space, rest = task.partition(" ")
    return Marked(mark_verb(verb, plural=False) + space + escape(rest))


def texts_of(said: Mapping[str, Any], verbs: Collection[str] = (), *, past: bool = False) -> dict[str, str]:
    """Return the fields of a declaration that are texts or lists of texts, in words.

    `climbing` is there also as `task_ing`, and `climbs` as `task_to`, if it is one of the verbs of English or the book.
    One with a clause, whose verb would stay in the present, is there as `task_said` instead, for quotation marks.
    A thing is there as `text_thing`. `past`: what somebody asks is put in the past.
    """
    texts = {name: value for name, value in said.items() if isinstance(value, str)}
    lists = {name: value for name, value in said.items() if isinstance(value, list) and value}
    gerunds = {f"{name}_ing": value for name, value in texts.items() if GERUND.match(value)}
    deeds = {name: deed for name, value in texts.items() if (deed := infinitive(value, verbs) or way(value))}
    said_so = {f"{name}_said": deed for name, deed in deeds.items() if CLAUSE.search(deed) and not CALL.search(deed)}
    tasks = {f"{name}_to": deed for name, deed in deeds.items() if not CLAUSE.search(deed)}
    tasks |= {name: deed for name in ASKING if (deed := made_out(texts.get(name[:-3], ""), past=past))}
    things = {f"{name}_thing": value for name, value in texts.items() if is_thing(value)}
    done = {f"{name[:-3]}_did": as_done(task) for name, task in tasks.items() if not SEVERAL.search(task)}
    return (
        texts
        | gerunds
        | tasks
        | done
        | said_so
        | things
        | {name: word_list(value) for name, value in lists.items() if all(isinstance(each, str) for each in value)}
    )


def way(text: str) -> str:
    """Return a way that somebody goes as it follows `to`: `get along the beam`; empty for any other text."""
    first, _, rest = text.partition(" ")
    return f"get {first.casefold()} {rest}" if rest and first.casefold() in plain_words().ways.split() else ""


def in_past(asked: str) -> str:
    """Return what somebody asks with its verb in the past: `how long it had been dead`."""
    return asked if BEYOND.search(asked) else PRESENT.sub(lambda verb: PAST[verb[0]], asked)


def made_out(text: str, *, past: bool) -> str:
    """Return what somebody asks as it follows `to`: `make out how long it had been dead`; empty for any other text.

    `past`: with its verb in the past. One whose verb is not known stands as it was said.
    """
    first, _, rest = text.rstrip("?").partition(" ")
    if not rest or first.casefold() not in plain_words().questions.split():
        return ""
    if ASKED.search(text) or PERSON.search(rest) or (past and not PRESENT.search(rest) and not BEYOND.search(rest)):
        return f'make out "{text}"'
    return f"make out {first.casefold()} {in_past(rest) if past else rest}"
