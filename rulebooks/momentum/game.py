"""The game of Momentum: a function for each declaration.

While an attack is announced, only answers, `go` and rulings are accepted.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from ledger.declarations import Declaration, Ruling
from ledger.dice import Dice
from ledger.facts import Fact
from ledger.game import NextTurn
from projections.state import State
from rulebooks.common import announcements
from rulebooks.common.adjustments import Adjust
from rulebooks.common.announcements import Announce, Go
from rulebooks.common.game import Game
from rulebooks.common.options import SetOption
from rulebooks.common.rulings import rule
from rulebooks.common.sheets import edited_entries, sheet_edit
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
    rulebook = RULEBOOK
    guide_kind = MomentumGuide
    modules = (checks, attack, actions, announced, sheets, encounter, turns, passes)

    def decide(self, said: Declaration, state: State, dice: Dice) -> Iterator[Fact]:
        """Decide a declaration, then go on with the fight as far as it goes by itself."""
        self.check_speaker(said)
        if not isinstance(said, WHILE_ANNOUNCED):
            announcements.check_nothing_announced(state)
        yield from self.dispatch(said, state, dice)
        if isinstance(said, SetOption | Adjust):
            yield from update_all_conditions(state)
        yield from turns.advance(state)

    def decide_ruling(self, said: Ruling, state: State) -> Iterator[Fact]:
        """MO-TAG-4: decide a ruling of the game master, also while an attack is announced."""
        self.check_speaker(said)
        yield from rule(said, state, RULEBOOK, "MO-TAG-4")
        yield from update_all_conditions(state)
        yield from turns.advance(state)

    def implied_passes(self, said: Declaration, state: State) -> Iterable[Declaration]:
        """MO-ACT-1: return the turns that end because nothing is left of them."""
        return passes.implied_passes(state)

    def answers(self, said: Declaration, state: State) -> Iterable[str]:
        """MO-REACT-1: return who may react to an attack before its dice."""
        return announced.possible_reactors(said, state) if isinstance(said, declarations.Strike) else ()

    def next_turns(self, state: State) -> Iterable[NextTurn]:
        """MO-ROUND-6: return the open turn, or those of this phase that are left."""
        return passes.next_turns(state)

    def before_close(self, state: State) -> Iterator[Fact]:
        """Count dice that were thrown before a session closes; an attack that was only announced does not happen."""
        yield from announced.settle(state)
        yield from turns.advance(state)

    def sheet(self, content: Mapping[str, Any], where: str) -> Declaration:
        """Return the declaration of a sheet file."""
        return sheets.sheet(content, where)

    def sheet_edits(self, said: Any, because: str, before: Any = None) -> Declaration:
        """Return the change of a sheet in play to this one."""
        cast = sheets.sheet_of(before) if before else None
        return sheet_edit(said, declarations.ChangeSheet, because, edited_entries(cast, sheets.sheet_of(said)))


GAME: Final = Momentum()
