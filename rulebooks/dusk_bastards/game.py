"""The book as the ground sees it: one table of declaration to chapter.

An open roll is closed first by whatever is declared next, but for Destiny and Doom spent on it (DB-DEST-4). The
declaration is then read against the state after the close; if it is refused, the roll stays open as well.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from typing import Any, Final

import msgspec

from ledger.declarations import Declaration, Ruling
from ledger.dice import Dice
from ledger.errors import Refused
from ledger.facts import GM, Fact
from ledger.game import Situation
from projections.state import State
from rulebooks.common.texts import Texts
from rulebooks.dusk_bastards import case_law as law
from rulebooks.dusk_bastards import rulings as ruling
from rulebooks.dusk_bastards import sheets as joining
from rulebooks.dusk_bastards import unclaimed
from rulebooks.dusk_bastards.combat import areas, defence, reactions, situations, spells
from rulebooks.dusk_bastards.combat import attack as fighting
from rulebooks.dusk_bastards.declarations import (
    DECLARATIONS,
    Adjust,
    AdvanceTime,
    AreaAttack,
    Attack,
    Attempt,
    CastSpell,
    ChangeSheet,
    Charge,
    Close,
    CreateCharacter,
    CreateNpc,
    CreateObject,
    Damage,
    Deed,
    Defence,
    Delay,
    Disease,
    EndEncounter,
    FinishLongSpell,
    ForbidRetry,
    FullDefence,
    Hazard,
    HealWound,
    InflictWound,
    Initiative,
    Intercept,
    Interrupt,
    JoinEncounter,
    LeaveEncounter,
    Move,
    NewInitiative,
    Pass,
    Poison,
    QuickDeed,
    Rest,
    Retry,
    Search,
    SetCondition,
    SetDistance,
    SetLight,
    SetObscurity,
    SetOption,
    Spell,
    SpendDestiny,
    SpendDoom,
    StartEncounter,
    StartLongSpell,
    TakeCover,
    Task,
    UseAbility,
    WoundRoll,
)
from rulebooks.dusk_bastards.guards import encounter_of
from rulebooks.dusk_bastards.harm import ailments, conditions, damage, hazards, wounds
from rulebooks.dusk_bastards.harm import rest as resting
from rulebooks.dusk_bastards.harm.stun import come_to
from rulebooks.dusk_bastards.tasks import attempt as attempting
from rulebooks.dusk_bastards.tasks import retries as retrying
from rulebooks.dusk_bastards.tasks import token_uses as spending
from rulebooks.dusk_bastards.tasks import window as closing
from rulebooks.dusk_bastards.tasks.effort import EFFORT_STEPS_MOST, effort_limit
from rulebooks.dusk_bastards.tasks.stats import tasks_of
from rulebooks.dusk_bastards.texts import TEXTS, value_refused
from rulebooks.dusk_bastards.turns import actions as doing
from rulebooks.dusk_bastards.turns import encounter
from rulebooks.dusk_bastards.turns import movement as moving
from rulebooks.dusk_bastards.turns import movement_results as moving_ends
from rulebooks.dusk_bastards.turns.cycle import advance
from rulebooks.dusk_bastards.turns.delay import is_delayed_action
from rulebooks.dusk_bastards.world import surroundings

GAME_MASTER_ONLY: Final = (
    ForbidRetry,
    SpendDoom,
    StartEncounter,
    NewInitiative,
    JoinEncounter,
    LeaveEncounter,
    EndEncounter,
    Damage,
    Hazard,
    Poison,
    Disease,
    InflictWound,
    SetLight,
    SetObscurity,
    SetDistance,
    SetCondition,
    HealWound,
    AdvanceTime,
)
KEEPS_ROLL_OPEN: Final = (SpendDestiny, SpendDoom, Close)
ACTS: Final = (Attempt, Retry, Attack, AreaAttack, Spell, Rest, Deed, QuickDeed, UseAbility)


class DuskBastards:
    """The game."""

    name = "dusk-bastards"
    version = "1"
    declarations = DECLARATIONS

    def decide(self, said: Declaration, state: State, dice: Dice) -> Iterator[Fact]:
        """What follows from the declaration. Raises Refused with a code of the book."""
        said = law.with_law(said, retrying.task_of(said, state), state)
        if isinstance(said, GAME_MASTER_ONLY) and said.by != GM:
            raise value_refused("by", "the game master (gm)", said.by)
        if type(said) in FORMS:
            FORMS[type(said)](said, state)
        if isinstance(said, Task) and (rolled := _rolled(said, state)):
            attempting.check_form(rolled, state, dice)
        if not isinstance(said, KEEPS_ROLL_OPEN):
            yield from closing.close_roll(state, "auto", goes_on=not is_delayed_action(said, state))
        if not isinstance(said, (*KEEPS_ROLL_OPEN, Intercept)):
            yield from moving_ends.end_moving_away(state)
        if isinstance(said, ACTS) and encounter_of(said.by, state) is None and not state.windows:
            yield from come_to(said.by, state)
        yield from chapter(said, state, dice)
        yield from advance(state)

    def decide_ruling(self, said: Ruling, state: State) -> Iterator[Fact]:
        """DB-PLAY-7: a ruling of the game master, also while a wound roll is due."""
        if said.by != GM:
            raise value_refused("by", "the game master (gm)", said.by)
        if not said.result:
            yield from closing.close_roll(state, "auto")
        yield from ruling.rule(said, state)
        yield from advance(state)

    def answers(self, said: Declaration, state: State) -> Iterable[str]:
        """Nobody: nothing is announced."""
        return ()

    def before_close(self, state: State) -> Iterator[Fact]:
        """DB-DEST-4: a session does not close over an open roll."""
        return closing.close_roll(state, "auto")

    def unclaimed(self, said: Declaration, state: State) -> Iterable[Situation]:
        """What bore on an attempt, an attack or a defence, or could have, and was not said; and what was ruled."""
        task = retrying.task_of(said, state)
        yield from unclaimed.rulings(said, task, state)
        said = law.with_law(said, task, state)
        if isinstance(said, Task):
            with suppress(Refused):  # what makes no sense bears nothing
                yield from unclaimed.known_situations(said, state)
            yield from unclaimed.possible_situations(said, state)

    def vocabulary(self, declaration: type[Declaration], field: str, state: State, by: str) -> Iterable[str]:
        """The tasks on a sheet and those in common use; options, conditions, situations, and what may be denied."""
        if declaration is Attempt and field == "task":
            yield from tasks_of(by, state)
        if declaration is SetOption and field == "name":
            yield from TEXTS.options
        if declaration is Ruling and field == "changes":
            yield from law.SUBJECTS
        if declaration is SetCondition and field == "name":
            yield from conditions.NAMES
        if field == "situations":
            yield from situations.LIGHT_WORDS if issubclass(declaration, Search) else situations.situation_words()
        if field == "denied":
            yield from situations.deniable_names(state)

    def levels(self, said: Declaration, state: State) -> Iterable[tuple[str, Declaration]]:
        """DB-EFFORT-4: the task with every level of Effort that its limit allows."""
        if isinstance(said, Task):
            levels = range(min(effort_limit(state, said.by), EFFORT_STEPS_MOST) + 1)
            return [(f"e{level}", msgspec.structs.replace(said, effort=level)) for level in levels]
        return [("", said)]

    def texts(self) -> Texts:
        """Rules, options and refusals in words."""
        return TEXTS

    def sheet(self, content: Mapping[str, Any], where: str) -> Declaration:
        """The declaration of a sheet file."""
        return joining.sheet(content, where)

    def sheet_edits(self, said: Declaration, because: str) -> Declaration | None:
        """The change of a sheet that this one means for somebody in play, or None where sheets stay as they are."""
        return joining.edited(said, because)


def _rolled(said: Task, state: State) -> Task | None:
    """What is rolled has the form of a roll. DB-GAP-66: foes move and cast without; DB-REACT-8: others defend."""
    being = state.being(said.by)
    if being is None or being.kind != "npc":
        return said
    if isinstance(said, Intercept):
        return reactions.defence_of(said)
    return None if isinstance(said, Move | Spell) else said


FORMS: Final[dict[type[Declaration], Callable[[Any, State], None]]] = {
    Attack: fighting.check_attack,
    AreaAttack: areas.check_area,
    Defence: defence.check_defence,
    Intercept: reactions.check_intercept,
    CastSpell: spells.check_spell,
    FinishLongSpell: spells.check_spell,
}
ROLLED: Final[dict[type[Declaration], Callable[[Any, State, Dice], Iterator[Fact]]]] = {
    Attempt: attempting.attempt,
    Retry: attempting.retry,
    SpendDestiny: spending.spend_destiny,
    SpendDoom: spending.spend_doom,
    Attack: fighting.attack,
    AreaAttack: areas.attack_area,
    Defence: defence.defend,
    Initiative: encounter.initiative,
    Move: moving.move,
    Intercept: reactions.intercept,
    CastSpell: spells.cast_spell,
    FinishLongSpell: spells.finish_long_spell,
    WoundRoll: wounds.roll_wound,
    Rest: resting.rest,
}
DECIDED: Final[dict[type[Declaration], Callable[[Any, State], Iterator[Fact]]]] = {
    Close: closing.close,
    ForbidRetry: retrying.forbid_retry,
    SetOption: ruling.set_option,
    Adjust: ruling.adjust,
    CreateCharacter: joining.create_character,
    ChangeSheet: joining.change_sheet,
    CreateNpc: joining.create_npc,
    CreateObject: joining.create_object,
    StartEncounter: encounter.start_encounter,
    NewInitiative: encounter.new_initiative,
    JoinEncounter: encounter.join_encounter,
    LeaveEncounter: encounter.leave_encounter,
    EndEncounter: encounter.end_encounter,
    Charge: moving.charge,
    FullDefence: moving.full_defence,
    Interrupt: moving.interrupt,
    Pass: moving.pass_actions,
    Delay: doing.delay,
    TakeCover: reactions.take_cover,
    StartLongSpell: spells.start_long_spell,
    Deed: doing.deed,
    QuickDeed: doing.quick_deed,
    UseAbility: doing.use_ability,
    Damage: damage.deal_damage,
    Hazard: hazards.apply_hazard,
    Poison: ailments.begin_ailment,
    Disease: ailments.begin_ailment,
    InflictWound: wounds.inflict_wound,
    SetLight: surroundings.set_light,
    SetObscurity: surroundings.set_obscurity,
    SetDistance: surroundings.set_distance,
    SetCondition: conditions.set_condition,
    HealWound: resting.heal_wound,
    AdvanceTime: resting.advance_time,
}


def chapter(said: Declaration, state: State, dice: Dice) -> Iterator[Fact]:
    """Each declaration and the chapter that decides it."""
    rolled = ROLLED.get(type(said))
    return rolled(said, state, dice) if rolled else DECIDED[type(said)](said, state)


BOOK: Final = DuskBastards()
