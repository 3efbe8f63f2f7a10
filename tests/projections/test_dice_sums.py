"""Test the shares of sums: those that are counted, and those of a normal distribution beside them."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import comb

import pytest
from hypothesis import given
from hypothesis import strategies as st

from projections.dice_sums import sum_shares, with_die

KINDS = st.tuples(st.integers(1, 6), st.integers(1, 9))


@given(st.dictionaries(KINDS, st.integers(1, 2), min_size=1, max_size=2), st.data())
def test_shares_are_those_of_all_throws(dice: dict[tuple[int, int], int], data: st.DataObject) -> None:
    ranks = [[weight * rank for rank in range(sides)] for (sides, weight), n in dice.items() for _ in range(n)]
    sums = [sum(throw) for throw in product(*ranks)]
    rank = data.draw(st.sampled_from(sums))
    shares = sum_shares(dice, rank)
    assert shares.worse == Fraction(sum(each < rank for each in sums), len(sums))
    assert shares.same == Fraction(sums.count(rank), len(sums))
    assert shares.exact


@pytest.mark.slow
def test_hundreds_of_coins_fall_as_the_binomials_say() -> None:
    shares = sum_shares({(2, 3): 400}, 3 * 190)
    assert shares.same == Fraction(comb(400, 190), 2**400)
    assert shares.exact


@pytest.mark.parametrize("heads", [570, 600, 635])
def test_more_coins_are_nearly_those_of_a_normal_distribution(heads: int) -> None:
    coins = 1200
    shares = sum_shares({(2, 4): coins}, 4 * heads)
    assert not shares.exact
    assert float(shares.same) == pytest.approx(comb(coins, heads) / 2**coins, rel=0.01)
    worse = Fraction(sum(comb(coins, k) for k in range(heads)), 2**coins)
    assert float(shares.worse) == pytest.approx(float(worse), rel=0.01)


def test_nothing_lies_beyond_the_ends_of_many_dice() -> None:
    most = 5 * 1000
    lowest, highest = (sum_shares({(6, 1): 1000}, rank) for rank in (0, most))
    assert lowest.worse == 0
    assert highest.worse + highest.same == 1


def test_sums_of_two_dice_have_the_known_ways() -> None:
    assert with_die(with_die([1], 6, 1), 6, 1) == [1, 2, 3, 4, 5, 6, 5, 4, 3, 2, 1]
    assert with_die([1, 1], 2, 3) == [1, 1, 0, 1, 1]
    assert with_die([1], 1, 4) == [1]
