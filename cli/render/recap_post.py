"""The post: a session in one message of a chat, under 2,000 characters, without tables.

What matters least is left out first. People's own words stand whole or not at all.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Final

import msgspec

from cli.queries.recap_page import Page
from cli.queries.story import Passage
from cli.render.recap_chronicle import page_title
from cli.render.recap_parts import (
    amount,
    correction_lines,
    decision_lines,
    name,
    night_line,
    option_line,
    paragraph,
    players,
    ruling_line,
    thread_lines,
    troubles,
)
from cli.render.recap_style import Style
from ledger.facts import GM
from projections.recap.party import PartyMember

MOST: Final = 1999  # characters of a message
TITLE: Final = 200
PART: Final = 250  # characters of each part at the end
ENDS: Final = {"fiction": 6, "quote": 3, "scene": 7}  # what a short recap would miss of people's own words
INNER_FICTION: Final = 4
REFILL: Final = 40  # pieces that are tried where room is left


class Piece(msgspec.Struct, frozen=True, kw_only=True):
    """A sentence or a text that may be left out: its passage, its place in it (-1: all of it) and its weight."""

    passage: int
    place: int
    weight: int
    length: int


def post(page: Page, style: Style) -> Iterator[str]:
    """Yield the post line by line; with the line feeds it has less than 2,000 characters."""
    head = title(page, style)
    tail = list(ending(page, style))
    yield head
    yield from shortened(without_decisions(page, tail, style), style, MOST - length([head, *tail]))
    yield from tail


def without_decisions(page: Page, tail: Sequence[str], style: Style) -> list[Passage]:
    """Return the story without options and rulings that the end of the post tells."""
    ended = "\n".join(tail)
    options = {option.entry for option in page.options if option_line(option, style) in ended}
    rulings = {ruling.entry for ruling in page.rulings if ruling_line(ruling, style) in ended}
    return [
        msgspec.structs.replace(
            passage,
            sentences=tuple(each for each in passage.sentences if not {*each.entries} & (options | rulings)),
        )
        for passage in page.story
        if passage.kind or passage.sentences
    ]


def title(page: Page, style: Style) -> str:
    """Return the title and who plays whom."""
    whole = style.strong(fitting([page_title(page, style)], TITLE, ", ") or f"Session {page.session}")
    played = fitting(players(page.party, style), TITLE, ", ")
    return whole + (f" ({played})" if played else "")


def ending(page: Page, style: Style) -> Iterator[str]:
    """Yield where things stand, what is open, decided and corrected, and the roll of the night."""
    parts = {
        "Left": [line for each in page.party if (line := left(each, style))],
        "Open": list(thread_lines(page.threads, style)),
        "Decided": list(decision_lines(page, style, lasting=True)),
        "Corrected": list(correction_lines(page, style)),
        "Roll of the night": [line] if (line := night_line(page, style).removesuffix(".")) else [],
    }
    for heading, lines in parts.items():
        text = fitting(lines, PART, "; ")
        if text:
            yield ""
            yield f"{style.strong(f'{heading}:')} {text}."


def left(member: PartyMember, style: Style) -> str:
    """Return what somebody lacks or suffers, and what the game master holds; empty for who is well."""
    low = [level for level in member.pools if level.most is None or level.now < level.most]
    pools = [f"{style.text(level.name)} {amount(level)}" for level in low if member.who != GM]
    tokens = [f"{style.text(level.name)} {level.now}" for level in member.tokens if member.who == GM]
    parts = [*pools, *tokens, *troubles(member, style)]
    return f"{name(member.who, style)} {', '.join(parts)}" if parts else ""


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


def shortened(passages: Sequence[Passage], style: Style, most: int) -> list[str]:
    """Return the story in paragraphs of at most so many characters, with a blank line before each."""
    order = sorted(pieces(passages, style), key=lambda piece: (-piece.weight, piece.length, piece.passage, piece.place))
    kept = order
    while (over := length(paragraphs(passages, kept, style)) - most) > 0 and kept:
        while kept and over > 0:
            over -= kept[-1].length
            kept = kept[:-1]
    for piece in order[len(kept) :][:REFILL]:
        if length(paragraphs(passages, [*kept, piece], style)) <= most:
            kept = [*kept, piece]
    return list(paragraphs(passages, kept, style))


def pieces(passages: Sequence[Passage], style: Style) -> Iterator[Piece]:
    """Yield what may be left out. The first and the last fiction matter more than what is between."""
    fiction = [index for index, passage in enumerate(passages) if passage.kind == "fiction"]
    for index, passage in enumerate(passages):
        if passage.kind in ENDS:
            inner = passage.kind == "fiction" and index not in (fiction[0], fiction[-1])
            weight = INNER_FICTION if inner else ENDS[passage.kind]
            yield Piece(passage=index, place=-1, weight=weight, length=len(paragraph(passage, style)) + 2)
        for place, sentence in enumerate(passage.sentences):
            size = len(style.text(sentence.text)) + len(", ".join(sentence.entries)) + 5
            yield Piece(passage=index, place=place, weight=sentence.weight, length=size)


def paragraphs(passages: Sequence[Passage], kept: Iterable[Piece], style: Style) -> Iterator[str]:
    """Yield the paragraphs of what is kept, with a blank line before each."""
    for passage in merged_paragraphs(kept_passages(passages, {(piece.passage, piece.place) for piece in kept})):
        yield ""
        if passage.kind == "scene":
            yield style.strong(style.text(passage.text))
        else:
            yield paragraph(passage, style)


def kept_passages(passages: Sequence[Passage], places: Collection[tuple[int, int]]) -> Iterator[Passage]:
    """Yield the passages with what is kept of them; without scenes in which nothing is."""
    scene: Passage | None = None
    for index, passage in enumerate(passages):
        sentences = tuple(each for place, each in enumerate(passage.sentences) if (index, place) in places)
        if passage.kind == "scene":
            scene = passage if (index, -1) in places else None
        elif sentences or (index, -1) in places:
            yield from [scene] if scene else []
            scene = None
            yield msgspec.structs.replace(passage, sentences=sentences)


def merged_paragraphs(passages: Iterable[Passage]) -> Iterator[Passage]:
    """Yield passages; a paragraph that only goes on with the one before is one with it.

    One whose round has no paragraph before it is the first of its round.
    """
    last, begun = Passage(kind="scene"), ""
    for passage in passages:
        if passage.kind == "encounter":
            begun = ""
        elif passage.kind == "round" or (not passage.kind and passage.text and passage.text != begun):
            passage = msgspec.structs.replace(passage, kind="round")
            begun = passage.text
        goes_on = not passage.kind and last.sentences and round_of(last) == passage.text
        if goes_on:
            last = msgspec.structs.replace(last, sentences=(*last.sentences, *passage.sentences))
            continue
        yield from [last] if last.text or last.sentences else []
        last = passage
    yield from [last] if last.text or last.sentences else []


def round_of(passage: Passage) -> str:
    """Return the round of a paragraph; empty for the paragraph of an encounter's beginning and outside of rounds."""
    return "" if passage.kind == "encounter" else passage.text


def length(lines: Iterable[str]) -> int:
    """Return the characters of lines with their line feeds."""
    return sum(len(line) + 1 for line in lines)
