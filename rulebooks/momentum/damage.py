"""Hits and damage: the dice that hit, and the hit points that they take."""

from __future__ import annotations

from collections.abc import Iterator

from ledger.facts import Fact, Judged, Step, Sum
from projections.state import State
from rulebooks.common.values import point_loss, sheet_number
from rulebooks.momentum.declarations import DoubleAttack, Strike
from rulebooks.momentum.dice_pool import DicePool
from rulebooks.momentum.guards import HP
from rulebooks.momentum.reactions import Aim
from rulebooks.momentum.wounds import update_conditions


def defense_of(who: str, state: State) -> int:
    """MO-DFN-1: the number on the target's sheet."""
    return sheet_number(who, "defense", state, 1)


def judge_hits(said: Strike, weapon: str, pool: DicePool, aim: Aim, state: State) -> Judged:
    """MO-ATK-2: each die is compared on its own. MO-DEFEND-1: Defend cancels one hit."""
    defense, steps, total = defense_of(aim.target, state), list[Step](), 0
    for die in pool.dice:
        hit = die.hits(defense)
        total += hit
        rule = "MO-EXP-1" if die.highest else "MO-ATK-2"
        steps.append(Step(op="+", value=1, rule=rule, because=f"d{die.number} {die.face}", now=total, counted=hit))
    if aim.cancelled:
        counted, total = total > 0, max(0, total - 1)
        step = Step(op="-", value=1, rule="MO-DEFEND-1", because=f"{aim.target} defends", now=total, counted=counted)
        steps.append(step)
    return Judged(
        rules=("MO-ATK-2", "MO-ATK-3", "MO-DFN-1", *(("MO-DBL-3",) if isinstance(said, DoubleAttack) else ())),
        what="hit",
        who=said.by,
        against=aim.target,
        sums=(
            Sum(name="Defense", start=defense, steps=(), total=defense),
            Sum(name="hits", start=0, steps=tuple(steps), total=total),
        ),
        total=total,
        target=defense,
        result=f"{total} hit{'' if total == 1 else 's'}" if total else "miss",
        rolls=pool.rolls,
        final=True,
        using=((said.by, weapon),),
    )


def lose_hit_points(target: str, hits: int, by: str, state: State) -> Iterator[Fact]:
    """MO-ATK-3: each hit takes 1 HP; they do not fall below 0, and hits beyond that are lost."""
    if hits:
        yield point_loss(target, HP, hits, "hits", state, "MO-ATK-3", "MO-HP-1", by=by)
    yield from update_conditions(target, state)
