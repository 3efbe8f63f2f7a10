"""The difficulty of a roll: skills, assets, Effort and circumstances, in steps; the target number."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final, NamedTuple

from ledger.facts import Step, Sum
from ledger.names import fold_case
from projections.state import State
from rulebooks.common.conditions import condition_values
from rulebooks.dusk_bastards.declarations.parts import Denied
from rulebooks.dusk_bastards.declarations.tasks import Task
from rulebooks.dusk_bastards.tasks.costs import EFFORT_STEPS_MOST, free_levels
from rulebooks.dusk_bastards.tasks.stats import skill_of
from rulebooks.dusk_bastards.texts import option

DIFFICULTY_MOST: Final = 12
SKILL_STEPS_MOST: Final = 2
ASSET_STEPS_MOST: Final = 2
STEP: Final = 3
LEVELS: Final = ("none", "trained", "specialized")


class RollModifier(NamedTuple):
    """A modifier of a roll, with its rule and its reason.

    Steps above 0 hinder, below 0 they ease; 0 steps only cite the rule. One that is not `counted` is shown in the
    arithmetic and changes nothing.
    """

    name: str
    rule: str
    steps: int
    reason: str
    counted: bool = True


def target_number(difficulty: int) -> int:
    """DB-DIFF-1: three times the final difficulty."""
    return STEP * difficulty


def target_sum(difficulty: int, target: int) -> Sum:
    """DB-DIFF-1: the arithmetic of the target number."""
    step = Step(op="*", value=STEP, rule="DB-DIFF-1", because="three for each step", now=target)
    return Sum(name="target number", start=difficulty, steps=(step,), total=target)


def skills(said: Task, state: State) -> list[RollModifier]:
    """DB-SKILL-1: trained is one step, specialized two instead of one; what the sheet knows is not typed."""
    claimed = [*((name, "trained") for name in said.trained), *((name, "specialized") for name in said.specialized)]
    task = skill_of(said)
    known = state.sheet(said.by, f"skill.{task}") if task and not said.unskilled else None
    if known is not None and task not in {name for name, _ in claimed}:
        claimed.append((task, str(known)))
    lent = max(condition_values(said.by, f"skill.{task}", state), default=0) if not said.unskilled else 0
    claimed += [(task, LEVELS[lent])] if lent and (task, LEVELS[lent]) not in claimed else []
    if not claimed:
        return []
    modifiers = [
        RollModifier("skill", "DB-SKILL-1", -LEVELS.index(level), f"{level} in {name}" if name else level)
        for name, level in claimed
    ]
    return sorted(modifiers, key=lambda modifier: modifier.steps)


def assets(said: Task) -> list[RollModifier]:
    """DB-ASSET-1: every asset is a step. DB-MOD-5: each helper is one step, inside the same cap."""
    used = [RollModifier("asset", "DB-ASSET-1", -asset.steps, asset.name or "asset") for asset in said.assets]
    helpers = {fold_case(helper): helper for helper in said.helpers}
    return used + [RollModifier("help", "DB-MOD-5", -1, f"{helper} helps") for helper in helpers.values()]


def effort(said: Task, state: State) -> list[RollModifier]:
    """DB-EFFORT-1: one step a level. DB-EFFORT-6: free levels count (DB-EFFORT-5: six steps in all)."""
    free = free_levels(said, state)
    levels = said.effort + free
    if not levels:
        return []
    free_words = f"{free} free level{'s' * (free > 1)}"
    paid = f"Effort {said.effort}" + f" and {free_words}" * bool(free)
    reason = paid if said.effort else f"{free_words} of Effort"
    return [RollModifier("effort", "DB-EFFORT-6" if free else "DB-EFFORT-1", -levels, reason)]


def circumstances(said: Task) -> list[RollModifier]:
    """DB-MOD-4: other modifiers, easing and hindering, one for one in any order; the same one counts once."""
    modifiers: list[RollModifier] = []
    said_before = set[tuple[str, str]]()
    steps = [("ease", -ease.steps, ease.reason) for ease in said.ease]
    steps += [("hinder", hinder.steps, hinder.reason) for hinder in said.hinder]
    for name, number, reason in steps:
        key = name, fold_case(reason)
        counted = not reason or key not in said_before
        said_before.add(key)
        modifiers.append(RollModifier(name, "DB-MOD-4", number, reason or "circumstances", counted))
    return modifiers


def leave_out_denied(denied: Sequence[Denied], modifiers: Iterable[RollModifier]) -> tuple[RollModifier, ...]:
    """DB-PLAY-7: a modifier that the table denies does not count, and the sum shows why."""
    why = {denial.name.partition("=")[0]: denial.reason for denial in denied}
    return tuple(
        modifier._replace(rule="DB-PLAY-7", reason=f"{modifier.reason}, but {why[modifier.name]}", counted=False)
        if modifier.counted and modifier.name in why
        else modifier
        for modifier in modifiers
    )


def difficulty(said: Task, base: int, state: State, known: Sequence[RollModifier]) -> Sum:
    """DB-MOD-1: caps of each category first, then one single sum, then one clamp at 0.

    DB-DIFF-2: easing lowers, hindering raises; there is no upper end.
    """
    steps = _sum_steps(base, all_modifiers(said, state, known))
    final = steps[-1].now if steps else base
    if final < 0:
        final = 0
        steps.append(Step(op="max", value=0, rule="DB-MOD-1", because="never below 0", now=0))
    return Sum(name="difficulty", start=base, steps=tuple(steps), total=final)


def score_bonus(said: Task, state: State, known: Sequence[RollModifier]) -> tuple[int, Sum]:
    """DB-ENC-2: without a target number, every step of ease is worth three on the score."""
    modifiers = all_modifiers(said, state, known)
    steps = _sum_steps(0, [modifier._replace(steps=-modifier.steps) for modifier in modifiers])
    eased = steps[-1].now if steps else 0
    return STEP * eased, Sum(name="steps", start=0, steps=tuple(steps), total=eased)


def all_modifiers(said: Task, state: State, known: Sequence[RollModifier]) -> list[RollModifier]:
    """DB-MOD-4: skills, assets, Effort, and other modifiers, from the line or the state."""
    every = [*circumstances(said), *known]
    others = [modifier for modifier in every if modifier.counted]
    eases, helps = [modifier for modifier in others if modifier.steps < 0], assets(said)
    if eases and option(state, "situational_ease_is_asset") == "on":
        eases, helps = [], helps + eases
    hinders = [modifier for modifier in others if modifier.steps > 0]
    left_out = [modifier for modifier in every if modifier.steps and not modifier.counted]
    return [
        *_capped(skills(said, state), SKILL_STEPS_MOST, "DB-SKILL-2"),
        *_capped(helps, ASSET_STEPS_MOST, "DB-ASSET-2"),
        *_capped(effort(said, state), EFFORT_STEPS_MOST, "DB-EFFORT-5"),
        *eases,
        *hinders,
        *left_out,
    ]


def _capped(modifiers: Iterable[RollModifier], most: int, cap: str) -> Iterator[RollModifier]:
    """DB-SKILL-2, DB-ASSET-2, DB-EFFORT-5: steps beyond the cap do not count; they are not refused."""
    for modifier in modifiers:
        eased = min(-modifier.steps, most)
        most -= eased
        beyond = modifier.steps + eased
        if eased:
            yield modifier._replace(steps=-eased) if beyond else modifier
        if beyond:
            yield modifier._replace(rule=cap, steps=beyond, counted=False)


def _sum_steps(now: int, modifiers: Iterable[RollModifier]) -> list[Step]:
    """Add up the modifiers that count, one step after the other."""
    steps = []
    for modifier in modifiers:
        op, value = ("+" if modifier.steps > 0 else "-"), abs(modifier.steps)
        now += modifier.steps if modifier.counted else 0
        rule, reason = modifier.rule, modifier.reason
        steps.append(Step(op=op, value=value, rule=rule, because=reason, now=now, counted=modifier.counted))
    return steps


def routine(base: int) -> Sum:
    """DB-PLAY-1: a base difficulty of 0 is routine, whatever hinders: the procedure ends there."""
    return Sum(name="difficulty", start=base, steps=(), total=base)
