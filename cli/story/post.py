"""The post: one message of a chat, in less than 2,000 characters for any session, or in less than 500.

It begins with the moment of the evening, keeps people's own words before single blows, and ends with how everybody
stands and what is open. Entries and corrections are for the chronicle.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise, product
from typing import Final

import msgspec

from cli.story.chronicle import page_title
from cli.story.last_news import values_at_stake
from cli.story.lead_text import (
    FALL,
    entries_in,
    introduced,
    joined_falls,
    lead_line,
    led_sentences,
    with_blows_before,
    without_lead,
)
from cli.story.night_words import night_words
from cli.story.open_ends import last_rulings, leaves_more, open_threads, ruling_words, said_lines
from cli.story.page import Page
from cli.story.parts import HEADS, players, thread_lines
from cli.story.party_words import loss_words, standing_lines
from cli.story.passages import Passage, Sentence, kept_sentences
from cli.story.plain_words import cardinal
from cli.story.runs import blows_run_together
from cli.story.selection import Needs, length, paragraphs, short_story, without_outcomes
from cli.story.style import Style
from cli.story.tense import in_past
from ledger.names import capital, plural
from projections.recap.events import RulingEvent

MOST: Final = 1999  # characters of a message
SHORT: Final = 499
TITLE: Final = 200
NIGHT: Final = "Roll of the night"
NOW: Final = "Now"
PART: Final = 400  # characters of each part at the end
BARE_ENDS: Final = tuple(f"Then {what}" for what in ("the fight was over", "the fight was won", "it was over"))
SHORT_TITLE, SHORT_LEAD = 120, 340
SHORT_PARTS: Final = (
    SHORT,
    320,
    240,
    160,
    100,
)  # characters of each part at the end: the first with which all have room


def post(page: Page, style: Style) -> Iterator[str]:
    """Yield the post line by line; with the line feeds it has less than 2,000 characters."""
    head = [title(page, style, TITLE)]
    led = led_sentences(page, style)
    head += ["", lead_line(introduced(page, led), style)] if led else []
    tail = list(ending(page, style, led, PART, reasons=False))
    needs = Needs(
        low=frozenset(values_at_stake(page.party, page.threads)),
        pools=frozenset((each.who, level.name) for each in page.party for level in each.pools),
        lost=frozenset(loss.who for loss in page.lost),
        called=page.called,
    )
    yield from head
    told = entries_in(page, led)
    ended = "".join(tail).casefold()
    told |= {ruling.entry for ruling in last_rulings(page) if ruling_words(ruling, style).casefold() in ended}
    story = list(without_outcomes(without_lead(page, page.story, told), tail, style, page.called))
    story = list(without_bare_ends(story)) if page.falls else story
    kept = short_story(story, style, MOST - length([*head, *tail]), needs)
    joined = blows_run_together(with_blows_before(without_begins(with_survivals(joined_falls(kept)))), across=True)
    body = [*paragraphs(joined, style, page.called)]
    whole = [*ending(page, style, led, PART)]
    yield from (*body, *(whole if length([*head, *body, *whole]) <= MOST else tail))


def without_bare_ends(passages: Sequence[Passage]) -> Iterator[Passage]:
    """Yield passages without the end of a fight that says nothing more: `Then the fight was over`.

    What people said of it says nothing more where the fiction has it in the same words.
    """
    fiction = "\n".join(in_past(each.text) for each in passages if each.kind == "fiction").casefold()
    for passage in passages:
        ends = [each.text.partition(": ") for each in passage.sentences]
        kept = [end not in BARE_ENDS or (bool(said) and said.casefold() not in fiction) for end, _, said in ends]
        yield msgspec.structs.replace(passage, sentences=kept_sentences(passage.sentences, kept))


def with_survivals(passages: Iterable[Passage]) -> Iterator[Passage]:
    """Yield passages; what became of somebody right behind their fall stands in its sentence.

    `Tobit fell to Hob and clung to life, by a hair`.
    """
    last: Passage | None = None
    for passage in passages:
        goes_on = last is not None and passage.kind in ("", "round") and passage.fight == last.fight
        before = last.sentences[-1:] if last and goes_on else ()
        told = [*before]
        for sentence in passage.sentences:
            both = fall_with(told[-1], sentence) if told else None
            told = [*told[:-1], both] if both else [*told, sentence]
        if last is not None:
            last = msgspec.structs.replace(
                last, sentences=(*last.sentences[: -len(before) or None], *told[: len(before)])
            )
        rest = tuple(told[len(before) :])
        if rest or not passage.sentences:
            yield from [last] if last is not None else []
            last = msgspec.structs.replace(passage, sentences=rest)
    yield from [last] if last is not None else []


def fall_with(one: Sentence, other: Sentence) -> Sentence | None:
    """Return a fall with what the next sentence says of the same being, or of who did it; None for any others."""
    fall, text = FALL.fullmatch(one.text), other.alone or other.text
    if fall is None or not fall["by"] or " and " in text or '"' in text or other.outcome:
        return None
    for who, link in ((fall["who"], " and"), (fall["by"].rpartition(" ")[2], ", who")):
        rest = text.removeprefix(who)
        if rest.startswith(" ") and rest != text and fall["who"].casefold() not in rest.casefold():
            return msgspec.structs.replace(one, text=f"{one.text}{link}{rest}", entries=one.entries + other.entries)
    return None


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


def short_post(page: Page, style: Style) -> Iterator[str]:
    """Yield the title, the moment, how everybody stands and what is open; with the line feeds less than 500 characters.

    The moment is whole, and what is open stays before how everybody stands.
    """
    whole = fitting([page_title(page, style)], SHORT_TITLE, ", ")
    led = led_sentences(page, style, SHORT_LEAD)
    lead, lines = [lead_line(introduced(page, led), style)] if led else [], list[str]()
    for name, most in product(dict.fromkeys((whole, f"Session {page.session}")), SHORT_PARTS):
        end = [line for line in ending(page, style, led, most, brief=True) if line]
        night, now = ([*starts_with(end, style.strong(f"{heading}:"))] for heading in (NIGHT, NOW))
        for left_out in ((), night, (*night, *now)):
            lines = [style.strong(name), *lead, *(line for line in end if line not in left_out)] if name else []
            if lines and length(lines) <= SHORT:
                yield from lines
                return
    yield from without_last(lines)


def starts_with(lines: Iterable[str], start: str) -> Iterator[str]:
    """Yield the lines that start so."""
    yield from (line for line in lines if line.startswith(start))


def without_last(lines: Sequence[str]) -> Sequence[str]:
    """Return as many of the first lines as have room."""
    return lines if length(lines) <= SHORT else without_last(lines[:-1])


def title(page: Page, style: Style, most: int) -> str:
    """Return the title and who plays whom."""
    whole = style.strong(fitting([page_title(page, style)], most, ", ") or f"Session {page.session}")
    played = fitting(players(page.party, style), most, ", ")
    return whole + (f" ({played})" if played else "")


def ending(
    page: Page, style: Style, led: Sequence[Sentence], most: int, *, brief: bool = False, reasons: bool = True
) -> Iterator[str]:
    """Yield how everybody stands, what is open, the roll of the night, and how much was corrected.

    Args:
        page: the recap.
        style: the form of the text.
        led: the sentences of the lead.
        most: the characters of each part.
        brief: the gravest of each alone.
        reasons: with what people said why they ruled so, where a part has room for it.
    """
    room = most if reasons and not brief else 0
    corrected = sum(not each.is_slip for each in page.corrections) + len(page.claims)
    parts = {
        NOW: ("; ", standing_lines(page, style, brief=brief)),
        **{heading: (", ", who) for heading, who in loss_words(page, style)},
        "Decided": ("; ", [] if brief else decided_parts(page, style, room)),
        "Open": ("; ", open_line_parts(page, style, room, most, brief=brief)),
        NIGHT: ("", night_words(page, style, led)),
        "Corrected": ("", [plural(corrected, "entry", "entries")] if corrected and not brief else []),
    }
    for heading, (between, lines) in parts.items():
        text = fitting(filter(None, lines), most, between)
        if text:
            yield ""
            yield f"{style.strong(f'{heading}:')} {text}."


def decided_parts(page: Page, style: Style, room: int) -> list[str]:
    """Return what was ruled last and leaves nothing to come; with the reasons, if these have room."""
    rulings = [each for each in rulings_beside(page) if not leaves_more(each)]
    return [line if index else capital(line) for index, line in enumerate(with_reasons(rulings, style, room))]


def rulings_beside(page: Page) -> list[RulingEvent]:
    """Return what was ruled last, but for what stands as how one of the others is."""
    known = {thread.last_entry for thread in open_threads(page) if thread.status}
    return [each for each in last_rulings(page) if each.entry not in known]


def with_reasons(rulings: Sequence[RulingEvent], style: Style, most: int) -> list[str]:
    """Return rulings in words, with the reasons that people gave if there is room for all."""
    whole = [ruling_words(each, style, reason=True) for each in rulings]
    return whole if len("; ".join(whole)) <= most else [ruling_words(each, style) for each in rulings]


def open_line_parts(page: Page, style: Style, room: int, most: int = PART, *, brief: bool = False) -> list[str]:
    """Return what was ruled last and is to come, and who of the others is still about but those it was ruled of.

    These are first if it has to be `brief`, or there is no room for all: nobody should miss them. `room` is for all,
    with the reasons of rulings, and `most` without.
    """
    each_most = most // len(HEADS)
    led = " ".join(each.text for each in page.lead)
    threads = open_threads(page)
    rest = [each for each in threads if not each.status]
    about = [*said_lines(threads, style, page.called, led)]
    about += thread_lines(rest, style, page.called, brief=True, entries=False, most=each_most)
    left = room - len("; ".join(about))
    rulings = with_reasons([each for each in rulings_beside(page) if leaves_more(each)], style, left)
    is_long = len("; ".join([*rulings, *about])) > most
    lines = [*about, *rulings] if brief or is_long else [*rulings, *about]
    lines = [with_small_head(line) if index or line.startswith("The ") else line for index, line in enumerate(lines)]
    return lines or ["nothing"]


def with_small_head(line: str) -> str:
    """Return a part of a list behind others: its heading begins with a small letter, a name does not."""
    return line[:1].lower() + line[1:] if line.startswith(HEADS) else line


def fitting(parts: Iterable[str], most: int, between: str) -> str:
    """Return as many whole parts as have room, and how many are left out; a part too long by itself is left out."""
    kept, left_out = list[str](), 0
    for part in parts:
        if left_out or len(between.join([*kept, part])) > most:
            left_out += 1
        else:
            kept.append(part)
    more = [f"{cardinal(left_out)} more"] if left_out and kept else []
    return between.join([*kept, *more])
