"""The book as the ground sees it: one table of declaration to chapter."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Final

import msgspec

from ledger.declarations import Declaration, Ruling
from ledger.dice import Dice
from ledger.facts import GM, Fact
from ledger.game import Situation
from projections.state import State
from rulebooks.common.texts import Texts
from rulebooks.common.values import outside_domain
from rulebooks.monolith import actions as deeds
from rulebooks.monolith import attack as attacking
from rulebooks.monolith import checks as saving
from rulebooks.monolith import morale, order
from rulebooks.monolith import rulings as ruling
from rulebooks.monolith import sheets as joining
from rulebooks.monolith import turns as rounds
from rulebooks.monolith import unclaimed as situations
from rulebooks.monolith.declarations import (
    DECLARATIONS,
    Adjust,
    Aid,
    Attack,
    BeginRound,
    Blast,
    ChangeCombatant,
    ChangeGroup,
    Crawl,
    CreateCharacter,
    CreateGroup,
    CreateNpc,
    DeclareIntent,
    EndEncounter,
    EndPart,
    EndRound,
    Flee,
    JoinEncounter,
    Morale,
    Move,
    OtherAction,
    PassTime,
    Rest,
    Save,
    SetOption,
    SetOrder,
    StartEncounter,
    Telegraph,
)
from rulebooks.monolith.scores import WEAPON, scores_of
from rulebooks.monolith.texts import TEXTS
from rulebooks.monolith.weapons import BLAST, weapon, weapons_of


class Monolith:
    """The game."""

    name = "monolith"
    version = "1"
    declarations = DECLARATIONS

    def decide(self, said: Declaration, state: State, dice: Dice) -> Iterator[Fact]:
        """What follows from the declaration. Raises Refused with a code of the book."""
        if type(said).aside and said.by != GM:
            raise outside_domain("by", "the game master (gm)", said.by)
        yield from chapter(said, state, dice)
        yield from rounds.advanced(state)

    def decide_ruling(self, said: Ruling, state: State) -> Iterator[Fact]:
        """A ruling of the game master."""
        if said.by != GM:
            raise outside_domain("by", "the game master (gm)", said.by)
        yield from ruling.rule(said, state)
        yield from rounds.advanced(state)

    def unclaimed(self, said: Declaration, state: State) -> Iterable[Situation]:
        """What was known, and what would have been possible and was not said."""
        return situations.unclaimed(said, state)

    def answers(self, said: Declaration, state: State) -> Iterable[str]:
        """Nobody: nothing is announced."""
        return ()

    def before_close(self, state: State) -> Iterator[Fact]:
        """Nothing is left open between declarations: a Round may go on in the next session."""
        return iter(())

    def vocabulary(self, declaration: type[Declaration], field: str, state: State, by: str) -> Iterable[str]:
        """Weapons, scores, what gives an attack its position; the names of options."""
        match field:
            case "weapon" if declaration is Attack:  # of an ally
                return sorted({name for being in state.in_order() for name in weapons_of(being.name, state)})
            case "weapons" | "weapon":
                return weapons_of(by, state)
            case "score" if declaration is SetOrder:
                return sorted({score for being in state.in_order() for score in scores_of(being.name, state)})
            case "score":
                return scores_of(by, state)
            case "impaired" | "enhanced":
                return TEXTS.words.words[field]
            case "name" if declaration is SetOption:
                return TEXTS.options
        return ()

    def levels(self, said: Declaration, state: State) -> Iterable[tuple[str, Declaration]]:
        """An attack with each weapon on the sheet, where none is said."""
        if isinstance(said, Attack) and not said.weapons:
            named = [name for name in weapons_of(said.by, state) if single(said.by, name, state)]
            return [(name, msgspec.structs.replace(said, weapons=(name,))) for name in named]
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


def single(who: str, name: str, state: State) -> bool:
    """ML-TAG-1: whether a weapon strikes one target: it has no blast."""
    written = state.sheet(who, WEAPON + name)
    found = weapon(written, name) if isinstance(written, str) else None
    return found is None or BLAST not in found.tags


ROLLED: Final[dict[type[Declaration], Callable[[Any, State, Dice], Iterator[Fact]]]] = {
    Save: saving.save,
    Attack: attacking.attack,
    Blast: attacking.blast,
    Morale: morale.morale,
}
DECIDED: Final[dict[type[Declaration], Callable[[Any, State], Iterator[Fact]]]] = {
    CreateCharacter: joining.create_character,
    CreateNpc: joining.create_npc,
    CreateGroup: joining.create_group,
    ChangeCombatant: joining.change_combatant,
    ChangeGroup: joining.change_group,
    StartEncounter: rounds.start_encounter,
    JoinEncounter: rounds.join_encounter,
    EndEncounter: rounds.end_encounter,
    BeginRound: rounds.begin_round,
    EndRound: rounds.end_round,
    Telegraph: rounds.telegraph,
    DeclareIntent: rounds.declare_intent,
    SetOrder: order.set_order,
    EndPart: order.end_part,
    Move: deeds.move,
    OtherAction: deeds.other_action,
    Crawl: deeds.crawl,
    Aid: deeds.aid,
    Rest: deeds.rest,
    PassTime: deeds.pass_time,
    Flee: morale.flee,
    SetOption: ruling.set_option,
    Adjust: ruling.adjust,
}


def chapter(said: Declaration, state: State, dice: Dice) -> Iterator[Fact]:
    """Each declaration and the chapter that decides it."""
    rolled = ROLLED.get(type(said))
    return rolled(said, state, dice) if rolled else DECIDED[type(said)](said, state)


BOOK: Final = Monolith()
