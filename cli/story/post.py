"""The post: a session in one message of a chat, under 2,000 characters, without tables.

What matters least is left out first. People's own words stand whole or not at all.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Final

import msgspec

from cli.story.chronicle import page_title
from cli.story.clauses import WOUND
from cli.story.page import Page
from cli.story.parts import (
    WELL,
    correction_lines,
    decision_lines,
    levels,
    loss_lines,
    name,
    option_line,
    paragraph,
    players,
    starts,
    thread_lines,
    troubles,
)
from cli.story.passages import Passage, kept_sentences
from cli.story.style import Style
from ledger.facts import GM
from ledger.names import word_list

MOST: Final = 1999  # characters of a message
TITLE: Final = 200
DECIDED: Final = 420
PART: Final = 250  # characters of each part at the end
ENDS: Final = {"fiction": 6, "quote": 3, "scene": 7}  # what a short recap would miss of people's own words
INNER_FICTION: Final = 4
QUOTE: Final = 20  # characters of something said that means something by itself
NEEDED: Final = 99
REFILL: Final = 40  # pieces that are tried where room is left


class Needs(msgspec.Struct, frozen=True):
    """What a short story should not leave out.

    Attributes:
        entries: whose sentences come first.
        low: whose values that are low at the end, with their names; a name that is empty stands for all.
        pools: whose pools the end of the post tells, with their names.
        lost: those who do not come back, which the end of the post tells.
    """

    entries: Collection[str] = ()
    low: Collection[tuple[str, str]] = ()
    pools: frozenset[tuple[str, str]] = frozenset()
    lost: Collection[str] = ()


NO_NEEDS: Final = Needs()
Place = tuple[int, int]  # a passage, and a sentence in it; -1: all of it


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
    needs = Needs(
        entries=frozenset([page.night.entry] if page.night else []),
        low=frozenset(low_values(page)),
        pools=frozenset((each.who, level.name) for each in page.party for level in each.pools),
        lost=frozenset(loss.who for loss in page.lost),
    )
    room = MOST - length([head, *tail])
    story = list(without_outcomes(without_decisions(page, tail, style), tail, style))
    yield from paragraphs(short_story(story, style, room, needs), style)
    yield from tail


def low_values(page: Page) -> set[tuple[str, str]]:
    """Return what the characters lack at the end, with whose it is; all of those who are wounded."""
    pools = ((each.who, level) for each in page.party for level in each.pools if each.who != GM)
    low = {(who, level.name) for who, level in pools if level.most is not None and level.now < level.most}
    return low | {(each.who, "") for each in page.party if each.wounds}


def without_decisions(page: Page, tail: Sequence[str], style: Style) -> list[Passage]:
    """Return the story without options and rulings that the end of the post tells."""
    ended = "\n".join(tail)
    options = {option.entry for option in page.options if option_line(option, style, brief=True) in ended}
    rulings = {ruling.entry for ruling in page.rulings if f"({style.text(ruling.entry)})" in ended}
    return [
        msgspec.structs.replace(
            passage, sentences=tuple(each for each in passage.sentences if not {*each.entries} & (options | rulings))
        )
        for passage in page.story
        if passage.kind or passage.sentences
    ]


def without_outcomes(story: Iterable[Passage], tail: Sequence[str], style: Style) -> Iterator[Passage]:
    """Yield the story; the end of a fight without how each came out of it where the end of the post names them all."""
    ended = "\n".join(tail)
    for passage in story:
        sentences = (
            msgspec.structs.replace(each, text=each.text.replace(each.outcome, ""))
            if each.outcome and all(name(who, style) in ended for who in each.names)
            else each
            for each in passage.sentences
        )
        yield msgspec.structs.replace(passage, sentences=tuple(sentences))


def title(page: Page, style: Style) -> str:
    """Return the title and who plays whom."""
    whole = style.strong(fitting([page_title(page, style)], TITLE, ", ") or f"Session {page.session}")
    played = fitting(players(page.party, style), TITLE, ", ")
    return whole + (f" ({played})" if played else "")


def ending(page: Page, style: Style) -> Iterator[str]:
    """Yield where things stand, what is open, decided and corrected, and the roll of the night."""
    parts = {
        "Left": [*left(page, style), *loss_lines(page.lost, style)],
        "Open": list(thread_lines(page.threads, style, brief=True)) or ["nothing"],
        "Decided": list(decision_lines(page, style, brief=True)) or ["no rulings"],
        "Corrected": list(correction_lines(page, style)),
        "Roll of the night": list(night_score(page, style)),
    }
    for heading, lines in parts.items():
        text = fitting(lines, DECIDED if heading == "Decided" else PART, "; ")
        if text:
            yield ""
            yield f"{style.strong(f'{heading}:')} {text}."


def night_score(page: Page, style: Style) -> Iterator[str]:
    """Yield whose the roll of the night is, which the story tells, and its score."""
    night = page.night
    if night is not None:
        against = "" if night.target is None else f" against {night.target}"
        score = "" if night.total is None else f": {night.total}{against}"
        yield f"{name(night.who, style)} in {style.text(night.entry)}{score}"


def left(page: Page, style: Style) -> Iterator[str]:
    """Yield what everybody lacks or suffers, what the game master holds, and who is well."""
    before, well = starts(page), []
    for member in page.party:
        low = [level for level in member.pools if level.most is None or level.now < level.most]
        pools = low if member.who != GM else []
        tokens = member.tokens if member.who == GM else ()
        lacking = msgspec.structs.replace(member, pools=tuple(pools), tokens=tokens)
        parts = [*levels(lacking, style, before), *troubles(member, style)]
        if parts:
            yield f"{name(member.who, style)} {', '.join(parts)}"
        elif member.who != GM:
            well.append(name(member.who, style))
    if well:
        yield f"{word_list(well)} {WELL}"


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


def short_story(passages: Sequence[Passage], style: Style, most: int, needs: Needs = NO_NEEDS) -> list[Passage]:
    """Return what matters most of a story, which has at most so many characters in this style.

    A harm stands only with what became of it; what is needed comes first.
    """
    endings = endings_of(passages, needs)
    found = list(pieces(passages, style, needs.entries))
    weights = {(piece.passage, piece.place): piece.weight for piece in found}
    for own in stakes_of(passages, needs.low):
        weights[own] = max(weights[own], WOUND)
    for own, ends in endings.items():
        for end in ends:
            weights[end] = max(weights[end], weights[own])
    found = [msgspec.structs.replace(piece, weight=weights[piece.passage, piece.place]) for piece in found]
    early = early_harms(passages)
    order = sorted(
        found,
        key=lambda piece: (
            -piece.weight, (piece.passage, piece.place) in early, piece.length, piece.passage, piece.place
        ),
    )  # fmt: skip
    kept = {(piece.passage, piece.place): piece for piece in order}
    while (over := length(paragraphs(kept_story(passages, kept.values()), style)) - most) > 0 and kept:
        while kept and over > 0:
            over -= kept.popitem()[1].length
    while half_told := [place for place in kept if not endings.get(place, set()) <= kept.keys()]:
        for place in half_told:
            del kept[place]
    whole = {(piece.passage, piece.place): piece for piece in order}
    for place in [place for place in whole if place not in kept][:REFILL]:
        group = with_endings(place, endings)
        more = kept | {each: whole[each] for each in group}
        if length(paragraphs(kept_story(passages, more.values()), style)) <= most:
            kept = more
    return list(kept_story(passages, kept.values()))


def stakes_of(passages: Sequence[Passage], low: Collection[tuple[str, str]]) -> set[Place]:
    """Return the sentences that tell the last harm to each of these values."""
    harms = {
        key: (index, place)
        for index, passage in enumerate(passages)
        for place, sentence in enumerate(passage.sentences)
        for key in sentence.harms
    }
    return {place for key, place in harms.items() if key in low or (key[0], "") in low}


def early_harms(passages: Sequence[Passage]) -> set[Place]:
    """Return the sentences that tell only harms after which the same grew worse once more."""
    last = dict[tuple[str, str], Place]()
    for index, passage in enumerate(passages):
        for place, sentence in enumerate(passage.sentences):
            last |= dict.fromkeys(sentence.harms, (index, place))
    return {
        (index, place)
        for index, passage in enumerate(passages)
        for place, sentence in enumerate(passage.sentences)
        if sentence.harms and all(last[key] != (index, place) for key in sentence.harms)
    }


def endings_of(passages: Sequence[Passage], needs: Needs) -> dict[Place, set[Place]]:
    """Return for each sentence that tells a harm, or a pool of a character, those that tell its last change.

    Of those who are lost the end of the post tells enough.
    """
    places = [
        ((index, place), sentence)
        for index, passage in enumerate(passages)
        for place, sentence in enumerate(passage.sentences)
    ]
    changes = ((key, place) for place, sentence in places for key in sentence.changes)
    last = {key: place for key, place in changes if key[0] not in needs.lost}
    told = {place: {*sentence.harms, *needs.pools.intersection(sentence.changes)} for place, sentence in places}
    return {place: {last[key] for key in keys if last.get(key, place) != place} for place, keys in told.items()}


def with_endings(place: Place, endings: Mapping[Place, set[Place]]) -> set[Place]:
    """Return a sentence with all those that it needs to be understood."""
    group, new = set[Place](), {place}
    while new:
        group |= new
        new = {end for each in new for end in endings.get(each, ())} - group
    return group


def pieces(passages: Sequence[Passage], style: Style, needed: Collection[str]) -> Iterator[Piece]:
    """Yield what may be left out. The first and the last fiction matter more than what is between.

    The sentences of the entries that are `needed` matter most; a few words said mean nothing without what was around.
    """
    fiction = [index for index, passage in enumerate(passages) if passage.kind == "fiction"]
    for index, passage in enumerate(passages):
        if passage.kind in ENDS and not (passage.kind == "quote" and len(passage.text) < QUOTE):
            inner = passage.kind == "fiction" and index not in (fiction[0], fiction[-1])
            weight = INNER_FICTION if inner else ENDS[passage.kind]
            yield Piece(passage=index, place=-1, weight=weight, length=len(paragraph(passage, style)) + 2)
        for place, sentence in enumerate(passage.sentences):
            size = len(style.text(sentence.text)) + len(", ".join(sentence.entries)) + 5
            weight = NEEDED if sentence.entries[0] in needed else sentence.weight
            yield Piece(passage=index, place=place, weight=weight, length=size)


def kept_story(passages: Sequence[Passage], kept: Iterable[Piece]) -> Iterator[Passage]:
    """Yield the passages of what is kept."""
    return merged_paragraphs(kept_passages(passages, {(piece.passage, piece.place) for piece in kept}))


def paragraphs(passages: Iterable[Passage], style: Style) -> Iterator[str]:
    """Yield passages as paragraphs, with a blank line before each."""
    for passage in passages:
        yield ""
        if passage.kind == "scene":
            yield style.strong(style.text(passage.text))
        else:
            yield paragraph(passage, style, entries=True)


def kept_passages(passages: Sequence[Passage], places: Collection[tuple[int, int]]) -> Iterator[Passage]:
    """Yield the passages with what is kept of them; without scenes in which nothing is."""
    scene: Passage | None = None
    for index, passage in enumerate(passages):
        kept = [(index, place) in places for place in range(len(passage.sentences))]
        sentences = kept_sentences(passage.sentences, kept)
        if passage.kind == "scene":
            scene = passage if (index, -1) in places else None
        elif sentences or (index, -1) in places:
            is_same = scene and passage.kind == "encounter" and passage.text.casefold() == scene.text.casefold()
            yield from [scene] if scene and not is_same else []
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
