"""The game of Momentum: a function for each declaration.

While an attack is announced, only answers, `go` and rulings are accepted.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from ledger.declarations import Declaration, Ruling
from ledger.dice import Dice
from ledger.facts import Fact, Sum
from ledger.game import NextTurn, Situation
from projections.state import State
from rulebooks.common import announcements
from rulebooks.common.adjustments import Adjust
from rulebooks.common.announcements import Announce, Go
from rulebooks.common.game import Game
from rulebooks.common.options import SetOption
from rulebooks.common.rulings import rule
from rulebooks.common.sheets import edited_entries, sheet_edit
from rulebooks.momentum import actions, announced, attack, checks, encounter, passes, sheets, turns, unclaimed
from rulebooks.momentum.declarations import (
    AbilityCheck,
    Answer,
    ChangeSheet,
    CreateCombatant,
    Reroll,
    Strike,
)
from rulebooks.momentum.guards import ACTION, checks_due, is_in_fight, is_out, members_to_act
from rulebooks.momentum.rulings import RULEBOOK
from rulebooks.momentum.weapons import held_weapons, weapons_on_sheet
from rulebooks.momentum.wounds import update_all_conditions
from rulebooks.momentum.zones import zones_of_fight

WHILE_ANNOUNCED: Final = (
    Answer,
    Go,
    Reroll,
    Announce,
    SetOption,
    Adjust,
    CreateCombatant,
    ChangeSheet,
    AbilityCheck,
)


class Momentum(Game):
    """Momentum."""

    name = "momentum"
    version = "1"
    rulebook = RULEBOOK
    turn_actions = ((ACTION, turns.TURN_ACTIONS),)
    turn_phases = ("pc", "foe")
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

    def unclaimed(self, said: Declaration, state: State) -> Iterable[Situation]:
        """Return situations that were known or possible and not said."""
        return unclaimed.unclaimed(said, state)

    def implied_passes(self, said: Declaration, state: State) -> Iterable[Declaration]:
        """MO-ACT-1: return the turns that end because nothing is left of them."""
        return passes.implied_passes(state)

    def answers(self, said: Declaration, state: State) -> Iterable[str]:
        """MO-REACT-1: return who may react to an attack before its dice."""
        return announced.possible_reactors(said, state) if isinstance(said, Strike) else ()

    def can_use(self, who: str, action: str, state: State) -> bool:
        """MO-HP-2: nobody at 0 HP acts or reacts, nor anybody who fled."""
        return not is_out(who, state)

    def left(self, who: str, state: State) -> Mapping[str, int]:
        """MO-ACT-1: the actions of the open turn, or those that the next turn begins with."""
        return {ACTION: turns.actions_left(who, state)} if is_in_fight(who, state) and not is_out(who, state) else {}

    def next_turns(self, state: State) -> Iterable[NextTurn]:
        """MO-ROUND-6: return the open turn, or those of this phase that are left."""
        return passes.next_turns(state)

    def next_up(self, state: State) -> Iterable[str]:
        """MO-ROUND-2, MO-ROUND-6: who has the turn; else those whose check is due, or who have yet to act."""
        encounter = state.encounter
        if encounter is None or encounter.turn:
            return super().next_up(state)
        return checks_due(state) or members_to_act(encounter, encounter.phase, state)

    def before_close(self, state: State) -> Iterator[Fact]:
        """Count dice that were thrown before a session closes; an attack that was only announced does not happen."""
        yield from announced.settle(state)
        yield from turns.advance(state)

    def computed(self, who: str, state: State) -> Iterable[Sum]:
        """MO-REACT-3: the number of actions that somebody's next turn would begin with."""
        return (turns.allowance(who, state),) if is_in_fight(who, state) and not is_out(who, state) else ()

    def vocabulary(self, declaration: type[Declaration], field: str, state: State, by: str) -> Iterable[str]:
        """Return weapons that are held, scores, zones, and the names of options, also as rulings set them."""
        if field == "weapon":
            yield from held_weapons(by, state)
        elif field == "ability":
            written = state.sheet_of(by).items()
            yield from (entry for entry, value in written if isinstance(value, int) and entry not in sheets.OWN)
        elif field in ("zone", "pcs", "foes", "zones", "one", "other"):
            yield from zones_of_fight(state)
        elif declaration is Ruling and field == "changes":
            yield "option"
        else:
            yield from super().vocabulary(declaration, field, state, by)

    def refused_words(self, declaration: type[Declaration], field: str, state: State, by: str) -> Iterable[str]:
        """MO-GAP-24: return the weapons that somebody has thrown away or dropped."""
        if field != "weapon":
            return []
        return [name for name in weapons_on_sheet(by, state) if name not in held_weapons(by, state)]

    def sheet(self, content: Mapping[str, Any], where: str) -> Declaration:
        """Return the declaration of a sheet file."""
        return sheets.sheet(content, where)

    def sheet_edits(self, said: Any, because: str, before: Any = None) -> Declaration:
        """Return the change of a sheet in play to this one."""
        cast = sheets.sheet_of(before) if before else None
        return sheet_edit(said, ChangeSheet, because, edited_entries(cast, sheets.sheet_of(said)))


GAME: Final = Momentum()
