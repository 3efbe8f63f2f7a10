"""Sentences that a book reads as others: `swaps her sword for the knife` is two acts in the words of the game."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Final

from cli.speech.english import ENGLISH
from cli.speech.frames import SPEECH, FrameIndex, frames_of, read_speech, shared_speech
from cli.speech.readings import Reader
from cli.speech.words import WORDS_MOST, Word, sentence_of
from rulebooks.common.game import Game
from rulebooks.common.word_forms import base_forms

TWICE: Final = "twice"
JOINING: Final = ("and", "then")
SAYING: Final = frozenset(("say", "declare", "announce", "call", "shout"))  # before who does what was said


def find_paraphrase(words: Sequence[Word], reader: Reader) -> str:
    """Return the sentence that a book reads in place of these words, with the same subject; empty if there is none."""
    index = _index(reader.book)
    if (start := _told_by(words, reader)) < len(words):
        deed = [*words[: start - 1], words[start - 1]._replace(mark="")]
        return f"{sentence_of(words[start + 1 :])}: {sentence_of(deed)}"
    if (end := _end_before_again(words)) and reader.speaker_of(words[:end]):
        return f"{sentence_of(words[:end])} {TWICE}"
    for start in range(1, len(words) if len(words) <= WORDS_MOST else 0):
        whole = [match for match in index.at(words, start, reader.in_play) if match.end == len(words)]
        if whole and reader.subjects(words[:start]):
            return f"{sentence_of(words[:start])} {whole[0].line}"
    return ""


def _told_by(words: Sequence[Word], reader: Reader) -> int:
    """Return where `says Brynn` ends a sentence that begins with nobody; its length if it does not."""
    for start in range(1, len(words) - 1):
        named = reader.in_play.beings.at(words, start + 1) if base_forms(words[start].text) & SAYING else None
        if named and words[start - 1].mark and start + 1 + named.size == len(words):
            return start if not reader.in_play.beings.at(words, 0) else len(words)
    return len(words)


def _end_before_again(words: Sequence[Word]) -> int:
    """Return where `, then once more` or `and again` begins at the end of a sentence; 0 if nothing of the kind does."""
    start = len(words)
    while start and words[start - 1].text in ENGLISH.again | ENGLISH.repeated:
        start -= 1
    joined = start - 1 if start and words[start - 1].text in JOINING else start
    is_joined = joined < start or bool(start and words[start - 1].mark)
    return joined if is_joined and start < len(words) and any(w.text in ENGLISH.again for w in words[start:]) else 0


@cache
def _index(book: Game) -> FrameIndex:
    own, shared = read_speech(book.texts().folder / SPEECH), shared_speech()
    return FrameIndex(frames_of([own.paraphrases, shared.paraphrases]))
