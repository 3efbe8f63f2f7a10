"""The post: one message of a chat, in less than 2,000 characters for any session, or in less than 500.

It begins with the moment of the evening, keeps people's own words before single blows, and ends with how everybody
stands and what is open. Entries and corrections are for the chronicle.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from itertools import pairwise
from typing import Final

import msgspec

from cli.story.chronicle import page_title
from cli.story.clauses import GRAVE
from cli.story.open_ends import last_rulings, open_threads, ruling_words
from cli.story.page import Page
from cli.story.parts import (
    HEADS,
    chance_words,
    name,
    night_line,
    players,
    score_words,
    sentence_line,
    thread_lines,
)
from cli.story.party_words import loss_words, standing_lines
from cli.story.passages import NO_PASSAGE, Passage, Sentence, apart, kept_sentences
from cli.story.selection import NEEDED, Needs, length, paragraphs, short_story, without_outcomes
from cli.story.style import Style
from ledger.facts import GM
from ledger.names import capital, plural, word_list

MOST: Final = 1999  # characters of a message
SHORT: Final = 499
TITLE: Final = 200
LEAD: Final = 500
PART: Final = 400  # characters of each part at the end
VERBS: Final = {"died": "died at the hands of {by}", "fell": "fell to {by}"}
FALL: Final = re.compile(r"(?P<who>.+?) (?P<act>fell|died)(?P<by> to .+| at the hands of .+|)")
BARE_ENDS: Final = tuple(f"Then {what}" for what in ("the fight was over", "the fight was won", "it was over"))
SHORT_TITLE, SHORT_LEAD, SHORT_PART = 120, 200, 120


def post(page: Page, style: Style) -> Iterator[str]:
    """Yield the post line by line; with the line feeds it has less than 2,000 characters."""
    head = [title(page, style, TITLE)]
    lead = lead_text(page, style, LEAD)
    head += ["", lead] if lead else []
    tail = list(ending(page, style, PART))
    needs = Needs(
        low=frozenset(low_values(page)),
        pools=frozenset((each.who, level.name) for each in page.party for level in each.pools),
        lost=frozenset(loss.who for loss in page.lost),
        called=page.called,
    )
    yield from head
    led = [sentence for sentence in page.lead if sentence.text in lead]
    told = {entry for sentence in led for entry in sentence.entries}
    mentions = {who for sentence in led for who in sentence.mentions}
    told -= {fall.entry for fall in page.falls if fall.kind in VERBS and fall.who not in mentions}
    told |= {ruling.entry for ruling in last_rulings(page) if ruling_words(ruling, style) in "".join(tail)}
    story = list(without_outcomes(without_lead(page, told), tail, style, page.called))
    story = list(without_bare_ends(story)) if page.falls else story
    kept = short_story(story, style, MOST - length([*head, *tail]), needs)
    yield from paragraphs(without_begins(joined_falls(kept)), style, page.called)
    yield from tail


def without_lead(page: Page, told: Collection[str]) -> Iterator[Passage]:
    """Yield the story. Where the lead tells the entries of a sentence, only who fell stays, in two words."""
    last = NO_PASSAGE
    for passage in page.story:
        cut = [is_told(page, each, told) for each in passage.sentences]
        others = iter(kept_sentences(passage.sentences, [not each for each in cut]))
        told_of = zip(passage.sentences, cut, strict=True)
        short = [in_two_words(page, each) if is_cut else next(others) for each, is_cut in told_of]
        is_cut = any(is_told(page, each, told) for each in last.sentences[-1:])
        last = passage
        passage = msgspec.structs.replace(passage, sentences=tuple(one_for_each(each for each in short if each.text)))
        yield apart(passage) if is_cut else passage


def without_bare_ends(passages: Iterable[Passage]) -> Iterator[Passage]:
    """Yield passages without the end of a fight that says nothing more: `Then the fight was over`."""
    for passage in passages:
        kept = [each.text not in BARE_ENDS for each in passage.sentences]
        yield msgspec.structs.replace(passage, sentences=kept_sentences(passage.sentences, kept))


def joined_falls(passages: Iterable[Passage]) -> Iterator[Passage]:
    """Yield passages; who fell to the same one as the last of the passage before stands with them in one sentence."""
    last = NO_PASSAGE
    for passage in passages:
        one, other = last.sentences[-1:], passage.sentences[:1]
        both = both_falls(one[0], other[0]) if one and other and passage.kind in ("", "round") else ""
        if both:
            sentence = msgspec.structs.replace(one[0], text=both)
            last = msgspec.structs.replace(last, sentences=(*last.sentences[:-1], sentence))
            passage = msgspec.structs.replace(passage, sentences=passage.sentences[1:])
            if not passage.sentences:
                continue
        yield from [last] if last is not NO_PASSAGE else []
        last = passage
    yield from [last] if last is not NO_PASSAGE else []


def without_begins(passages: Iterable[Passage]) -> Iterator[Passage]:
    """Yield passages without the sentences that are no more than the begin of the next one in the story.

    `Orrin hit Dovel` before `Orrin hit Dovel and hurt him` is one blow too many for a post.
    """
    told = list(passages)
    texts = [(place, each.text) for place, passage in enumerate(told) for each in passage.sentences]
    begins = {
        (place, text)
        for (place, text), (other, longer) in pairwise(texts)
        if longer.startswith(f"{text} ")
        and all(not each.sentences for each in told[place + 1 : other])
        and not any(each.kind in ("quote", "fiction") for each in told[place + 1 : other])
    }
    for place, passage in enumerate(told):
        kept = tuple(each for each in passage.sentences if (place, each.text) not in begins)
        if kept or not passage.sentences:
            yield msgspec.structs.replace(passage, sentences=kept)


def one_for_each(sentences: Iterable[Sentence]) -> Iterator[Sentence]:
    """Yield sentences; two in a row that say in a few words what became of somebody are one.

    `Quill fell to the Bailiff and died`, `Quill fell to the Bailiff, then Suvi`, and `Quill fell to the Bailiff, who
    died at the hands of Suvi`.
    """
    last: Sentence | None = None
    for sentence in sentences:
        both = "" if last is None else both_falls(last, sentence)
        if last and both:
            last = msgspec.structs.replace(last, text=both, entries=last.entries + sentence.entries)
            continue
        yield from [last] if last else []
        last = sentence
    yield from [last] if last else []


def both_falls(one: Sentence, other: Sentence) -> str:
    """Return what two sentences in a few words say, as one; empty for any others."""
    first, second = FALL.fullmatch(one.text), FALL.fullmatch(other.text)
    if not (first and second) or one.weight != NEEDED or other.weight != NEEDED:
        return ""
    if first["who"] == second["who"] and first["act"] == second["act"]:
        return one.text
    if first["who"] == second["who"]:
        return f"{one.text} and {second['act']}{second['by']}"
    if first["by"].casefold().endswith(f" {second['who'].casefold()}") and second["by"]:
        return f"{one.text}, who {second['act']}{second['by']}"
    is_same = first["by"] and (first["act"], first["by"]) == (second["act"], second["by"])
    who = second["who"]
    return f"{one.text}, then {f'the {who[4:]}' if who.startswith('The ') else who}" if is_same else ""


def is_told(page: Page, sentence: Sentence, told: Collection[str]) -> bool:
    """Return whether a sentence has nothing but these entries, or is a fall in one of them with what came of it."""
    falls = {fall.entry for fall in page.falls if fall.kind in VERBS}
    return {*sentence.entries} <= {*told} or (
        sentence.weight >= GRAVE and not sentence.outcome and bool({*sentence.entries} & falls & {*told})
    )


def falls_in(page: Page, sentence: Sentence) -> dict[str, list[str]]:
    """Return who fell or died in a sentence, as the story calls them, by what they did, as `fell to the Bailiff`."""
    done = dict[str, list[str]]()
    for fall in page.falls:
        if fall.entry in sentence.entries and fall.kind in VERBS:
            by = word_list([page.called.get(who, who) for who in fall.by])
            is_first = fall.entry == next(each.entry for each in page.falls if each.who == fall.who)
            verb = VERBS[fall.kind]
            how = verb.format(by=by) if by and is_first else verb.partition(" ")[0]
            done.setdefault(how, []).append(page.called.get(fall.who, fall.who))
    return done


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


def short_post(page: Page, style: Style) -> Iterator[str]:
    """Yield the title, the moment and how everybody stands; with the line feeds less than 500 characters."""
    lines = [style.strong(fitting([page_title(page, style)], SHORT_TITLE, ", ") or f"Session {page.session}")]
    lead = lead_text(page, style, SHORT_LEAD)
    more = [lead] if lead else []
    for line in [*more, *(line for line in ending(page, style, SHORT_PART, brief=True) if line)]:
        if length([*lines, line]) <= SHORT:
            lines.append(line)
    yield from lines


def low_values(page: Page) -> set[tuple[str, str]]:
    """Return what the characters lack at the end, with whose it is; all of those who are wounded."""
    pools = ((each.who, level) for each in page.party for level in each.pools if each.who != GM)
    low = {(who, level.name) for who, level in pools if level.most is not None and level.now < level.most}
    return low | {(each.who, "") for each in page.party if each.wounds}


def title(page: Page, style: Style, most: int) -> str:
    """Return the title and who plays whom."""
    whole = style.strong(fitting([page_title(page, style)], most, ", ") or f"Session {page.session}")
    played = fitting(players(page.party, style), most, ", ")
    return whole + (f" ({played})" if played else "")


def lead_text(page: Page, style: Style, most: int) -> str:
    """Return the moment of the evening and who fell, as many whole sentences as have room."""
    told = list[Sentence]()
    for sentence in page.lead:
        if length([lead_line([*told, sentence], style)]) <= most:
            told.append(sentence)
    return lead_line(told, style)


def lead_line(sentences: Iterable[Sentence], style: Style) -> str:
    """Return sentences as a paragraph."""
    lines = (sentence_line(each, style, begins=not index) for index, each in enumerate(sentences))
    return " ".join(lines)


def ending(page: Page, style: Style, most: int, *, brief: bool = False) -> Iterator[str]:
    """Yield how everybody stands, what is open, the roll of the night, and how much was corrected."""
    corrected = sum(not each.is_slip for each in page.corrections) + len(page.claims)
    parts = {
        "Now": ("; ", standing_lines(page, style, brief=brief)),
        **{heading: (", ", who) for heading, who in loss_words(page, style)},
        "Open": ("; ", open_line_parts(page, style)),
        "Roll of the night": ("", night_words(page, style, lead_text(page, style, SHORT_LEAD if brief else LEAD))),
        "Corrected": ("", [plural(corrected, "entry", "entries")] if corrected else []),
    }
    for heading, (between, lines) in parts.items():
        text = fitting(filter(None, lines), most, between)
        if text:
            yield ""
            yield f"{style.strong(f'{heading}:')} {text}."


def open_line_parts(page: Page, style: Style) -> list[str]:
    """Return what is open: what was ruled last, and who of the others is still about but those it was ruled of."""
    rulings = last_rulings(page)
    lines = [
        *(ruling_words(ruling, style) for ruling in rulings),
        *thread_lines(open_threads(page), style, page.called, brief=True, entries=False),
    ]
    lines = [with_small_head(line) if index or line.startswith("The ") else line for index, line in enumerate(lines)]
    return lines or ["nothing"]


def with_small_head(line: str) -> str:
    """Return a part of a list behind others: its heading begins with a small letter, a name does not."""
    return line[:1].lower() + line[1:] if line.startswith(HEADS) else line


def night_words(page: Page, style: Style, lead: str) -> Iterator[str]:
    """Yield the roll of the night and how rare it was. What the lead says of it is left out."""
    if page.night is None:
        return
    is_told = any(page.night.entry in each.entries and each.text in lead for each in page.lead)
    if is_told and not (score_words(page.night) or chance_words(page.night)):
        return
    line = night_line(page, style, is_told=is_told)
    yield (line or f"{name(page.night.who, style)}.{chance_words(page.night)}").rstrip(".")


def fitting(parts: Iterable[str], most: int, between: str) -> str:
    """Return as many whole parts as have room, and how many are left out; a part too long by itself is left out."""
    kept, left_out = list[str](), 0
    for part in parts:
        if left_out or len(between.join([*kept, part])) > most:
            left_out += 1
        else:
            kept.append(part)
    more = [f"{left_out} more"] if left_out and kept else []
    return between.join([*kept, *more])
