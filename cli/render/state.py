"""The state as text: the party, the encounter, or one subject."""

from __future__ import annotations

from cli.output import align_columns, at_terminal, paint, terminal_width
from cli.phrases import beings
from cli.phrases.overview import overview_lines
from cli.phrases.state_rows import encounter_table, overview
from cli.phrases.turns import windows
from cli.questions.state_at import ENCOUNTER, Subject
from cli.questions.window_dice import WindowDice
from ledger.ledger_state import LedgerState
from projections.state import Being, State
from rulebooks.common.game import Game


def subject_lines(
    position: LedgerState[State], subject: Subject | None, book: Game, dice: WindowDice, *, every: bool = False
) -> list[str]:
    """Return everything about one subject, or the party, in the order and the words of the book.

    `every`: the party with those who are gone.
    """
    if subject is None:
        return party(position, book, dice, every=every)
    if isinstance(subject, Being):
        return beings.sheet(position.state, subject, book)
    return encounter(position.state, book, dice) if subject == ENCOUNTER else beings.holders(position.state, subject)


def party(position: LedgerState[State], book: Game, dice: WindowDice, *, every: bool = False) -> list[str]:
    """Return a row for each being, then the game master's tokens, what is open, and the session.

    Things about which there is nothing to say are left out. Without `every`, so are who is gone and what is of no use.
    """
    rows = list(overview_lines(overview(position, book, dice), book, every=every))
    if at_terminal() and any(visible_width(row) > terminal_width() for row in rows):
        rows = list(overview_lines(overview(position, book, dice, letters=True), book, every=every))
    return [*rows, session(position)]


def visible_width(row: str) -> int:
    """Return the columns of a row without its colours."""
    from click import unstyle  # imported here to start faster: a declaration shows no party

    return len(unstyle(row))


def session(position: LedgerState[State]) -> str:
    """Return the number of the session, and whether it is open."""
    current = position.session
    if not current.number:
        return "no session yet"
    return f"session {current.number} {'is open' if current.open else 'is closed'}, entry {position.last}"


def encounter(state: State, book: Game, dice: WindowDice) -> list[str]:
    """Return the point of the turn cycle, then everybody in turn order: score, actions left, place, condition."""
    if state.encounter is None:
        return ["no encounter is running"]
    table = encounter_table(state, state.encounter, book)
    rows = [[row.name, row.score, row.turn, row.left, row.circumstances] for row in table.rows]
    return [paint(table.title, bold=True), *align_columns(rows), *windows(state, dice)]
