"""Determining and modifying the difficulty: skills, assets, Effort, circumstances; the target number."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final, NamedTuple

from ledger.facts import Step, Sum
from projections.state import State
from rulebooks.dusk_bastards.declarations import Task
from rulebooks.dusk_bastards.harm.condition_effects import condition_values
from rulebooks.dusk_bastards.tasks.effort import EFFORT_STEPS_MOST, effort_steps
from rulebooks.dusk_bastards.texts import option

DIFFICULTY_MOST: Final = 12
SKILL_STEPS_MOST: Final = 2
ASSET_STEPS_MOST: Final = 2
STEP: Final = 3
LEVELS: Final = ("none", "trained", "specialized")


class RollModifier(NamedTuple):
    """What bears on a roll: its name, whose rule, how many steps, and why.

    Steps above 0 hinder, below 0 they ease; 0 bears nothing, but says by which rule. What is not `counted` is left
    out, and shown.
    """

    name: str
    rule: str
    steps: int
    reason: str
    counted: bool = True


Eases = Iterable[tuple[str, int, str]]  # rule, steps, reason


def target_number(difficulty: int) -> int:
    """DB-DIFF-1: three times the final difficulty."""
    return STEP * difficulty


def target_sum(difficulty: int, target: int) -> Sum:
    """DB-DIFF-1: the target number as the difficulty gives it."""
    step = Step(op="*", value=3, rule="DB-DIFF-1", reason="three for each step", now=target)
    return Sum(name="target number", start=difficulty, steps=(step,), total=target)


def skills(said: Task, state: State) -> list[tuple[str, int, str]]:
    """DB-SKILL-1: trained is one step, specialized two instead of one; what the sheet knows is not typed."""
    claimed = [*((name, "trained") for name in said.trained), *((name, "specialized") for name in said.specialized)]
    known = state.sheet(said.by, f"skill.{said.task}") if said.task and not said.unskilled else None
    if known is not None and said.task not in {name for name, _ in claimed}:
        claimed.append((said.task, str(known)))
    lent = max(condition_values(said.by, f"skill.{said.task}", state), default=0) if not said.unskilled else 0
    claimed += [(said.task, LEVELS[lent])] if lent and (said.task, LEVELS[lent]) not in claimed else []
    eases = [
        ("DB-SKILL-1", 2 if level == "specialized" else 1, f"{level} in {name}" if name else level)
        for name, level in claimed
    ]
    return sorted(eases, key=lambda ease: -ease[1])


def assets(said: Task) -> list[tuple[str, int, str]]:
    """DB-ASSET-1: what helps with the task at hand. DB-MOD-5: a helper is one step, inside the same cap."""
    return [
        *(("DB-ASSET-1", asset.steps, asset.name or "asset") for asset in said.assets),
        *(("DB-MOD-5", 1, f"{helper} helps") for helper in said.helpers),
    ]


def circumstances(said: Task) -> list[tuple[str, int, str]]:
    """DB-MOD-4: what eases besides: neither skill nor asset."""
    return [("DB-MOD-4", ease.steps, ease.reason or "circumstances") for ease in said.ease]


def hindrances(said: Task) -> list[tuple[str, int, str]]:
    """DB-MOD-4: what hinders, one for one against what eases, in whatever order."""
    return [("DB-MOD-4", hinder.steps, hinder.reason or "circumstances") for hinder in said.hinder]


def difficulty(said: Task, base: int, state: State, bears: Sequence[RollModifier]) -> Sum:
    """DB-MOD-1: caps of each category first, then one single sum, then one clamp at 0."""
    return _difficulty_sum(base, all_steps(said, state, bears))


def all_steps(said: Task, state: State, bears: Sequence[RollModifier]) -> list[tuple[str, str, int, str, bool]]:
    """DB-MOD-4: skills, assets, Effort, what eases and what hinders, said or known from the state."""
    counted = [found for found in bears if found.counted and found.steps]
    eases = [(found.rule, -found.steps, found.reason) for found in counted if found.steps < 0]
    hinders = [(found.rule, found.steps, found.reason) for found in counted if found.steps > 0]
    inside, outside = assets(said), [*circumstances(said), *eases]
    if outside and option(state, "situational_ease_is_asset") == "on":
        inside, outside = inside + outside, []
    return [
        *_capped_steps(skills(said, state), SKILL_STEPS_MOST, "DB-SKILL-2"),
        *_capped_steps(inside, ASSET_STEPS_MOST, "DB-ASSET-2"),
        *_capped_steps(effort_steps(said, state), EFFORT_STEPS_MOST, "DB-EFFORT-5"),
        *_capped_steps(outside, None, ""),
        *(("+", rule, steps, reason, True) for rule, steps, reason in [*hindrances(said), *hinders]),
        *(
            ("+" if found.steps > 0 else "-", found.rule, abs(found.steps), found.reason, False)
            for found in bears
            if found.steps and not found.counted
        ),
    ]


def score_bonus(said: Task, state: State, bears: Sequence[RollModifier]) -> tuple[int, Sum]:
    """DB-ENC-2: where nothing is to be reached, every step of ease is worth three on the score."""
    now, told = 0, []
    for op, rule, value, reason, counted in all_steps(said, state, bears):
        now += (value if op == "-" else -value) if counted else 0
        told.append(Step(op="+" if op == "-" else "-", value=value, rule=rule, reason=reason, now=now, counted=counted))
    return STEP * now, Sum(name="steps", start=0, steps=tuple(told), total=now)


def _capped_steps(eases: Eases, most: int | None, cap: str) -> Iterator[tuple[str, str, int, str, bool]]:
    """DB-SKILL-2, DB-ASSET-2, DB-EFFORT-5: steps beyond the cap are left out, not refused."""
    room = most
    for rule, steps, reason in eases:
        counted = steps if room is None else min(steps, room)
        if counted:
            yield "-", rule, counted, reason, True
        if steps > counted:
            yield "-", cap, steps - counted, reason, False
        if room is not None:
            room -= counted


def _difficulty_sum(base: int, steps: Iterable[tuple[str, str, int, str, bool]]) -> Sum:
    """DB-DIFF-2: easing lowers, hindering raises, step by step; the difficulty ends at 0 or more, without a cap."""
    now, told = base, []
    for op, rule, value, reason, counted in steps:
        if counted:
            now += value if op == "+" else -value
        told.append(Step(op=op, value=value, rule=rule, reason=reason, now=now, counted=counted))
    if now < 0:
        now = 0
        told.append(Step(op="max", value=0, rule="DB-MOD-1", reason="never below 0", now=0))
    return Sum(name="difficulty", start=base, steps=tuple(told), total=now)


def routine(base: int) -> Sum:
    """DB-PLAY-1: a base difficulty of 0 is routine, whatever hinders: the procedure ends there."""
    return Sum(name="difficulty", start=base, steps=(), total=base)
