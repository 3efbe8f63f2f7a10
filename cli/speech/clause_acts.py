"""The acts of a sentence that is not understood as a whole: the first that is, and what is left to say behind it.

`Now the reds: the hound bounds into the hall and snaps at Bo`; `it's a bad one, he's out, so that's the fight over`.
What is only a reason, a description or an aside is left out, and the question says which names and numbers of it are.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from cli.notation.line_parser import parse_each
from cli.notation.tokens import PAUSE, TELL_MARKS
from cli.speech.clauses import JOINING
from cli.speech.doubts import condition_error, is_about_what_was_said
from cli.speech.english import ENGLISH
from cli.speech.grave_lines import UNREAD
from cli.speech.heard import ASKED_MOST, Unclear, is_doubtful, omission_note, unclear
from cli.speech.interpretation import interpret
from cli.speech.line_looks import has_long_text, without_long_texts
from cli.speech.lost_words import unsaid_words
from cli.speech.readings import Reader
from cli.speech.second_acts import says_the_same
from cli.speech.slots import in_line
from cli.speech.speakers import mentions_in
from cli.speech.word_order import with_names
from cli.speech.words import WORDS_MOST, Word, sentence_of
from ledger.errors import LedgerError, Unreadable
from ledger.facts import GM

CLAUSES_MOST: Final = 6  # of a sentence that are read
LINES_MOST: Final = 3  # of one clause that are asked about
SUBJECT_MOST: Final = 4  # words of a clause before its copula
PART_LEAST: Final = 2  # words of a clause


class FirstAct(NamedTuple):
    """A clause that says an act: the lines that it means, and what is left of it."""

    lines: Sequence[str]
    then: str


def question_of_clauses(typed: str, words: Sequence[Word], error: LedgerError, reader: Reader) -> LedgerError:
    """Return the question for the first act of a sentence with the rest behind it; the error where it has none.

    `error`: the question about the whole, or why it is not taken. It stands if no more is said so.
    """
    asked = error.lines if isinstance(error, Unclear) else ()
    own = [line for line in asked if line[:1] not in TELL_MARKS]
    if isinstance(error, Unclear) and any(error.then.get(line) for line in own[:1]):
        return error
    if len(words) > WORDS_MOST or condition_error(words) or is_about_what_was_said(words):
        return error
    is_part = isinstance(error, Unclear) and UNREAD in error.what
    if own and not (is_part or _unsaid(typed, own[0], "", reader) or has_long_text(own[0])):
        return error
    clauses = [*_clauses(words, reader)]
    if not 1 < len(clauses) <= CLAUSES_MOST:
        return error
    first, act = _first_act(clauses, reader)
    if act is None:
        return error
    parsed = parse_each(act.lines[0].removesuffix(f" {PAUSE}"), reader.scope)
    ways = ((_phrase(clause, reader), clause.behind) for clause in clauses[first + 1 :])
    later = (way for way in ways if way[0] and not says_the_same(parsed, sentence_of(way[0]), reader))
    rest = act.then or next((sentence_of([*said, *behind]) for said, behind in later), "")
    told = [line for line in asked if line[:1] in TELL_MARKS][:1]
    if own:
        more = len(_unsaid(typed, own[0], "", reader)) - len(_unsaid(typed, act.lines[0], rest, reader))
        if more + bool(rest) + (has_long_text(own[0]) and not first) <= 0:
            return error
    lines = [*act.lines[:LINES_MOST], *(line for line in own if line not in act.lines)][: ASKED_MOST - len(told)]
    why = omission_note(typed, _unsaid(typed, lines[0], rest, reader))
    return unclear(typed, [*lines, *told], why, then=dict.fromkeys(act.lines, rest))


def _unsaid(typed: str, line: str, rest: str, reader: Reader) -> list[str]:
    """Return the names and numbers of a sentence that neither a line says, but for its texts, nor what is left."""
    later = unsaid_words(rest, "", reader.in_play)
    return [word for word in unsaid_words(typed, without_long_texts(line), reader.in_play) if word not in later]


class SpokenClause(NamedTuple):
    """A clause with its subject, and all words of the sentence from it on."""

    words: Sequence[Word]
    subject: Sequence[Word]
    behind: Sequence[Word]


def _clauses(words: Sequence[Word], reader: Reader) -> Iterator[SpokenClause]:
    """Yield the clauses of a sentence, with who is spoken of in the clause before where they name nobody."""
    mentions = [*mentions_in(words, reader.in_play)]
    inner = {at for each in mentions for at in range(each.start + 1, each.end)}
    begins = [
        at for at in range(1, len(words)) if at not in inner and (words[at - 1].mark or words[at].text in JOINING)
    ]
    subject: Sequence[Word] = ()
    for begin, end in zip([0, *begins], [*begins, len(words)], strict=True):
        start = next((at for at in range(begin, end) if words[at].text not in JOINING | ENGLISH.leads), end)
        if start == end or (end - start < PART_LEAST and not any(each.start == start for each in mentions)):
            continue
        yield SpokenClause(with_names(words[:end], start, reader.in_play), subject, words[end:])
        within = [each for each in mentions if start <= each.start < end]
        begun = reader.in_play.beings.at(words, start, loose=words[start].text not in ENGLISH.little)
        if begun and not reader.in_play.beings.are_things(begun):
            subject = words[start : start + begun.size]
        elif len(within) == 1:
            subject = words[within[0].start : within[0].end]
        subject = words[start : start + 1] if words[start].text in ENGLISH.first_person else subject


def _ways(clause: SpokenClause, reader: Reader) -> Iterator[Sequence[Word]]:
    """Yield a clause as a sentence, with the subject of the one before it where it has none."""
    words, subject = clause.words, clause.subject
    is_told = words[0].text in ENGLISH.subjects and words[0].text not in ENGLISH.first_person
    own = [*(word._replace(mark="") for word in subject)]
    named = reader.in_play.beings.at(words, 0)
    if subject and is_told:
        yield [*own, *words[1:]]
        return
    is_of_thing = len(words) > 1 and words[1].text in ENGLISH.copulas  # `fight's over`
    if subject and named is None and not is_of_thing and reader.begins_deed(words, 0):
        yield [*own, *words]
        return
    yield words
    if subject and named is None:
        yield [*own, *words]


def _first_act(clauses: Sequence[SpokenClause], reader: Reader) -> tuple[int, FirstAct | None]:
    """Return the first clause that says an act which is allowed now, and the act; none behind one that is refused.

    How somebody is, `he's dead`, is no act where it is refused.
    """
    for at, clause in enumerate(clauses):
        if act := _act(clause, reader):
            return at, act
        if (way := _phrase(clause, reader)) and not any(word.text in ENGLISH.copulas for word in way[:SUBJECT_MOST]):
            break
    return 0, None


def _act(clause: SpokenClause, reader: Reader) -> FirstAct | None:
    """Return the act of a clause; None if it is none that is allowed now, or a deed in any words."""
    for way in _ways(clause, reader):
        text, then, is_known = sentence_of(way), "", _has_phrase(way, reader)
        if not is_known and next(mentions_in(way, reader.in_play), None) is None:
            continue  # nothing calls an act to mind
        lines: Sequence[str] = ()
        try:
            heard = interpret(text, Unreadable(text), reader, is_part=True)
        except Unclear as error:
            lines = [line for line in error.lines if line[:1] not in TELL_MARKS]
            then = error.then.get(lines[0], "") if lines else ""
        except LedgerError:
            pass
        else:
            lines, then, is_known = [heard.line], heard.then, True
        lines = [line for line in lines if line and _is_about(line, then, way, reader, is_known=is_known)]
        if lines or is_known:
            return FirstAct(lines, then) if lines else None
    return None


def _is_about(line: str, then: str, words: Sequence[Word], reader: Reader, *, is_known: bool) -> bool:
    """Return whether a line is no deed in any words, and says who does something in a clause, and each number of it.

    `then`: what is left to say behind the line. `is_known`: it is certain, or a phrase of the book explains it; else
    the line names another, or a place.
    """
    parsed = parse_each(line.removesuffix(f" {PAUSE}"), reader.scope)
    if any(is_doubtful(each, reader.scope) for each in parsed):
        return False
    doers = [each.names for each in mentions_in(words, reader.in_play) if not each.start]
    is_ruled = all(each.declaration.by == GM for each in parsed)
    is_theirs = is_ruled or not doers or any(in_line(name) in line for name in doers[0])
    others = {*reader.scope.beings}.difference(doers[0] if doers else ())
    is_told = bool(doers) and any(in_line(name) in line for name in others)
    later = unsaid_words(then, "", reader.in_play)
    unsaid = {*unsaid_words(sentence_of(words), f"{line} {then}", reader.in_play)}.difference(later)
    return is_theirs and (is_known or is_told) and not unsaid


def _has_phrase(words: Sequence[Word], reader: Reader) -> bool:
    """Return whether a phrase of the book explains a clause, be it allowed now or not."""
    return any(each.weight and not each.left and not each.is_free for each in reader.another().read(sentence_of(words)))


def _phrase(clause: SpokenClause, reader: Reader) -> Sequence[Word]:
    """Return a clause as a sentence that a phrase of the book explains, be it allowed now or not; else nothing."""
    return next((way for way in _ways(clause, reader) if _has_phrase(way, reader)), ())
