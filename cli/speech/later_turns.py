"""What is said before its turn: asked as the end of the turn that is open, with the sentence behind it."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final

from cli.notation.line_parser import ParsedLine, parse_each
from cli.notation.tokens import GM_MARK
from cli.questions.possible import suppose
from cli.speech.english import ENGLISH
from cli.speech.heard import Unclear, unclear
from cli.speech.interpretation import lines_meant
from cli.speech.memo import Memo
from cli.speech.readings import Reader
from cli.speech.slots import in_line
from cli.speech.speakers import mentions_in
from cli.speech.words import Word, is_passed_over
from ledger.errors import LedgerError

ENDS: Final = ("end", "pass")  # verbs that end a turn
TURNS_MOST: Final = 6  # that are open before


def question_of_later_turn(typed: str, words: Sequence[Word], why: str, reader: Reader) -> Unclear | None:
    """Return the question whether the open turn ends, with the sentence for the next line; None if that is no help.

    `why`: why a rule refuses it now.
    """
    mentions = list(mentions_in(words, reader.in_play))
    first = next(iter(mentions), None)
    named = {name for each in mentions for name in each.names}  # who may answer what another does
    in_turn = reader.in_turn()
    is_question = typed.rstrip().endswith("?")
    if first is None or len(in_turn) != 1 or in_turn[0] in first.names or is_question:
        return None
    if any(word.text in ENGLISH.first_person or not is_passed_over(word) for word in words[: first.start]):
        return None  # it is no deed of theirs
    state, ways = reader.ledger_state, _ways_to_end(reader)
    line, mark = "", state.mark()
    try:
        for _ in range(TURNS_MOST):
            if not (end := _end_turn(reader, ways)):
                return None
            line = line or end
            if named.isdisjoint(reader.in_turn()):
                continue
            reader = reader.another(Memo(state))
            if any(_is_by(each, named, reader) for each in lines_meant(typed, reader, is_part=True)):
                return unclear(typed, [line], why or f"It is the turn of {in_turn[0]}", then={line: typed.strip()})
    finally:
        state.roll_back(mark)
    return None


def _ways_to_end(reader: Reader) -> list[tuple[str, str]]:
    """Return what stands before and behind a name in a line that ends a turn."""
    verbs = [verb for verb in ENDS if any(verb in kind.verbs for kind in reader.scope.declarations)]
    return [(mark, f" {verb}") for verb in verbs for mark in ("", f"{GM_MARK} ")]


def _end_turn(reader: Reader, ways: list[tuple[str, str]]) -> str:
    """Fold the end of the turn that is open into the state, and return its line; empty if it cannot end now.

    The way that ends it is the first to be tried for the next turn.
    """
    in_turn, state = reader.in_turn(), reader.ledger_state
    for way in list(ways) if len(in_turn) == 1 else ():
        line, mark = way[0] + in_line(in_turn[0]) + way[1], state.mark()
        try:
            for each in parse_each(line, reader.scope):
                suppose(state, reader.book, each.declaration)
        except LedgerError:
            state.roll_back(mark)
            continue
        ways.remove(way)
        ways.insert(0, way)
        return line
    return ""


def _is_by(line: str, names: Collection[str], reader: Reader) -> bool:
    """Return whether one of these says a line."""
    try:
        said: Sequence[ParsedLine] = parse_each(line, reader.scope)
    except LedgerError:
        return False
    return any(each.declaration.by in names for each in said)
