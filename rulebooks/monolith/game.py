"""The game of Monolith: a function for each declaration."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from ledger.declarations import Declaration, Ruling
from ledger.dice import Dice
from ledger.facts import Fact
from ledger.game import NextTurn
from projections.state import State
from rulebooks.common.game import Game
from rulebooks.common.sheets import edited_entries, sheet_edit
from rulebooks.monolith import actions, attack, checks, declarations, encounter, morale, order, passes, sheets, turns
from rulebooks.monolith.guide import MonolithGuide
from rulebooks.monolith.rulings import RULEBOOK
from rulebooks.monolith.turns import advance


class Monolith(Game):
    """Monolith."""

    name = "monolith"
    version = "1"
    rulebook = RULEBOOK
    guide_kind = MonolithGuide
    modules = (checks, attack, morale, sheets, encounter, turns, order, passes, actions)

    def decide(self, said: Declaration, state: State, dice: Dice) -> Iterator[Fact]:
        """Decide a declaration, then go on with the Round as far as it goes by itself."""
        yield from super().decide(said, state, dice)
        yield from advance(state)

    def decide_ruling(self, said: Ruling, state: State) -> Iterator[Fact]:
        """Decide a ruling of the game master, then go on with the Round."""
        yield from super().decide_ruling(said, state)
        yield from advance(state)

    def implied_passes(self, said: Declaration, state: State) -> Iterable[Declaration]:
        """ML-ACT-1: return the end of a Round, or of a part of its order, in which no action is left."""
        return passes.implied_passes(said, state)

    def next_turns(self, state: State) -> Iterable[NextTurn]:
        """ML-ACT-4, ML-TURN-2: return who has to declare, or those whose part of the order is on."""
        return passes.next_turns(state)

    def sheet(self, content: Mapping[str, Any], where: str) -> Declaration:
        """Return the declaration of a sheet file."""
        return sheets.sheet(content, where)

    def sheet_edits(self, said: Any, because: str, before: Any = None) -> Declaration:
        """Return the change of a sheet in play to this one."""
        group = isinstance(said, declarations.CreateGroup)
        kind, entries = (
            (declarations.ChangeGroup, sheets.group_entries)
            if group
            else (declarations.ChangeCombatant, sheets.sheet_of)
        )
        return sheet_edit(said, kind, because, edited_entries(entries(before) if before else None, entries(said)))


GAME: Final = Monolith()
