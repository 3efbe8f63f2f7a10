"""What somebody tries, in their own words, as it follows `managed to`, and as what they did.

`climbs the wall` is `climb the wall` and `climbed the wall`. A way is gone (`along the beam` is `get along the beam`),
and what somebody asks is made out (`whose feet these are` is `make out whose feet these were`).
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from typing import Any, Final

from cli.phrases.patterns import Marked, mark_verb
from cli.phrases.verbs import FORMS, PASTS, VERBS, base_forms, conjugate, gerund, infinitive
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
IN_ORDER: Final = re.compile(r"(.+) (is|are|was|were|has|have) (it|this|that|these|he|she|they)\??")
MEANWHILE: Final = re.compile(  # a clause of one verb: `while the tide turns`
    r"\b(while|when|until|till|before) ((?:(?:the|an?|his|her|its|their) [\w'-]+|he|she|it|they) )([a-z]+)\b"
)
PRESENT: Final = re.compile(rf"\b(?:{'|'.join(PAST)})\b")
BEYOND: Final = re.compile(rf"\b(?:to|{'|'.join({*PAST.values()})})\b")  # in a question that is in the past, or none
DECLINED: Final = re.compile(r"(?:not|do not|don't|does not|doesn't)(?: to)? (.+)", re.IGNORECASE)
TOLD: Final = re.compile(r"tell (?:how|if|what|when|where|whether|which|who|why)\b")  # what they found out, or said?
CLAIM: Final = re.compile(r"(?:(?:the|an?|his|her|its|their) [\w'-]+|he|she|it|they) (?P<verb>[a-z]+)")  # `he lies`
PERSONS: Final = ("he ", "she ", "it ", "they ")
LIED: Final = "lied"  # who lies, and nowhere
ASKING: Final = ("task_to", "reason_to")  # of a roll, where somebody may ask what they want to know


def as_done(task: str) -> Marked:
    """Return what somebody tries as they did it, with a mark for its verb: `bar the door` is `barred the door`."""
    verb, space, rest = task.partition(" ")
    return Marked(mark_verb(verb, plural=False) + space + escape(rest))


def texts_of(said: Mapping[str, Any], verbs: Collection[str] = (), *, past: bool = False) -> dict[str, str]:
    """Return the fields of a declaration that are texts or lists of texts, in words.

    `climbing` is there also as `task_ing`, and `climbs` as `task_to`, if it is one of the verbs of English or the book.
    One with a clause, whose verb would stay in the present, is there as `task_said` instead, for quotation marks.
    A thing is there as `text_thing`, a deed that ends with a clause in the past also as `text_while`.
    `past`: what somebody asks is put in the past.
    """
    texts = {name: value for name, value in said.items() if isinstance(value, str)}
    lists = {name: value for name, value in said.items() if isinstance(value, list) and value}
    gerunds = {f"{name}_ing": value for name, value in texts.items() if GERUND.match(value)}
    deeds = {name: deed for name, value in texts.items() if (deed := deed_in(value, verbs))}
    settled = {name: done for name, deed in deeds.items() if past and (done := learned(meanwhile(deed))) != deed}
    clauses = {name for name, deed in deeds.items() if name not in settled and CLAUSE.search(deed)}
    said_so = {f"{name}_said": deeds[name] for name in clauses if not CALL.search(deeds[name])}
    tasks = {f"{name}_to": settled.get(name, deed) for name, deed in deeds.items() if name not in clauses}
    settled = {f"{name}_while": deed for name, deed in settled.items()}
    tasks |= {name: deed for name in ASKING if (deed := made_out(texts.get(name[:-3], ""), past=past))}
    things = {f"{name}_thing": value for name, value in texts.items() if is_thing(value)}
    as_they_did = {f"{name[:-3]}_did": as_done(task) for name, task in tasks.items() if not SEVERAL.search(task)}
    as_they_did = {name: did for name, did in as_they_did.items() if not TOLD.match(tasks[f"{name[:-4]}_to"])}
    return (
        texts
        | gerunds
        | tasks
        | as_they_did
        | said_so
        | settled
        | things
        | {name: word_list(value) for name, value in lists.items() if all(isinstance(each, str) for each in value)}
    )


def deed_in(text: str, verbs: Collection[str]) -> str:
    """Return what somebody tries as it follows `to`; empty for a text that begins with no verb and no way."""
    return declined(text, verbs) if DECLINED.fullmatch(text.strip()) else infinitive(text, verbs) or way(text)


def declined(text: str, verbs: Collection[str]) -> str:
    """Return what somebody will not do as it follows `to`: `keep from listening` for `not listen`."""
    found = DECLINED.fullmatch(text.strip())
    verb, space, rest = (infinitive(found[1], verbs) if found else "").partition(" ")
    return f"keep from {gerund(verb)}{space}{rest}" if verb else ""


def way(text: str) -> str:
    """Return a way that somebody goes as it follows `to`: `get along the beam`; empty for any other text."""
    first, _, rest = text.partition(" ")
    return f"get {first.casefold()} {rest}" if rest and first.casefold() in plain_words().ways.split() else ""


def meanwhile(task: str) -> str:
    """Return a task whose only clause has one known verb with that in the past: `hold on while the tide turned`."""
    found = MEANWHILE.search(task)
    verbs = [verb for verb in base_forms(found[3]) if verb in VERBS or verb in PASTS] if found else []
    if not found or not (verbs or found[3] in PAST) or CLAUSE.search(task[: found.start()] + task[found.end() :]):
        return task
    verb = PAST.get(found[3]) or conjugate(verbs[0], past=True)
    return f"{task[: found.start()]}{found[1]} {found[2]}{verb}{task[found.end() :]}"


def learned(task: str) -> str:
    """Return a task that ends with a question of one known verb with that in the past: `tell whether he lied`."""
    words = "|".join(plain_words().questions.split())
    found = re.fullmatch(rf"([a-z]+(?: out)?) ((?:{words})\b) ([^,;:.?!]+)", task)
    if not found or PERSON.search(found[3]):
        return task
    asked = found[3]
    doing, space, rest = asked.partition(" ")
    verbs = [verb for verb in base_forms(doing) if verb in VERBS or verb in PASTS]
    if verbs and found[2] in ("what", "who", "which") and not PRESENT.search(rest):
        verb = LIED if asked == "lies" and found[2] == "who" else conjugate(verbs[0], past=True)
        return f"{found[1]} {found[2]} {verb}{space}{rest}"
    claim = CLAIM.fullmatch(asked)
    verbs = base_forms(claim["verb"]) if claim else []
    verbs = [verb for verb in verbs if verb in VERBS or verb in PASTS or asked.startswith(PERSONS)]
    if claim and verbs:
        asked = asked[: claim.start("verb")] + (LIED if f"{verbs[0]}d" == LIED else conjugate(verbs[0], past=True))
    elif len(PRESENT.findall(asked)) == 1:
        asked = in_past(asked)
    return f"{found[1]} {found[2]} {asked}"


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
    if ordered := IN_ORDER.fullmatch(text):
        verb = PAST.get(ordered[2], ordered[2]) if past else ordered[2]
        return f"make out {ordered[1][:1].lower()}{ordered[1][1:]} {ordered[3]} {verb}"
    if ASKED.search(text) or PERSON.search(rest) or (past and not PRESENT.search(rest) and not BEYOND.search(rest)):
        return f'make out "{text}"'
    return f"make out {first.casefold()} {in_past(rest) if past else rest}"
