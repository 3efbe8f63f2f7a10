"""The ways in which a sentence may correct an earlier line: each returns the corrections that it asks for."""

from __future__ import annotations

from cli.notation.tokens import AMEND_MARK, GM_MARK
from cli.speech.added_words import changes_added
from cli.speech.earlier_lines import Earlier, amended_changes, dropped_change
from cli.speech.harm_said import harm_changes
from cli.speech.lone_faces import lone_face_changes
from cli.speech.loose_corrections import loose_changes
from cli.speech.readings import Reader
from cli.speech.reversals import reached_change, reversed_change
from cli.speech.talk import corrections_in_words, without_slips
from cli.speech.words import split_words


def amend(line: str, reader: Reader, earlier: Earlier) -> list[str]:
    """Return the lines that correct an earlier line that fits a sentence."""
    words = without_slips(split_words(line))
    changes = reached_change(words, reader, earlier)
    changes = amended_changes(words, reader, earlier) if changes is None else changes
    return [f"{AMEND_MARK} {change}" for change in changes]


def drop(line: str, reader: Reader, earlier: Earlier) -> list[str]:
    """Return the line that takes an earlier one back that a sentence names, with why."""
    words = without_slips(split_words(line))
    changes = dropped_change(words, reader, earlier) or reversed_change(words, reader, earlier)
    return [f"{AMEND_MARK} {change}" for change in changes]


def correct(line: str, reader: Reader, earlier: Earlier) -> list[str]:
    """Return the lines that correct an earlier line as a phrase says."""
    return [] if _comes_to(line, reader, earlier) else corrections_in_words(line, reader, earlier.said)


def add(line: str, reader: Reader, earlier: Earlier) -> list[str]:
    """Return the lines that add to an earlier line what a sentence says of it, or change the face of its die."""
    words = split_words(line) if not line.startswith(GM_MARK) else []  # who types the mark knows the grammar
    changes = lone_face_changes(words, earlier, reader.in_play) or changes_added(words, reader, earlier.said)
    changes = harm_changes(words, earlier.said, earlier.faces, earlier.harm, reader) or changes
    return [f"{AMEND_MARK} {change}" for change in changes]


def change_loosely(line: str, reader: Reader, earlier: Earlier) -> list[str]:
    """Return the lines that change an earlier line by one word of a sentence that speaks of a mistake."""
    changes = [] if _comes_to(line, reader, earlier) else loose_changes(line, reader, earlier.said)
    return [f"{AMEND_MARK} {change}" for change in changes]


def _comes_to(line: str, reader: Reader, earlier: Earlier) -> bool:
    """Return whether the number of a sentence is what a value comes to, and not by how much it changes."""
    return reached_change(without_slips(split_words(line)), reader, earlier) is not None
