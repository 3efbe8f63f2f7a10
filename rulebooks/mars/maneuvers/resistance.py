"""The roll of a target that resists a maneuver, against the roll of the one who performs it."""

from __future__ import annotations

from collections.abc import Generator
from typing import Literal

from ledger.facts import Fact, Judged
from projections.state import State
from rulebooks.common.dice import EntryDice
from rulebooks.mars.maneuvers.aids import end_used, resist_aids
from rulebooks.mars.maneuvers.use import Use
from rulebooks.mars.tasks.checks import Roll, RollPlan, grading, roll
from rulebooks.mars.tasks.stat_values import value_of
from rulebooks.mars.texts import option, value_refusal

Share = Literal["full", "half", "none"]


def resisting_stat(use: Use, state: State) -> str:
    """GR-MAN-5: return the stat or skill that the target resists with: the one said, or the best of several."""
    names = use.row.resist
    if use.said.resist and use.said.resist not in names:
        raise value_refusal(f"what resists {use.row.name}", " or ".join(names) or "nothing", use.said.resist)
    if use.said.resist:
        return use.said.resist
    return max(names, key=lambda name: (value_of(use.target, name, state).roll.passive, -names.index(name)))


def check_resistance(use: Use, state: State) -> None:
    """Refuse what a target cannot resist with, before any dice."""
    if use.row.resist or use.said.resist:
        resisting_stat(use, state)


def resist(
    use: Use, total: int, state: State, throws: EntryDice, contest: Roll | None = None
) -> Generator[Fact, None, Share]:
    """GR-MAN-5: the target rolls; the roll of the maneuver is compared with its total.

    `contest` is the roll that stands for the attack roll (GR-GAP-43), and is shown with the result.
    """
    target = use.target
    aids = resist_aids(target, use.who, state)
    value = value_of(target, resisting_stat(use, state), state)
    plan = RollPlan(
        who=target,
        purpose=f"resist {target}",
        what=value.name,
        value=value,
        steps=aids.steps,
        edges=aids.edges,
        rules=("GR-MAN-5",),
    )
    graded_by = grading(total, state)
    made = yield from roll(plan, state, throws, graded_by)
    yield from end_used(aids, state)
    graded = graded_by.grade(made.total)
    yield Judged(
        rules=tuple(
            dict.fromkeys(("GR-MAN-5", "GR-MAN-6", "GR-OUT-4", *(contest.rules if contest else ()), *made.rules))
        ),
        what="resist",
        who=use.who,
        against=target,
        sums=(*(contest.sums if contest else ()), *made.sums),
        total=total,
        target=made.total,
        margin=total - made.total,
        result=graded,
        rolls=(*(contest.rolls if contest else ()), *made.rolls),
        final=True,
    )
    return share_of(graded, use.row.rounds, state)


def share_of(graded: str, rounds: int, state: State) -> Share:
    """GR-MAN-5: a hit has the full effect, a graze half its duration. GR-GAP-42: half of 1 round is nothing."""
    if graded in ("hit", "critical"):
        return "full"
    if graded == "graze" and not rounds:
        return "full" if option(state, "graze_no_duration") == "applies" else "none"
    return "half" if graded == "graze" and rounds // 2 else "none"
