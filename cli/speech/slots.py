"""Places in a phrase for what is in play and for any words, and what fills them where a sentence meets the phrase."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Final

from cli.speech.english import ENGLISH
from cli.speech.in_play import InPlay
from cli.speech.named_beings import Named
from cli.speech.spoken_dice import dice_from
from cli.speech.ways import end_of_row, name_at, names_from
from cli.speech.words import (
    Word,
    amount_at,
    end_of_text,
    is_only_amount,
    sentence_of,
    span_at,
    without_last_links,
)
from rulebooks.common.word_forms import base_forms, passive_forms

PHRASE: Final = "{phrase}"
ARTICLES: Final = ("the", "a", "an")
SKILL: Final = "{skill}"  # a word that a check of the book needs
GROUP: Final = "{group}"  # a being that others are members of, by a word for several: `they`, `the others`
SLOTS: Final = frozenset(
    (
        *("{n}", "{m}", "{being}", "{foe}", "{whom}", "{other}", "{value}", "{span}", "{text}", "{word}", "{line}"),
        *("{change}", "{moment}", "{near}", "{place}", "{zone}", "{chain}", "{dice}", "{square}", "+{n}", "-{n}"),
        *(PHRASE, SKILL, GROUP),
    )
)
MOMENT: Final = re.compile(
    r"(?:(?:in|at|during|after|before|by) )?(?:the (?:start|beginning|end) of )?round ([0-9]+)\b"
)
GOING: Final = ("up", "down", "off", "out", "away")  # behind `get`
SIGNED: Final = re.compile(r"([+-])([0-9]{1,9})")
DIE: Final = re.compile(r"d[0-9]+")
SQUARE: Final = re.compile(r"-?[0-9]+,-?[0-9]+")
HERE: Final = frozenset(("you", "us", "me"))  # those at the table, whom others may see
PHRASE_MOST: Final = 4  # words of a phrase that ends where the frame goes on
TEXT_MOST: Final = 16  # words of a text with more of the phrase behind it
MEANT_MOST: Final = 3  # of whom a pronoun may mean one
AMOUNTS: Final = ("{n}", "{m}")
BEING_SLOTS: Final = ("{being}", "{other}", "{near}", "{foe}", "{whom}")


def is_filled(part: str) -> bool:
    """Return whether a part of a phrase is a slot, or a number that may be said as a word: `1` is `one` too."""
    return part in SLOTS or part.isdecimal()


def content_of(parts: Iterable[str]) -> list[str]:
    """Return the words of a phrase that say something."""
    return [part for part in parts if not is_filled(part) and part not in ENGLISH.little]


def fill_slot(
    part: str, words: Sequence[Word], index: int, in_play: InPlay, *, is_last: bool
) -> Iterator[tuple[int, str]]:
    """Yield where a part ends if it begins here, and what stands in it. A text goes to the end if it is the last."""
    word = words[index]
    match part:
        case "{n}" | "{m}" | "+{n}" | "-{n}":
            yield from _fill_with_number(part, words, index, is_last=is_last)
        case _ if part.isdecimal():
            numbers = _fill_with_number("{n}", words, index, is_last=is_last)
            yield from ((end, said) for end, said in numbers if said == part)
        case "{dice}":
            yield from dice_from(words, index)
        case "{skill}":
            if word.text in in_play.skills():
                yield index + 1, in_play.skills()[word.text]
        case "{group}":
            yield from ((index + 1, in_line(name)) for name in in_play.teams() if word.text in ENGLISH.several)
        case "{span}":
            if span := span_at(words, index):
                yield index + span[1], span[0]
        case "{foe}" | "{whom}" | "{being}" | "{other}":
            yield from _fill_with_being(part, words, index, in_play)
        case "{near}":
            yield from _fill_with_place_of(words, index, in_play)
        case "{value}":
            yield from _fill_with_value(words, index, in_play)
        case "{moment}":
            if found := MOMENT.match(" ".join(each.text for each in words[index:])):
                yield index + len(found[0].split()), f'"round {found[1]}"'
        case "{phrase}":
            yield from _phrases_from(words, index, in_play)
        case "{word}" if (named := in_play.beings.at(words, index)) and _is_no_word(named, words[index], in_play):
            if in_play.beings.are_things(named):  # of which somebody has one: `her arming sword`
                own = [word for word in words[index : index + named.size] if word.text not in ENGLISH.articles]
                yield index + named.size, in_line(sentence_of(own))
        case _ if part in SLOTS:
            yield from _fill_with_words(part, words, index, is_last=is_last)
        case _ if part == word.text or (part[-1].isalpha() and _forms_at(words, index) & base_forms(part)):
            if not in_play.beings.is_of_longer_name(words, index):
                yield index + 1, word.raw


def _forms_at(words: Sequence[Word], index: int) -> frozenset[str]:
    """Return the base forms of a word, and of `is` for `gets` but before where one gets: who gets up is not up."""
    goes = index + 1 < len(words) and words[index + 1].text in GOING
    return base_forms(words[index].text) if goes else passive_forms(words[index].text)


def _is_no_word(named: Named, word: Word, in_play: InPlay) -> bool:
    """Return whether who is named is no word: the beginning of a name, `guard 1`, everybody, or a creature, `Ada`."""
    is_creature = word.raw[:1].isupper() and not in_play.beings.are_things(named)
    return named.size > 1 or named.is_everybody or is_creature


def _fill_with_place_of(words: Sequence[Word], index: int, in_play: InPlay) -> Iterator[tuple[int, str]]:
    """Yield where the name of a being ends, and the places where those are who may be meant."""
    named, text = in_play.beings.at(words, index, loose=True), words[index].text
    meant = [names[0] for names in named.readings if len(names) == 1] if named else []
    if named is None and text in ENGLISH.pronouns:  # `runs in after him`
        begins = words[0].text if index and words[0].text in ENGLISH.subjects else ""
        meant = in_play.meant_by_pronoun(text, begins)[:MEANT_MOST]
    places = dict.fromkeys(map(in_play.place_of, meant))
    yield from ((index + (named.size if named else 1), in_line(place)) for place in places if place)


def _fill_with_value(words: Sequence[Word], index: int, in_play: InPlay) -> Iterator[tuple[int, str]]:
    """Yield where the name of a value ends, that of two words first, and its name in a line."""
    for count in (2, 1):
        name = in_play.values().get(" ".join(each.text for each in words[index : index + count]))
        if name and index + count <= len(words) and not _is_rolled(words, index, index + count):
            yield index + count, name


def _fill_with_number(part: str, words: Sequence[Word], index: int, *, is_last: bool) -> Iterator[tuple[int, str]]:
    """Yield where an amount ends, with the sign of the slot if it has one, and the number."""
    text, amount = words[index].text, amount_at(words, index)
    if part[0] in "+-":
        signed = SIGNED.fullmatch(text)
        if signed and part.startswith(signed[1]):
            yield index + 1, signed[2]
    elif amount:
        yield index + amount.size, str(amount.number)
    elif not is_last and text in ENGLISH.one and amount_at(words, index + 1) is None:
        yield index + 1, "1"


def _fill_with_being(part: str, words: Sequence[Word], index: int, in_play: InPlay) -> Iterator[tuple[int, str]]:
    """Yield where the name ends that stands here, and who it is: nobody in `{foe}` and `{whom}`, by any word."""
    named, text = in_play.beings.at(words, index, loose=True), words[index].text
    is_owned = any(word.text in ENGLISH.possessives for word in words[max(0, index - 1) : index + 1])
    if part == "{whom}":
        if named or text in ENGLISH.objects | ENGLISH.subjects | HERE:
            yield index + (named.size if named else 1), ""
    elif part == "{foe}":
        foes, joined = {*in_play.beings.groups.get("foes", ())}, in_play.beings.joined_at(words, index)
        others = {name for at in range(len(words)) if joined for name in _names_at(words, at, in_play)}
        for found in filter(None, (joined, named)):
            for names in (names for names in found.readings if foes.issuperset(names)):
                some = {*names}.union(others if found is joined else ())  # not all of them are some
                is_all = foes - {*in_play.beings.scope.dead} <= some
                yield index + found.size, "" if is_all else ",".join(map(in_line, names))
    elif named is not None and not (is_owned and in_play.beings.are_things(named)):
        for found in filter(None, (in_play.beings.joined_at(words, index) if part == "{being}" else None, named)):
            yield from ((index + found.size, ",".join(map(in_line, names))) for names in found.readings[:3])
    elif text in ENGLISH.pronouns:
        begins = words[0].text if index and words[0].text in ENGLISH.subjects else ""
        yield from ((index + 1, in_line(name)) for name in in_play.meant_by_pronoun(text, begins)[:MEANT_MOST])


def _names_at(words: Sequence[Word], index: int, in_play: InPlay) -> Sequence[str]:
    """Return who is named here, if it is certain who; nobody else."""
    named = in_play.beings.at(words, index)
    return named.readings[0] if named and len(named.readings) == 1 else ()


def _is_rolled(words: Sequence[Word], start: int, end: int) -> bool:
    """Return whether a value is what is rolled: `eight on her perception`, `a perception roll`."""
    while start and words[start - 1].text in ENGLISH.articles:
        start -= 1
    if start and words[start - 1].text in ENGLISH.rolled_on:
        return True
    return any(not base_forms(word.text).isdisjoint(ENGLISH.rolls) for word in words[end : end + 1])


def _fill_with_words(part: str, words: Sequence[Word], index: int, *, is_last: bool) -> Iterator[tuple[int, str]]:
    """Yield where a slot ends that takes words whatever is in play, and what stands in it."""
    word = words[index]
    match part:
        case "{place}" | "{zone}":
            place, end = name_at(words, index)
            yield from [(end, place)] if place else []
        case "{chain}":
            end = end_of_row(words, index)
            pairs = [f"{in_line(one)}:{in_line(other)}" for one, other in pairwise(names_from(words[:end], index))]
            if pairs:
                yield end, ",".join(pairs)
        case "{text}" if not is_last:
            for end in range(index + 1, min(len(words), index + TEXT_MOST)):
                says = any(word.text not in ENGLISH.little for word in words[index:end])
                if says and not is_only_amount(words[index:end]):
                    yield end, sentence_of(without_last_links(words[index:end]))
        case "{text}" if is_only_amount(words[index:]):
            return
        case "{text}":
            end = end_of_text(words, index)
            yield end, sentence_of(words[index:end])
        case "{line}" | "{change}":
            yield len(words), sentence_of(words[index:])
        case "{square}":
            first, second = amount_at(words, index), amount_at(words, index + 1)
            if SQUARE.fullmatch(word.raw):
                yield index + 1, word.raw
            elif first and second and first.size == 1 and word.mark == ",":  # `four, six`
                yield index + 1 + second.size, f"{first.number},{second.number}"
        case "{word}":
            is_said = word.raw[0].isalpha() and not DIE.fullmatch(word.text)
            is_empty = word.text in ENGLISH.indefinite or (word.text in ENGLISH.little and not _is_noun(words, index))
            if is_said and not is_empty and amount_at(words, index) is None:
                yield index + 1, word.raw


def _is_noun(words: Sequence[Word], index: int) -> bool:
    """Return whether a little word names a thing, alone behind an article: `to the well and crouches`."""
    behind = words[index + 1].text if index + 1 < len(words) and not words[index].mark else "and"
    return index > 0 and words[index - 1].text in ARTICLES and behind == "and"


def _phrases_from(words: Sequence[Word], index: int, in_play: InPlay) -> Iterator[tuple[int, str]]:
    """Yield the phrases of some words that begin here, the shortest first; they name nobody."""
    longest = min(len(words), index + PHRASE_MOST)
    for end in range(index + 1, longest + 1) if words[index].text not in ENGLISH.articles else ():
        if in_play.beings.at(words, end - 1) or words[end - 1].is_quoted:
            return
        if any(word.text not in ENGLISH.little for word in words[index:end]):
            yield end, sentence_of(words[index:end])


def in_line(name: str) -> str:
    """Return a name as a line has it: in quotation marks where it has a space or a mark."""
    return name if name.isalnum() else '"' + name.replace("\\", "\\\\").replace('"', '\\"') + '"'
