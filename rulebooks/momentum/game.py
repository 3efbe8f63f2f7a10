"""The game of Momentum: a function for each declaration.

While an attack is announced, only answers, `go` and rulings are accepted.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import ClassVar, Final

from ledger.declarations import Declaration, Ruling
from ledger.dice import Dice
from ledger.facts import Fact
from projections.state import State
from rulebooks.common.adjustments import Adjust
from rulebooks.common.announcements import Announce, Go
from rulebooks.common.game import Game
from rulebooks.common.options import SetOption
from rulebooks.common.rulings import rule
from rulebooks.common.sheets import SheetEdit
from rulebooks.momentum import actions, announced, attack, checks, declarations, encounter, passes, sheets, turns
from rulebooks.momentum.guide import MomentumGuide
from rulebooks.momentum.rulings import RULEBOOK
from rulebooks.momentum.wounds import update_all_conditions

WHILE_ANNOUNCED: Final = (
    declarations.Answer,
    Go,
    declarations.Reroll,
    Announce,
    SetOption,
    Adjust,
    declarations.CreateCombatant,
    declarations.ChangeSheet,
    declarations.AbilityCheck,
)


class Momentum(Game):
    """Momentum."""

    name = "momentum"
    version = "1"
    revision = 2
    rulebook = RULEBOOK
    while_announced = WHILE_ANNOUNCED
    edits: ClassVar = {declarations.CreateCombatant: SheetEdit(declarations.ChangeSheet, sheets.sheet_of)}
    guide_kind = MomentumGuide
    next_turns = staticmethod(passes.next_turns)
    sheet = staticmethod(sheets.sheet)
    advance = staticmethod(turns.advance)
    modules = (checks, attack, actions, announced, sheets, encounter, turns, passes)

    def dispatch(self, said: Declaration, state: State, dice: Dice) -> Iterator[Fact]:
        """Decide a declaration; another reading or an adjustment may leave others Wounded, or no longer."""
        yield from super().dispatch(said, state, dice)
        if isinstance(said, SetOption | Adjust):
            yield from update_all_conditions(state)

    def decide_ruling(self, said: Ruling, state: State) -> Iterator[Fact]:
        """MO-TAG-4: decide a ruling of the game master, also while an attack is announced."""
        self.check_speaker(said)
        yield from rule(said, state, RULEBOOK, "MO-TAG-4")
        yield from update_all_conditions(state)
        yield from self.advance(state)

    def implied_passes(self, said: Declaration, state: State) -> Iterable[Declaration]:
        """MO-ACT-1: return the turns that end because nothing is left of them."""
        return passes.implied_passes(state)

    def answers(self, said: Declaration, state: State) -> Iterable[str]:
        """MO-REACT-1: return who may react to an attack before its dice."""
        return announced.possible_reactors(said, state) if isinstance(said, declarations.Strike) else ()

    def before_close(self, state: State) -> Iterator[Fact]:
        """Count dice that were thrown before a session closes; an attack that was only announced does not happen."""
        yield from announced.settle(state)
        yield from self.advance(state)


GAME: Final = Momentum()
