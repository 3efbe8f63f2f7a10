"""The poison of a strike: a sickness that is resisted each time its round is over."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import msgspec

from ledger.facts import Fact
from projections.state import Condition, State
from rulebooks.common.conditions import ending_conditions
from rulebooks.common.dice import EntryDice
from rulebooks.common.turn import current_round
from rulebooks.mars.harm.sickness import Course, begin_sickness
from rulebooks.mars.harm.wounds import lose_health
from rulebooks.mars.maneuvers.resistance import resist
from rulebooks.mars.maneuvers.use import RULE, Use, checked_skill
from rulebooks.mars.tasks.checks import check_roll, judge, outcome
from rulebooks.mars.tasks.roll_steps import blind_edges
from rulebooks.mars.turns.durations import end_one, in_rounds, is_due

POISON: Final = "poison"
ROUNDS: Final = 1
DEGREE: Final = "degree"


def begin_poison(use: Use, state: State, throws: EntryDice) -> Iterator[Fact]:
    """GR-OUT-17: medicine against fortitude: sickness of the full degree, or of the lesser one if it is resisted."""
    skill, who = checked_skill(use, state), use.target
    edges = blind_edges(use.who, who, state)
    made = yield from check_roll(use.who, skill, skill, state, throws, RULE, against=who, edges=edges)
    share = yield from resist(use, made.total, state, throws, made)
    (effect,) = use.row.effects
    degree = effect.resisted[DEGREE] if share == "none" else effect.effects[DEGREE]
    earlier = find_poison(who, state)
    if earlier is not None and earlier.degree >= degree:  # GR-EFF-3: the weaker of two adds nothing
        return
    course = Course(difficulty=made.total)
    yield begin_sickness(
        f"{POISON} {who}", who, degree, course, POISON, state, RULE, "GR-SIC-1", ends=in_rounds(ROUNDS, state, use.who)
    )


def find_poison(who: str, state: State) -> Condition | None:
    """Return the poison of somebody, or None."""
    return state.conditions.get(f"{POISON} {who}")


def due_poisons(who: str, state: State) -> list[Condition]:
    """Return the poisons whose round is over as somebody's turn begins, in order of their ids."""
    round = current_round(state)
    return [
        each
        for id, each in ending_conditions(state)
        if id == f"{POISON} {each.who}" and any(is_due(end, who, round) for end in each.ends)
    ]


def work_poisons(who: str, state: State, throws: EntryDice) -> Iterator[Fact]:
    """GR-OUT-17: the poisons whose round is over as somebody's turn begins do their work."""
    for poison in due_poisons(who, state):
        yield from work_poison(poison, state, throws)


def work_poison(poison: Condition, state: State, throws: EntryDice) -> Iterator[Fact]:
    """GR-OUT-17: fortitude against the poison: 2 health are lost; or 1, and a degree of the sickness with it."""
    who, course = poison.who, msgspec.json.decode(poison.note, type=Course)
    made = yield from check_roll(who, "fortitude", POISON, state, throws, RULE)
    yield judge(POISON, made, course.difficulty, state, RULE)
    resisted = outcome(made.total, course.difficulty, state) in ("hit", "critical")
    yield from lose_health(who, 1 if resisted else 2, POISON, state, RULE)
    degree = poison.degree - resisted
    if degree:
        ends = in_rounds(ROUNDS, state)
        yield begin_sickness(f"{POISON} {who}", who, degree, course, POISON, state, RULE, ends=ends)
    else:
        yield end_one(f"{POISON} {who}", state, "resisted", RULE)
