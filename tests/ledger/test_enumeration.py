"""Enumerated dice: every combination of faces once, grouped throws by their keys, settled branches as one."""

from __future__ import annotations

import itertools
from collections import Counter
from fractions import Fraction
from itertools import islice

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.enumeration import EnumeratedDice, Throw
from ledger.errors import NeverDrawn
from ledger.odds import OpenBranches


def one_throw(dice):
    return dice.throw("task", 6, 4)


def exploding(dice):
    """Throw a d4 and one more for its highest face, up to three."""
    shown = dice.throw("hit", 4)
    extra = itertools.takewhile(lambda n: shown[-1] == 4, range(1, 3))
    for n in extra:
        shown += dice.throw(f"hit extra of {n}", 4)
    return shown


def sometimes(dice):
    """Throw dice that depend on the first: none, a d6, or a d20 and a d3."""
    (first,) = dice.throw("first", 3)
    return (first, *dice.throw("then", *{1: (), 2: (6,), 3: (20, 3)}[first]))


def asked_twice(dice):
    return dice.throw("task", 6) + dice.throw("task", 6)


def no_dice(dice):
    return ()


def whole_branches(decide):
    """Yield the result and the chance of each complete branch."""
    open_branches = OpenBranches()
    while (dice := open_branches.next()) is not None:
        try:
            yield decide(dice), dice.chance
        except NeverDrawn:
            open_branches.extend(dice, [])


@pytest.mark.parametrize(
    ("decide", "count"),
    [
        (one_throw, 24),
        (exploding, 3 + 3 + 4),
        (sometimes, 1 + 6 + 60),
        (asked_twice, 6),  # the same question is no further die
        (no_dice, 1),
    ],
)
def test_branches_are_distinct_with_chances_that_sum_to_one(decide, count):
    met = list(whole_branches(decide))
    assert len({shown for shown, _ in met}) == len(met) == count
    assert sum(chance for _, chance in met) == 1


def test_the_odds_of_two_dice_are_those_of_the_schoolbook():
    met = Counter()
    for total, chance in whole_branches(lambda dice: sum(dice.throw("task", 6, 6))):
        met[total] += chance
    assert (met[2], met[7], met[12]) == (Fraction(1, 36), Fraction(1, 6), Fraction(1, 36))


def test_incomplete_branch_names_its_next_sides():
    dice = EnumeratedDice([Throw((6,), (3,))], Fraction(1, 6))
    assert dice.throw("task", 6) == (3,)
    with pytest.raises(NeverDrawn):
        dice.throw("more", 20, 2)
    assert dice.next_sides == (20, 2)
    assert len({tuple(branch.throw("task", 6)) for branch in dice.branches()}) == 1
    assert [branch.chance for branch in dice.branches()] == [Fraction(1, 6 * 20 * 2)] * 40


def test_endless_rerolls_come_likeliest_first():
    """Throw a d2 again on each 2, without end."""

    def endless(dice, purpose="die"):
        return () if dice.throw(purpose, 2) == (1,) else (2, *endless(dice, f"extra of {purpose}"))

    met = list(islice(whole_branches(endless), 6))
    assert [1 / chance for _, chance in met] == [2, 4, 8, 16, 32, 64]


# Groups and settled values


def total_of(sides):
    """Return the total of these dice, as a group."""
    return lambda dice: dice.group(lambda thrown: thrown.throw("all", *sides), sum)


def advantage(dice, again=1):
    """Return the total of a d12 and a d10 of which the first is thrown again, and the better face kept."""

    def roll(thrown):
        first, second = thrown.throw("base", 12, 10)
        for number in range(again):
            first = max(first, *thrown.throw(f"again {number}", 12))
        return first + second

    return dice.group(roll, lambda total: total)


def test_group_has_a_branch_for_each_key():
    met = list(whole_branches(total_of((12, 10))))
    assert sorted(sum(faces) for faces, _ in met) == list(range(2, 23))
    assert sum(chance for _, chance in met) == 1


@given(st.lists(st.sampled_from([2, 4, 6, 8]), min_size=1, max_size=3))
def test_totals_of_a_group_are_those_of_its_faces(sides):
    grouped = {sum(faces): chance for faces, chance in whole_branches(total_of(sides))}
    single: Counter[int] = Counter()
    for total, chance in whole_branches(lambda dice: sum(dice.throw("all", *sides))):
        single[total] += chance
    assert grouped == single


@pytest.mark.slow
@pytest.mark.parametrize("again", [0, 1, 2])
def test_group_may_throw_further_dice(again):
    expected: Counter[int] = Counter()
    for first, second, *more in itertools.product(range(1, 13), range(1, 11), *[range(1, 13)] * again):
        expected[max(first, *more, 0) + second] += Fraction(1, 120 * 12**again)
    assert dict(whole_branches(lambda dice: advantage(dice, again))) == expected


def test_groups_that_are_alike_are_counted_once():
    counted = Counter()

    def total(dice, purpose, like):
        def roll(thrown):
            counted[like] += 1
            return sum(thrown.throw(purpose, 4, 4))

        return dice.group(roll, lambda total: total, like)

    def both(dice):
        return total(dice, "one", "2d4"), total(dice, "other", "2d4"), total(dice, "third", None)

    met = dict(whole_branches(both))
    assert met[2, 2, 2] == Fraction(1, 16**3)
    assert sum(met.values()) == 1
    assert counted["2d4"] < counted[None]


def test_keys_of_a_group_are_merged_to_what_matters():
    """A d10 and a d8, of which only matters whether the total is 9 or more."""

    def roll(dice):
        total = dice.group(lambda thrown: thrown.throw("all", 10, 8), sum, "d10 and d8", lambda total: total >= 9)
        return sum(total) >= 9

    assert dict(whole_branches(roll)) == {True: Fraction(52, 80), False: Fraction(28, 80)}
    assert len(list(whole_branches(roll))) == 2


def test_group_without_dice_is_one_branch():
    assert list(whole_branches(lambda dice: dice.group(lambda _: "nothing", str))) == [("nothing", 1)]


def test_settled_branches_go_on_as_one():
    """Two d10 against a d8, of which only the grade matters to the d20 that follows."""
    decided = []

    def grade(dice):
        attack = dice.group(lambda thrown: sum(thrown.throw("attack", 10, 10)), lambda total: total)
        defence = dice.group(lambda thrown: thrown.throw("defence", 8)[0], lambda face: face)
        hit = attack >= defence
        dice.settle(hit)
        decided.append(hit)
        return hit, dice.throw("damage", 20)[0]

    met: Counter[tuple[bool, int]] = Counter()
    for result, chance in whole_branches(grade):
        met[result] += chance
    assert len(decided) == 19 * 8 + 2 * 20
    misses = sum(max(0, 8 - attack) for attack in (a + b for a in range(1, 11) for b in range(1, 11)))
    assert met[False, 1] == Fraction(misses, 800 * 20)
    assert sum(met.values()) == 1


def test_value_settled_before_a_later_throw_is_not_the_end():
    dice = EnumeratedDice([Throw((6,), (3,))])
    dice.settle("early")
    assert dice.settled is None
    dice.throw("task", 6)
    dice.settle("late")
    assert dice.settled == ("late",)
