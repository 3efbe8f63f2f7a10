"""What a screen asks of the open game: who is up, and words that fit."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ledger.declarations import Declaration
from ledger.facts import GM
from projections.state import State
from rulebooks.common.guide import Guide
from rulebooks.open_game.declarations import MakeMove, Shed, StartEncounter
from rulebooks.open_game.guards import is_able
from rulebooks.open_game.house_rules import house_rules
from rulebooks.open_game.moves import ROLL
from rulebooks.open_game.values import numbers_of


class OpenGuide(Guide):
    """The guide of the open game."""

    def vocabulary(self, declaration: type[Declaration], field: str, state: State, by: str) -> Iterable[str]:
        """Return the moves of the table, the numbers of a sheet, and the conditions that somebody may be rid of."""
        if declaration is MakeMove and field == "what":
            return [*house_rules(state).moves, *numbers_of(by, state), ROLL]
        if declaration is MakeMove and field in ("vs", "under"):
            return sorted({name for being in state.beings_in_order() for name in numbers_of(being.name, state)})
        if declaration is Shed and field == "condition":
            return [condition.name for _, condition in state.conditions_of(by)]
        return super().vocabulary(declaration, field, state, by)

    def strikes(self, who: str, target: str, state: State) -> Iterable[Declaration]:
        """OG-MOVE-4: return the moves of the table that change a target by a roll, as they are written."""
        for move in house_rules(state).moves.values():
            if move.roll and any(change.target for change in move.changes):
                yield MakeMove(by=who, what=move.name, target=target)

    def fight(self, who: Sequence[str]) -> Declaration:
        """OG-TURN-1: return the declaration that begins a fight."""
        return StartEncounter(by=GM, participants=tuple(who))

    def can_use(self, who: str, action: str, state: State) -> bool:
        """OG-TURN-3: a condition of the house rules puts somebody out."""
        return is_able(who, state)
