"""The lead of a session as text, and the story behind it, which does not say the same in the same words."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Final

import msgspec

from cli.story.clauses import GRAVE
from cli.story.last_news import is_named
from cli.story.page import Page
from cli.story.parts import sentence_line
from cli.story.passages import NO_PASSAGE, Passage, Sentence, apart, kept_sentences
from cli.story.plain_words import is_title
from cli.story.selection import NEEDED, length
from cli.story.style import Style
from cli.story.tense import in_past
from ledger.names import capital, word_list

LEAD: Final = 500  # characters
VERBS: Final = {"died": "died at the hands of {by}", "fell": "fell to {by}"}
IN_RETURN: Final = {"died": "was killed in return", "fell": "fell in return"}  # to whom a blow before it was aimed at
MARKS: Final = (" and ", '"', ", ", ": ")  # of a sentence that has no room for more
BESIDE: Final = 2  # in a blow of one against another
FALL: Final = re.compile(r"(?P<who>.+?) (?P<act>fell|died)(?P<by> to .+| at the hands of .+|)")


def led_sentences(page: Page, style: Style, most: int = LEAD) -> list[Sentence]:
    """Return the moment of the evening and who fell, as many whole sentences as have room."""
    led = [page.lead[:number] for number in range(len(page.lead) + 1)]
    return [*next(each for each in reversed(led) if length([lead_line(each, style)]) <= most or not each)]


def lead_line(sentences: Iterable[Sentence], style: Style) -> str:
    """Return sentences as a paragraph."""
    lines = (sentence_line(each, style, begins=not index) for index, each in enumerate(sentences))
    return " ".join(lines)


def introduced(page: Page, sentences: Sequence[Sentence]) -> list[Sentence]:
    """Return the sentences of a lead; who is no character has the whole name where it is first said, and only there."""
    told = list[Sentence]()
    own = {member.who for member in page.party}
    short = {who: called for who, called in page.called.items() if who not in own and called in who.split()}
    for sentence in sentences:
        text = sentence.text
        for who, called in short.items():
            text = re.sub(rf"\b(?:{re.escape(who)}|{re.escape(called)})\b", called, text)
            is_new = not any(re.search(rf"\b{re.escape(who)}\b", each.text) for each in told)
            text = re.sub(rf"\b{re.escape(called)}\b", who, text, count=1) if is_new else text
        told.append(msgspec.structs.replace(sentence, text=text))
    return told


def entries_in(page: Page, led: Sequence[Sentence]) -> set[str]:
    """Return the entries that a lead tells, but those of a fall of somebody whom it does not mention."""
    mentions = {who for sentence in led for who in sentence.mentions}
    told = {entry for sentence in led for entry in sentence.entries}
    return told - {fall.entry for fall in page.falls if fall.kind in VERBS and fall.who not in mentions}


def without_lead(page: Page, story: Iterable[Passage], told: Collection[str]) -> Iterator[Passage]:
    """Yield a story. Where the lead tells the entries of a sentence, only who fell stays, in two words."""
    last = NO_PASSAGE
    for passage in story:
        cut = [is_told(page, each, told) for each in passage.sentences]
        others = iter(kept_sentences(passage.sentences, [not each for each in cut]))
        short = list[Sentence]()
        for sentence, is_cut in zip(passage.sentences, cut, strict=True):
            new = in_two_words(page, sentence) if is_cut else next(others)
            short.append(sentence if not is_cut and is_same_subject(short, sentence) else new)
        is_cut = any(is_told(page, each, told) for each in last.sentences[-1:])
        last = passage
        passage = msgspec.structs.replace(passage, sentences=tuple(one_for_each(each for each in short if each.text)))
        yield apart(passage) if is_cut else passage


def is_same_subject(before: Sequence[Sentence], sentence: Sentence) -> bool:
    """Return whether the sentence before this one says in two words what became of its subject alone."""
    fall = FALL.fullmatch(before[-1].text) if before and before[-1].weight == NEEDED else None
    is_own = fall is not None and sentence.alone.startswith(f"{fall['who']} ") and " and " not in fall["who"]
    return is_own and len(sentence.mentions) == 1


def joined_falls(passages: Iterable[Passage]) -> Iterator[Passage]:
    """Yield passages; who fell to the same one as the last of the passage before stands with them in one sentence."""
    last = NO_PASSAGE
    for passage in passages:
        one, other = last.sentences[-1:], passage.sentences[:1]
        both = both_falls(one[0], other[0]) if one and other and passage.kind in ("", "round") else ""
        if both:
            last = msgspec.structs.replace(last, sentences=(*last.sentences[:-1], with_more(one[0], other[0], both)))
            passage = msgspec.structs.replace(passage, sentences=passage.sentences[1:])
            if not passage.sentences:
                continue
        yield from [last] if last is not NO_PASSAGE else []
        last = passage
    yield from [last] if last is not NO_PASSAGE else []


def one_for_each(sentences: Iterable[Sentence]) -> Iterator[Sentence]:
    """Yield sentences; two in a row that say in a few words what became of somebody are one.

    `Quill fell to the Bailiff and died`, `Quill fell to the Bailiff, then Suvi`, and `Quill fell to the Bailiff, who
    died at the hands of Suvi`.
    """
    last: Sentence | None = None
    for sentence in sentences:
        both = "" if last is None else both_falls(last, sentence)
        if last and both:
            last = with_more(last, sentence, both)
            continue
        yield from [last] if last else []
        last = sentence
    yield from [last] if last else []


def with_more(one: Sentence, other: Sentence, both: str) -> Sentence:
    """Return two sentences as one of this text."""
    more = {"entries": one.entries + other.entries, "notes": one.notes + other.notes}
    return msgspec.structs.replace(one, text=both, **more)


def both_falls(one: Sentence, other: Sentence) -> str:
    """Return what two sentences in a few words say, as one; empty for any others."""
    first, second = FALL.fullmatch(one.text), FALL.fullmatch(other.text)
    if first and not second and one.weight == NEEDED and is_same_subject([one], other) and is_short(other):
        return f"{one.text} and {other.alone.removeprefix(first['who']).lstrip()}"
    if not (first and second) or one.weight != NEEDED or other.weight != NEEDED:
        return ""
    if first["who"] == second["who"] and first["act"] == second["act"]:
        return one.text
    if first["who"] == second["who"]:
        return f"{one.text} and {second['act']}{second['by']}"
    if first["by"].casefold().endswith(f" {second['who'].casefold()}") and second["by"]:
        return f"{one.text}, who {second['act']}{second['by']}"
    is_same = first["by"] and (first["act"], first["by"]) == (second["act"], second["by"])
    return f"{one.text}, then {small_article(second['who'])}" if is_same else ""


def with_blows_before(passages: Iterable[Passage]) -> Iterator[Passage]:
    """Yield passages; a light blow right before a fall stands with it: `Kess hit Dovel, and Orrin fell to Rat`."""
    for passage in passages:
        told = list[Sentence]()
        for sentence in passage.sentences:
            both = blow_and_fall(told[-1], sentence) if told else ""
            told = [*told[:-1], with_more(told[-1], sentence, both)] if both else [*told, sentence]
        yield msgspec.structs.replace(passage, sentences=tuple(told))


def blow_and_fall(one: Sentence, other: Sentence) -> str:
    """Return a light blow and a fall in a few words as one sentence; empty for any others."""
    fall = FALL.fullmatch(other.text)
    if not fall or other.weight != NEEDED or one.weight >= GRAVE or len(one.mentions) != BESIDE:
        return ""
    is_own = one.alone.startswith(f"{fall['who']} ")
    if not is_short(one, also=[" and "] if is_own else []):
        return ""
    if one.text.endswith(f" {small_article(fall['who'])}"):
        return f"{one.text}, who {fall['act']}{fall['by']}"
    if is_own and is_named(fall["by"].rpartition(" ")[2], one.text):
        return f"{one.text}{',' if ' and ' in one.text else ''} and {IN_RETURN[fall['act']]}"
    if is_own:
        return f"{one.text}, then {fall['act']}{fall['by']}"
    return f"{one.text}, and {small_article(other.text)}" if {*one.mentions} & {*other.mentions} else ""


def small_article(text: str) -> str:
    """Return a text that begins with somebody as it stands behind others: `the leader`."""
    return f"the {text[4:]}" if text.startswith("The ") else text


def is_short(sentence: Sentence, also: Collection[str] = ()) -> bool:
    """Return whether a sentence has room behind another: one act, in nobody's own words; `also` these marks may be."""
    return not any(mark in sentence.alone for mark in MARKS if mark not in also) and not sentence.outcome


def is_told(page: Page, sentence: Sentence, told: Collection[str]) -> bool:
    """Return whether a sentence has nothing but these entries, or is a fall in one of them with what came of it."""
    falls = {fall.entry for fall in page.falls if fall.kind in VERBS}
    lead = " ".join(each.text for each in page.lead).casefold()
    causes = (fall.because for fall in page.falls if fall.kind in VERBS and fall.entry in sentence.entries)
    if any(each and (in_past(each) or each).casefold() not in lead for each in causes):
        return False  # two words do not say why
    return {*sentence.entries} <= {*told} or (
        sentence.weight >= GRAVE and not sentence.outcome and bool({*sentence.entries} & falls & {*told})
    )


def falls_in(page: Page, sentence: Sentence) -> dict[str, list[str]]:
    """Return who fell or died in a sentence, as the story calls them, by what they did, as `fell to the Bailiff`."""
    done = dict[str, list[str]]()
    for fall in page.falls:
        if fall.entry in sentence.entries and fall.kind in VERBS:
            by = word_list([called_there(who, page, sentence) for who in fall.by])
            is_first = fall.entry == next(each.entry for each in page.falls if each.who == fall.who)
            verb = VERBS[fall.kind]
            how = verb.format(by=by) if by and is_first else verb.partition(" ")[0]
            done.setdefault(how, []).append(called_there(fall.who, page, sentence))
    return done


def called_there(who: str, page: Page, sentence: Sentence) -> str:
    """Return what a sentence calls somebody: by the short name, where it has no other; in full where it has none."""
    called, alone = page.called.get(who, who), sentence.alone or sentence.text
    if is_named(called, alone) or called.startswith("the "):
        return called
    parts = [part for part in who.split() if part.istitle() and not is_title(part)]
    others = [each.who for each in page.cast if each.who != who]
    unique = [part for part in reversed(parts) if not any(is_named(part, each) for each in others)]
    return next((part for part in unique if is_named(part, alone)), called)


def in_two_words(page: Page, sentence: Sentence) -> Sentence:
    """Return a sentence that says only who fell, and by whom."""
    acts, last = list[str](), list[str]()
    for verb, who in falls_in(page, sentence).items():
        if who == last and verb in VERBS["fell"]:  # once more
            continue
        acts.append(verb if who == last else f"{word_list(who)} {verb}")
        last = who
    text = capital(word_list(acts))
    short = {"text": text, "alone": "", "outcome": "", "harms": (), "changes": ()}
    return msgspec.structs.replace(sentence, **short, weight=NEEDED)
