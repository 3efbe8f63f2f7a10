"""What several threw, in one sentence that says nothing else: a line for each of them, chosen together.

`Nineteen for Orla, Pim's only got eleven, and Tamsin... six, ugh` are three lines. Whose a number is says who is named
before it, or behind it after `for`; what they come to is no die.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from cli.speech.doubts import condition_error, is_about_what_was_said
from cli.speech.due_throws import due_throws, due_totals
from cli.speech.english import ENGLISH
from cli.speech.heard import NEXT_LINE, Unclear, unclear
from cli.speech.line_looks import without_long_texts
from cli.speech.readings import Reader
from cli.speech.slots import in_line
from cli.speech.speakers import Mention
from cli.speech.spoken_dice import counts_hits, is_no_die, pair_at, ways_to_sum
from cli.speech.word_order import PARTED_MOST
from cli.speech.words import Word, amount_at, is_passed_over, split_words
from rulebooks.common.word_forms import base_forms

SEVERAL: Final = 2  # who throw, at least
FOR: Final = "for"  # between a number and whose it is
GETS, AND = "gets", " and "
OTHER_MOST: Final = 2  # words for each that say neither who, nor what, nor that it was thrown: `a big fat no`
LINES_MOST: Final = 3  # ways to take all of them
NUMBER: Final = re.compile(r"\d[\d.]*")
TALK: Final = (
    ENGLISH.fillers | ENGLISH.exclamations | ENGLISH.slips | ENGLISH.leads | ENGLISH.laughs | ENGLISH.subjects
) | {"and"}
THROWN: Final = ENGLISH.throwing | ENGLISH.thrown | ENGLISH.outcomes


class SpokenThrow(NamedTuple):
    """What somebody threw: one face, or several."""

    who: str
    faces: Sequence[int]

    def sentence(self) -> str:
        """Return the sentence that says it of this one alone."""
        return f"{self.who} {GETS} {AND.join(map(str, self.faces))}"


def ask_each_throw(typed: str, words: Sequence[Word], reader: Reader) -> Unclear | None:
    """Return the question whether several throw what they owe, the first of them with the others behind; else None."""
    throws = throws_of_several(words, reader)
    own = [_lines_of(throw, reader) for throw in throws]
    if not throws or not all(own):
        return None
    ways = {first: _alike(throws, own, first) for first in own[0][:LINES_MOST]}
    return unclear(typed, [*ways], then={first: NEXT_LINE.join(others) for first, others in ways.items()})


def throws_of_several(words: Sequence[Word], reader: Reader) -> Sequence[SpokenThrow]:
    """Return who threw what, if a sentence says it of several and nothing else; else nothing."""
    if not SEVERAL * 2 <= len(words) <= PARTED_MOST or words[-1].mark == "?" or words[0].text in ENGLISH.asking:
        return ()
    if condition_error(words) or is_about_what_was_said(words):
        return ()
    mentions = {each.start: each for each in _mentions(words, reader)}
    if len(mentions) < SEVERAL or not _says_nothing_else(words, mentions, reader):
        return ()
    throws = [*_throws(words, mentions)]
    names, sizes = [each.who for each in throws], {len(each.faces) for each in throws}
    is_whole = len({*names}) == len(names) >= SEVERAL and "" not in names and len(sizes) == 1 and 0 not in sizes
    return throws if is_whole else ()


def _mentions(words: Sequence[Word], reader: Reader) -> Iterator[Mention]:
    """Yield who is named, one after the other, also by the beginning of a name."""
    beings, at = reader.in_play.beings, 0
    while at < len(words):
        is_name = words[at].raw[0].isupper() and words[at].text not in TALK | ENGLISH.little
        named = beings.at(words, at, loose=is_name and not amount_at(words, at))
        if named and len(named.readings) == 1 and not beings.are_things(named):
            yield Mention(named.readings[0], at, at + named.size)
        at += named.size if named else 1


def _says_nothing_else(words: Sequence[Word], mentions: dict[int, Mention], reader: Reader) -> bool:
    """Return whether the words between names and numbers say at most that these were thrown."""
    at, others = 0, 0
    while at < len(words):
        if at in mentions:
            at = mentions[at].end
        elif pair := pair_at(words, at):
            at = pair[1]
        elif amount := amount_at(words, at):
            at += amount.size
            if counts_hits(words, at):
                return False
        else:
            forms = base_forms(words[at].text)
            at += 1
            if is_passed_over(words[at - 1]) or words[at - 1].text in TALK or forms & THROWN:
                continue
            if forms & (ENGLISH.suffered | ENGLISH.losses) or reader.begins_deed(words, at - 1):
                return False
            others += 1
    return others <= OTHER_MOST * len(mentions)


def _throws(words: Sequence[Word], mentions: dict[int, Mention]) -> Iterator[SpokenThrow]:
    """Yield who has which numbers; somebody without one, and a number of nobody, have no name or no face."""
    named: tuple[str, ...] = ()
    faces, at, clause = list[int](), 0, 0
    while at < len(words):
        mention = mentions.get(at)
        if mention and at and words[at - 1].text == FOR and (faces[clause:] or not named):  # `five for Ada`
            clause = clause if named else 0
            if named:
                yield from _each(named, faces[:clause])
            yield from _each(mention.names, faces[clause:])
            named, faces, clause = (), [], 0
        elif mention:
            if named or faces:
                yield from _each(named, faces)
            named, faces, clause = mention.names, [], 0
        amount, pair = (None, None) if mention else (amount_at(words, at), pair_at(words, at))
        if pair:
            faces += [pair[0], pair[0]]
        elif amount and not is_no_die(words, at, amount, faces):
            faces.append(amount.number)
        at = mention.end if mention else pair[1] if pair else at + (amount.size if amount else 1)
        clause = len(faces) if words[at - 1].mark and not mention else clause
    if named or faces:
        yield from _each(named, faces)


def _each(names: Sequence[str], faces: Sequence[int]) -> Iterator[SpokenThrow]:
    """Yield what one threw, or each of several one face; nobody's face has no name."""
    if len(names) > 1 and len(names) == len(faces):
        yield from (SpokenThrow(name, [face]) for name, face in zip(names, faces, strict=True))
    else:
        yield SpokenThrow(names[0] if len(names) == 1 else "", next(ways_to_sum(faces)) if faces else ())


def _lines_of(throw: SpokenThrow, reader: Reader) -> Sequence[str]:
    """Return the lines with which somebody throws what is due."""
    words = split_words(throw.sentence())
    faces = ".".join(map(str, throw.faces))
    return due_throws(words, [faces], reader) if len(throw.faces) > 1 else due_totals(words, reader)


def _alike(throws: Sequence[SpokenThrow], own: Sequence[Sequence[str]], first: str) -> Iterator[str]:
    """Yield the lines of the others that are like that of the first but for name and numbers, or else their first."""
    form = _form(first, throws[0])
    for throw, lines in zip(throws[1:], own[1:], strict=True):
        yield next((line for line in lines if _form(line, throw) == form), lines[0])


def _form(line: str, throw: SpokenThrow) -> str:
    """Return a line without the name and the numbers of a throw."""
    return NUMBER.sub("#", without_long_texts(line.replace(in_line(throw.who), "@")))
