"""The sentences of a line, and the clauses that stand as one: a throw behind a name, and a question in the end."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final

from cli.speech.beings import Beings
from cli.speech.doubts import SAID
from cli.speech.english import ENGLISH
from cli.speech.in_play import InPlay
from cli.speech.word_order import NOBODY, with_names
from cli.speech.words import Word, amount_at, is_only_amount

ENDS: Final = (".", "!", "?", "\u2026")  # behind a sentence
LOOSE: Final = (":", ";")  # behind one, before small letters too
SPEAKS: Final = ":"
LOSS_LEAST: Final = 4  # words of it: `that's two off Bo`


def parted_sentences(words: Sequence[Word], beings: Beings) -> list[Sequence[Word]]:
    """Return the sentences of a line: behind a stop the next begins with a capital letter, but behind a colon.

    A colon behind a name says who speaks.
    """
    sentences, begin = list[Sequence[Word]](), 0
    for end in range(1, len(words)):
        mark, first = words[end - 1].mark, words[end].raw[:1]
        named = beings.at(words, begin) if mark == SPEAKS else None
        is_name = named is not None and begin + named.size == end
        is_end = mark in LOOSE or (mark in ENDS and not first.islower())
        if is_end and not is_name:
            sentences.append(words[begin:end])
            begin = end
    return [*sentences, words[begin:]]


def sentences_in(words: Sequence[Word]) -> list[Sequence[Word]]:
    """Return the sentences of a line, those that begin with a small letter too."""
    ends = [at for at, word in enumerate(words, 1) if word.mark in ENDS or at == len(words)]
    return [words[start:end] for start, end in pairwise([0, *ends])]


def behind_number(words: Sequence[Word], beings: Beings) -> list[Sequence[Word]]:
    """Return a sentence in two behind a name and a number, which say what was thrown: `Kess nine, she's first`."""
    named = beings.at(words, 0)
    end = next((at for at, word in enumerate(words, 1) if word.mark == ","), 0)
    is_thrown = named is not None and named.size < end < len(words) and is_only_amount(words[named.size : end])
    return [words[:end], words[end:]] if is_thrown else []


def with_last_loss(words: Sequence[Word], in_play: InPlay) -> list[Sequence[Word]]:
    """Return a sentence in two before a clause that says who loses how much: `it falls, that's two off her`.

    A pronoun there means the one who is named before.
    """
    start = next((at for at in range(len(words) - LOSS_LEAST, 0, -1) if words[at - 1].mark), 0)
    texts = [word.text for word in words[start:]]
    is_loss = start > 0 and texts[0] in SAID and texts[1] in ENGLISH.copulas and not ENGLISH.giving.isdisjoint(texts)
    if not is_loss or not any(amount_at(words, at) for at in range(start, len(words))):
        return []
    return [words[:start], with_names(words, start, in_play, NOBODY)]


def last_questions(words: Sequence[Word]) -> Iterator[Sequence[Word]]:
    """Yield what stands behind the last stop, and what begins as a question behind a comma: `after that, who is up`."""
    for at in range(len(words) - 1, 0, -1):
        mark = words[at - 1].mark
        if mark in ENDS or (mark == "," and words[at].text in ENGLISH.interrogatives):
            yield words[at:]
            return


def sentence_with_mark(words: Sequence[Word]) -> Sequence[Word]:
    """Return the last sentence that ends in a question mark, if it is not the whole line; else nothing."""
    ends = [at for at, word in enumerate(words, 1) if word.mark in ENDS or at == len(words)]
    asked = next((end for end in reversed(ends) if words[end - 1].mark == "?"), 0)
    start = max((end for end in ends if end < asked), default=0)
    return words[start:asked] if asked and asked - start < len(words) else []


def without_ends(words: Sequence[Word]) -> list[Sequence[Word]]:
    """Return a question without what says nothing at its end, `what do I need again`, and then without more of it.

    The first is the question itself if all of it says something.
    """
    shorter = list[Sequence[Word]]()
    ends = [tuple(end.split()) for end in ENGLISH.nowadays]
    while size := _size_of_end(shorter[-1] if shorter else words, ends):
        shorter.append((shorter[-1] if shorter else words)[:-size])
    return shorter or [words]


def _size_of_end(words: Sequence[Word], ends: Sequence[tuple[str, ...]]) -> int:
    """Return how many words at the end are one of these, behind two others at least; 0 if none is."""
    said = tuple(word.text for word in words)
    return next((len(end) for end in ends if said[-len(end) :] == end and len(said) > len(end) + 1), 0)
