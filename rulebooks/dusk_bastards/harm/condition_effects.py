"""Numbers that a condition carries while it lasts: steps on rolls, armor, free levels of Effort, skills."""

from __future__ import annotations

from typing import Final

from projections.state import State
from rulebooks.dusk_bastards.declarations.parts import Effect

EFFORT: Final = "effort"


def effect_numbers(effect: Effect) -> tuple[tuple[str, int], ...]:
    """DB-SPEC-7: the steps of a condition (above 0 eases) on all tasks, attacks or the defence; and its gifts.

    DB-ARMOR-2, DB-EFFORT-6, DB-SKILL-1: armor of an ability or of magic, free levels of Effort, a skill.
    """
    numbers = {
        "tasks": effect.tasks,
        "attacks": effect.attacks,
        "defence": effect.defence,
        "armor.ability": effect.armor,
        "armor.magic": effect.magic,
        EFFORT: effect.effort,
        f"skill.{effect.trained}": 1 if effect.trained else 0,
        f"skill.{effect.specialized}": 2 if effect.specialized else 0,
    }
    return tuple((name, number) for name, number in numbers.items() if number)


def condition_values(who: str, name: str, state: State) -> list[int]:
    """Return the number of this name of each condition of somebody that has one, in no order."""
    return [
        number
        for condition in state.conditions.values()
        if condition.effects and condition.who == who
        for key, number in condition.effects
        if key == name
    ]
