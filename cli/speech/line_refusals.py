"""Why the lines of a reading would be refused now: each by itself, or behind those that are said with it."""

from __future__ import annotations

from collections.abc import Sequence

from cli.notation.line_parser import ParsedLine
from cli.questions.possible import suppose, throw, why_refused
from ledger.errors import LedgerError
from ledger.ledger_state import LedgerState
from projections.state import State
from rulebooks.common.game import Game


def refusals_of(parsed: Sequence[ParsedLine], state: LedgerState[State], book: Game) -> list[LedgerError | None]:
    """Return why each of these lines would be refused now, or behind those before it that would be taken."""
    alone = [_why_refused(each, state, book) for each in parsed]
    return alone if all(alone) or not any(alone) else _refusals_in_order(parsed, alone, state, book)


def _refusals_in_order(
    parsed: Sequence[ParsedLine], alone: Sequence[LedgerError | None], state: LedgerState[State], book: Game
) -> list[LedgerError | None]:
    """Return why each is refused behind those before it: `the guards hold back`, one turn after the other.

    Where dice decide what stands before a line, or nobody before it acts, it is refused as by itself.
    """
    refusals: list[LedgerError | None] = []
    mark = state.mark()
    try:
        for each, refusal in zip(parsed, alone, strict=True):
            refusals.append(refusal and _why_refused(each, state, book))
            if refusals[-1] is None:
                suppose(state, book, each.declaration)
    except LedgerError:
        return [*refusals, *alone[len(refusals) :]]
    finally:
        state.roll_back(mark)
    return refusals


def _why_refused(each: ParsedLine, state: LedgerState[State], book: Game) -> LedgerError | None:
    """Return why a line would be refused, or that its dice cannot show the faces that are said."""
    refusal = why_refused(state, book, each.declaration)
    if refusal is None and each.faces and not each.announced:
        thrown = throw(state, book, each)
        if thrown.error and not thrown.is_short:
            return thrown.error
    return refusal
