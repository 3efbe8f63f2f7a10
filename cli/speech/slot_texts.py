"""What stands in the text of a phrase: words, or somebody, or a second clause that is no part of it."""

from __future__ import annotations

from typing import Final

from cli.speech.english import ENGLISH
from cli.speech.frames import FrameIndex, FrameMatch
from cli.speech.in_play import InPlay
from cli.speech.word_order import begins_deed
from cli.speech.words import split_words

TEXT: Final = "{text}"


def swallows_clause(match: FrameMatch, verbs: FrameIndex, in_play: InPlay) -> bool:
    """Return whether a text in a frame has a second clause in it: `drinks the draught and regains four health`."""
    words = split_words(match.slots.get(TEXT, ""))
    for at, word in enumerate(words[:-1], 1):
        start = at
        while start < len(words) - 1 and words[start].text in ENGLISH.subjects | ENGLISH.leads:
            start += 1
        named = in_play.beings.at(words, start) if word.mark else None
        if (word.text == "and" or word.mark) and begins_deed(
            words, start + (named.size if named else 0), verbs, in_play
        ):
            return True
    return False


def is_being_for_text(match: FrameMatch, in_play: InPlay) -> bool:
    """Return whether the text that begins a frame, or stands behind its verb, is somebody.

    `Kess hits him for two` is her attack, and what `she burns the guard for two` burns is no part of her.
    """
    parts = match.frame.parts
    at = parts.index(TEXT) if TEXT in parts else 0
    if TEXT not in match.slots or (at and parts[at - 1] in ENGLISH.little):
        return False
    said = split_words(match.slots[TEXT])
    named = in_play.beings.at(said, 0)
    return named is not None and len(said) <= named.size
