"""What somebody tries, in their own words, as it follows `managed to`, and as what they did.

`climbs the wall` is `climb the wall` and `climbed the wall`. A way is gone (`along the beam` is `get along the beam`),
and what somebody asks is made out (`whose feet these are` is `make out whose feet these were`).
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from typing import Any, Final

from cli.phrases.patterns import Marked, mark_verb
from cli.phrases.verbs import FORMS, OBJECTS, PASTS, PREPOSITIONS, VERBS, base_forms, conjugate, gerund, infinitive
from cli.story.plain_words import is_thing, plain_words
from cli.story.tense import in_past
from ledger.names import escape, word_list

GERUND: Final = re.compile(  # not `sing`, `swing` or `bring`
    r"(?!(?:some|any|every|no)thing\b)\w*[aeiouy]\w*ing\b", re.IGNORECASE
)
COUNTED: Final = re.compile(r"how (many|much)(?: [a-z'-]+){1,3}")  # of what, without a verb: `how many fires`
CLAUSE: Final = re.compile(  # words behind which a verb stands that stays in the present
    r"[,;:.?!]|\b(?:while|when|that|because|so|who|whoever|whatever|which|if|is|are|has|have|does|he|she|they|we|I|you|my|our|me|us)\b"
    r"|\b(?:before|until|till)\b(?! (?:(?:the|an?|his|her|its|their|this|that) )?[\w'-]+$)"  # not `before the sleeper`
)
BEHIND: Final = re.compile(  # a clause in the past that says which one: `the miner who blinked`
    rf" (?:who|which|that) (?:\w+ed|{'|'.join({*PASTS.values()})})\b(?: (?!(?:and|or|but)\b)[\w'-]+)*$"
)
WITH: Final = ", with "  # begins what belongs to a thing
LONG: Final = 7  # words of a thing that somebody has to do with
AND: Final = " and "
SEVERAL: Final = re.compile(r"\band\b")  # between what may be two deeds
PAST: Final = {
    now: then for one, several, *thens in FORMS.values() for now, then in zip((one, several), thens, strict=True)
}
PERSON: Final = re.compile(r"\b(?:I|we|us|our|my|me|you|your)\b")  # of who asks
ASKED: Final = re.compile(r"\?$|\b(?:is|are|was|were|has|have) (?:it|this|that|these|he|she|they)$")  # in its own order
CALL: Final = re.compile(r", [\w'-]+[.!?]*$")  # ends what is said to somebody: `row, love`
MANNER: Final = re.compile(r"(?:un[a-z]+(?:ed|en)|[a-z]{2,}ly|alone|barefoot|again)")  # how somebody does it: `unseen`
BETWEEN: Final = re.compile(r"([,;] |\b(?:while|when|because|until|till|before) )")  # clauses of what somebody tries
OPEN: Final = re.compile(r"[:.?!\"]|\b(?:I|we|us|our|my|me|you|your|do|does|can|cannot|will|may|need)\b|n't\b")
IN_ORDER: Final = re.compile(r"(.+) (is|are|was|were|has|have) (it|this|that|these|he|she|they)\??")
MEANWHILE: Final = re.compile(  # a clause of one verb: `while the tide turns`
    r"\b(while|when|until|till|before) "
    r"((?:(?:the|an?|his|her|its|their) [\w'-]+|he|she|it|they|nobody|somebody|everybody|everyone|someone) )([a-z]+)\b"
)
PRESENT: Final = re.compile(rf"\b(?:{'|'.join(PAST)})\b")
BEYOND: Final = re.compile(rf"\b(?:to|{'|'.join({*PAST.values()})})\b")  # in a question that is in the past, or none
DECLINED: Final = re.compile(r"(?:not|do not|don't|does not|doesn't)(?: to)? (.+)", re.IGNORECASE)
TOLD: Final = re.compile(r"tell (?:how|if|what|when|where|whether|which|who|why)\b")  # what they found out, or said?
CLAIM: Final = re.compile(
    r"(?P<subject>(?:the|an?|his|her|its|their) [\w'-]+|he|she|it|they|nobody|everybody)"
    r" (?P<verb>[a-z]+)(?P<behind>(?: .+)?)"
)  # `he lies`
PERSONS: Final = ("he ", "she ", "it ", "they ")
LIED: Final = "lied"  # who lies, and nowhere
OR: Final = "or "  # begins what happens if it fails: `or crack a visor`
OTHERWISE: Final = " otherwise"  # ends it: `a cracked visor otherwise`
ASKING: Final = ("task_to", "reason_to")  # of a roll, where somebody may ask what they want to know


def as_done(task: str) -> Marked:
    """Return what somebody tries as they did it, with a mark for its verb: `bar the door` is `barred the door`."""
    verb, space, rest = task.partition(" ")
    return Marked(mark_verb(verb, plural=False) + space + escape(rest))


def texts_of(said: Mapping[str, Any], verbs: Collection[str] = (), *, past: bool = False) -> dict[str, str]:
    """Return the fields of a declaration that are texts or lists of texts, in words.

    `climbing` is there also as `task_ing`, and `climbs` as `task_to`, if it is one of the verbs of English or the book.
    One with a clause, whose verb would stay in the present, is there as `task_said` instead, for quotation marks.
    What one can do in vain is there so as `task_vain`, and as what one paid for, `task_risked`.
    A deed with a remark behind it is `text_did` with that in brackets.
    A thing is there as `text_thing`, a deed that ends with a clause in the past also as `text_while`, and what was at
    stake as it then came, as `text_came`.
    `past`: what somebody asks is put in the past.
    """
    texts = {name: value for name, value in said.items() if isinstance(value, str)}
    lists = {name: value for name, value in said.items() if isinstance(value, list) and value}
    gerunds = {f"{name}_ing": value for name, value in texts.items() if GERUND.match(value)}
    deeds = {name: deed for name, value in texts.items() if (deed := deed_in(value, verbs))}
    learnt = {name: learned(in_past_throughout(meanwhile(deed))) for name, deed in deeds.items() if past}
    settled = {name: done for name, done in learnt.items() if done != deeds[name] or is_past_question(done)}
    clauses = {name for name, deed in deeds.items() if name not in settled and has_clause(deed)}
    said_so = {f"{name}_said": deeds[name] for name in clauses if not CALL.search(deeds[name])}
    tasks = {f"{name}_to": settled.get(name, deed) for name, deed in deeds.items() if name not in clauses}
    settled = {f"{name}_while": deed for name, deed in settled.items()}
    tasks |= {name: deed for name in ASKING if (deed := made_out(texts.get(name[:-3], ""), past=past))}
    tried = {name[:-3]: task for name, task in tasks.items() if not SEVERAL.search(task)}
    vain = {f"{name}_vain": told for name, task in tried.items() if (told := in_vain(task))}
    risked = {f"{name}_risked": gerund_of(task) for name, task in tried.items() if is_sought(task)}
    named = {name: each for name, each in texts.items() if is_thing(each.partition(WITH)[0], LONG)}
    things = {f"{name}_thing": each for name, each in named.items() if in_past(each) == each}
    as_they_did = {f"{name[:-3]}_did": as_done(task) for name, task in tasks.items() if not SEVERAL.search(task)}
    as_they_did = {name: did for name, did in as_they_did.items() if not TOLD.match(tasks[f"{name[:-4]}_to"])}
    as_they_did |= {f"{name}_did": did for name in clauses if (did := with_remark(deeds[name]))}
    as_they_did |= {f"{name}_did": did for name, value in texts.items() if (did := several_as_done(value, verbs))}
    risks = {f"{name}_came": told for name, value in texts.items() if past and (told := stake_as_done(value, verbs))}
    return (
        texts
        | gerunds
        | tasks
        | as_they_did
        | vain
        | risked
        | risks
        | said_so
        | settled
        | things
        | {name: word_list(value) for name, value in lists.items() if all(isinstance(each, str) for each in value)}
    )


def several_as_done(text: str, verbs: Collection[str]) -> Marked | None:
    """Return several deeds of somebody in the past, as in `threw the knife away and sat down`.

    None for a text in which not every part begins with a verb of the third person.
    """
    parts = text.rstrip(".").split(AND)
    deeds = [deed for part in parts if (deed := deed_in(part, verbs)) and deed != part and not has_clause(deed)]
    if not len(deeds) == len(parts) > 1 or any(" " not in part for part in parts):
        return None
    return Marked(AND.join(map(as_done, deeds)))


def with_remark(deed: str) -> Marked | None:
    """Return a deed behind which a remark stands: `packed the bite ("there is nothing else")`; None for any other."""
    act, comma, remark = deed.partition(", ")
    if not comma or CLAUSE.search(act) or SEVERAL.search(act) or CALL.search(deed) or not CLAUSE.search(remark):
        return None
    return Marked(f'{as_done(act)} ("{escape(remark)}")')


def in_vain(task: str) -> Marked | None:
    """Return what somebody did who failed at it: `searched the wreck in vain`, `tried in vain to persuade him`.

    None for what they could not do, as to lift a stone, and for a verb alone: they could not read.
    """
    verb, _, rest = task.partition(" ")
    if is_sought(task) or (verb in plain_words().lunged.split() and rest.startswith("for ")):
        return Marked(f"{as_done(task)} in vain")
    if rest and verb in plain_words().won.split():
        return Marked(f"{mark_verb('try', plural=False)} in vain to {escape(task)}")
    return None


def is_sought(task: str) -> bool:
    """Return whether somebody may do this and get nothing by it: `search the wreck`."""
    return task.partition(" ")[0] in plain_words().sought.split()


def gerund_of(task: str) -> str:
    """Return a task as what somebody paid for: `listening at the shaft`."""
    verb, space, rest = task.partition(" ")
    return f"{gerund(verb)}{space}{rest}"


def deed_in(text: str, verbs: Collection[str]) -> str:
    """Return what somebody tries as it follows `to`; empty for a text that begins with no verb and no way."""
    return declined(text, verbs) if DECLINED.fullmatch(text.strip()) else infinitive(text, verbs) or way(text)


def declined(text: str, verbs: Collection[str]) -> str:
    """Return what somebody will not do as it follows `to`: `keep from listening` for `not listen`."""
    found = DECLINED.fullmatch(text.strip())
    task = found[1] if found else ""
    verb, space, rest = (infinitive(task, verbs) or (task if is_verb_behind_not(task) else "")).partition(" ")
    return f"keep from {gerund(verb)}{space}{rest}" if verb else ""


def is_verb_behind_not(task: str) -> bool:
    """Return whether the first word of what stands behind `not` is a verb, though no known one: `not dither at it`."""
    first, *rest = task.split(" ")
    no_verbs = {*OBJECTS, *PREPOSITIONS, *plain_words().adverbs.split()}
    return (
        bool(rest) and rest[0].casefold() in no_verbs and first.isalpha() and first.islower() and first not in no_verbs
    )


def move_words(move: str) -> dict[str, str]:
    """Return a move of a table's own as the fields of a sentence: `which`, and `which_word` if it is one.

    It is there as a task is, and as it is aimed at somebody: `aimed_to` and, as it is done, `aimed_did` are `claw` and
    `wail at`, and `aimed_rest` is the `to rest` of `lay to rest`; not for a move that has an object.
    """
    words = texts_of({"which": move}, past=True) | {"which_word": move if move.isalpha() else ""}
    verb, _, rest = infinitive(move).partition(" ")
    if not verb or (rest and rest.partition(" ")[0] not in {"to", *PREPOSITIONS}):
        return words
    at = " at" if verb in plain_words().aimed.split() else ""
    done = Marked(f"{mark_verb(verb, plural=False)}{at}")
    return words | {"aimed_to": f"{verb}{at}", "aimed_did": done, "aimed_rest": rest}


def has_clause(task: str) -> bool:
    """Return whether a task has a clause whose verb may stand in the present; `, unseen` is none."""
    manner = CALL.search(task)
    bare = task[: manner.start()] if manner and MANNER.fullmatch(manner[0][2:]) else task
    return CLAUSE.search(BEHIND.sub("", bare)) is not None


def in_past_throughout(task: str) -> str:
    """Return a task with the verbs of all its clauses in the past: `pack the bite, there was nothing else`.

    As it stands where the verb of one of them is not known.
    """
    first, *rest = BETWEEN.split(task)
    if OPEN.search(task) or CLAUSE.search(first) or not rest:
        return task
    told = first
    for between, clause in zip(rest[::2], rest[1::2], strict=True):
        done = clause_in_past(clause.rstrip())
        if not done:
            return task
        told += between + done + (" " if clause.endswith(" ") else "")
    return told


def clause_in_past(clause: str) -> str:
    """Return a clause with its one verb in the past, and how somebody does it as it is; else an empty text."""
    claim = CLAIM.fullmatch(clause)
    if MANNER.fullmatch(clause):
        return clause
    if claim and claim["verb"] not in PAST and (verbs := verbs_of(claim)):
        return clause[: claim.start("verb")] + conjugate(verbs[0], past=True) + claim["behind"]
    return PRESENT.sub(lambda verb: PAST[verb[0]], clause) if len(PRESENT.findall(clause)) == 1 else ""


def verbs_of(claim: re.Match[str]) -> list[str]:
    """Return the verbs that may be that of a clause: known ones, and any with its object behind it."""
    word, nearest = claim["verb"], claim["behind"].split(" ")[1:2]
    forms = [word, *base_forms(word)] if claim["subject"] == "they" else base_forms(word)
    known = [verb for verb in forms if verb in VERBS or verb in PASTS]
    return known or (forms[:1] if {*nearest} & {*OBJECTS} else claimed_verbs(claim))


def stake_as_done(text: str, verbs: Collection[str]) -> Marked | None:
    """Return what was at stake as it came: `cracked a visor` for `or crack a visor`; None for any other text."""
    stake = text.removeprefix(OR).removesuffix(OTHERWISE)
    if is_thing(stake) and text.endswith(OTHERWISE):
        return as_done(f"pay with {stake}")
    if stake == text or SEVERAL.search(stake) or PERSON.search(stake):
        return None
    if deed := infinitive(stake, verbs):
        return None if has_clause(deed) else as_done(deed)
    done = clause_in_past(stake)
    return Marked(escape(done)) if done else None


def way(text: str) -> str:
    """Return a way that somebody goes as it follows `to`: `get along the beam`; empty for any other text."""
    first, _, rest = text.partition(" ")
    if first.casefold() == "in" and rest.partition(" ")[0] in plain_words().entries.split():
        return f"get {text}"
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
    verbs = claimed_verbs(claim) if claim else []
    if claim and verbs:
        verb = LIED if f"{verbs[0]}d" == LIED and not claim["behind"] else conjugate(verbs[0], past=True)
        asked = asked[: claim.start("verb")] + verb + claim["behind"]
    elif len(PRESENT.findall(asked)) == 1:
        asked = asked_in_past(asked)
    return f"{found[1]} {found[2]} {asked}"


def is_past_question(task: str) -> bool:
    """Return whether a task ends with a question in the past, of nobody who asks it: `tell what they were guarding`."""
    words = "|".join(plain_words().questions.split())
    found = re.fullmatch(rf"[a-z]+(?: out)? (?:{words})\b ([^,;:.?!]+)", task)
    return (
        found is not None
        and bool(BEYOND.search(found[1]))
        and not (PRESENT.search(found[1]) or PERSON.search(found[1]))
    )


def claimed_verbs(claim: re.Match[str]) -> list[str]:
    """Return the verbs of which a word behind its subject may be the present: `wants` of one, `want` of several.

    With more behind it, it has to be a known one.
    """
    word, subject = claim["verb"], claim["subject"]
    if claim["behind"]:
        is_plain = not PRESENT.search(claim["behind"])
        return [verb for verb in base_forms(word) if (verb in VERBS or verb in PASTS) and is_plain]
    if verbs := base_forms(word):
        return verbs
    is_past = word.endswith("ed") or word in PASTS.values() or word in PAST.values()
    is_several = subject.endswith("s") and not subject.endswith(("ss", "his", "its"))
    return [word] if is_several and not is_past and word not in PAST else []


def asked_in_past(asked: str) -> str:
    """Return what somebody asks with its verb in the past: `how long it had been dead`."""
    return asked if BEYOND.search(asked) else PRESENT.sub(lambda verb: PAST[verb[0]], asked)


def made_out(text: str, *, past: bool) -> str:
    """Return what somebody asks as it follows `to`: `make out how long it had been dead`; empty for any other text.

    `past`: with its verb in the past. One whose verb is not known stands as it was said.
    """
    first, _, rest = text.rstrip("?").partition(" ")
    if not rest or first.casefold() not in plain_words().questions.split():
        return ""
    if there_are := question_of_number(text.rstrip("?"), past=past):
        return f"make out {there_are}"
    if ordered := IN_ORDER.fullmatch(text):
        verb = PAST.get(ordered[2], ordered[2]) if past else ordered[2]
        return f"make out {ordered[1][:1].lower()}{ordered[1][1:]} {ordered[3]} {verb}"
    if ASKED.search(text) or PERSON.search(rest):
        return f'make out "{text}"'
    if past and not PRESENT.search(rest) and not BEYOND.search(rest):
        task = f"make out {first.casefold()} {rest}"
        whole = in_past(text.rstrip("?"))
        return done if (done := learned(task)) != task else f"make out {whole}" if whole else f'make out "{text}"'
    return f"make out {first.casefold()} {asked_in_past(rest) if past else rest}"


def question_of_number(asked: str, *, past: bool) -> str:
    """Return a question of a number with the verb that it lacks: `how many fires there were`; empty for any other."""
    asked = asked[:1].lower() + asked[1:]
    found = COUNTED.fullmatch(asked)
    words = {*asked.split(" ")[2:]}
    if not found or PERSON.search(asked) or PRESENT.search(asked) or BEYOND.search(asked) or words & (VERBS | {*PASTS}):
        return ""
    return f"{asked} there {conjugate('be', 'they' if found[1] == 'many' else '', past=past)}"
