"""Test the shares of sums: computed ones lie within their error of the counted ones."""

from __future__ import annotations

from decimal import localcontext
from fractions import Fraction
from math import comb

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from projections.dice_sums import DiceCounts, counted_shares, shares_to, with_die

KINDS = st.tuples(st.sampled_from((1, 2, 3, 4, 6, 10, 20)), st.integers(1, 9))


@given(st.dictionaries(KINDS, st.integers(1, 25), min_size=1, max_size=4), st.data(), st.integers(3, 40))
@example({(2, 3): 60, (2, 5): 1}, None, 15)
def test_computed_shares_are_right_to_their_error(dice: DiceCounts, data: st.DataObject | None, digits: int) -> None:
    rank = 0
    for (sides, weight), number in dice.items():
        rank += weight * (data.draw(st.integers(0, number * (sides - 1))) if data else number // 2)
    shares, exact = shares_to(digits, dice, rank), counted_shares(dice, rank)
    assert abs(shares.worse - exact.worse) <= shares.error
    assert abs(shares.same - exact.same) <= shares.error
    assert shares.error < Fraction(1, 10 ** min(digits - 2, 11))


@pytest.mark.parametrize("digits", [15, 30, 60])
def test_coins_fall_as_the_binomial_coefficients_say(digits: int) -> None:
    coins, heads = 5000, 2431
    shares = shares_to(digits, {(2, 1): coins}, heads)
    assert abs(shares.same - Fraction(comb(coins, heads), 2**coins)) <= shares.error
    assert abs(shares.worse - Fraction(sum(comb(coins, k) for k in range(heads)), 2**coins)) <= shares.error


def test_precision_of_the_caller_does_not_matter() -> None:
    with localcontext(prec=5):
        short = shares_to(30, {(6, 1): 500}, 1200)
    assert short == shares_to(30, {(6, 1): 500}, 1200)


def test_sums_of_two_dice_have_the_known_ways() -> None:
    assert with_die(with_die([1], 6, 1), 6, 1) == [1, 2, 3, 4, 5, 6, 5, 4, 3, 2, 1]
    assert with_die([1, 1], 2, 3) == [1, 1, 0, 1, 1]
