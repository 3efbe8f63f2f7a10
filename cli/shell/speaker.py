"""Who says a line: the being in turn need not be named."""

from __future__ import annotations

from cli.notation.line_parser import parse_each
from cli.notation.resolve import match_being
from cli.notation.scope import Scope
from cli.notation.tokens import normalize_line, quote
from ledger.errors import Unreadable
from projections.state import State
from rulebooks.common.game import Game


def in_turn(state: State, book: Game) -> str:
    """Return whose turn it is, or who alone may act now; empty if there are several, or none."""
    due = list(book.next_up(state))
    turn = state.encounter.turn if state.encounter else ""
    return turn or (due[0] if len(due) == 1 else "")


def with_speaker(line: str, scope: Scope, who: str) -> str:
    """Return the line with the being in turn before it, if it can be read only so: `dodge hound 3`.

    A line that begins with a verb is theirs also where it cannot be read. Raises Unreadable.
    """
    try:
        parse_each(normalize_line(line), scope)
    except Unreadable as error:
        named = f"{quote(who) if ' ' in who else who} {line}"
        try:
            parse_each(normalize_line(named), scope)
        except Unreadable:
            if who and _begins_with_verb(line, scope):
                return named
            raise error from None
        return named
    return line


def _begins_with_verb(line: str, scope: Scope) -> bool:
    """Return whether the first word of a line is a verb and no name."""
    word = line.split()[0]
    return any(word in kind.verbs for kind in scope.declarations) and not match_being(word, scope).words
