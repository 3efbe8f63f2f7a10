"""Sickness: each is tracked on its own, the strongest counts, and each asks for a check when its time is up."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from typing import Final

import msgspec

from ledger.facts import ConditionBegan, Ends, Fact
from projections.state import Condition, State
from rulebooks.common.dice import EntryDice
from rulebooks.mars.guards import SICKNESS
from rulebooks.mars.harm.wounds import lose_health
from rulebooks.mars.tasks.checks import check_roll, judge, outcome
from rulebooks.mars.turns.durations import DAY, end_one

WEEK: Final = 7
DIFFICULTY: Final = 10


class Course(msgspec.Struct, frozen=True, kw_only=True):
    """What the check of a sickness needs: its difficulty, and how many days it lasts before one is due."""

    difficulty: int = DIFFICULTY
    days: int = WEEK


def sicknesses(who: str, state: State) -> list[tuple[str, Condition]]:
    """Return the sicknesses of somebody with their ids, oldest first."""
    return [(id, condition) for id, condition in state.conditions_of(who) if condition.name == SICKNESS]


def strongest(who: str, state: State) -> int:
    """GR-SIC-4: the degree that counts; 0 for the healthy."""
    return max((condition.degree for _, condition in sicknesses(who, state)), default=0)


def fall_sick(
    who: str, degree: int, course: Course, source: str, state: State, *rules: str, ends: tuple[Ends, ...] = ()
) -> ConditionBegan:
    """GR-SIC-4: another sickness, tracked on its own. GR-SIC-5: for a week, unless its source says otherwise."""
    taken = {id for id, _ in sicknesses(who, state)}
    id = next(id for number in range(1, len(taken) + 2) if (id := f"{SICKNESS} {who} {number}") not in taken)
    return begin_sickness(id, who, degree, course, source, state, "GR-SIC-1", "GR-SIC-4", *rules, ends=ends)


def begin_sickness(
    id: str, who: str, degree: int, course: Course, source: str, state: State, *rules: str, ends: tuple[Ends, ...] = ()
) -> ConditionBegan:
    """GR-GAP-37: a sickness runs its time, or runs it again."""
    due = Ends(at=DAY, whose=who, due=state.count("", DAY) + course.days)
    return ConditionBegan(
        rules=(*rules, *(() if ends else ("GR-SIC-5",))),
        id=id,
        who=who,
        name=SICKNESS,
        degree=degree,
        about=source,
        ends=ends or (due,),
        note=msgspec.json.encode(course).decode(),
    )


def lose_health_of_sick(who: str, state: State) -> Iterator[Fact]:
    """GR-SIC-2: each day half the degree of health, rounded up, of the strongest sickness (GR-GAP-36)."""
    degree = strongest(who, state)
    if degree:
        yield from lose_health(who, -(-degree // 2), SICKNESS, state, "GR-SIC-2", "GR-SIC-4")


def end_of_course(who: str, state: State, throws: EntryDice) -> Iterator[Fact]:
    """GR-SIC-5: each sickness whose time is up asks for fortitude."""
    today = state.count("", DAY)
    for id, condition in sicknesses(who, state):
        if any(end.at == DAY and end.due <= today for end in condition.ends):
            yield from check_sickness(id, condition, state, throws)


def check_sickness(id: str, condition: Condition, state: State, throws: EntryDice) -> Generator[Fact, None, None]:
    """GR-SIC-5, GR-GAP-37: a success takes off one degree; what is left runs its time again."""
    who, course = condition.who, msgspec.json.decode(condition.note, type=Course)
    made = yield from check_roll(who, "fortitude", id, state, throws, "GR-SIC-5")
    yield judge(SICKNESS, made, course.difficulty, state, "GR-SIC-5")
    better = outcome(made.total, course.difficulty, state) in ("hit", "critical")
    throws.dice.settle(better)
    degree = condition.degree - better
    if degree:
        yield begin_sickness(id, who, degree, course, condition.about, state, "GR-SIC-5")
    else:
        yield end_one(id, state, "recovered", "GR-SIC-5")
