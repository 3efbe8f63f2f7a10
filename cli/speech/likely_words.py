"""Which of several lines that differ in a word of the book is the likelier: who works on a lock uses nimble fingers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

from cli.speech.frames import SPEECH, read_speech
from cli.speech.words import split_words
from rulebooks.common.game import Game
from rulebooks.common.word_forms import base_forms

T = TypeVar("T")


def likeliest_first(meant: Iterable[T], line_of: Callable[[T], str], said: str, book: Game) -> Sequence[T]:
    """Return what is meant with that first whose line has the word of the book that most words of a sentence go with.

    `line_of` returns the line of each.
    """
    all_meant, likely = [*meant], read_speech(book.texts().folder / SPEECH).likely
    if len(all_meant) < 2 or not likely:
        return all_meant
    forms = [base_forms(word.text) for word in split_words(said)]
    counts = {word: sum(not each.isdisjoint(of.split()) for each in forms) for word, of in likely.items()}

    def fitness(each: T) -> int:
        return max((counts.get(token, 0) for token in line_of(each).split()), default=0)

    return sorted(all_meant, key=fitness, reverse=True)
