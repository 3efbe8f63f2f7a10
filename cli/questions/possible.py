"""Whether a declaration would be taken now. Nothing is declared."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import NamedTuple

from cli.notation.line_parser import ParsedLine, parse_each
from cli.notation.scope import Scope
from cli.notation.tokens import normalize_line
from ledger.declarations import Declaration
from ledger.dice import TypedDice
from ledger.errors import LedgerError, NeverDrawn, Refused, Unreadable, stored_errors
from ledger.facts import Fact
from ledger.implied_passes import NO_DICE, fold_passes
from ledger.ledger_state import LedgerState, decide_and_fold, dispatch
from ledger.service import Ledger
from projections.state import State
from rulebooks.common.game import Game


def is_possible(ledger: Ledger[State], book: Game, said: Declaration) -> bool:
    """Whether a declaration would be taken now, as far as its dice do not decide it. Nothing is declared."""
    return why_refused(ledger.state, book, said) is None


def why_refused(state: LedgerState[State], book: Game, said: Declaration) -> LedgerError | None:
    """Return why a declaration would not be taken; None if it would, as far as its dice do not decide it."""
    refusal = _refusal_at_once(state, book, said)
    if not isinstance(refusal, Refused) or refusal.first is None:
        return refusal
    try:  # it only came too early
        with state.trial():
            fold_passes(book, state, said, lambda: NO_DICE, state.next_entry())
            return _refusal_at_once(state, book, said)
    except LedgerError as error:
        return error


def _refusal_at_once(state: LedgerState[State], book: Game, said: Declaration) -> LedgerError | None:
    """Return why a declaration would not be taken while nobody else passes; None if it would, whatever its dice."""
    try:
        with state.trial():
            decide_and_fold(book, state, said, NO_DICE, state.next_entry())
    except NeverDrawn:
        return None
    except LedgerError as error:
        return error
    return None


def suppose(state: LedgerState[State], book: Game, said: Declaration) -> None:
    """Fold what a declaration and the passes that it implies cause into a state, which the caller rolls back.

    Raises NeverDrawn where dice decide it, and LedgerError where it is refused.
    """
    fold_passes(book, state, said, lambda: NO_DICE, state.next_entry())
    decide_and_fold(book, state, said, NO_DICE, state.next_entry())


class BeforeDice(NamedTuple):
    """What a declaration causes before its first throw, and the sides of its dice: what it costs, and what to throw."""

    facts: Sequence[Fact]
    purpose: str = ""
    sides: tuple[int, ...] = ()


def before_dice(state: LedgerState[State], book: Game, said: Declaration) -> BeforeDice:
    """Return what a declaration would cause before its first throw. Raises the error of one that is refused."""
    facts, entry = list[Fact](), state.next_entry()
    try:
        with state.trial():
            fold_passes(book, state, said, lambda: NO_DICE, entry)
            for fact in dispatch(book, state, said, NO_DICE):
                state.step(entry, fact)
                facts.append(fact)
    except NeverDrawn as undrawn:
        return BeforeDice(facts, undrawn.purpose, undrawn.sides)
    return BeforeDice(facts)


class Thrown(NamedTuple):
    """What a line causes with the faces that it says, and why they are not those of its dice; no error if they are.

    `is_short`: it throws more dice than it has faces.
    """

    facts: Sequence[Fact] = ()
    error: LedgerError | None = None
    is_short: bool = False


def throw(state: LedgerState[State], book: Game, parsed: ParsedLine) -> Thrown:
    """Return what a line that would be taken causes with its faces; nothing is declared."""
    dice = TypedDice(parsed.faces or ())
    try:
        with state.trial():
            fold_passes(book, state, parsed.declaration, lambda: NO_DICE, state.next_entry())
            facts = decide_and_fold(book, state, parsed.declaration, dice, state.next_entry())
            dice.check_all_used()
    except LedgerError as error:
        return Thrown(error=error, is_short=len(dice.used_faces) == len(dice.faces))
    return Thrown(facts)


def acting_after(ledger: Ledger[State], book: Game, said: Declaration) -> list[str]:
    """Return who may act once a declaration is made; nobody where it is refused or throws dice."""
    state = ledger.state
    try:
        with state.trial():
            decide_and_fold(book, state, said, NO_DICE, state.next_entry())
            return list(book.guide.next_up(state.state))
    except LedgerError:
        return []


def may_be_said(line: str, ledger: Ledger[State], book: Game, scope: Scope) -> bool:
    """Return whether a line can be read, and the rules allow it now."""
    return why_not_said(line, ledger.state, book, scope) is None


def why_not_said(line: str, state: LedgerState[State], book: Game, scope: Scope) -> LedgerError | None:
    """Return why a line cannot be read, or is not allowed now; None if it can be said."""
    try:
        parsed = parse_each(normalize_line(line), scope)
    except Unreadable as error:
        return error
    if not parsed:
        return Unreadable("the line says nothing", hint="Write a name and a verb.")
    errors = (why_refused(state, book, each.declaration) for each in parsed)
    return next((error for error in errors if error is not None), None)


def anybody_can_answer(state: LedgerState[State], book: Game, said: Declaration) -> bool:
    """Return whether somebody may react to an announced declaration, after the passes that it implies."""
    with state.trial():
        with suppress(LedgerError):  # its declaration raises it
            fold_passes(book, state, said, lambda: NO_DICE, state.next_entry())
        with stored_errors(f"the state after entry {state.last}"):
            return any(book.answers(said, state.state))
