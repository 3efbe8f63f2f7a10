"""Lines that are loosely like a sentence: offered where it means nothing else, or only a deed in its own words.

Some words of the phrases of the book are said; each line was tried, and is allowed now. None is ever the only one.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from cli.notation.tokens import GM_MARK, TELL_MARKS
from cli.speech.doubts import is_about_what_was_said
from cli.speech.english import ENGLISH
from cli.speech.evocation import loosely_evoked
from cli.speech.grave_lines import is_grave
from cli.speech.heard import ASKED_MOST, LEFT_OUT, OR_WITHOUT, Unclear, omission_note, unclear, with_lines
from cli.speech.line_looks import has_long_text, is_prose, without_long_texts
from cli.speech.lost_words import unsaid_words
from cli.speech.readings import Reader
from cli.speech.retellings import named_speaker
from cli.speech.words import Word, amount_at
from ledger.errors import LedgerError, Refused
from rulebooks.common.word_forms import without_third_person

SAID_LEAST: Final = 4  # words of a sentence that may be loosely like a line
OWN_MOST: Final = 2  # words of a line that is only a deed in words of its own: its speaker and its verb
NAME_AND_VERB: Final = 2  # words with which a sentence of somebody begins


def with_loose_lines(typed: str, words: Sequence[Word], error: LedgerError, reader: Reader) -> LedgerError:
    """Return the question about a sentence that means nothing else with the lines that are loosely like it.

    Those that leave somebody or a number out stand in the place of no refusal, nor any where a line of all words is.
    """
    asked = error.lines if isinstance(error, Unclear) else ()
    if (
        len(words) < SAID_LEAST
        or not all(map(_is_own_deed, asked))
        or stranger_in(words, reader)
        or is_about_what_was_said(words)
    ):
        return error
    if isinstance(error, Refused) and any(each.parsed and not each.left for each in reader.read(typed)):
        return error
    found = loosely_evoked(named_speaker(words, reader), reader)
    lines = [line for line in found.lines if line not in asked and not is_grave(line, reader)]
    if not lines or (isinstance(error, Refused) and found.lost):
        return error
    told = [line for line in asked if line[:1] in TELL_MARKS]
    deeds = [line for line in asked if line not in told]
    if len(lines) == 1 and not asked:
        told = [f"> {typed.strip()}"]
    left = dict.fromkeys(word for line in lines for word in unsaid_words(typed, line, reader.in_play))
    why = error.what if isinstance(error, Refused) else omission_note(typed, [*left])
    return unclear(typed, [*lines[: ASKED_MOST - len(asked)], *deeds, *told], why)


def beside_story(typed: str, error: LedgerError, reader: Reader) -> LedgerError:
    """Return a question with the sentence as fiction beside its only line, if that is no reading of all its words.

    Enter alone would take it.
    """
    if not isinstance(error, Unclear) or len(error.lines) != 1 or error.then or not is_prose(typed):
        return error
    line, is_part = error.lines[0], LEFT_OUT in error.what or OR_WITHOUT in error.what
    is_read = not is_part and any(each.line == line and not each.left for each in reader.read(typed))
    if line[:1] in TELL_MARKS or is_read:
        return error
    return with_lines(error, typed, [line, f"> {typed.strip()}"], error.what)


def stranger_in(words: Sequence[Word], reader: Reader) -> str:
    """Return the name with which a sentence begins, before a verb, where it is nobody's in play; empty without one."""
    is_number = bool(amount_at(words, 0))
    if len(words) < NAME_AND_VERB or words[0].mark or is_number or reader.in_play.beings.at(words, 0, loose=True):
        return ""
    name, verb = words[:NAME_AND_VERB]
    is_name = name.raw[:1].isupper() and name.text not in ENGLISH.little | ENGLISH.subjects | ENGLISH.articles
    return name.raw if is_name and without_third_person(verb.text) != verb.text else ""


def _is_own_deed(line: str) -> bool:
    """Return whether a line is fiction, or only a deed in the words of the sentence."""
    is_own = not line.startswith(GM_MARK) and has_long_text(line)
    return line[:1] in TELL_MARKS or (is_own and len(without_long_texts(line).split()) <= OWN_MOST)
