"""Rolls and their results: the dice of a roll value, advantage and disadvantage, steps, and the outcome."""

from __future__ import annotations

from collections.abc import Generator
from functools import partial
from operator import attrgetter
from typing import Final, Literal

import msgspec

from ledger.dice import Dice
from ledger.facts import Die, Fact, Judged, Rolled, Sum
from projections.derived import derived
from projections.state import State
from rulebooks.common.dice import EntryDice, Thrower, Thrown
from rulebooks.common.sums import SumSteps
from rulebooks.mars.declarations.parts import Rolling
from rulebooks.mars.maneuvers.aids import check_aids, end_used
from rulebooks.mars.tasks.roll_steps import (
    Edge,
    RollStep,
    burden_of,
    fatigue_step,
    said_edges,
    said_steps,
)
from rulebooks.mars.tasks.stat_values import Value, value_of
from rulebooks.mars.texts import check_whole, refusal, value_refusal, whole_option

Outcome = Literal["fail", "graze", "hit", "critical"]
TOTAL_MOST: Final = 1000  # of a roll that was made elsewhere
CHANGE: Final = attrgetter("change")  # of a step or an edge
SUM: Final = attrgetter("sum")  # of faces
OUTCOMES: Final[tuple[Outcome, ...]] = ("fail", "graze", "hit", "critical")


def entry_dice(dice: Dice) -> EntryDice:
    """Return the dice of an entry. Impossible and missing typed faces are refused with the code of the book."""
    return EntryDice(dice, refusal, each_roll)


def each_roll(thrown: Thrown, wrong: str) -> str:
    """Return the dice that were thrown, roll by roll, and what is wrong: `d10, d8 (attack Ana): ...`."""
    rolls = (f"{', '.join(f'd{most}' for most in sides)} ({purpose})" for purpose, sides in thrown.items())
    return f"{'; '.join(rolls)}: {wrong}"


class RollPlan(msgspec.Struct, frozen=True, kw_only=True):
    """A roll before its dice: who makes it and what for, its value, and everything that bears on it.

    `purpose` is the key of its dice, `what` its name in the sums. `pick` are the dice of the rerolls, by number.
    `total` is what it came to, if it was made elsewhere.
    """

    who: str
    purpose: str
    what: str
    value: Value
    steps: tuple[RollStep, ...] = ()
    edges: tuple[Edge, ...] = ()
    pick: tuple[int, ...] = ()
    total: int | None = None
    rules: tuple[str, ...] = ()


class Roll(msgspec.Struct, frozen=True, kw_only=True):
    """A roll after its dice: its total, the sums that led to it, the purposes of its dice, and its rules.

    Where nobody reads what is judged, it is the total alone.
    """

    who: str
    what: str
    total: int
    sums: tuple[Sum, ...] = ()
    rolls: tuple[str, ...] = ()
    rules: tuple[str, ...] = ()


class Reroll(msgspec.Struct, frozen=True):
    """GR-OUT-5: a die that is rolled again: its number, the purpose of the new face, the face, and if it counts."""

    number: int
    purpose: str
    face: int
    counts: bool


class Faces(msgspec.Struct, frozen=True):
    """The faces of a roll: as thrown, rolled again one by one, and the sum of those that count in the end."""

    thrown: tuple[int, ...]
    rerolls: tuple[Reroll, ...]
    sum: int


def check_pick(pick: tuple[int, ...], value: Value) -> None:
    """GR-OUT-5: refuse a die that this roll does not have."""
    for number in pick:
        if not 1 <= number <= len(value.roll.dice):
            raise value_refusal("the picked die", f"1 to {len(value.roll.dice)}", number)


def roll(
    plan: RollPlan, state: State, throws: EntryDice, against: Grading | None = None
) -> Generator[Fact, None, Roll]:
    """GR-OUT-1: throw the dice of a roll value and add up; what bears on every roll of this character is included.

    `against` is the grading that this roll is the difficulty of: only the grade matters to what follows. The total of a
    roll that was made elsewhere has everything in it.
    """
    if plan.pick:
        check_pick(plan.pick, plan.value)
    if plan.total is not None:
        return roll_elsewhere(plan, plan.total)
    own = burden_of(plan.who, plan.value, state)
    steps = plan.steps + own.steps + (fatigue_step(plan.who, state) if own.is_fatigue_counted else ())
    edges = plan.edges + own.edges
    net = sum(map(CHANGE, edges)) if edges else 0
    added = sum(map(CHANGE, steps), plan.value.roll.flat) if steps else plan.value.roll.flat
    faces = throw_faces(plan, net, throws) if throws.dice.is_single else count_faces(plan, net, added, against, throws)
    if not state.is_read:
        return Roll(who=plan.who, what=plan.what, total=faces.sum + added)
    rules = (*plan.rules, "GR-OUT-1", *(("GR-OUT-5",) if edges else ()))
    yield from record_faces(plan, faces, rules, throws)
    cited = [*[step.rule for step in steps], *[edge.rule for edge in edges]]
    return Roll(
        who=plan.who,
        what=plan.what,
        total=faces.sum + added,
        sums=(roll_sum(plan, faces, steps), *((edge_sum(plan.what, edges),) if edges else ())),
        rolls=(plan.purpose, *[again.purpose for again in faces.rerolls]) if plan.value.roll.dice else (),
        rules=tuple(dict.fromkeys((*plan.rules, *plan.value.rules, *cited))),
    )


def count_faces(plan: RollPlan, net: int, added: int, against: Grading | None, throws: EntryDice) -> Faces:
    """Return faces of a roll for odds, which count its sums, or the grades of what they make with what is added."""
    faces: Faces = throws.group(
        partial(throw_faces, plan, net),
        key=SUM,
        like=(plan.value.roll.dice, net, plan.pick),
        merge=(lambda shown: against.grade(shown + added)) if against else None,
    )
    return faces


def roll_sum(plan: RollPlan, faces: Faces, steps: tuple[RollStep, ...]) -> Sum:
    """GR-OUT-1: the arithmetic of a roll: its faces, its flat number, and what is added to them."""
    total = SumSteps(plan.what, faces.sum)
    if plan.value.roll.flat:
        total.add(plan.value.roll.flat, "GR-OUT-1", f"{plan.value.name} {plan.value.roll}")
    for step in steps:
        total.add(step.change, step.rule, step.because)
    return total.sum()


def roll_elsewhere(plan: RollPlan, total: int) -> Roll:
    """Return a roll that is known by its total. Refuse a total that no dice make."""
    check_whole("total", total, -TOTAL_MOST, TOTAL_MOST)
    sums = (SumSteps(plan.what, total).sum(),)
    rules = tuple(dict.fromkeys((*plan.rules, *plan.value.rules)))
    return Roll(who=plan.who, what=plan.what, total=total, sums=sums, rolls=(), rules=rules)


def edge_sum(what: str, edges: tuple[Edge, ...]) -> Sum:
    """GR-OUT-5: the sources of advantage and disadvantage cancel one for one; what is left is the net."""
    net = SumSteps(f"{what} advantage", 0)
    for edge in edges:
        net.add(edge.change, edge.rule, edge.because)
    return net.sum()


def throw_faces(plan: RollPlan, net: int, dice: Thrower) -> Faces:
    """GR-OUT-5: the dice, then the rerolls one after the other on the faces as they are then."""
    sides = plan.value.roll.dice
    if not sides:
        return Faces((), (), 0)
    thrown = dice.throw(plan.purpose, *sides)
    if not net:
        return Faces(thrown, (), sum(thrown))
    counted = list(thrown)
    rerolls: list[Reroll] = []
    for index in range(abs(net)):
        number = die_to_better(sides, counted, plan.pick, index) if net > 0 else die_to_worsen(sides, counted)
        old = counted[number]
        times = [again.number for again in rerolls].count(number)
        purpose = f"{plan.purpose} again {number}" + (f".{times}" if times else "")
        (face,) = dice.throw(purpose, sides[number])
        counts = face > old if net > 0 else face < old
        rerolls.append(Reroll(number, purpose, face, counts))
        if counts:
            counted[number] = face
    return Faces(thrown, tuple(rerolls), sum(counted))


def die_to_better(sides: tuple[int, ...], faces: list[int], pick: tuple[int, ...], index: int) -> int:
    """GR-OUT-5: the die that the roller picks, or that with most to gain. The first of equals counts."""
    if pick:
        return pick[min(index, len(pick) - 1)] - 1
    gains = [most - face for most, face in zip(sides, faces, strict=True)]
    return gains.index(max(gains))


def die_to_worsen(sides: tuple[int, ...], faces: list[int]) -> int:
    """GR-OUT-5: the die that shows most. Of equals, that with more sides counts, then the first."""
    shown = list(zip(faces, sides, strict=True))
    return shown.index(max(shown))


def record_faces(plan: RollPlan, faces: Faces, rules: tuple[str, ...], throws: EntryDice) -> Generator[Fact]:
    """Record the dice of a roll, then each die that was rolled again."""
    sides, source = plan.value.roll.dice, throws.dice.source
    if not sides:
        return
    kept = {again.number: index for index, again in enumerate(faces.rerolls) if again.counts}
    dice = tuple(
        [
            Die(ordinal=n, sides=most, face=face, kept=n not in kept)
            for n, (most, face) in enumerate(zip(sides, faces.thrown, strict=True))
        ]
    )
    yield Rolled(rules=rules, who=plan.who, purpose=plan.purpose, source=source, dice=dice)
    for index, again in enumerate(faces.rerolls):
        counts = kept.get(again.number) == index
        label = f"die {again.number + 1} again"
        die = Die(ordinal=0, sides=sides[again.number], face=again.face, kept=counts, label=label, of=again.number)
        yield Rolled(rules=("GR-OUT-5",), who=plan.who, purpose=again.purpose, source=source, dice=(die,))


class Grading(msgspec.Struct, frozen=True):
    """GR-OUT-4, GR-GAP-2: how a total is graded against any difficulty: from which margins on."""

    total: int
    critical: int
    graze: int

    def grade(self, difficulty: int) -> Outcome:
        """Return the grade of the margin."""
        margin = self.total - difficulty
        if margin >= self.critical:
            return "critical"
        if margin >= 0:
            return "hit"
        return "graze" if margin > -self.graze else "fail"


def grading(total: int, state: State, lower: int = 0) -> Grading:
    """GR-OUT-4: return how a total is graded; critical from `lower` points of margin earlier, if it hits at all."""
    critical, graze = margins(state)
    return Grading(total, max(0, critical - lower), graze)


@derived("options")
def margins(state: State) -> tuple[int, int]:
    """GR-OUT-4, GR-GAP-2: return from which margin on a total is a critical, and how far below 0 it grazes."""
    return whole_option(state, "critical_margin"), whole_option(state, "graze_margin")


def outcome(total: int, difficulty: int, state: State) -> Outcome:
    """GR-OUT-4: the grade of a total against a difficulty."""
    return grading(total, state).grade(difficulty)


def check_roll(
    who: str,
    name: str,
    why: str,
    state: State,
    throws: EntryDice,
    *rules: str,
    said: Rolling | None = None,
    against: str = "",
    steps: tuple[RollStep, ...] = (),
    edges: tuple[Edge, ...] = (),
) -> Generator[Fact, None, Roll]:
    """GR-OUT-7: roll a stat or a skill for a check, with all that bears on checks of this character."""
    aids = check_aids(who, against, state)
    value = value_of(who, name, state)
    plan = RollPlan(
        who=who,
        purpose=f"{why} {who}",
        what=value.name,
        value=value,
        steps=(*steps, *(said_steps(said) if said else ()), *aids.steps),
        edges=(*edges, *(said_edges(said) if said else ()), *aids.edges),
        pick=said.pick if said else (),
        total=said.total if said else None,
        rules=rules,
    )
    result = yield from roll(plan, state, throws)
    if aids.ids:
        yield from end_used(aids, state)
    return result


def judge(
    what: str, made: Roll, difficulty: int, state: State, *rules: str, against: str = "", sums: tuple[Sum, ...] = ()
) -> Judged:
    """GR-OUT-4: return a roll against a difficulty, with its outcome."""
    return Judged(
        rules=tuple(dict.fromkeys((*rules, "GR-OUT-4", *made.rules))),
        what=what,
        who=made.who,
        against=against,
        sums=(*made.sums, *sums),
        total=made.total,
        target=difficulty,
        margin=made.total - difficulty,
        result=outcome(made.total, difficulty, state),
        rolls=made.rolls,
        final=True,
    )
