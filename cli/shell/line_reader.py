"""How lines are read at a table: by whom they are said, in any words, as the ledger is now.

Players know not everybody: their lines name only those whom they see, and how a line is read does not tell who may act.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from cli.notation.scope import Scope
from cli.play.only_speaker import with_only_speaker
from cli.questions.line_scope import line_scope
from cli.questions.players_ledger import store_for
from cli.questions.roles import PLAYERS
from cli.shell.speaker import SpokenLine, hear_line, in_turn, in_turn_after, with_roller, with_speaker
from ledger.errors import BadFaces, Refused
from ledger.facts import GM, Fact
from ledger.ledger_state import LedgerState, load_state
from ledger.service import Ledger
from projections.projection import StateProjection
from projections.state import State
from rulebooks.common.game import Game

CLOSE: Final = "close"


class LineReader:
    """Reads lines for somebody of a role. If another process has appended, the state is loaded again."""

    def __init__(self, ledger: Ledger[State], book: Game, role: str) -> None:
        self.ledger, self.book, self.role = ledger, book, role
        self.seen = store_for(ledger.store, book, role)
        self._players_state: LedgerState[State] | None = None

    @property
    def state(self) -> State:
        """The state now."""
        self.refresh()
        return self.ledger.state.state

    @property
    def scope(self) -> Scope:
        """The scope of a line that is said now."""
        return line_scope(self.seen_state(), self.book)

    def seen_state(self) -> LedgerState[State]:
        """Return the state now, as those see it for whom lines are read."""
        self.refresh()
        if self.seen is self.ledger.store:
            return self.ledger.state
        if self._players_state is None or self._players_state.head != self.seen.head():
            self._players_state = load_state(self.seen, StateProjection())
        return self._players_state

    def refresh(self) -> None:
        """Load the state again if somebody else has appended."""
        if self.ledger.store.head() != self.ledger.state.head:
            self.ledger.refresh()

    def spoken_line(self, line: str, who: Callable[[], str] | None = None) -> SpokenLine:
        """Return the line in any words with its speaker, who need not be named in their turn, nor about their own roll.

        `who` returns the speaker of a line that names none, where it is not the one in turn. Raises Unreadable.
        """
        return hear_line(line, lambda text: self.strict_line(text, who), self.ledger.state, self.book, self.scope)

    def strict_line(self, line: str, who: Callable[[], str] | None = None) -> SpokenLine:
        """Return the line as the grammar has it, with its speaker. Raises Unreadable."""
        scope, state = self.scope, self.ledger.state.state
        named = with_roller(line, scope, state)
        if self.role != PLAYERS:  # to them it would tell who may act
            named = with_only_speaker(named, self.ledger.state, self.book, scope)
        return with_speaker(named, scope, who or self._in_turn)

    def _in_turn(self) -> str:
        """Return whose turn it is, or will be once the open roll is closed."""
        return in_turn(self.ledger.state.state, self.book) or in_turn_after(self.closing())

    def closing(self) -> Sequence[Fact] | None:
        """Return what closing the open roll will cause; None if nothing is open that can be closed."""
        kind = next((kind for kind in self.book.declarations if CLOSE in kind.verbs and kind.alone), None)
        if kind is None or not self.state.windows:
            return None
        try:
            return self.ledger.preview(kind(by=GM))
        except (Refused, BadFaces):
            return None
