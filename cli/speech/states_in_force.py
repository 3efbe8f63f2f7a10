"""Lines that change nothing: what a sentence says of somebody, `Otti's still flat on her back`, may be so already."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from cli.notation.line_parser import ParsedLine, parse_each
from cli.notation.tokens import GM_MARK, TELL_MARKS
from cli.questions.possible import before_dice
from cli.speech.english import ENGLISH
from cli.speech.heard import Heard, Unclear, with_lines
from cli.speech.readings import Reader
from cli.speech.speakers import mentions_in
from cli.speech.words import Word, clauses_in
from ledger.declarations import Ruling
from ledger.errors import LedgerError
from ledger.facts import GM, ConditionBegan, Fact, Judged, Ruled

TRIED_MOST: Final = 4  # lines of one question


def check_not_already(typed: str, words: Sequence[Word], heard: Heard, reader: Reader) -> None:
    """Raise Unclear without a line if a sentence says how somebody is who is so already."""
    is_ruled = all(each.declaration.by == GM for each in heard.parsed)
    if is_ruled and _says_how(words) and _changes_nothing(heard.parsed, reader):
        raise so_already(typed)


def without_what_is_so(typed: str, words: Sequence[Word], question: LedgerError, reader: Reader) -> LedgerError:
    """Return a question about how somebody is without the lines that change nothing, or that it is so already."""
    if not isinstance(question, Unclear) or not _says_how(words):
        return question
    read = {each.line for each in reader.another().read(typed) if each.weight and not each.left}
    tried = [line for line in question.lines if line.startswith(GM_MARK) and line in read][:TRIED_MOST]
    idle = {line for line in tried if _changes_nothing(parse_each(line, reader.scope), reader)}
    left = [line for line in question.lines if line not in idle]
    if not idle:
        return question
    is_named = next(mentions_in(words, reader.in_play), None) is not None  # else somebody else may be meant
    others = [line for line in left if line[:1] not in (*TELL_MARKS, GM_MARK)] if len(clauses_in(words)) > 1 else []
    is_said = question.lines[0] in idle and not others and not any(line in question.then for line in idle)
    if is_named and (is_said or all(line[:1] in TELL_MARKS for line in left)):
        return so_already(typed)
    is_kept = not left or question.lines[0] in idle  # what it says first is no worse than what it may say else
    return question if is_kept else with_lines(question, typed, left, question.what)


def so_already(typed: str) -> Unclear:
    """Return that a sentence says what is so already."""
    return Unclear(f"That is so already: '{typed.strip()}'")


def _says_how(words: Sequence[Word]) -> bool:
    """Return whether a word is one between somebody and how they are."""
    return any(word.text in ENGLISH.copulas for word in words)


def _changes_nothing(parsed: Sequence[ParsedLine], reader: Reader) -> bool:
    """Return whether lines that need no dice cause no fact but that they were ruled, and rule some value."""
    return bool(parsed) and all(
        not (isinstance(each.declaration, Ruling) and not each.declaration.changes) and _is_idle(each, reader)
        for each in parsed
    )


def _is_idle(parsed: ParsedLine, reader: Reader) -> bool:
    """Return whether a line is allowed and causes nothing."""
    try:
        before = before_dice(reader.ledger_state, reader.book, parsed.declaration)
    except LedgerError:
        return False
    return not before.sides and all(_is_known(fact, reader) for fact in before.facts)


def _is_known(fact: Fact, reader: Reader) -> bool:
    """Return whether a fact says nothing new: that something is ruled or judged, or a condition that holds."""
    if isinstance(fact, ConditionBegan):
        return fact.id in reader.ledger_state.state.conditions
    return isinstance(fact, (Ruled, Judged))
