"""The judgement of a roll: its result against each target, provisional or final, with the whole arithmetic."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from ledger.facts import Fact, Judged, Sum
from projections.state import State
from rulebooks.common.sums import SumSteps
from rulebooks.dusk_bastards.declarations.parts import Stat
from rulebooks.dusk_bastards.tasks.roll import OPEN_ROLL, SIDES, Roll

BONUSES: Final = {"initiative": ("DB-ENC-2", "three for each step"), "wound": ("DB-WOUND-1", "wounds already carried")}
JUDGED_AS: Final = {"area": "attack"}
KIND_RULES: Final = {
    "area": ("DB-AREA-1", "DB-STD-1", "DB-ROLL-4"),
    "attack": ("DB-STD-1", "DB-ROLL-4"),
    "defence": ("DB-ROLL-3", "DB-ROLL-4"),
    "initiative": ("DB-ENC-2",),
    "intercept": ("DB-ROLL-4",),
    "move": ("DB-MOVE-2",),
    "wound": ("DB-WOUND-1",),
}


def judge(roll: Roll, state: State, *, final: bool) -> Iterator[Fact]:
    """DB-AREA-1: one result for each target, in the order in which they were named, where anybody reads it."""
    if state.is_read:
        for each in roll.per_target():
            yield judgement(each, final=final)


def judgement(roll: Roll, *, final: bool) -> Judged:
    """DB-PLAY-5: success when the total reaches the target number; provisional until the window closes."""
    total = roll.total
    taking = ("DB-T20-1", "DB-T20-2") if roll.floor else ()
    beyond = ("DB-DIFF-4",) if (roll.target or 0) >= 2 * SIDES else ()
    last = ("DB-PLAY-8",) if final else ()
    return Judged(
        rules=(
            *("DB-ROLL-1", "DB-DIFF-1", "DB-DEST-4"),
            *(*modifier_rules(roll), *taking, *beyond, *KIND_RULES.get(roll.kind, ()), *roll.rules, *last),
        ),
        what=JUDGED_AS.get(roll.kind, roll.kind),
        who=roll.who,
        against=roll.against,
        sums=(*roll.sums, total_sum(roll.kind, roll.dawn, roll.dusk, roll.floor, roll.bonus)),
        total=total,
        target=roll.target,
        result=outcome(roll),
        margin=None if roll.target is None else total - roll.target,
        rolls=(roll.purpose,),
        window=OPEN_ROLL,
        final=final,
        seen="gm" if roll.hidden else "table",
        using=weapons_used(roll),
    )


def weapons_used(roll: Roll) -> tuple[tuple[str, str], ...]:
    """DB-GAP-30: the weapon of an attack is its task; that of a foe is named by the defence or its sheet."""
    if roll.kind in ("attack", "area") and roll.task:
        return ((roll.who, roll.task),)
    return ((roll.against, roll.weapon),) if roll.against and roll.weapon else ()


def outcome(roll: Roll) -> str:
    """DB-PLAY-5: the result that the total means."""
    if roll.target is None:
        return "rolled"
    return "routine" if roll.is_certain else "success" if roll.is_success else "failure"


def modifier_rules(roll: Roll) -> tuple[str, ...]:
    """DB-MOD-1, DB-MOD-2: modifiers count for this one roll. DB-WOUND-6: a kind of wound counts once."""
    rules = [step.rule for sum_ in roll.sums if sum_.name in ("difficulty", "steps") for step in sum_.steps]
    wounded = ("DB-WOUND-6",) if "DB-WOUND-7" in rules else ()
    return ("DB-MOD-1", "DB-DIFF-2", "DB-MOD-2", *wounded) if rules else ()


@lru_cache(maxsize=512)
def total_sum(kind: str, dawn: int, dusk: int, floor: int, bonus: int) -> Sum:
    """Return the arithmetic of the dice of this kind of roll."""
    total = SumSteps("total", dawn)
    total.take("+", dusk, "DB-ROLL-1", "Dusk die")
    if floor:
        total.bound("max", floor, "DB-T20-1", "taking 20")
    if bonus:
        total.add(bonus, *BONUSES[kind])
    return total.sum()


def routine_success(roll: Roll) -> Judged:
    """DB-PLAY-3, DB-MOD-3: routine: success without a roll, so no destined effect and no tokens."""
    eased = ("DB-PLAY-3", "DB-MOD-3", "DB-MOD-1", "DB-DIFF-2") if roll.base else ("DB-PLAY-1", "DB-MOD-3")
    return Judged(
        rules=(*eased, "DB-ACT-3", *roll.rules, "DB-PLAY-8"),
        what=JUDGED_AS.get(roll.kind, roll.kind),
        who=roll.who,
        against=roll.against,
        sums=roll.sums,
        result="routine",
        final=True,
        seen="gm" if roll.hidden else "table",
        using=weapons_used(roll),
    )


def automatic_failure(who: str, what: str, against: str, shortage: tuple[Stat, int], state: State) -> Judged:
    """DB-COST-4, DB-ACT-4: a character that cannot pay the minimum fails; nothing is spent, nothing rolled."""
    pool, least = shortage
    return Judged(
        rules=("DB-COST-4", "DB-ACT-4"),
        what=what,
        who=who,
        against=against,
        sums=(Sum(name=f"least {pool}", start=least, steps=(), total=least),),
        total=state.points(who, pool),
        target=least,
        result="automatic failure",
        final=True,
    )
