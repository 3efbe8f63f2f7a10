"""Questions about the odds of a deed, in any words: `what does Ada need to hit him`, `has he a chance to jump that`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Final

from cli.notation.line_parser import parse_each
from cli.notation.tokens import GM_MARK, TELL_MARKS
from cli.questions.odds import check_has_odds
from cli.speech.english import ENGLISH
from cli.speech.evocation import supposed_lines
from cli.speech.interpretation import lines_meant
from cli.speech.readings import Reader
from cli.speech.slots import in_line
from cli.speech.words import Word, is_passed_over, sentence_of, split_words
from ledger.errors import LedgerError
from rulebooks.common.word_forms import base_forms

ODDS: Final = "odds"
MAY: Final = ("can", "could", "should", "may", "will")  # before a deed of which it is asked
SHORT_MOST: Final = 6  # words of such a question
MARKS: Final = (GM_MARK, *TELL_MARKS)  # of lines that are no deed of those in play


def odds_question(words: Sequence[Word], reader: Reader, line_of: Callable[[str], str]) -> str:
    """Return the question for the odds of the deed in a question about chances; empty if it names none.

    `line_of`: the line of the grammar that a sentence means.
    """
    asked = [at for at, word in enumerate(words) if not base_forms(word.text).isdisjoint(ENGLISH.odds)]
    if not asked:
        return _odds_of_deed(words, reader)
    start = asked[0] + 1
    while start < len(words) and (words[start].text in ENGLISH.odds_of or is_passed_over(words[start])):
        start += 1
    before, behind = words[: asked[0]], words[start:]
    doer = _doer(before, reader)
    deed = behind or [word for word in before if word.text not in ENGLISH.asking]
    if all(map(is_passed_over, deed)) or not (doer or behind):
        return ""
    own = reader.in_play.beings.at(deed, 0) is not None
    sentence = sentence_of(deed) if own or not behind else f"{doer} {sentence_of(deed)}".strip()
    for line in (line_of(sentence), *lines_meant(sentence, reader), *supposed_lines(split_words(sentence), reader)):
        if line and line[:1] not in MARKS and _has_odds(line, reader):
            return f"{ODDS} {line}"
    return ""


def _odds_of_deed(words: Sequence[Word], reader: Reader) -> str:
    """Return the question for the odds of a deed that only one may do: `can she dodge it`; else nothing."""
    if not (1 < len(words) <= SHORT_MOST and words[0].text in MAY):
        return ""
    lines = [line for line in lines_meant(sentence_of(words[1:]), reader) if " " in line and line[:1] not in MARKS]
    doers = {each.declaration.by for line in lines for each in parse_each(line, reader.scope)}  # of `can he` one
    return next((f"{ODDS} {line}" for line in lines if len(doers) == 1 and _has_odds(line, reader)), "")


def _doer(words: Sequence[Word], reader: Reader) -> str:
    """Return who is named first in these words, as it was said, or who is in turn; empty if nobody is."""
    for at in range(len(words)):
        if named := reader.in_play.beings.at(words, at):
            return sentence_of(words[at : at + named.size])
    return next(iter(reader.in_turn()), "")


def _has_odds(line: str, reader: Reader) -> bool:
    """Return whether the odds of a line can be asked: in its turn, or as if it were."""
    try:
        for each in parse_each(line, reader.scope):
            check_has_odds(reader.book, reader.ledger_state, each.declaration)
    except LedgerError:
        return False
    return True


def is_line(line: str, reader: Reader) -> bool:
    """Return whether a line can be read as it stands, or as one of those who are in turn would say it."""
    for said in (line, *(f"{in_line(name)} {line}" for name in reader.in_turn())):
        with suppress(LedgerError):
            return bool(parse_each(said, reader.scope))
    return False
