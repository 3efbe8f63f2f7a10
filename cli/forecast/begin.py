"""Where a forecast begins: the fight that is running at a moment, or one that is begun with who is in play."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from cli.notation.formatter import format_declaration
from cli.notation.line_parser import parse_line
from cli.questions.line_scope import line_scope
from ledger.declarations import Declaration
from ledger.errors import InputError, NeverDrawn, Refused, Unreadable, input_errors
from ledger.implied_passes import NO_DICE
from ledger.ledger_state import LedgerState, decide_and_fold
from projections.state import State
from rulebooks.common.game import Game


def begin_fight(state: LedgerState[State], game: Game, sheets: Iterable[Declaration], line: str | None) -> None:
    """Have those of these sheets join, and begin a fight if none is running; `line` is how, in place of the plainest.

    Raises InputError if nobody could fight, and for a sheet or a line that is refused.
    """
    join(state, game, sheets)
    if line is not None:
        begin_as_said(state, game, line)
    elif state.state.encounter is None:
        begin_plainly(state, game)
    check_fight(state.state, game)


def join(state: LedgerState[State], game: Game, sheets: Iterable[Declaration]) -> None:
    """Have those of these sheets join. Raises InputError for a sheet that is refused."""
    with input_errors():
        for sheet in sheets:
            decide_and_fold(game, state, sheet, NO_DICE, state.next_entry())


def begin_as_said(state: LedgerState[State], game: Game, line: str) -> None:
    """Begin a fight with a line. Raises InputError for one that cannot be read or is refused."""
    with input_errors():
        parsed = parse_line(line, line_scope(state, game))
        if parsed is None:
            raise Unreadable("the line that begins the fight is empty", where="--begin")
        decide_without_dice(state, game, parsed.declaration)


def begin_plainly(state: LedgerState[State], game: Game, who: Sequence[str] = ()) -> str:
    """Begin a fight with these, or with all in play, as a line without anything else would; return that line.

    Raises InputError if the book has no fights, or refuses this one.
    """
    said = game.guide.fight(who)
    if said is None:
        raise no_fights(game)
    try:
        decide_without_dice(state, game, said)
    except Refused as error:
        hint = f"Say how it begins: --begin '! {said.verbs[0]} ...'."
        raise InputError(f"no fight is on here, and none can begin by itself: {error.what}", hint=hint) from error
    return format_declaration(said)


def decide_without_dice(state: LedgerState[State], game: Game, said: Declaration) -> None:
    """Begin a fight with a declaration. Raises InputError if it throws dice, as for an order of turns."""
    try:
        decide_and_fold(game, state, said, NO_DICE, state.next_entry())
    except NeverDrawn as error:
        hint = f"Begin the fight first, and forecast it then: campaign do {format_declaration(said)!r}."
        raise InputError("no fight is on here, and dice are thrown when one begins", hint=hint) from error


def no_fights(game: Game) -> InputError:
    """Return the error of a book that has no fights."""
    return InputError(f"{game.name} has no fights", hint="A forecast plays one to its end.")


def check_fight(state: State, game: Game) -> None:
    """Raise InputError unless a fight is running in which two sides have somebody who can fight."""
    if state.encounter is None:
        hint = 'Name a moment (--at 2.7), somebody to fight (--with SHEET), or a line (--begin "...").'
        raise InputError("no fight is running here", hint=hint)
    able = [
        side for side, members in state.encounter.sides if any(not game.guide.is_out(who, state) for who in members)
    ]
    if len(able) < 2:
        who = f"only {able[0]}" if able else "nobody"
        raise InputError(f"{who} can fight here", hint="Bring somebody: --with SHEET, or SHEET*3 for three.")
