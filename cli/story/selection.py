"""What a short recap keeps of a story: the gravest, people's own words, and no harm without what became of it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Final

import msgspec

from cli.story.clauses import FAILED, FALL, GRAVE, HEALTH, WOUND
from cli.story.parts import NO_CALLED, name, paragraph
from cli.story.passages import Passage, apart, as_alone, kept_sentences, without_outcome
from cli.story.style import Style
from ledger.names import capital
from projections.recap.events import RULING

INNER_MARKS: Final = str.maketrans('"“”', "'‘’")  # inside of a quote
OWN: Final = {"fiction": 9, "quote": 12, "scene": 13}  # how much a short recap would miss people's own words
INNER_FICTION: Final = 8
CLIMAX: Final = 11  # of the first and the last fiction, and of the last one of a fight
FIGHT_WORDS: Final = 110  # of the sentences of one fight
COST: Final = 10  # of what a failure cost
FALLEN: Final = 10  # of the sentence that tells who fell, and by whom
ANSWERED: Final = 8  # of the sentence that somebody's own words answer
HEARD: Final = 9  # of one that somebody speaks of at once, and that changed something
BEGINS: Final = ("scene", "encounter", "fiction", RULING)  # a paragraph
BESIDE: Final = 2  # passages from fiction to the quote that answers it, at most
NEEDED: Final = 99
REFILL: Final = 40  # pieces that are tried where room is left


class Needs(msgspec.Struct, frozen=True):
    """What a short story should not leave out.

    Attributes:
        entries: whose sentences come first.
        low: whose values that are low at the end, with their names; a name that is empty stands for all.
        pools: whose pools the end of the post tells, with their names.
        lost: those who do not come back, which the end of the post tells.
        called: what a story calls somebody, by name.
    """

    entries: frozenset[str] = frozenset()
    low: Collection[tuple[str, str]] = ()
    pools: frozenset[tuple[str, str]] = frozenset()
    lost: Collection[str] = ()
    called: Mapping[str, str] = NO_CALLED


NO_NEEDS: Final = Needs()
Place = tuple[int, int]  # a passage, and a sentence in it; -1: all of it


class Piece(msgspec.Struct, frozen=True, kw_only=True):
    """A sentence or a text that may be left out: its passage, its place in it (-1: all of it) and its weight."""

    passage: int
    place: int
    weight: int
    length: int

    def rank(self, *, is_early: bool) -> tuple[int, ...]:
        """Return its place in the order in which pieces are kept: of the same weight first a sentence, and short."""
        return (-self.weight, is_early, self.place < 0, self.length, self.passage, self.place)


def without_outcomes(
    story: Iterable[Passage], tail: Sequence[str], style: Style, called: Mapping[str, str] = NO_CALLED
) -> Iterator[Passage]:
    """Yield the story; the end of a fight without how each came out of it where the end of the post names them all."""
    ended = "\n".join(tail)
    for passage in story:
        sentences = (
            without_outcome(each)
            if each.outcome and all(name(who, style, called) in ended for who in each.names)
            else each
            for each in passage.sentences
        )
        yield msgspec.structs.replace(passage, sentences=tuple(sentences))


def short_story(passages: Sequence[Passage], style: Style, most: int, needs: Needs = NO_NEEDS) -> list[Passage]:
    """Return what matters most of a story, which has at most so many characters in this style.

    A harm stands only with what became of it; what is needed comes first.
    """
    endings = endings_of(passages, needs)
    found = list(pieces(passages, style, needs.entries))
    weights = {(piece.passage, piece.place): piece.weight for piece in found}
    for own, least in needed_beside(passages, needs):
        weights[own] = max(weights[own], least)
    for own, ends in endings.items():
        for end in ends:
            weights[end] = max(weights[end], weights[own])
    found = [msgspec.structs.replace(piece, weight=weights[piece.passage, piece.place]) for piece in found]
    early, fights = early_harms(passages), [passage.fight for passage in passages]
    order = sorted(found, key=lambda piece: piece.rank(is_early=(piece.passage, piece.place) in early))
    order = list(within_fights(order, passages, fights))
    kept = {(piece.passage, piece.place): piece for piece in order}
    while (over := length(paragraphs(kept_story(passages, kept.values()), style, needs.called)) - most) > 0 and kept:
        while kept and over > 0:
            over -= kept.popitem()[1].length
    while half_told := [place for place in kept if not endings.get(place, set()) <= kept.keys()]:
        for place in half_told:
            del kept[place]
    whole = {(piece.passage, piece.place): piece for piece in order}
    for place in [place for place in whole if place not in kept][:REFILL]:
        group = with_endings(place, endings)
        if not group <= whole.keys():  # its fight has no words for what became of it
            continue
        more = kept | {each: whole[each] for each in group}
        if length(paragraphs(kept_story(passages, more.values()), style, needs.called)) <= most:
            kept = more
    return list(kept_story(passages, kept.values()))


def within_fights(order: Iterable[Piece], passages: Sequence[Passage], fights: Sequence[str]) -> Iterator[Piece]:
    """Yield pieces, the gravest first, without those sentences for which their fight has no words left."""
    left = dict.fromkeys(fights, FIGHT_WORDS)
    for piece in order:
        fight = fights[piece.passage]
        if piece.place >= 0 and fight:
            words = len(passages[piece.passage].sentences[piece.place].text.split())
            if words > left[fight]:
                continue
            left[fight] -= words
        yield piece


def needed_beside(passages: Sequence[Passage], needs: Needs) -> Iterator[tuple[Place, int]]:
    """Yield the sentences that others mean little without, each with the weight that it has at least."""
    yield from ((place, WOUND) for place in stakes_of(passages, needs.low))
    yield from ((place, GRAVE) for place in stakes_of(passages, [key for key in needs.low if key[1] == HEALTH]))
    yield from ((place, FALLEN) for place in falls_in(passages, needs.lost))
    yield from ((place, COST) for place in costs_of_failures(passages))
    yield from answered_by_words(passages)
    yield from ((place, COST) for place in fiction_beside_quotes(passages))


def stakes_of(passages: Sequence[Passage], low: Collection[tuple[str, str]]) -> set[Place]:
    """Return the sentences that tell the last harm to each of these values."""
    harms = {
        key: (index, place)
        for index, passage in enumerate(passages)
        for place, sentence in enumerate(passage.sentences)
        for key in sentence.harms
    }
    return {place for key, place in harms.items() if key in low or (key[0], "") in low}


def falls_in(passages: Sequence[Passage], lost: Collection[str]) -> set[Place]:
    """Return the sentences that tell a fall in a fight, or the last harm to those who do not come back.

    Who brought down whom stands there only.
    """
    told, last = set[Place](), dict[str, Place]()
    for index, passage in enumerate(passages):
        for place, sentence in enumerate(passage.sentences):
            told |= {(index, place)} if passage.fight and sentence.weight in (FALL, GRAVE) else set()
            last |= {who: (index, place) for who, _ in sentence.harms if who in lost}
    return told | {*last.values()}


def answered_by_words(passages: Sequence[Passage]) -> Iterator[tuple[Place, int]]:
    """Yield the sentences right before somebody's own words, which mean little without them, with their weight.

    Those before a quote are of whoever speaks, or was in it.
    """
    for index, (passage, words) in enumerate(pairwise(passages)):
        is_own = words.kind == "fiction" or any(words.by in each.names for each in passage.sentences[-1:])
        if words.kind in ("fiction", "quote") and passage.sentences and is_own:
            yield (index, len(passage.sentences) - 1), HEARD if passage.sentences[-1].changes else ANSWERED


def fiction_beside_quotes(passages: Sequence[Passage]) -> Iterator[Place]:
    """Yield the fiction right before or behind a quote, or with one sentence between: the one answers the other."""
    words = [
        index
        for index, each in enumerate(passages)
        if each.kind in ("fiction", "quote", "scene", "encounter") or len(each.sentences) > 1
    ]
    for one, other in pairwise(words):
        kinds = [passages[one].kind, passages[other].kind]
        if sorted(kinds) == ["fiction", "quote"] and other - one <= BESIDE:
            yield (one if kinds[0] == "fiction" else other), -1


def costs_of_failures(passages: Sequence[Passage]) -> Iterator[Place]:
    """Yield the rulings and harms right behind a failure: nothing but people's own words lies between."""
    is_behind = False
    for index, passage in enumerate(passages):
        is_behind = is_behind and passage.kind not in ("scene", "encounter")
        for place, sentence in enumerate(passage.sentences):
            if is_behind and (sentence.harms or sentence.is_ruling):
                yield index, place
            is_behind = sentence.weight == FAILED


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

    Of those who are lost the end of the post tells enough, and of who fell in a fight later the fall.
    """
    places = [
        ((index, place), sentence)
        for index, passage in enumerate(passages)
        for place, sentence in enumerate(passage.sentences)
    ]
    changes = ((key, place) for place, sentence in places for key in sentence.changes)
    last = {key: place for key, place in changes if key[0] not in needs.lost}
    told = {place: {*sentence.harms, *needs.pools.intersection(sentence.changes)} for place, sentence in places}
    falls = {(who, place) for place in falls_in(passages, ()) for who, _ in told[place]}
    fell = {who: max(place for each, place in falls if each == who) for who, _ in falls}
    ends = {
        place: {fell[who] if fell.get(who, place) > place else last.get((who, key), place) for who, key in keys}
        for place, keys in told.items()
    }
    return {place: each - {place} for place, each in ends.items()}


def with_endings(place: Place, endings: Mapping[Place, set[Place]]) -> set[Place]:
    """Return a sentence with all those that it needs to be understood."""
    group, new = set[Place](), {place}
    while new:
        group |= new
        new = {end for each in new for end in endings.get(each, ())} - group
    return group


def pieces(passages: Sequence[Passage], style: Style, needed: frozenset[str]) -> Iterator[Piece]:
    """Yield what may be left out, with how much it would be missed.

    The last fiction would be missed more than the rest, and so would fiction behind a failure; the first, and the last
    fiction of a fight would be missed more than all other fiction. Sentences of the `needed` entries come before all,
    and rulings in people's own words before blows.
    """
    fiction = [index for index, passage in enumerate(passages) if passage.kind == "fiction"]
    climaxes = {passages[index].fight: index for index in fiction if passages[index].fight}.values()
    for index, passage in enumerate(passages):
        if passage.kind in OWN:
            is_cost = any(
                each.weight == FAILED for before in passages[index - 1 : index] for each in before.sentences[-1:]
            )
            inner = passage.kind == "fiction" and index not in (fiction[0], fiction[-1]) and not is_cost
            is_felt = index in climaxes or index in (*fiction[:1], *fiction[-1:])
            weight = CLIMAX if is_felt else INNER_FICTION if inner else OWN[passage.kind]
            yield Piece(passage=index, place=-1, weight=weight, length=len(paragraph(passage, style)) + 2)
        for place, sentence in enumerate(passage.sentences):
            is_needed = not needed.isdisjoint(sentence.entries)
            least = COST if sentence.is_ruling else 0
            weight = NEEDED if is_needed else max(sentence.weight, least)
            yield Piece(passage=index, place=place, weight=weight, length=len(style.text(sentence.text)) + 2)


def kept_story(passages: Sequence[Passage], kept: Iterable[Piece]) -> Iterator[Passage]:
    """Yield the passages of what is kept."""
    return merged_paragraphs(kept_passages(passages, {(piece.passage, piece.place) for piece in kept}))


def paragraphs(passages: Iterable[Passage], style: Style, called: Mapping[str, str] = NO_CALLED) -> Iterator[str]:
    """Yield passages as paragraphs, with a blank line before each: what people said stands in them.

    A scene or an encounter begins a paragraph, and so do fiction and a ruling, each one by itself. `called` is what a
    story calls somebody, by name.
    """
    block, title, last = list[str](), "", Passage(kind="scene")
    for passage in passages:
        if passage.kind == "encounter" and passage.text.casefold() == title.casefold():
            passage = msgspec.structs.replace(passage, kind="")
        if passage.kind in BEGINS:
            yield from joined(title if block or passage.kind != "encounter" else "", block, style)
            block, title = [], ""
        if passage.kind == "scene":
            title = style.text(passage.text)
        elif passage.kind in ("fiction", RULING):
            yield from joined("", [paragraph(passage, style)], style)
        elif passage.kind == "quote":
            add_quote(block, passage, last, style, called, begins=not title)
        else:
            block.append(paragraph(passage, style))
        last = passage
    yield from joined(title, block, style)


def add_quote(
    block: list[str], quote: Passage, last: Passage, style: Style, called: Mapping[str, str], *, begins: bool
) -> None:
    """Add what somebody said to a paragraph: with their name, unless it is clear from what stands before it."""
    said = f'"{style.text(quote.text.translate(INNER_MARKS))}"'
    who = name(quote.by, style, called)
    acts = [each.text for each in last.sentences[-1:]]
    if block and last.kind == "quote" and last.by == quote.by:
        block.append(said)
    elif (
        quote.entry
        and block
        and acts
        and acts[0].startswith(f"{who} ")
        and not acts[0].startswith(f"{who} and ")
        and not any(mark in acts[0] for mark in (": ", "; "))
        and block[-1].endswith(f"{style.text(acts[0])}.")
    ):
        block[-1] = f"{block[-1][:-1]}: {said}"
    else:
        first = begins and not block
        speaker = style.block(capital(called.get(quote.by, quote.by))) if first else capital(who)
        block.append(f"{speaker}{speech_verb(block, quote, last)}: {said}")


def speech_verb(block: Sequence[str], quote: Passage, last: Passage) -> str:
    """Return the verb behind the name of somebody who speaks right behind somebody else; no verb twice in a row."""
    if not block or last.kind != "quote":
        return ""
    verb = " asked" if quote.text.rstrip('"”').endswith("?") else " answered"
    return "" if f"{verb}: " in block[-1] else verb


def joined(title: str, block: Sequence[str], style: Style) -> Iterator[str]:
    """Yield a blank line and a paragraph that begins with its title; nothing for an empty one."""
    end = "." if block and title[-1:].isalnum() else ""
    if text := " ".join([*([style.strong(f"{title}{end}")] if title else []), *block]):
        yield from ("", text)


def kept_passages(passages: Sequence[Passage], places: Collection[tuple[int, int]]) -> Iterator[Passage]:
    """Yield the passages with what is kept of them; without scenes in which nothing is."""
    scene: Passage | None = None
    last: Place | None = None  # of the last sentence before
    for index, passage in enumerate(passages):
        kept = [(index, place) in places for place in range(len(passage.sentences))]
        sentences = kept_sentences(passage.sentences, kept)
        if passage.kind == "scene":
            scene = passage if (index, -1) in places else None
        elif sentences or (index, -1) in places:
            is_same = scene and passage.kind == "encounter" and passage.text.casefold() == scene.text.casefold()
            yield from [scene] if scene and not is_same else []
            scene = None
            if kept[:1] == [True] and index and not ends_kept(index - 1, passages[index - 1], places):
                sentences = (as_alone(sentences[0]), *sentences[1:])
            shown = msgspec.structs.replace(passage, sentences=sentences)
            yield apart(shown) if last is not None and last not in places else shown
        last = (index, len(passage.sentences) - 1) if passage.sentences else last


def ends_kept(index: int, passage: Passage, places: Collection[Place]) -> bool:
    """Return whether the end of a passage, the one with this index, is kept: its last sentence, or its text."""
    return (index, len(passage.sentences) - 1) in places


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
        goes_on = not passage.kind and last.kind != RULING and last.sentences and round_of(last) == passage.text
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
