"""How lines are read at a table: by whom they are said, in any words, as the ledger is now.

Players know not everybody: their lines name only those whom they see, and how a line is read does not tell who may act.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, partial
from typing import Final

import msgspec

from cli.notation.formatter import format_line
from cli.notation.scope import Scope
from cli.play.only_speaker import with_only_speaker
from cli.questions.last_names import names_in_last_lines
from cli.questions.line_scope import line_scope
from cli.questions.players_ledger import PlayersLedger, store_for
from cli.questions.roles import PLAYERS
from cli.shell.speaker import SpokenLine, hear_line, in_turn, in_turn_after, read_plainly, with_roller, with_speaker
from cli.speech.added_words import is_unsaid, lacking_value
from cli.speech.heard import Lacking, is_doubtful
from ledger.errors import BadFaces, LedgerError, Refused, Unreadable
from ledger.facts import GM, Fact
from ledger.ledger_state import LedgerState, load_state
from ledger.records import Head
from ledger.service import Ledger
from ledger.store import overtaken
from projections.projection import StateProjection
from projections.state import State
from rulebooks.common.game import Game

CLOSE: Final = "close"


class SeenState:
    """The state as the players see it, kept while the ledger grows: what is appended is folded behind the rest."""

    def __init__(self, seen: PlayersLedger) -> None:
        self._seen = seen
        self._generation = 0  # of what is seen, in which the state was folded
        self._state: LedgerState[State] | None = None

    def now(self) -> LedgerState[State]:
        """Return the state now."""
        head = self._seen.head()
        if self._state is None or self._state.head != head:
            state, self._state = self._state, None  # of no use after an error
            if state is None or self._generation != self._seen.generation or not state.follow(self._seen):
                state = load_state(self._seen, StateProjection())
            self._state = state
            self._generation = self._seen.generation
        return self._state


class LineReader:
    """Reads lines for somebody of a role. What another process has appended is taken in."""

    def __init__(self, ledger: Ledger[State], book: Game, role: str) -> None:
        self.ledger, self.book, self.role = ledger, book, role
        self.seen = store_for(ledger.store, book, role)
        self._state = SeenState(self.seen) if isinstance(self.seen, PlayersLedger) else None
        self._scope: tuple[LedgerState[State], Head, Scope] | None = None  # of which state, at which head

    @property
    def state(self) -> State:
        """The state now."""
        self.refresh()
        return self.ledger.state.state

    @property
    def scope(self) -> Scope:
        """The scope of a line that is said now; it is made once for each head."""
        state = self.seen_state()
        if self._scope is None or self._scope[0] is not state or self._scope[1] != state.head:
            scope = line_scope(state, self.book)
            spoken_of = cache(partial(names_in_last_lines, self.seen, state.last, scope.beings))
            self._scope = state, state.head, msgspec.structs.replace(scope, spoken_of=spoken_of)
        return self._scope[2]

    def seen_state(self) -> LedgerState[State]:
        """Return the state now, as those see it for whom lines are read."""
        self.refresh()
        return self.ledger.state if self._state is None else self._state.now()

    def refresh(self) -> None:
        """Take in what somebody else has appended, or load the state again where something older has changed."""
        store, state = self.ledger.store, self.ledger.state
        if store.head() == state.head:
            return
        try:
            is_followed = not overtaken(store, state.head).is_fork and state.follow(store)
        except BaseException:
            self.ledger.refresh()
            raise
        if not is_followed:
            self.ledger.refresh()

    def spoken_line(self, line: str, own: Sequence[str] | None = None) -> SpokenLine:
        """Return the line in any words with its speaker, who need not be named in their turn, nor about their own roll.

        `own`: for whom the one who talks speaks; None: for all. A line without a name, or with `I`, is their being's in
        turn, or their only one's. Raises Unreadable.
        """
        scope = self.scope if own is None else msgspec.structs.replace(self.scope, own=own)
        return hear_line(line, lambda text: self.strict_line(text, own), self.ledger.state, self.book, scope)

    def chosen_line(self, line: str) -> SpokenLine:
        """Return a line that was proposed as it stands; one in other words as `spoken_line`. Raises Unreadable."""
        try:
            return read_plainly(line, self.strict_line, self.scope)
        except Unreadable:
            return self.spoken_line(line)

    def plain_line(self, line: str, own: Sequence[str] | None = None) -> SpokenLine | None:
        """Return the line as `spoken_line`, if it is in the grammar and nobody could doubt what it means; else None."""
        scope = self.scope
        try:
            spoken = read_plainly(line, lambda text: self.strict_line(text, own), scope)
        except Unreadable:
            return None
        return None if any(is_doubtful(each, scope) for each in spoken.parsed or ()) else spoken

    def lacking(self, line: str, error: Refused) -> Lacking | None:
        """Return the refusal of a line for want of a value that only the table knows; None for any other refusal."""
        try:
            spoken = self.spoken_line(line)
        except LedgerError:
            return None
        parsed = spoken.parsed or ()
        if not parsed or not all(is_unsaid(error, each.declaration) for each in parsed):
            return None
        lacking = lacking_value(error, [spoken.heard or format_line(each) for each in parsed])
        lacking.is_shown = True
        return lacking

    def strict_line(self, line: str, own: Sequence[str] | None = None) -> SpokenLine:
        """Return the line as the grammar has it, with its speaker. Raises Unreadable."""
        scope, state = self.scope, self.ledger.state.state
        named = with_roller(line, scope, state)
        if self.role != PLAYERS:  # to them it would tell who may act
            named = with_only_speaker(named, self.ledger.state, self.book, scope)
        return with_speaker(named, scope, self._in_turn if own is None else lambda: self._own_speaker(own))

    def _own_speaker(self, own: Sequence[str]) -> str:
        """Return who says a line without a name of one who speaks for these: who is in turn, or the only one."""
        turn = in_turn(self.state, self.book)
        return turn if turn in own else own[0] if len(own) == 1 else ""

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
