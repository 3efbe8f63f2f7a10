"""What a sentence names, whatever its verb: who does something, to whom, with what, and which numbers.

One that begins with somebody and names a foe behind may be a blow, `Ferro sparks the bell one`, where all else that is
asked about is fiction. A number that an offered line leaves out is of the field whose name stands beside it, `6
damage`; any other is what was rolled: the total where a line takes one, else the face of a die. Each line is tried, and
one that says more stands before the other.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import islice
from typing import Final, NamedTuple

from cli.notation.line_parser import parse_each
from cli.notation.schema import Field, fields_of
from cli.notation.tokens import GM_MARK, PAUSE, TELL_MARKS, normalize_line
from cli.questions.possible import why_not_said
from cli.speech.doubts import denied_error, is_doubtful_sentence
from cli.speech.due_throws import ADDING, TOTAL, rolled_number
from cli.speech.english import ENGLISH
from cli.speech.harm_thrown import with_harm
from cli.speech.heard import ASKED_MOST, LEFT_OUT, Unclear, with_lines
from cli.speech.line_looks import has_long_text, without_long_texts
from cli.speech.lost_words import unsaid_words
from cli.speech.readings import Reader
from cli.speech.speakers import is_owner, mentions_in
from cli.speech.thrown_lines import FACE, FACES, attacks_said, throws_faces
from cli.speech.words import ONE, Word, amount_at, counts_unit, is_passed_over
from ledger.declarations import Declaration
from ledger.errors import LedgerError
from rulebooks.common.word_forms import base_forms

FILLED_MOST: Final = 3  # lines that are filled
THROWN_AND_DONE: Final = 2  # numbers of a blow
NUMBERS_MOST: Final = 4  # that are filled into one line
BEHIND_MOST: Final = 3  # words between a number and what it is: `6 on the damage`
NAMED_MOST: Final = 4  # of those who are named: the first may strike one of the others
DOER_MOST: Final = 3  # words before the one who begins a sentence
OWNED_MOST: Final = 4  # words between who has a number and that
OWNED: Final = frozenset(("his", "her", "their", "its", "he", "she", "they"))
TO: Final = "to"  # between two totals
TO_HIT: Final = ENGLISH.hitting | {TO}  # behind a total: `sixteen to hit`
SPEAKERS: Final = re.compile(r'^(?:[!^] )?(?:"[^"]*"|[^\s"])+ ')  # at the beginning of a line
LISTED: Final = re.compile(r",(?=\S)")  # between those whom a line names
SET_TOTAL: Final = re.compile(r" total=[0-9]+")


class Number(NamedTuple):
    """A number in a sentence. `beside`: the words of its clause next to it. `is_against`: it is of somebody else."""

    value: int
    beside: frozenset[str]
    is_against: bool

    @property
    def is_harm(self) -> bool:
        """Whether it says how much harm is done."""
        return not self.beside.isdisjoint(ENGLISH.suffered)


def with_evidence(typed: str, words: Sequence[Word], question: Unclear, reader: Reader) -> Unclear:
    """Return a question with the blow that a sentence may be, and each line with the numbers that it leaves out."""
    blows = [] if any(map(_is_an_act, question.lines)) else [*_blows(words, reader)]
    if blows:
        what = f"'{typed.strip()}' may mean several things"
        question = with_lines(question, typed, [*blows, *question.lines], what)
    return _with_numbers(typed, words, question, reader)


def _is_an_act(line: str) -> bool:
    """Return whether a line is what somebody does: no change, no fiction, and no deed in the words of the sentence."""
    return line[:1] not in (*TELL_MARKS, GM_MARK) and not has_long_text(line)


def _blows(words: Sequence[Word], reader: Reader) -> Iterator[str]:
    """Yield the attacks of whoever begins a sentence on the first of the other side, if nothing is denied.

    Where nobody does, but what was thrown and what it did are said, those of who is in turn: `eighteen on guard 1, four
    damage`.
    """
    mentions = [*mentions_in(words, reader.in_play, is_joined=False)][:NAMED_MOST]
    doers = mentions[0].names if len(mentions) > 1 else ()
    is_first = bool(doers) and all(map(is_passed_over, words[: mentions[0].start])) and mentions[0].start < DOER_MOST
    is_said = len(doers) == 1 and is_first and not is_owner(mentions[0], words)
    if not (is_said or (len(mentions) == 1 and _says_throw(words, reader))):
        return
    if denied_error(words, reader.in_play.beings) or is_doubtful_sentence(words, reader.in_play.beings):
        return
    yield from islice(filter(partial(_is_able, reader=reader), attacks_said(words, reader)), 1)


def _says_throw(words: Sequence[Word], reader: Reader) -> bool:
    """Return whether a sentence says what was thrown, and what it did: `eighteen to hit, four damage`."""
    numbers = [*numbers_in(words, reader)]
    done = [each for each in numbers if not each.beside.isdisjoint(ENGLISH.suffered)]
    return len(numbers) == THROWN_AND_DONE and len(done) == 1


def _with_numbers(typed: str, words: Sequence[Word], question: Unclear, reader: Reader) -> Unclear:
    """Return a question with each line that leaves numbers out filled with them first, as far as it is allowed."""
    numbers = [*numbers_in(words, reader)][:NUMBERS_MOST]
    told = [line for line in question.lines if line[:1] in TELL_MARKS]
    said = [line for line in question.lines if line[:1] not in TELL_MARKS]
    if not numbers or not said:
        return question
    die, total = rolled_number(words, reader)
    if total != die:  # `rolled a four, minus one, so three`
        said = [_with_result(line, die, total, reader) for line in said]
        numbers = [each for each in numbers if each.value != total and each.beside.isdisjoint(ADDING)]
        numbers = [each._replace(value=total) if each.value == die else each for each in numbers]
    open_lines = [line for line in said if line not in question.then]
    filled = {line: _filled(line, numbers, reader) for line in open_lines[:FILLED_MOST]}
    if {*filled.values()} <= {*question.lines}:
        return question
    more = [fuller for line, fuller in filled.items() if fuller != line and FACES in fuller and _is_begun(line, fuller)]
    is_harm = any(number.is_harm for number in numbers)  # by dice that make so much: those lines say more
    lines = [*dict.fromkeys([*(more if is_harm else ()), *filled.values(), *said])]
    if any(line != fuller and _is_an_act(fuller) for line, fuller in filled.items()):  # it says more than a change
        lines.sort(key=lambda line: line.startswith(GM_MARK) and has_long_text(line))
    lines = lines[: ASKED_MOST - len(told)]
    kept = [*told, *lines] if question.lines[0] in told else [*lines, *told]
    what = question.what.partition(LEFT_OUT)[0]
    left = unsaid_words(typed, lines[0], reader.in_play)
    return with_lines(question, typed, kept, what + (LEFT_OUT + _listed(left) if left else ""))


def _is_begun(line: str, fuller: str) -> bool:
    """Return whether a line only says more than another, which may wait for its dice."""
    return fuller.startswith(line.removesuffix(PAUSE).rstrip())


def _with_result(line: str, die: int, total: int, reader: Reader) -> str:
    """Return a line with what a die comes to in place of what it shows, where it takes a total."""
    other = re.sub(rf" {TOTAL}={die}\b", f" {TOTAL}={total}", line)
    return other if _is_able(other, reader) else line


def _listed(left: Sequence[str]) -> str:
    """Return words that are left out as a question has them."""
    return " and ".join(f"'{word}'" for word in left)


def numbers_in(words: Sequence[Word], reader: Reader) -> Iterator[Number]:
    """Yield the numbers of a sentence that are no part of a name and count nothing."""
    within, at = reader.in_play.beings.is_within_name, 0
    while at < len(words):
        amount = amount_at(words, at)
        size = amount.size if amount else 1
        if amount and not within(words, at) and not reader.in_play.beings.at(words, at):
            end = at + size
            before = words[at - 1].text if at and not words[at - 1].mark else ""
            beside = frozenset(form for text in (before, *_behind(words, end)) for form in base_forms(text))
            beside -= TO_HIT if beside >= TO_HIT else frozenset()
            if ENGLISH.denying.intersection(word.text for word in words[max(0, at - 2) : at]) or words[at].text == ONE:
                at += size
                continue
            is_against = _is_of_other(words, at)
            is_other = counts_unit(words, end - 1) and beside.isdisjoint(ENGLISH.opposing | ENGLISH.counted)
            if not is_other:
                yield Number(amount.number, beside, is_against)
        at += size


def _is_of_other(words: Sequence[Word], at: int) -> bool:
    """Return whether a number is what somebody else had: `17 vs his 11`, `18 to 15`, `14, her parry was 13`."""
    last = next((end for end in range(at - 1, -1, -1) if amount_at(words, end)), -1)
    between = [word.text for word in words[last + 1 : at]]
    is_owned = last >= 0 and len(between) <= OWNED_MOST and not OWNED.isdisjoint(between)
    return not ENGLISH.opposing.isdisjoint(between[-2:]) or is_owned or between == [TO]


def _behind(words: Sequence[Word], end: int) -> Iterator[str]:
    """Yield the words behind a number that say what it is, up to a stop or the first that is no little word.

    Behind `points` stands of what they are: `six points of damage`.
    """
    for at in range(end, min(end + BEHIND_MOST, len(words))):
        if words[at - 1].mark:
            return
        yield words[at].text
        if not (is_passed_over(words[at]) or words[at].text in ENGLISH.counted - ENGLISH.dealt):
            return


def _filled(line: str, numbers: Sequence[Number], reader: Reader) -> str:
    """Return a line with the numbers that it leaves out, each where the rules allow it; the same line if none is."""
    kind = _kind_of(line, reader)
    for number in numbers if kind else ():  # `17 against 11`: the total is no number of somebody else, nor the harm
        if (number.is_against or number.is_harm) and len(numbers) > 1:
            line = line.replace(f" {TOTAL}={number.value}", "")
    if kind and [number.is_against for number in numbers[:2]] == [False, True]:  # `18 vs 15, 6`: no total of six
        line = SET_TOTAL.sub(f" {TOTAL}={numbers[0].value}", line)
    for number in numbers if kind else ():
        known = without_long_texts(line)
        if _has_number(known, number.value):
            continue
        for fuller in _with_number(line, number, fields_of(kind)):
            if _is_able(fuller, reader):
                line = fuller
                break
        else:
            line = (with_harm(line, number.value, reader) if number.is_harm else "") or line
    return line


def _has_number(line: str, value: int) -> bool:
    """Return whether a line has a number as one of its values, letters or faces."""
    tokens = line.replace(FACE, " ").replace(".", " ").replace("=", " ").split()
    return any(token.lstrip("v+-").rstrip("mhs") == str(value) for token in tokens)


def _with_number(line: str, number: Number, fields: Sequence[Field]) -> Iterator[str]:
    """Yield a line with a number in each place that may take it: its own field, the total, the faces."""
    numeric = [field for field in fields if field.shape == "whole" and f" {field.name}=" not in line]
    own = [field for field in numeric if field.name in number.beside]
    bare = line.removesuffix(PAUSE).rstrip()
    pause = line[len(bare) :]
    yield from (f"{bare} {field.name}={number.value}{pause}" for field in own)
    if own or number.is_against or number.is_harm:
        return
    if f" {TOTAL}=" in line:  # `18 vs 15, 6`: the last is what it did
        yield from (f"{bare} {each.name}={number.value}{pause}" for each in numeric if each.name in ENGLISH.suffered)
    if FACES not in line:
        yield from (f"{bare} {field.name}={number.value}{pause}" for field in numeric if field.name == TOTAL)
        several = len(LISTED.findall(SPEAKERS.sub("", without_long_texts(bare)))) + 1  # `four to each`
        counts = dict.fromkeys((several, 1))
        yield from (f"{bare} {FACE}{'.'.join([str(number.value)] * count)}" for count in counts)
    else:
        begun, faces = line.rsplit(FACES, 1)
        first, *rest = faces.split(" ", 1)
        yield " ".join([f"{begun}{FACES}{first}.{number.value}", *rest])


def _kind_of(line: str, reader: Reader) -> type[Declaration] | None:
    """Return what kind of declaration a line is; None if it cannot be read."""
    try:
        parsed = parse_each(normalize_line(line), reader.scope)
    except LedgerError:
        return None
    return type(parsed[0].declaration) if parsed else None


def _is_able(line: str, reader: Reader) -> bool:
    """Return whether a line is allowed now, with the faces that it has."""
    if FACES in line:
        return throws_faces(line, reader)
    return why_not_said(line, reader.ledger_state, reader.book, reader.scope) is None
