"""Modifiers from conditions and wounds: of the roller, and mirrored, of the foe."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from projections.derived import derived_of_being
from projections.state import Condition, State, oldest_first
from rulebooks.dusk_bastards.tasks.difficulty import RollModifier
from rulebooks.dusk_bastards.texts import option

DEFENDING: Final = "defending"
DAZED: Final = "dazed"
STEPS: Final = {DAZED: (("tasks", -1),)}  # of conditions that always mean the same; above 0 eases
RULES: Final = {DAZED: "DB-SPEC-1", DEFENDING: "DB-MOVE-4"}
TOUCHES: Final = {
    "attack": ("tasks", "attacks"),
    "area": ("tasks", "attacks"),
    "intercept": ("tasks", "attacks"),
    "defence": ("tasks", "defence"),
}


@derived_of_being
def own_modifiers(who: str, kind: str, state: State) -> tuple[RollModifier, ...]:
    """DB-SPEC-7, DB-SPEC-1, DB-WOUND-7: the modifiers of somebody's own conditions and wounds for such a roll."""
    lasting = [
        (id, condition)
        for id, condition in state.conditions.items()
        if condition.who == who and (condition.effects or condition.name in STEPS)
    ]
    carried = [modifier for _, condition in oldest_first(lasting) for modifier in condition_modifiers(condition, kind)]
    return (*carried, *wound_hindrances(who, kind, state))


def condition_modifiers(condition: Condition, kind: str) -> Iterable[RollModifier]:
    """DB-SPEC-7: the steps that a condition carries: on all tasks, on attacks, or on the defence."""
    rule = RULES.get(condition.name, "DB-SPEC-7")
    for on, steps in condition_effects(condition):
        if on in TOUCHES.get(kind, ("tasks",)):
            yield RollModifier(condition.name, rule, -steps, f"{condition.who} is {condition.name}")


def condition_effects(condition: Condition) -> tuple[tuple[str, int], ...]:
    """Return the steps of a condition (above 0 eases): its own, or those of its name."""
    return condition.effects or STEPS.get(condition.name, ())


def wound_hindrances(who: str, kind: str, state: State) -> list[RollModifier]:
    """DB-WOUND-7: a moderate wound in force hinders every task by one step, defence and initiative too."""
    moderate = len([wound for _, wound in state.wounds_of(who) if wound.in_force and wound.kind == "moderate"])
    if not moderate or (kind == "defence" and option(state, "moderate_hinders_defence") == "no"):
        return []
    steps = moderate if moderate > 1 and option(state, "wound_penalties_stack") == "yes" else 1
    return [RollModifier("wound", "DB-WOUND-7", steps, "moderate wound")]


def mirror(modifiers: Iterable[RollModifier]) -> tuple[RollModifier, ...]:
    """DB-ROLL-4: steps that hinder the foe's attack or defence ease the character's roll against it, and so on."""
    return tuple(modifier._replace(steps=-modifier.steps) for modifier in modifiers)
