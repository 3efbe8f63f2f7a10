"""What a foe does is announced where players may answer it before the dice."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from cli.notation.line_parser import ParsedLine
from cli.notation.tokens import PAUSE
from cli.questions.possible import anybody_can_answer
from cli.speech.heard import Heard
from ledger.declarations import Declaration
from ledger.ledger_state import LedgerState
from projections.state import State
from rulebooks.common.announcements import Announce, Go
from rulebooks.common.game import Game
from rulebooks.common.sides import is_foe


def announce(
    typed: str, heard: Heard, ledger_state: LedgerState[State], book: Game, *, is_answered: bool = False
) -> Heard:
    """Return what a foe does as announced, if players may answer it before the dice; all else as it is.

    `is_answered`: somebody answers it in the same sentence, whoever does it.
    """
    if not (is_answered or is_answerable(heard.parsed, heard.line, ledger_state, book)):
        return Heard(tuple(as_typed(each, typed) for each in heard.parsed), heard.line, heard.then)
    return Heard((as_typed(announced(heard.parsed[0]), typed),), f"{heard.line} {PAUSE}", heard.then)


def is_answerable(parsed: Sequence[ParsedLine], line: str, ledger_state: LedgerState[State], book: Game) -> bool:
    """Return whether a line is what one foe does, and somebody may answer it before the dice, which are not thrown."""
    is_foes = is_foe(parsed[0].declaration.by, ledger_state.state)
    return is_foes and may_be_answered(parsed, line, ledger_state, book)


def may_be_answered(parsed: Sequence[ParsedLine], line: str, ledger_state: LedgerState[State], book: Game) -> bool:
    """Return whether somebody may answer the one act of a line before the dice."""
    alone = len(parsed) == 1 and parsed[0].faces is None and Announce in book.declarations
    return alone and "^" not in line and anybody_can_answer(ledger_state, book, parsed[0].declaration)


def announced(parsed: ParsedLine) -> ParsedLine:
    """Return a line as announced."""
    return msgspec.structs.replace(parsed, announced=True)


def as_typed(parsed: ParsedLine, typed: str) -> ParsedLine:
    """Return a line with the words that were typed: they are what the record shows."""
    return msgspec.structs.replace(parsed, line=typed.strip())


def lets_go_on(said: Declaration) -> bool:
    """Return whether a line answers what was announced, or lets it happen; it does not take it back."""
    if isinstance(said, Go):
        return not said.withdraw
    return type(said).answers or type(said).lets_go
