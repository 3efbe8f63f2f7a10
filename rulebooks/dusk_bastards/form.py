"""The form of a line, which is checked before it closes anything: what its kind demands, then what its roll does."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from ledger.declarations import Declaration
from ledger.dice import Dice
from projections.state import State
from rulebooks.common.conditions import condition_values
from rulebooks.dusk_bastards.combat import areas, attack, defence, modifiers, reactions, spells
from rulebooks.dusk_bastards.combat.situations import check_situations
from rulebooks.dusk_bastards.declarations import combat
from rulebooks.dusk_bastards.declarations.parts import Asset, Modifier
from rulebooks.dusk_bastards.declarations.tasks import Attempt, Directed, Search, Task
from rulebooks.dusk_bastards.declarations.turns import Move
from rulebooks.dusk_bastards.guards import check_actor, is_foe, is_out
from rulebooks.dusk_bastards.tasks import difficulty, roll, stats, token_uses
from rulebooks.dusk_bastards.texts import check_whole, refusal, value_refusal

FORMS: Final[Mapping[type[Declaration], Callable[[Any, State], None]]] = {
    combat.Attack: attack.check_attack,
    combat.AreaAttack: areas.check_area,
    combat.Defence: defence.check_defence,
    combat.Intercept: reactions.check_intercept,
    combat.CastSpell: spells.check_spell,
    combat.FinishLongSpell: spells.check_spell,
}
NUMBERS: Final = ("effort", "free_effort", "initial_cost")
HAVE_A_STAT: Final = (combat.Attack, combat.AreaAttack, combat.Intercept)  # also where no difficulty is said


def check_form(said: Declaration, state: State, dice: Dice) -> None:
    """DB-PLAY-9: the form of the input first: values, faces, difficulty.

    DB-GAP-66: foes move and cast without a roll; DB-REACT-8: those whom they intercept defend.
    """
    if type(said) in FORMS:
        FORMS[type(said)](said, state)
    if not isinstance(said, Task):
        return
    if is_foe(said.by, state):
        if isinstance(said, Move | combat.Spell):
            return
        said = reactions.defence_of(said) if isinstance(said, combat.Intercept) else said
    check_actor(said.by, state)
    for field in NUMBERS if said.effort or said.free_effort or said.initial_cost else ():
        if number := getattr(said, field):
            check_whole(field, number, 0)
    parts: list[Asset | Modifier] = [*said.assets, *said.ease, *said.hinder]
    for part in parts:
        check_whole("steps", part.steps, 1)
    for cost in said.ability_cost:
        check_whole("ability_cost", cost.points, 0)
    situations = said.situations if isinstance(said, Directed) else ()
    if situations or said.denied:
        check_situations(situations, said.denied)
    if isinstance(said, Search):
        modifiers.task_modifiers(said, state)
        check_skill(said, state)
    if said.refund or said.destiny_first:
        token_uses.check_shares(said.refund, said.destiny_first)
    for helper in said.helpers:
        check_helper(helper, said.by, state)
    if said.duration is not None:
        check_whole("duration", said.duration, 0)
    if has_stat(said):
        stats.stat_of(said, state)
    roll.check_dice(dice, 1)
    if said.difficulty is not None and not 0 <= said.difficulty <= difficulty.DIFFICULTY_MOST:
        raise refusal("DIFFICULTY").of_field("difficulty")


def has_stat(said: Task) -> bool:
    """DB-STAT-1: whether a line is rolled with a stat: without a difficulty it may mean something else."""
    if isinstance(said, Attempt):
        return said.difficulty is not None
    if isinstance(said, combat.Spell):
        return bool(said.target) or said.difficulty is not None
    return isinstance(said, HAVE_A_STAT)


def check_skill(said: Search, state: State) -> None:
    """DB-SKILL-1: a task is rolled as one of the sheet, or as one that an effect lends."""
    if not said.skill or any(condition_values(said.by, f"skill.{said.skill}", state)):
        return
    known = stats.tasks_of(said.by, state)
    if said.skill not in known:
        raise value_refusal("skill", f"a task on the sheet of {said.by} ({', '.join(known) or 'none'})", said.skill)


def check_helper(helper: str, by: str, state: State) -> None:
    """DB-MOD-5: somebody in play helps, and nobody helps themselves. DB-WOUND-5: nor do the dead."""
    being = state.being(helper)
    if being is None or being.name == by:
        raise value_refusal("helpers", "somebody else in play", helper)
    if is_out(being.name, state):
        raise value_refusal("helpers", "somebody who is not dead or out of the fight", helper)
