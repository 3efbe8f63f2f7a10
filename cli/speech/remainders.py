"""What is left of a sentence that nothing explains, without how it is asked for, or one clause of it by itself.

`can Kess get a breather in`, `she can't get a clean shot so she moves to the gate`, `bang. Kess shoots him`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Final

from cli.speech.doubts import condition_error, is_about_what_was_said
from cli.speech.english import ENGLISH
from cli.speech.in_play import InPlay
from cli.speech.word_order import PARTED_MOST
from cli.speech.words import Word, amount_at, sentence_of, split_words

PARTS_MOST: Final = 3  # of a sentence that are tried
PART_LEAST: Final = 2  # words of one
SO: Final = ("so", "but", "then")  # before a clause, without a stop
LINKS: Final = (*SO, "and")  # with which no clause begins


def remainders(words: Sequence[Word], in_play: InPlay) -> Iterator[str]:
    """Yield the parts of a sentence that may say by themselves what is meant, those with most words first.

    None of a question, of what may happen, of what corrects an earlier line, or of a line of the grammar.
    """
    if words and words[0].text in ENGLISH.exclamations:
        words = words[1:]
    if not PART_LEAST < len(words) <= PARTED_MOST or is_about_what_was_said(words) or condition_error(words):
        return
    asked = _without_asking(words)
    if asked is None or any(word.is_faces for word in words):
        return
    parts = [*([asked] if len(asked) < len(words) else []), *_clauses(asked, in_play)]
    said = dict.fromkeys(sentence_of(part) for part in parts if len(part) >= PART_LEAST)
    yield from islice(said, PARTS_MOST)


def is_of_another(typed: str, said: str, line: str, in_play: InPlay) -> bool:
    """Return whether a line for a part of a sentence is not about who is named first in the whole.

    A part that names somebody is about the first of the other side: `Ada is ready: axe on guard 1`.
    """
    words, part = split_words(typed), split_words(said)
    first = next((named for at in range(len(words)) if (named := in_play.beings.at(words, at))), None)
    if first is None or any(name in line for names in first.readings for name in names):
        return False
    if not any(in_play.beings.at(part, at) for at in range(len(part))):
        return True
    foes = {*in_play.beings.groups.get("foes", ())}
    return len(first.readings) == 1 and foes.isdisjoint(first.readings[0]) and not in_play.beings.are_things(first)


def asks_for(words: Sequence[Word]) -> int:
    """Return how many words a sentence begins with that ask for what follows, `can I have`; 0 if it does not."""
    texts = tuple(word.text for word in words)
    return next((len(each) for each in map(str.split, ENGLISH.requests) if texts[: len(each)] == tuple(each)), 0)


def _without_asking(words: Sequence[Word]) -> Sequence[Word] | None:
    """Return a sentence without `can I have`; None if it asks something."""
    if said := asks_for(words):
        return words[said:]
    first = next((word.text for word in words if word.text not in ENGLISH.leads), "")
    return None if first in ENGLISH.asking else words


def _tells_result(words: Sequence[Word], start: int) -> bool:
    """Return whether the last clause tells what came of it, in a number: `so that's four after armor`."""
    is_told = words[start].text in (*SO, *ENGLISH.relating) or bool(words[start - 1].mark)
    told = [word.text for word in words[start : start + PARTS_MOST]]
    is_result = not ENGLISH.relating.isdisjoint(told) and not ENGLISH.copulas.isdisjoint(told)
    return is_told and is_result and any(amount_at(words, at) for at in range(start, len(words)))


def _clauses(words: Sequence[Word], in_play: InPlay) -> Iterator[Sequence[Word]]:
    """Yield what stands behind each stop or `so`, then what stands before the last, with who is spoken of.

    What stands before a result is the first.
    """
    begins = [at for at in range(1, len(words) - 1) if words[at - 1].mark or words[at].text in SO]
    if begins and _tells_result(words, begins[-1]):
        yield words[: begins.pop()]
    for begin in begins:
        start = next((at for at in range(begin, len(words)) if words[at].text not in LINKS), begin)
        before = ((at, named) for at in range(begin) if (named := in_play.beings.at(words, at)))
        subject = next((words[at : at + named.size] for at, named in before), ())
        if words[start].text in ENGLISH.subjects and subject:
            yield [*subject, *words[start + 1 :]]
            continue
        yield words[start:]
        if subject and not in_play.beings.at(words, start):
            yield [*subject, *words[start:]]
    for begin in reversed(begins):
        yield words[:begin]
