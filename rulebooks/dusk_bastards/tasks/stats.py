"""The stat and the skills of a task: said, on the sheet or in common use; and whether the task moves the body."""

from __future__ import annotations

from typing import Final

from projections.state import State
from rulebooks.common.conditions import condition_values
from rulebooks.common.word_forms import base_forms
from rulebooks.dusk_bastards.declarations.parts import STATS, Stat
from rulebooks.dusk_bastards.declarations.tasks import Search, Task
from rulebooks.dusk_bastards.tasks.difficulty import RollModifier
from rulebooks.dusk_bastards.texts import TEXTS, value_refusal

LEVELS: Final = ("none", "trained", "specialized")


def stat_of(said: Task, state: State) -> Stat:
    """DB-STAT-1: the stat that was named, or the one that the sheet or common use gives this task."""
    known = said.stat or state.sheet(said.by, f"stat.{skill_of(said)}")
    for stat in STATS:
        if known == stat:
            return stat
    words = TEXTS.lexicon.words
    for stat in STATS:
        if said.task in words[stat] or not base_forms(verb_of(said)).isdisjoint(words[stat]):
            return stat
    tasks = [*tasks_of(said.by, state), *(word for stat in STATS for word in words[stat])]
    what = f"the stat of '{said.task}'" if said.task else "the stat of the roll"
    missing = value_refusal(what, "might, speed or intellect (m, s or i)", None)
    raise missing.of_field("stat").with_hint(f"{missing.hint}{nearest_task(said.task, tasks)}")


def skill_of(said: Task) -> str:
    """DB-SKILL-1: the task of the sheet that this one is rolled as; its own, unless another is named."""
    return (said.skill if isinstance(said, Search) else "") or said.task


def skills(said: Task, state: State) -> list[RollModifier]:
    """DB-SKILL-1: trained is one step, specialized two instead of one; what the sheet knows is not typed."""
    claimed = list[tuple[str, str]]()
    if said.trained or said.specialized:
        claimed += [(name, "trained") for name in said.trained]
        claimed += [(name, "specialized") for name in said.specialized]
    task = skill_of(said)
    known = state.sheet(said.by, f"skill.{task}") if task and not said.unskilled else None
    if known is not None and not (claimed and task in dict(claimed)):
        claimed.append((task, str(known)))
    lent = max((0, *condition_values(said.by, f"skill.{task}", state))) if not said.unskilled else 0
    claimed += [(task, LEVELS[lent])] if lent and (task, LEVELS[lent]) not in claimed else []
    if not claimed:
        return []
    modifiers = [
        RollModifier("skill", "DB-SKILL-1", -LEVELS.index(level), f"{level} in {name}" if name else level)
        for name, level in claimed
    ]
    return sorted(modifiers, key=lambda modifier: modifier.steps) if len(modifiers) > 1 else modifiers


def verb_of(said: Task) -> str:
    """Return the first word of a task of several, which says what is done; empty for one word."""
    first, _, rest = said.task.partition(" ")
    return first if rest else ""


def nearest_task(task: str, tasks: list[str]) -> str:
    """Return the end of a hint: the nearest known task, if there is one."""
    from difflib import get_close_matches

    nearest = get_close_matches(task, tasks, 1)
    return f", or say the nearest task that is known: {nearest[0]}" if nearest else ""


def tasks_of(who: str, state: State) -> list[str]:
    """Return the tasks on a character's sheet."""
    return [entry.removeprefix("skill.") for entry in state.sheet_of(who) if entry.startswith("skill.")]


def is_physical(said: Task, stat: Stat | None) -> bool:
    """DB-SPEC-5: tasks of Might and Speed move the body, those of Intellect do not, unless it is said otherwise."""
    return stat in ("might", "speed") if said.physical is None else said.physical
