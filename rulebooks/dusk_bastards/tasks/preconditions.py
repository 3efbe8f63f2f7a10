"""Checks before an attempt: the form of its line."""

from __future__ import annotations

from ledger.dice import Dice
from projections.state import State
from rulebooks.common.conditions import condition_values
from rulebooks.dusk_bastards.combat.modifiers import task_modifiers
from rulebooks.dusk_bastards.combat.situations import check_situations
from rulebooks.dusk_bastards.declarations.combat import AreaAttack, Attack, Intercept, Spell
from rulebooks.dusk_bastards.declarations.parts import Asset, Modifier
from rulebooks.dusk_bastards.declarations.tasks import Attempt, Directed, Search, Task
from rulebooks.dusk_bastards.guards import check_actor, is_out
from rulebooks.dusk_bastards.tasks.difficulty import DIFFICULTY_MOST
from rulebooks.dusk_bastards.tasks.roll import check_dice
from rulebooks.dusk_bastards.tasks.stats import stat_of, tasks_of
from rulebooks.dusk_bastards.tasks.token_uses import check_shares
from rulebooks.dusk_bastards.texts import check_whole, refusal, value_refusal


def check_form(said: Task, state: State, dice: Dice) -> None:
    """DB-PLAY-9: the form of the input first: values, faces, difficulty."""
    check_actor(said.by, state)
    for field in ("effort", "free_effort", "initial_cost"):
        check_whole(field, getattr(said, field), 0)
    parts: list[Asset | Modifier] = [*said.assets, *said.ease, *said.hinder]
    for part in parts:
        check_whole("steps", part.steps, 1)
    for cost in said.ability_cost:
        check_whole("ability_cost", cost.points, 0)
    check_situations(said.situations if isinstance(said, Directed) else (), said.denied)
    if isinstance(said, Search):
        task_modifiers(said, state)
        check_skill(said, state)
    check_shares(said.refund, said.destiny_first)
    for helper in said.helpers:
        check_helper(helper, said.by, state)
    if said.duration is not None:
        check_whole("duration", said.duration, 0)
    if isinstance(said, Attack | AreaAttack | Intercept) or (isinstance(said, Attempt) and said.difficulty is not None):
        stat_of(said, state)
    if isinstance(said, Spell) and (said.target or said.difficulty is not None):
        stat_of(said, state)
    check_dice(dice, 1)
    if said.difficulty is not None and not 0 <= said.difficulty <= DIFFICULTY_MOST:
        raise refusal("DIFFICULTY")


def check_skill(said: Search, state: State) -> None:
    """DB-SKILL-1: a task is rolled as one of the sheet, or as one that an effect lends."""
    known = tasks_of(said.by, state)
    if said.skill and said.skill not in known and not any(condition_values(said.by, f"skill.{said.skill}", state)):
        raise value_refusal("skill", f"a task on the sheet of {said.by} ({', '.join(known) or 'none'})", said.skill)


def check_helper(helper: str, by: str, state: State) -> None:
    """DB-MOD-5: somebody in play helps, and nobody helps themselves. DB-WOUND-5: nor do the dead."""
    being = state.being(helper)
    if being is None or being.name == by:
        raise value_refusal("helpers", "somebody else in play", helper)
    if is_out(being.name, state):
        raise value_refusal("helpers", "somebody who is not dead or out of the fight", helper)
