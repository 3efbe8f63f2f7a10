"""Faces that are said behind a line which throws more dice than it has faces: `fourteen`, `/14`, `Ada rolled a 14`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from cli.speech.dice_questions import OF_DICE
from cli.speech.lone_faces import CLAUSE_MOST, only_number
from cli.speech.readings import Reader
from cli.speech.speakers import mentions_in
from cli.speech.thrown_lines import FACE, throws_faces, throws_of
from cli.speech.words import Word, split_words
from ledger.errors import BadFaces, LedgerError, Refused
from ledger.line_tokens import FACES

LAST_FACES: Final = re.compile(rf"\s{FACES.pattern}$")


def lacks_dice(change: tuple[str, LedgerError | None]) -> bool:
    """Return whether a correction without faces could not be made only for want of dice."""
    line, refusal = change
    is_of_dice = isinstance(refusal, Refused) and refusal.code.endswith(OF_DICE)
    return is_of_dice and not FACES.fullmatch(line.split()[-1])


def missing_die(line: str, reader: Reader) -> str:
    """Return what the next die of a line is for that has some of its faces and lacks others; empty for any other."""
    thrown = throws_of(line, reader)
    if len(thrown) != 1 or thrown[0].error is None or not thrown[0].is_short:
        return ""
    error = thrown[0].error
    is_of_dice = isinstance(error, Refused) and error.code.endswith(OF_DICE)
    bad = error.__cause__ if is_of_dice else error
    return bad.purpose if isinstance(bad, BadFaces) else ""


def with_missing_dice(line: str, text: str, reader: Reader) -> str:
    """Return a line with the faces that it lacks, if that is all that a text says; empty for any other.

    They stand behind those that it has, or in place of all where that fits. Who is named throws the next die.
    """
    purpose = missing_die(line, reader)
    faces = _only_faces(text, f"{line} {purpose}", purpose, reader) if purpose else ""
    if not faces or not LAST_FACES.search(line):
        return ""
    lines = [f"{line}.{faces}", LAST_FACES.sub(f" {FACE}{faces}", line)]
    return next((each for each in lines if throws_faces(each, reader)), lines[0])


def _only_faces(text: str, known: str, purpose: str, reader: Reader) -> str:
    """Return the faces of a text that says nothing else; empty for any other, and one about somebody else's die."""
    if FACES.fullmatch(text.strip()):
        return ".".join(re.findall("[0-9]+", text))
    words: Sequence[Word] = split_words(text)
    named = [each.names for each in mentions_in(words, reader.in_play)]
    if len(words) > CLAUSE_MOST or not all(any(name in purpose for name in names) for names in named):
        return ""
    names = " ".join(name for each in named for name in each)
    number = only_number(words, f"{known} {names}")
    return str(number) if number else ""
