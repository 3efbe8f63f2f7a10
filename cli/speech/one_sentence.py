"""Several sentences in one line: what one of them says by itself stands before what their words call to mind together.

`Not much of a lock. Kess picks it.`; `Nothing from him. Bo!`; `the cold again: one for everybody`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from cli.notation.tokens import TELL_MARKS
from cli.speech.english import ENGLISH
from cli.speech.heard import ASKED_MOST, Unclear, omission_note, unclear
from cli.speech.interpretation import interpret
from cli.speech.line_looks import without_long_texts
from cli.speech.lost_words import unsaid_words
from cli.speech.readings import Reader
from cli.speech.sentences import behind_number, parted_sentences, with_last_loss
from cli.speech.thrown_lines import FACE
from cli.speech.word_order import PARTED_MOST
from cli.speech.words import Word, sentence_of
from ledger.errors import LedgerError, Unreadable

ASKED: Final = "?"
SENTENCES_MOST: Final = 4  # of a line that are read one by one
NUMBER: Final = re.compile(r"[0-9]+")
LINES_MOST: Final = 3  # of one sentence that are asked about


def question_of_sentences(typed: str, words: Sequence[Word], error: LedgerError, reader: Reader) -> LedgerError:
    """Return the question for what one sentence of several says by itself; the error where none says more than it.

    The others are talk. `error`: the question about all of them, or why they are not taken.
    """
    sentences = parted_sentences(words, reader.in_play.beings) if len(words) <= PARTED_MOST else []
    if len(sentences) == 1:
        sentences = behind_number(words, reader.in_play.beings) or with_last_loss(words, reader.in_play)
    if not 1 < len(sentences) <= SENTENCES_MOST:
        return error
    asked = error.lines if isinstance(error, Unclear) else ()
    said = [(lines, then) for lines, then in _lines_of_each(sentences, reader) if lines]
    is_asked = any(_is_in(line, other) for lines, _ in said for line in lines for other in asked)
    is_thrown = said and asked and _faces_of(asked[0]) and _faces_of(asked[0]) == _faces_of(said[0][0][0])
    if not said or is_thrown or (is_asked and not _has_more_numbers(said[0][0][0], asked[0])):
        return error
    lines, then = said[0]
    if asked and not then and _has_more_numbers(asked[0], lines[0]):
        return error
    told = [line for line in asked if line[:1] in TELL_MARKS][:1]
    others = [line for line in asked if line[:1] not in TELL_MARKS]
    meant = [*lines[:LINES_MOST], *others][: ASKED_MOST - len(told)]
    why = omission_note(typed, unsaid_words(typed, f"{lines[0]} {' '.join(then.values())}", reader.in_play))
    return unclear(typed, [*meant, *told], why, then=then)


def _lines_of_each(
    sentences: Sequence[Sequence[Word]], reader: Reader
) -> Iterator[tuple[Sequence[str], Mapping[str, str]]]:
    """Yield the lines that each sentence means that asks nothing, with what is left to say behind the first of them.

    What is certain comes before what is asked.
    """
    asked, begun = list[Sequence[str]](), ("", "")
    subject: Sequence[Word] = ()
    for sentence in sentences:
        words, subject = _with_subject(sentence, subject, reader)
        named = reader.in_play.beings.at(sentence, 0)
        if sentence[-1].mark == ASKED or (named and named.size == len(sentence)):
            continue
        text = sentence_of(words)
        try:
            heard = interpret(text, Unreadable(text), reader, is_part=True)
        except LedgerError as error:
            asked.append([each for each in getattr(error, "lines", ()) if each[:1] not in TELL_MARKS])
            continue
        if begun[0]:
            yield [begun[0]], {begun[0]: begun[1] or text}
            return
        begun = (heard.line, heard.then)
    if begun[0]:
        yield [begun[0]], {begun[0]: begun[1]} if begun[1] else {}
    asked = sorted(filter(None, asked), key=lambda lines: -_count_numbers(lines[0]))  # what it costs is no talk
    yield from ((lines, {}) for lines in asked)


def _with_subject(
    sentence: Sequence[Word], subject: Sequence[Word], reader: Reader
) -> tuple[Sequence[Word], Sequence[Word]]:
    """Return a sentence with who is spoken of in place of the pronoun that begins it, and who that is behind it."""
    beings = reader.in_play.beings
    named = [(at, found) for at in range(len(sentence)) if (found := beings.at(sentence, at))]
    named = [each for each in named if not beings.are_things(each[1])]
    spoken_of = sentence[named[0][0] : named[0][0] + named[0][1].size] if named else subject
    begins_so = sentence[0].text in ENGLISH.subjects - ENGLISH.first_person and subject
    return ([*subject, *sentence[1:]] if begins_so else sentence), spoken_of


def _is_in(line: str, other: str) -> bool:
    """Return whether a line says nothing that is not in another, but for a text."""
    return {*without_long_texts(line).split()} <= {*without_long_texts(other).split()}


def _faces_of(line: str) -> str:
    """Return the faces of a line; empty without any."""
    return next((token for token in line.split() if token.startswith(FACE)), "")


def _has_more_numbers(line: str, other: str) -> bool:
    """Return whether a line has numbers outside of its text, and another has not as many."""
    return _count_numbers(line) > _count_numbers(other)


def _count_numbers(line: str) -> int:
    """Return how many numbers a line has outside of its text."""
    return len(NUMBER.findall(without_long_texts(line)))
