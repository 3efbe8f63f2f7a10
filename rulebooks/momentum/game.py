"""The book as the ground sees it: one table of declaration to chapter.

While an attack is announced, nothing is said but what answers it, `go`, and rulings.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Final

from ledger.declarations import Declaration, Ruling
from ledger.dice import Dice
from ledger.facts import Fact
from ledger.game import Situation
from projections.state import State
from rulebooks.common import announcing
from rulebooks.common.announcing import Announce, Go
from rulebooks.common.texts import Texts
from rulebooks.momentum import actions as deeds
from rulebooks.momentum import announced, checks
from rulebooks.momentum import attack as attacking
from rulebooks.momentum import encounter as fight
from rulebooks.momentum import rulings as ruling
from rulebooks.momentum import sheets as joining
from rulebooks.momentum import unclaimed as knowing
from rulebooks.momentum.declarations import (
    DECLARATIONS,
    AbilityCheck,
    Adjust,
    Answer,
    Attack,
    BypassMomentum,
    ChangeSheet,
    CreateCombatant,
    Defend,
    DoubleAttack,
    EndEncounter,
    EndTurn,
    Flee,
    Help,
    Interpose,
    JoinFight,
    Move,
    OtherAction,
    Reroll,
    SeizeMomentum,
    SetOption,
    StartEncounter,
    Strike,
)
from rulebooks.momentum.texts import TEXTS, check_gm
from rulebooks.momentum.turns import advanced
from rulebooks.momentum.weapons import held
from rulebooks.momentum.zones import PLACE

GAME_MASTER_ONLY: Final = (StartEncounter, JoinFight, BypassMomentum, EndEncounter)
WHILE_ANNOUNCED: Final = (Answer, Go, Reroll, Announce, SetOption, Adjust, CreateCombatant, ChangeSheet, AbilityCheck)


class Momentum:
    """The game."""

    name = "momentum"
    version = "1"
    declarations = DECLARATIONS

    def decide(self, said: Declaration, state: State, dice: Dice) -> Iterator[Fact]:
        """What follows from the declaration. Raises Refused with a code of the book."""
        if isinstance(said, GAME_MASTER_ONLY):
            check_gm(said.by)
        if not isinstance(said, WHILE_ANNOUNCED):
            announcing.check_nothing_announced(state)
        rolled = ROLLED.get(type(said))
        yield from rolled(said, state, dice) if rolled else DECIDED[type(said)](said, state)
        yield from advanced(state)

    def decide_ruling(self, said: Ruling, state: State) -> Iterator[Fact]:
        """A ruling of the game master, also while an attack is announced."""
        check_gm(said.by)
        yield from ruling.rule(said, state)

    def unclaimed(self, said: Declaration, state: State) -> Iterable[Situation]:
        """What was known, and what would have been possible and was not said."""
        return knowing.unclaimed(said, state)

    def answers(self, said: Declaration, state: State) -> Iterable[str]:
        """MO-REACT-1: who may react to an attack before its dice."""
        return announced.answering(said, state) if isinstance(said, Strike) else ()

    def before_close(self, state: State) -> Iterator[Fact]:
        """Dice that lie count before a session closes; what was only announced does not happen."""
        yield from announced.settled(state)
        yield from advanced(state)

    def vocabulary(self, declaration: type[Declaration], field: str, state: State, by: str) -> Iterable[str]:
        """Weapons that are held, scores, zones, the names of options, and that a ruling may set one."""
        if field == "weapon":
            yield from held(by, state)
        elif field == "ability":
            sheet = state.sheet_of(by).items()
            yield from (entry for entry, value in sheet if isinstance(value, int) and entry not in joining.OWN)
        elif field in ("zone", "pcs", "foes", "zones", "one", "other"):
            yield from (being.name for being in state.in_order() if being.kind == PLACE)
        elif declaration is SetOption and field == "name":
            yield from TEXTS.options
        elif declaration is Ruling and field == "changes":
            yield "option"

    def levels(self, said: Declaration, state: State) -> Iterable[tuple[str, Declaration]]:
        """An attack is put nothing into: it is what it is."""
        return [("", said)]

    def texts(self) -> Texts:
        """Rules, options and refusals in words."""
        return TEXTS

    def sheet(self, content: Mapping[str, Any], where: str) -> Declaration:
        """The declaration of a sheet file."""
        return joining.sheet(content, where)

    def sheet_edits(self, said: Declaration, because: str) -> Declaration | None:
        """The change of a sheet that this one means for somebody in play."""
        return joining.edited(said, because)


ROLLED: Final[dict[type[Declaration], Callable[[Any, State, Dice], Iterator[Fact]]]] = {
    SeizeMomentum: checks.seize_momentum,
    AbilityCheck: checks.ability_check,
    Attack: attacking.attack,
    DoubleAttack: attacking.attack,
    OtherAction: deeds.other_action,
    Go: announced.go,
    Reroll: announced.reroll,
}
DECIDED: Final[dict[type[Declaration], Callable[[Any, State], Iterator[Fact]]]] = {
    SetOption: ruling.set_option,
    Adjust: ruling.adjust,
    CreateCombatant: joining.create_combatant,
    ChangeSheet: joining.change_sheet,
    StartEncounter: fight.start_encounter,
    JoinFight: fight.join_fight,
    BypassMomentum: checks.bypass_momentum,
    Move: deeds.move,
    Defend: announced.answer,
    Interpose: announced.answer,
    Help: announced.answer,
    Announce: announced.announce,
    EndTurn: deeds.end_turn,
    Flee: fight.flee,
    EndEncounter: fight.end_encounter,
}

BOOK: Final = Momentum()
