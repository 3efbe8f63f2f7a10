"""Who says a line: the being in turn need not be named."""

from __future__ import annotations

from collections.abc import Sequence

from cli.notation.line_parser import parse_each
from cli.notation.resolve import match_being, match_word
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

    It begins with a verb or a known task then, and not with anybody's name; a line that begins with a whole verb is
    theirs also where it cannot be read. Raises Unreadable.
    """
    try:
        parse_each(normalize_line(line), scope)
    except Unreadable as error:
        verbs = [verb for kind in scope.declarations for verb in kind.verbs]
        word = line.split()[0]
        if not who or not (word in verbs or _is_known(word, verbs, scope, who)):
            raise
        named = f"{quote(who) if ' ' in who else who} {line}"
        try:
            parse_each(normalize_line(named), scope)
        except Unreadable:
            if word in verbs:
                return named
            raise error from None
        return named
    return line


def _is_known(word: str, verbs: Sequence[str], scope: Scope, who: str) -> bool:
    """Return whether a word begins a verb or a task that is known, and nobody's name."""
    free = [kind for kind in scope.declarations if kind.free]
    tasks = [task for kind in free for task in scope.words(kind, kind.free, who)]
    return bool(match_word(word, [*verbs, *tasks]).words) and not match_being(word, scope).words
