"""What would keep an entry that falls away in a changed world: the lines with which the fight goes on before it.

Others let their turns go, announced dice are thrown, or a round begins or ends.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

import msgspec

from ledger.declarations import Declaration
from ledger.dice import AskedDice
from ledger.errors import LedgerError
from ledger.facts import EntryId
from ledger.game import GameProtocol, NextTurn
from ledger.ledger_state import LedgerState, decide_and_fold
from ledger.projection import S

TURNS_MOST: Final = 12  # that are let go for one entry


class RemedyLine(msgspec.Struct, frozen=True):
    """A line that is inserted, and faces of the dice that it throws: those in the middle, as an example."""

    said: Declaration
    faces: tuple[int, ...]


class Remedy(msgspec.Struct, frozen=True, kw_only=True):
    """The lines that keep an entry, inserted after the entry before it."""

    after: EntryId
    lines: tuple[RemedyLine, ...]


def find_remedy(
    game: GameProtocol[S], state: LedgerState[S], after: EntryId, new: EntryId, is_possible: Callable[[], bool]
) -> Remedy | None:
    """Return the lines after an entry with which another is possible, if there are any. Nothing stays folded.

    `new` is the entry that the first of them takes, `is_possible` returns whether they are enough.
    """
    lines = list[RemedyLine]()
    with state.trial():
        for _ in range(TURNS_MOST):
            passed = (_let_go(game, state, turn, new) for turn in game.next_steps(state.state))
            more = next((own for own in passed if own), None)
            if more is None:
                return None
            lines += more
            if is_possible():
                return Remedy(after=after, lines=tuple(lines))
        return None


def _let_go(game: GameProtocol[S], state: LedgerState[S], turn: NextTurn, new: EntryId) -> list[RemedyLine]:
    """Return the lines that let a turn go, folded; none if one of them is refused."""
    mark = state.mark()
    try:
        return list(_said_in_turn(game, state, turn, new))
    except LedgerError:
        state.roll_back(mark)
        return []


def _said_in_turn(game: GameProtocol[S], state: LedgerState[S], turn: NextTurn, new: EntryId) -> Iterator[RemedyLine]:
    """Yield what is due in a turn, then its end. Raises Refused."""
    for said in (*turn.due, turn.passing):
        dice = AskedDice(lambda purpose, sides: tuple((most + 1) // 2 for most in sides))
        decide_and_fold(game, state, said, dice, new)
        yield RemedyLine(said, dice.used_faces)
