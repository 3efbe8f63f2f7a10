"""The difficulty of a roll: skills, assets, Effort and circumstances, in steps; the target number."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

import msgspec

from ledger.facts import Step, Sum
from ledger.names import fold_case
from projections.state import State
from rulebooks.common.sums import SumSteps
from rulebooks.dusk_bastards.declarations.parts import Denied
from rulebooks.dusk_bastards.declarations.tasks import Task
from rulebooks.dusk_bastards.tasks.costs import EFFORT_STEPS_MOST
from rulebooks.dusk_bastards.tasks.roll import RollTarget
from rulebooks.dusk_bastards.texts import option, refusal

DIFFICULTY_MOST: Final = 12
SKILL_STEPS_MOST: Final = 2
ASSET_STEPS_MOST: Final = 2
STEP: Final = 3


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


def difficulty_of(foe: str, said: Task, state: State) -> int:
    """DB-ROLL-4: a foe's own difficulty, for attack and defence alike; a thing's is set by the game master."""
    written = state.sheet(foe, "difficulty") if foe else None
    if isinstance(written, int):
        return written
    if said.difficulty is None:
        raise refusal("DIFFICULTY").of_field("difficulty")
    return said.difficulty


def target_number(difficulty: int) -> int:
    """DB-DIFF-1: three times the final difficulty."""
    return STEP * difficulty


class Target(msgspec.Struct, frozen=True, kw_only=True):
    """A target before the roll: its own difficulty, the modifiers of a roll against it, and the effect of a hit."""

    base: int
    against: str = ""
    note: str = ""
    modifiers: tuple[RollModifier, ...] = ()


def with_own(target: Target, own: Sequence[RollModifier], denied: Sequence[Denied]) -> Target:
    """DB-MOD-4: the target with the modifiers of the roller added; denied ones are marked as not counted."""
    return msgspec.structs.replace(target, modifiers=leave_out_denied(denied, (*target.modifiers, *own)))


def roll_target(said: Task, target: Target, skilled: Sequence[RollModifier], free: int, state: State) -> RollTarget:
    """DB-PLAY-3, DB-DIFF-1: the final difficulty against one target, and the target number that it gives.

    DB-PLAY-1: a base difficulty of 0 is routine, whatever hinders: the procedure ends there.
    """
    modifiers = all_modifiers(said, target.modifiers, skilled, free, state) if target.base else []
    final = difficulty(target.base, modifiers)
    number = target_number(final.total)
    step = Step(op="*", value=STEP, rule="DB-DIFF-1", because="three for each step", now=number)
    sums = (final, Sum(name="target number", start=final.total, steps=(step,), total=number)) if number else (final,)
    return RollTarget(against=target.against, note=target.note, base=target.base, target=number, sums=sums)


def assets(said: Task) -> list[RollModifier]:
    """DB-ASSET-1: every asset is a step. DB-MOD-5: each helper is one step, inside the same cap."""
    if not (said.assets or said.helpers):
        return []
    used = [RollModifier("asset", "DB-ASSET-1", -asset.steps, asset.name or "asset") for asset in said.assets]
    helpers = {fold_case(helper): helper for helper in said.helpers}
    return used + [RollModifier("help", "DB-MOD-5", -1, f"{helper} helps") for helper in helpers.values()]


def effort(said: Task, free: int) -> list[RollModifier]:
    """DB-EFFORT-1: one step a level. DB-EFFORT-6: free levels count (DB-EFFORT-5: six steps in all)."""
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
    if not (said.ease or said.hinder):
        return modifiers
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
    if not denied:
        return tuple(modifiers)
    why = {denial.name.partition("=")[0]: denial.reason for denial in denied}
    return tuple(
        modifier._replace(rule="DB-PLAY-7", reason=f"{modifier.reason}, but {why[modifier.name]}", counted=False)
        if modifier.counted and modifier.name in why
        else modifier
        for modifier in modifiers
    )


def difficulty(base: int, modifiers: Iterable[RollModifier]) -> Sum:
    """DB-MOD-1: caps of each category first, then one single sum, then one clamp at 0.

    DB-DIFF-2: easing lowers, hindering raises; there is no upper end.
    """
    total = add_up("difficulty", base, modifiers)
    total.bound("max", 0, "DB-MOD-1", "never below 0")
    return total.sum()


def score_bonus(modifiers: Iterable[RollModifier]) -> tuple[int, Sum]:
    """DB-ENC-2: without a target number, every step of ease is worth three on the score."""
    eased = add_up("steps", 0, [modifier._replace(steps=-modifier.steps) for modifier in modifiers])
    return STEP * eased.total, eased.sum()


def all_modifiers(
    said: Task, known: Sequence[RollModifier], skilled: Sequence[RollModifier], free: int, state: State
) -> list[RollModifier]:
    """DB-MOD-4: skills, assets, Effort, and other modifiers, from the line or the state."""
    eases, hinders, left_out = list[RollModifier](), list[RollModifier](), list[RollModifier]()
    for modifier in (*circumstances(said), *known):
        if modifier.steps:
            (left_out if not modifier.counted else eases if modifier.steps < 0 else hinders).append(modifier)
    helps = assets(said)
    if eases and option(state, "situational_ease_is_asset") == "on":
        eases, helps = [], helps + eases
    return [
        *_capped(skilled, SKILL_STEPS_MOST, "DB-SKILL-2"),
        *_capped(helps, ASSET_STEPS_MOST, "DB-ASSET-2"),
        *_capped(effort(said, free), EFFORT_STEPS_MOST, "DB-EFFORT-5"),
        *eases,
        *hinders,
        *left_out,
    ]


def _capped(modifiers: Sequence[RollModifier], most: int, cap: str) -> Sequence[RollModifier]:
    """DB-SKILL-2, DB-ASSET-2, DB-EFFORT-5: steps beyond the cap do not count; they are not refused."""
    if not modifiers:
        return ()
    capped = list[RollModifier]()
    for modifier in modifiers:
        eased = min(-modifier.steps, most)
        most -= eased
        beyond = modifier.steps + eased
        if eased:
            capped.append(modifier._replace(steps=-eased) if beyond else modifier)
        if beyond:
            capped.append(modifier._replace(rule=cap, steps=beyond, counted=False))
    return capped


def add_up(name: str, start: int, modifiers: Iterable[RollModifier]) -> SumSteps:
    """Add up the modifiers that count, one step after the other."""
    total = SumSteps(name, start)
    for _, rule, steps, reason, counted in modifiers:
        total.take("+" if steps > 0 else "-", abs(steps), rule, reason, counted=counted)
    return total
