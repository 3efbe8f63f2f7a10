"""Sentences with two acts: `Kael moves to the gate and strikes the guard` is said as two lines, one after the other."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import islice
from typing import Final, NamedTuple

import msgspec

from cli.notation.line_parser import parse_each
from cli.notation.schema import syntax_of
from cli.notation.tokens import ANSWER_MARK
from cli.notation.value_parser import ValueParser
from cli.questions.possible import suppose, why_not_said
from cli.speech.answerable import announced, is_answerable, may_be_answered
from cli.speech.doubts import words_before_verb
from cli.speech.elisions import in_full
from cli.speech.english import ENGLISH
from cli.speech.in_play import WITH
from cli.speech.lexicon import in_list
from cli.speech.meanings import Meaning
from cli.speech.named_beings import Named
from cli.speech.readings import Reader
from cli.speech.slots import in_line
from cli.speech.word_order import PARTED_MOST, with_names
from cli.speech.words import Word, amount_at, is_only_amount, sentence_of, split_words
from ledger.declarations import Declaration, GameMasterDeclaration
from ledger.errors import LedgerError, NeverDrawn
from rulebooks.common.adjustments import Adjust
from rulebooks.common.announcements import find_window

THEN: Final = "then"
WHO: Final = "who"  # before what somebody does who is named before it
JOINING: Final = frozenset(("and", THEN, "but", "so"))
STOPS: Final = frozenset((",", ";"))
NAME_MOST: Final = 3  # words of a name
PARTS_MOST: Final = 2  # ways to part a sentence that are tried


class Clauses(NamedTuple):
    """A sentence in two parts, and the subject of the first. `is_told`: the second begins with a pronoun.

    `predicate`: the second without its subject, where that is the subject of the first; else empty. `is_act`: an act
    begins in the second, or it stands behind `then`. `is_cut`: the second leaves out how it is done.
    """

    first: str
    second: str
    subject: str
    predicate: str = ""
    is_told: bool = False
    is_act: bool = False
    is_cut: bool = False


class TwoActs(NamedTuple):
    """What a sentence says first, and the sentence that is left for the next line.

    `is_answered`: that one answers the first. `is_open`: somebody may answer the first, but that one does not.
    """

    first: Meaning
    then: str
    is_answered: bool = False
    is_open: bool = False


def find_two_acts(words: Sequence[Word], reader: Reader) -> TwoActs | None:
    """Return what a sentence says first, and the sentence that is left for the next line; None if it is no such one.

    Both can mean one line alone, the second as the state is after the first, as far as no dice decide that. Where
    somebody may answer the first, the second may be the answer.
    """
    for clauses in islice(_clauses(words, reader), PARTS_MOST):
        meant = None if clauses.is_cut else _certain(clauses.first, reader)
        if meant is None or (clauses.first == clauses.second and _is_ruled(meant)):
            continue
        is_next = clauses.first == clauses.second or any(word.text == THEN for word in words)
        if not is_next and _says_the_same(meant, clauses.second, reader):
            continue
        can_answer = is_answerable(meant.parsed, meant.line, reader.ledger_state, reader.book)
        if answer := _answer_to(meant, clauses, reader):
            return TwoActs(meant, answer, is_answered=True)
        second = "" if clauses.is_told and _names_another(clauses, reader) else clauses.second
        if second and _certain_after([each.declaration for each in meant.parsed], partial(list, [second]), reader):
            return TwoActs(meant, second, is_open=can_answer)
    return None


def find_second_act(words: Sequence[Word], reader: Reader) -> Clauses | None:
    """Return a sentence in its first act and what is left of it; None if it says one act.

    A pronoun that begins the rest stands for the subject, if nobody else is named before it.
    """
    for clauses in _clauses(words, reader):
        if clauses.is_act:
            is_other = clauses.is_told and _names_another(clauses, reader)
            return clauses._replace(second=_as_told(words, clauses), predicate="") if is_other else clauses
    return None


def _as_told(words: Sequence[Word], clauses: Clauses) -> str:
    """Return the second part of a sentence with the pronoun that begins it."""
    count = len(split_words(clauses.first))
    behind = words[count:]
    start = next((at for at, word in enumerate(behind) if word.text in ENGLISH.subjects), 0)
    return sentence_of(behind[start:])


def _says_the_same(meant: Meaning, second: str, reader: Reader) -> bool:
    """Return whether a clause says the act before it in other words: `make camp and sleep until dawn`."""
    if any(word.text in ENGLISH.again for word in split_words(second)):
        return False
    same = _certain(second, reader)
    return same is not None and same.declarations == meant.declarations


def _is_ruled(meant: Meaning) -> bool:
    """Return whether a line is no act of a being, but what is ruled: it is said once."""
    return any(isinstance(each.declaration, Adjust | GameMasterDeclaration) for each in meant.parsed)


def _answer_to(meant: Meaning, clauses: Clauses, reader: Reader) -> str:
    """Return the second part of a sentence as it answers the first; empty if nobody may, or it is no answer.

    Of a pronoun it is said by the one of those who have to answer who can.
    """

    if not may_be_answered(meant.parsed, meant.line, reader.ledger_state, reader.book):
        return ""

    def sentences() -> Iterator[str]:
        if not clauses.is_told:
            yield clauses.second
            return
        window = find_window(reader.ledger_state.state)
        for name in window.awaits if window else ():
            yield f"{in_line(name)}{clauses.second.removeprefix(clauses.subject)}"

    certain = _certain_after([announced(each).recorded for each in meant.parsed], sentences, reader)
    answers = [sentence for sentence, line in certain.items() if line.startswith(ANSWER_MARK)]
    return answers[0] if len(answers) == 1 else ""


def _certain_after(
    said: Sequence[Declaration], sentences: Callable[[], Iterable[str]], reader: Reader
) -> Mapping[str, str]:
    """Return the lines of those sentences that can mean one alone behind these declarations, as far as no dice decide.

    `sentences`: they are asked for in the state after the declarations.
    """
    state = reader.ledger_state
    mark = state.mark()
    try:
        for each in said:
            suppose(state, reader.book, each)
    except NeverDrawn:
        state.roll_back(mark)
    except LedgerError:
        state.roll_back(mark)
        return {}
    try:
        return {sentence: meant.line for sentence in sentences() if (meant := _certain(sentence, reader))}
    finally:
        state.roll_back(mark)


def _names_another(clauses: Clauses, reader: Reader) -> bool:
    """Return whether somebody besides its subject is named in the first part, so that a pronoun may mean either."""
    words = split_words(clauses.first)
    first = reader.in_play.beings.at(words, 0)
    named = reader.in_play.beings.named_before(words, len(words), first.readings[0][0] if first else "")
    return not {*named} <= {*reader.scope.things}


def find_last_act(words: Sequence[Word], reader: Reader) -> Meaning | None:
    """Return what a sentence says behind words that are no act: `feints and strikes the guard`; None if nothing.

    Where it needs a reason, those words are it: `falls off the ladder and loses two hit points`.
    """
    for clauses in islice(_clauses(words, reader), PARTS_MOST):
        if not clauses.second or (clauses.is_told and _names_another(clauses, reader)):
            continue
        first, second, subject = clauses.first, clauses.second, clauses.subject
        reason = first.removeprefix(subject).strip()
        own = f"{second}, {reason}" if second.startswith(f"{subject} ") else second
        said = split_words(second)
        tried = (second, own) if amount_at(said, len(said) - 1) else (own, second)  # no reason is behind a last number
        if meant := next(filter(None, (_certain(each, reader) for each in dict.fromkeys(tried))), None):
            return _with_item(meant, reason, reader)
    return None


def _with_item(meant: Meaning, before: str, reader: Reader) -> Meaning:
    """Return an act with the one of several items that is named before it: `switches to her handaxe and hits him`."""
    said = meant.parsed[0].declaration
    field = syntax_of(type(said)).introduced.get(WITH)
    if field is None or getattr(said, field.name):
        return meant
    known = tuple(ValueParser(type(said), said.by, reader.scope).known_words(field))
    named = [each for each in known if f" {each.casefold()} " in f" {before.casefold()} "]
    line = f"{meant.line} {WITH} {in_line(named[0])}" if len(named) == 1 < len(known) else ""
    if not line or why_not_said(line, reader.ledger_state, reader.book, reader.scope):
        return meant
    return msgspec.structs.replace(meant, line=line, parsed=tuple(parse_each(line, reader.scope)))


def lines_behind(words: Sequence[Word], reader: Reader) -> list[str]:
    """Return what somebody does behind a clause that says no act: `he can't move, Ada finishes him off`."""
    for index in range(1, len(words) - 1 if len(words) <= PARTED_MOST else 0):
        start = index + (words[index].text == "and")
        if start == index and words[index - 1].mark not in STOPS:
            continue
        is_pronoun = words[start].text in ENGLISH.subjects
        named = reader.in_play.beings.at(words, 0 if is_pronoun else start)
        behind = start + 1 if is_pronoun else start + named.size if named else start
        if named and reader.begins_deed(words, behind):
            clause = with_names(words, behind, reader.in_play, named.readings[0][0])
            said = reader.read(f"{in_list(named.readings[0])} {sentence_of(clause)}")
            if lines := [each.line for each in said if each.parsed and not (each.left or each.error or each.is_free)]:
                return lines
    return []


def has_second_act(words: Sequence[Word], reader: Reader) -> bool:
    """Return whether a sentence goes on with another act: behind `then`, a comma and `and`, or `and` and a name."""
    if len(words) > PARTED_MOST:
        return False
    joined = any(
        word.text == THEN
        or (word.text in JOINING and (words[index - 1].mark or _says_another(words, index, reader)))
        or (word.text in JOINING and in_full(words[:index], words[index + 1 :] or words[index:], reader.in_play))
        for index, word in enumerate(words)
        if index
    )
    return joined and next(_clauses(words, reader), None) is not None


def joins_deed(words: Sequence[Word], reader: Reader) -> bool:
    """Return whether a deed begins behind `and`, or behind a stop, of whom a pronoun or a name says there.

    `drinks it, she regains health`; `runs to the gate, Bo hits the guard`.
    """
    for index, word in enumerate(words[:-2] if len(words) <= PARTED_MOST else (), 1):
        is_stop = word.mark in STOPS
        named = reader.in_play.beings.at(words, index) if is_stop else None
        behind = named.size if named else is_stop and words[index].text in ENGLISH.subjects
        if (word.text in JOINING or is_stop) and reader.begins_deed(words, index + behind):
            return True
    return False


def _says_another(words: Sequence[Word], index: int, reader: Reader) -> bool:
    """Return whether behind the `and` at this word somebody else does something: `and Bo will cover the door`."""
    named = reader.in_play.beings.at(words, index + 1)
    if named is None or index < len(words_before_verb(words, reader.in_play.beings)):
        return False
    return reader.begins_deed(words, index + 1 + named.size)


def _clauses(words: Sequence[Word], reader: Reader) -> Iterator[Clauses]:
    """Yield the ways to part a sentence before a second act; one without a subject is said with that of the first.

    `hits him twice` is said again, and `hits guard 1 and then guard 2` with the verb.
    """
    if len(words) > PARTED_MOST:
        return
    before = _subject(words, reader)
    subject = sentence_of(before)
    yield from _said_twice(words, subject)
    for index in range(2, len(words)):
        if words[index].text not in JOINING and words[index - 1].mark not in STOPS:
            continue
        start = index
        while start < len(words) - 1 and words[start].text in JOINING:
            start += 1
        rest, first = sentence_of(with_names(words, start, reader.in_play)), sentence_of(words[:index])
        if full := in_full(words[:index], words[start:], reader.in_play):
            is_cut = full == first and words[start].mark != ""  # how it is the second time is left out
            yield Clauses(first, full, subject, is_act=True, is_cut=is_cut)
            continue
        begin, is_then, is_told = start, words[start - 1].text == THEN, words[start].text in ENGLISH.subjects
        while start < len(words) - 1 and words[start].text in (ENGLISH.little if is_then else ENGLISH.articles):
            start += 1
        if named := reader.in_play.beings.at(words, start):
            rest = rest if _is_one_named(words[:index], named, reader) else sentence_of(words[begin:])
            is_elided = named.size == len(words) - start and is_then
            begun = _up_to_object(words, len(before), reader) if is_elided else ""
            is_again = begun.endswith(f" {words[begin].raw}")  # `cuts at guard 1, then at guard 2`
            second = f"{begun} {sentence_of(words[begin + is_again :])}" if is_elided else rest
            yield Clauses(first, second, subject, is_act=is_then or reader.begins_deed(words, start + named.size))
        elif subject and not is_told and any(reader.verbs.at(words, at, reader.in_play) for at in {begin, start}):
            is_act = is_then or any(reader.begins_deed(words, at) for at in {begin, start})
            yield Clauses(first, f"{subject} {rest}", subject, rest, is_act=is_act)
        elif is_told and (is_then or subject) and (is_then or reader.begins_deed(words, begin + 1)):
            told = sentence_of(with_names(words, begin, reader.in_play)[1:])  # `she's done` is `'s done`
            second = f"{subject} {told}" if subject else sentence_of(words[begin:])
            yield Clauses(first, second, subject, told, is_told=True, is_act=True)
        elif words[start].text == WHO and (names := _named_up_to(words, start, reader)):
            yield Clauses(first, f"{in_list(names)} {sentence_of(words[start + 1 :])}", subject)
        elif is_then and not is_only_amount(words[begin:]):  # `a twelve, then a four`
            yield Clauses(first, f"{subject} {rest}".strip(), subject, rest, is_act=True)


def _said_twice(words: Sequence[Word], subject: str) -> Iterator[Clauses]:
    """Yield what is done twice as done once, and again."""
    for index, word in enumerate(words):
        if word.text in ENGLISH.twice:
            once = sentence_of([*words[:index], *words[index + 1 :]])
            yield Clauses(once, once, subject)


def _is_one_named(words: Sequence[Word], doer: Named, reader: Reader) -> bool:
    """Return whether one alone is named in these words besides who acts behind them: a pronoun there means that one."""
    found = (reader.in_play.beings.at(words, at) for at in range(len(words)))
    names = {name for each in found if each for name in each.readings[0]}
    return len(names.difference(doer.readings[0], reader.scope.things)) <= 1


def _named_up_to(words: Sequence[Word], end: int, reader: Reader) -> Sequence[str]:
    """Return who is named right before this word; nobody if it is not certain who."""
    named = ((start, reader.in_play.beings.at(words, start)) for start in range(max(0, end - NAME_MOST), end))
    ends = [each for start, each in named if each and start + each.size == end and len(each.readings) == 1]
    return ends[0].readings[0] if ends else ()


def _subject(words: Sequence[Word], reader: Reader) -> Sequence[Word]:
    """Return the words up to the last who is named before the first verb; all before it but leads if nobody is."""
    before = words_before_verb(words, reader.in_play.beings)
    index = end = 0
    while index < len(before) and not (end and reader.begins_deed(words, index)):  # `Sira to the gate, ends there`
        named = reader.in_play.beings.at(words, index)
        index += named.size if named else 1
        end = index if named else end
    if end:
        return before[:end]
    return [word for word in before if word.text not in ENGLISH.slips | ENGLISH.leads | ENGLISH.exclamations]


def _up_to_object(words: Sequence[Word], start: int, reader: Reader) -> str:
    """Return the subject and the verb of a sentence: its words before the first who is named from here on."""
    named = (index for index in range(start, len(words)) if reader.in_play.beings.at(words, index))
    return sentence_of(words[: next(named, len(words))])


def _certain(sentence: str, reader: Reader) -> Meaning | None:
    """Return the only line that a sentence may mean now; None if there is none, or it would be asked about."""
    readings = [each for each in reader.read(sentence) if not each.left and each.parsed and each.error is None]
    most = max((reading.weight for reading in readings), default=0)
    meant = [reading for reading in readings if reading.weight == most]
    meant = [reading for reading in meant if not reading.is_unsure] or meant
    return meant[0] if most and len(meant) == 1 and not meant[0].is_unsure else None
