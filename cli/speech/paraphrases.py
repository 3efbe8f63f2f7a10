"""Sentences that a book reads as others: `swaps her sword for the knife` is two acts in the words of the game."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from cli.speech.frames import SPEECH, FrameIndex, frames_of, read_speech, shared_speech
from cli.speech.readings import Reader
from cli.speech.words import WORDS_MOST, Word, sentence_of
from rulebooks.common.game import Game


def find_paraphrase(words: Sequence[Word], reader: Reader) -> str:
    """Return the sentence that a book reads in place of these words, with the same subject; empty if there is none."""
    index = _index(reader.book)
    for start in range(1, len(words) if len(words) <= WORDS_MOST else 0):
        whole = [match for match in index.at(words, start, reader.in_play) if match.end == len(words)]
        if whole and reader.subjects(words[:start]):
            return f"{sentence_of(words[:start])} {whole[0].line}"
    return ""


@cache
def _index(book: Game) -> FrameIndex:
    own, shared = read_speech(book.texts().folder / SPEECH), shared_speech()
    return FrameIndex(frames_of([own.paraphrases, shared.paraphrases]))
