"""Lines without which a sentence is refused, proposed with the sentence behind them where that is allowed then."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from cli.notation.line_parser import parse_each
from cli.questions.possible import suppose
from cli.speech.memo import Memo
from cli.speech.otherwise import lines_otherwise
from cli.speech.readings import Reader
from ledger.errors import LedgerError

TRIED_MOST: Final = 2  # lines behind which the sentence is read again


def sentences_behind(typed: str, lines: Sequence[str], reader: Reader) -> dict[str, str]:
    """Return what is left to say behind each of the lines behind which a sentence is allowed, as none of them.

    Dice of a line are not known, so nothing is said behind one that throws any.
    """
    return {line: _behind(typed, line, lines, reader) for line in lines[:TRIED_MOST]}


def _behind(typed: str, line: str, lines: Sequence[str], reader: Reader) -> str:
    """Return the sentence, or what the book proposes for it, if that is allowed behind a line; else nothing."""
    state = reader.ledger_state
    mark = state.mark()
    try:
        for each in parse_each(line, reader.scope):
            suppose(state, reader.book, each.declaration)
        later = reader.another(Memo(state))
        readings = later.read(typed)
        meant = [each.line for each in readings if each.parsed and each.error is None and not each.left]
        if meant:
            return "" if {*lines}.issuperset(meant) else typed.strip()
        return next((each for each in lines_otherwise(typed, readings, later) if each not in lines), "")
    except LedgerError:
        return ""
    finally:
        state.roll_back(mark)
