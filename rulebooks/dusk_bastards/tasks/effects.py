"""What bears on a roll from those who are in it: their conditions and wounds, and the mirror of the foe's."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from projections.state import Condition, State
from rulebooks.dusk_bastards.harm.wounds import wound_hindrances
from rulebooks.dusk_bastards.tasks.difficulty import RollModifier

DEFENDING: Final = "defending"
DAZED: Final = "dazed"
STEPS: Final = {DAZED: (("tasks", -1),)}  # of conditions that mean the same whoever says them; above 0 eases
RULES: Final = {DAZED: "DB-SPEC-1", DEFENDING: "DB-MOVE-4"}
TOUCHES: Final = {
    "attack": ("tasks", "attacks"),
    "area": ("tasks", "attacks"),
    "intercept": ("tasks", "attacks"),
    "defence": ("tasks", "defence"),
}


def own_modifiers(who: str, kind: str, state: State) -> tuple[RollModifier, ...]:
    """DB-SPEC-7, DB-SPEC-1, DB-WOUND-7: what somebody's own conditions and wounds do to such a roll of theirs."""
    held = (found for _, found in state.conditions_of(who))
    return (*(one for found in held for one in condition_modifiers(found, kind)), *wound_hindrances(who, kind, state))


def condition_modifiers(found: Condition, kind: str) -> Iterable[RollModifier]:
    """DB-SPEC-7: the steps that a condition carries: on all tasks, on attacks, or on the defence."""
    rule = RULES.get(found.name, "DB-SPEC-7")
    for on, steps in condition_effects(found):
        if on in TOUCHES.get(kind, ("tasks",)):
            yield RollModifier(found.name, rule, -steps, f"{found.who} is {found.name}")


def condition_effects(found: Condition) -> tuple[tuple[str, int], ...]:
    """What a condition eases (above 0) or hinders: what it says itself, or what one of this name always does."""
    return found.effects or STEPS.get(found.name, ())


def mirror(bears: Iterable[RollModifier]) -> tuple[RollModifier, ...]:
    """DB-ROLL-4: whatever hinders the foe's attack or defence eases the character's roll against it, and so on."""
    return tuple(found._replace(steps=-found.steps) for found in bears)
