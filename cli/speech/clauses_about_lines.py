"""Clauses of a sentence that are about an earlier line: `she had a run-up, that jump was eased`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain, pairwise
from typing import Final

from cli.speech.clauses import Clauses
from cli.speech.doubts import SAID, is_about_what_was_said
from cli.speech.english import ENGLISH
from cli.speech.interpretation import lines_meant
from cli.speech.open_questions import is_deed
from cli.speech.readings import Reader
from cli.speech.sentences import sentences_in
from cli.speech.talk import without_slips
from cli.speech.words import Word, amount_at, clauses_in, sentence_of, split_words

TOLD_MOST: Final = 3  # words with which a clause about a line begins
CLAUSES_MOST: Final = 6  # of a sentence that are tried
BEGINS_MOST: Final = 2  # of clauses that are tried as one
LEADING: Final = ENGLISH.leads | ENGLISH.first_person | frozenset(("would", "let", "us", "just"))  # `so I'd call it`


def is_about(words: Sequence[Word]) -> bool:
    """Return whether a clause corrects what was said with a number: `he is fine, that was three, not five`."""
    return is_about_what_was_said(words) and any(amount_at(words, at) for at in range(len(words)))


def is_put_right(words: Sequence[Word]) -> bool:
    """Return whether a sentence says what was wrong, or that it was: `at Dov, not Mara`, `at Dov, my mistake`."""
    is_denied = any(before.mark and word.text in ENGLISH.instead for before, word in pairwise(words))
    return is_denied or len(without_slips(words)) < len(words)


def last_clause_about_line(words: Sequence[Word]) -> Sequence[Word]:
    """Return the clause behind the last stop if it is about a line: `she had a run-up, that jump was eased`."""
    begins = [at for at in range(len(words) - 1, 0, -1) if words[at - 1].mark]
    for start in begins[:BEGINS_MOST]:
        told = [word.text for word in words[start : start + TOLD_MOST]]
        is_denied = any(words[at - 1].mark and words[at].text in ENGLISH.instead for at in begins if at > start)
        copulas = ENGLISH.was | ENGLISH.copulas if is_denied else ENGLISH.was  # `that is heavy, not light`
        if told[0] in SAID and not copulas.isdisjoint(told[1:]):
            return words[start:]
    return ()


def is_act_behind(parted: Clauses, reader: Reader) -> bool:
    """Return whether what stands behind a correction is an act: without a subject of its own it may say why."""
    second = parted.second
    return not parted.predicate or is_deed(split_words(second), reader) or bool(lines_meant(second, reader))


def is_said_besides(words: Sequence[Word], reader: Reader) -> bool:
    """Return whether what stands behind a line that is taken back says an act of its own, and not why."""
    return is_deed(words, reader) or bool(lines_meant(sentence_of(words), reader))


def parts_alone(words: Sequence[Word]) -> Iterator[tuple[Sequence[Word], Sequence[Word]]]:
    """Yield each sentence of several, and each clause, with what stands behind it: `he is down. Scratch that.`

    `he had gloves on, take that back, he's fine`.
    """
    sentences = sentences_in(words)
    for at, sentence in enumerate(sentences if len(sentences) > 1 else ()):
        yield sentence, [*chain.from_iterable(sentences[at + 1 :])]
    clauses = clauses_in(words)
    for at, clause in enumerate(clauses if 1 < len(clauses) <= CLAUSES_MOST else ()):
        yield clause, [*chain.from_iterable(clauses[at + 1 :])]


def settling_clause(words: Sequence[Word]) -> Sequence[Word]:
    """Return the clause behind the last stop if it says how it is settled: `she only slid, call it two`."""
    start = next((at for at in range(len(words) - 1, 0, -1) if words[at - 1].mark), len(words))
    while start < len(words) and words[start].text in LEADING:
        start += 1
    says_so = start < len(words) and words[start].text in ENGLISH.settling
    return words[start:] if says_so and is_about_what_was_said(words[start:]) else ()
