"""What those for whom somebody speaks may say now: acts, and reactions to what is announced."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import partial

import msgspec

from cli.notation.scope import Scope
from cli.questions.acts import LEVELS, ActChoice, ActTable, acts
from cli.questions.possible import why_refused
from ledger.facts import GM
from ledger.ledger_state import LedgerState
from projections.state import State
from rulebooks.common.announcements import find_window
from rulebooks.common.game import Game
from rulebooks.common.sides import is_here


class BeingActs(msgspec.Struct, frozen=True, kw_only=True):
    """What somebody may say now.

    Attributes:
        who: the being; `gm` for the game master.
        in_turn: whether it may act now.
        reacts: whether it may answer what is announced.
        acts: a tree of choices: the verbs, and below them whom or what they are aimed at.
    """

    who: str
    in_turn: bool
    reacts: bool
    acts: tuple[ActChoice, ...]


class TurnActs:
    """The acts at one moment of a ledger, for one who sees it."""

    def __init__(self, ledger_state: LedgerState[State], book: Game, scope: Scope, levels: int = LEVELS) -> None:
        """`scope`: the names and words that are known to whom the acts are shown: nobody else is offered.

        `levels`: of choices that are shown at once, below the verbs.

        Whether an act is legal is tried in the whole state, as a line of theirs would be: it says no more than the
        refusal of that line.
        """
        self.ledger_state, self.book, self.scope, self.levels = ledger_state, book, scope, levels
        self.state = ledger_state.state
        self.due = set(book.guide.next_up(self.state))
        window = find_window(self.state)
        self.is_announced, self.awaited = window is not None, window.awaits if window else ()

    def of(self, speakers: Iterable[str], *, is_gm: bool = False, path: Sequence[str] = ()) -> Iterator[BeingActs]:
        """Yield what each of these may say, if there is anything: those in turn first, then the others who are here.

        `is_gm`: then what the game master says, and of the others those in turn or for whom an announcement waits.
        `path`: the labels that lead to an act, to have it alone with its choices.
        """
        known = set(self.scope.beings).intersection(speakers)
        here = [being.name for being in self.state.beings_in_order() if is_here(being, self.state)]
        here += [who for who in self.due if who not in here]  # as a mount in its rider's turn
        speaking = [who for who in here if who in known and (not is_gm or who in self.due or who in self.awaited)]
        for who in sorted(speaking, key=lambda who: who not in self.due):
            if found := tuple(self._acts(who, path)):
                yield BeingActs(who=who, in_turn=who in self.due, reacts=self.is_announced, acts=found)
        if is_gm and (found := tuple(self._acts(GM, path))):
            yield BeingActs(who=GM, in_turn=False, reacts=False, acts=found)

    def table(self) -> ActTable:
        """Return what the acts are made from. What would let others pass first is legal, as it is when it is typed."""
        return ActTable(state=self.state, scope=self.scope, refusal=partial(why_refused, self.ledger_state, self.book))

    def _acts(self, who: str, path: Sequence[str]) -> Iterator[ActChoice]:
        """Yield the acts of a being. Where something is announced, only those for whom it waits have acts: answers."""
        answers = self.is_announced and who != GM
        if answers and who not in self.awaited:
            return
        kinds = [
            kind
            for kind in self.book.declarations
            if kind.answers == answers and (kind.aside or kind.alone if who == GM else not kind.aside)
        ]
        yield from acts(who, kinds, self.table(), path, self.levels)
