"""Checks: those that somebody asks for, the use of a skill as an action, and a group that does the same thing."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ledger.dice import Dice
from ledger.facts import Fact, Judged, Ruled, Sum
from projections.state import State
from rulebooks.common.decisions import decides
from rulebooks.common.dice import EntryDice
from rulebooks.mars.declarations.tasks import Check, GroupCheck, UseSkill
from rulebooks.mars.guards import check_able, check_alive, check_own_turn
from rulebooks.mars.tasks.checks import Roll, check_roll, entry_dice, judge
from rulebooks.mars.tasks.roll_steps import blind_edges
from rulebooks.mars.tasks.stat_values import Value, is_skill, stat_name, value_of
from rulebooks.mars.texts import check_whole, refusal, value_refusal
from rulebooks.mars.turns.actions import POINTS_A_TURN, pay_action

ROLLED: Final = "rolled"  # the result of a check without a difficulty
LEVELS: Final = (5, 10, 15)  # the difficulties that the book has words for: easy, moderate, hard


def check_target(said: Check, state: State) -> None:
    """Refuse an unknown check, a difficulty that is missing, or an opponent who cannot roll."""
    value = value_of(said.by, said.name, state)
    if said.at:
        check_alive(said.at, state)
    if said.opponent:
        check_alive(said.opponent, state)
        if said.opponent == said.by:
            raise value_refusal("opponent", "somebody else", said.opponent)
        value_of(said.opponent, said.opposed or said.name, state)
    elif said.difficulty is not None or said.total is None:
        check_difficulty(said.difficulty, value)


def check_difficulty(difficulty: int | None, value: Value) -> None:
    """Refuse a difficulty below 0, and a check without one: with what the numbers of the book mean for this roll."""
    if difficulty is None:
        easy, moderate, hard = (value.roll.chance(level) for level in LEVELS)
        roll = str(value.roll)
        lacking = refusal(
            "VALUE", case="difficulty", what=value.name, roll=roll, easy=easy, moderate=moderate, hard=hard
        )
        raise lacking.of_field("difficulty")
    check_whole("difficulty", difficulty, 0)


@decides(Check)
def check(said: Check, state: State, dice: Dice) -> Iterator[Fact]:
    """GR-OUT-7: a check that a rule or the game master asks for; GR-GAP-63: the helpless make it too."""
    check_alive(said.by, state)
    check_target(said, state)
    yield from roll_against(said, state, entry_dice(dice))


@decides(UseSkill)
def use_skill(said: UseSkill, state: State, dice: Dice) -> Iterator[Fact]:
    """GR-SKL-1: an action; how many points it takes is the game master's. More than 3: a long action (GR-SKL-2)."""
    check_able(said.by, state)
    if state.encounter is not None:
        check_own_turn(said.by, state)
    check_target(said, state)
    if not 0 <= said.speed <= POINTS_A_TURN:
        raise value_refusal("speed", f"0 to {POINTS_A_TURN}; what takes longer is a long action", said.speed)
    yield from pay_action(said.by, said.speed, f"use {said.name}", state, "GR-SKL-1")
    yield from roll_against(said, state, entry_dice(dice), "GR-SKL-1")


def roll_against(said: Check, state: State, throws: EntryDice, *rules: str) -> Iterator[Fact]:
    """GR-OUT-7: the roll, against a difficulty or against somebody else's roll."""
    name, target = stat_name(said.name), said.at or said.opponent
    if said.reason:
        yield Ruled(rules=("GR-GAP-54",), name="check", text=f"{name} for {said.by}", because=said.reason)
    made = yield from check_roll(
        said.by,
        name,
        name,
        state,
        throws,
        *(rules or ("GR-OUT-7",)),
        said=said,
        against=target,
        edges=blind_edges(said.by, target, state),
    )
    if not said.opponent and said.difficulty is None:
        yield judge_total("check", made, *rules)
    elif not said.opponent:
        yield judge("check", made, said.difficulty or 0, state, *skill_rules(said.by, name, state), *rules)
    if not said.opponent:
        return
    other = stat_name(said.opposed or said.name)
    opposed = yield from check_roll(
        said.opponent, other, f"{other} against", state, throws, "GR-OUT-7", against=said.by
    )
    if said.difficulty is None:
        yield judge_contest("check", made, opposed, *rules)
    else:
        yield judge("check", made, opposed.total, state, *rules, against=said.opponent, sums=opposed.sums)


def skill_rules(who: str, name: str, state: State) -> tuple[str, ...]:
    """GR-OUT-7, GR-OUT-8: the rules of a skill that is rolled."""
    return ("GR-OUT-7", "GR-OUT-8") if is_skill(who, name, state) else ("GR-OUT-7",)


def judge_total(what: str, made: Roll, *rules: str) -> Judged:
    """Return what a roll came to. Its difficulty is known to the game master alone."""
    return Judged(
        rules=tuple(dict.fromkeys((*rules, *made.rules))),
        what=what,
        who=made.who,
        sums=made.sums,
        total=made.total,
        result=ROLLED,
        rolls=made.rolls,
        final=True,
    )


def judge_contest(what: str, made: Roll, other: Roll, *rules: str) -> Judged:
    """GR-OUT-4: a contest without a difficulty is won, lost or tied; there are no grazes in it."""
    margin = made.total - other.total
    return Judged(
        rules=tuple(dict.fromkeys((*rules, "GR-OUT-4", *made.rules, *other.rules))),
        what=what,
        who=made.who,
        against=other.who,
        sums=(*made.sums, *(named_for(sum_, other.who) for sum_ in other.sums)),
        total=made.total,
        target=other.total,
        margin=margin,
        result="won" if margin > 0 else "lost" if margin else "tied",
        rolls=(*made.rolls, *other.rolls),
        final=True,
    )


def named_for(sum_: Sum, who: str) -> Sum:
    """Return a sum of the opponent under a name of its own."""
    return Sum(name=f"{sum_.name} {who}", start=sum_.start, steps=sum_.steps, total=sum_.total)


@decides(GroupCheck)
def group_check(said: GroupCheck, state: State, dice: Dice) -> Iterator[Fact]:
    """GR-OUT-11: several do the same thing; the game master says whether the best or the worst roll counts."""
    for who in said.who:
        check_able(who, state)
    if not said.who:
        raise value_refusal("who", "at least one character", None)
    values = [value_of(who, said.name, state) for who in said.who]
    check_difficulty(said.difficulty, values[0])
    throws, name = entry_dice(dice), stat_name(said.name)
    if said.reason:
        yield Ruled(rules=("GR-GAP-54",), name="check", text=f"{name} of the group", because=said.reason)
    rolls = list[Roll]()
    for who in dict.fromkeys(said.who):
        rolls.append((yield from check_roll(who, name, name, state, throws, "GR-OUT-7")))
    pick = max if said.counts == "best" else min
    counted = pick(rolls, key=lambda made: made.total)
    others = tuple(named_for(sum_, made.who) for made in rolls if made is not counted for sum_ in made.sums)
    yield judge("check", counted, said.difficulty or 0, state, "GR-OUT-11", "GR-OUT-7", sums=others)
