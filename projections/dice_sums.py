"""How many throws of some dice have a lower sum, and how many the same.

Sums are sums of ranks, 0 to `sides` - 1, each times the weight of its die. All throws of up to about 300 dice are
counted. The sum of more is so near to a normal distribution that the shares are read from that.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import accumulate, chain, repeat
from math import gcd, sqrt
from operator import sub
from statistics import NormalDist
from typing import Final, NamedTuple

DiceCounts = Mapping[tuple[int, int], int]  # (sides, weight) -> how many dice
COUNTED_MOST: Final = 500_000  # dice times the highest sum of ranks: 300 six-sided dice, counted in 0.05 s


class SumShares(NamedTuple):
    """The shares of all throws with a lower and with the same sum; `exact` unless they are of a normal distribution."""

    worse: Fraction
    same: Fraction
    exact: bool


def sum_shares(dice: DiceCounts, rank: int) -> SumShares:
    """Return the shares of throws with a lower sum of weighted ranks than `rank`, and with the same."""
    dice = {(sides, weight): number for (sides, weight), number in dice.items() if sides > 1}
    most = sum(number * weight * (sides - 1) for (sides, weight), number in dice.items())
    if sum(dice.values()) * most <= COUNTED_MOST:
        return _counted_shares(dice, rank)
    return _normal_shares(dice, rank, most)


def _counted_shares(dice: DiceCounts, rank: int) -> SumShares:
    """Return the shares, by counting all throws."""
    counts = [1]
    for (sides, weight), number in sorted(dice.items()):
        for _ in range(number):
            counts = with_die(counts, sides, weight)
    ways = sum(counts)
    return SumShares(Fraction(sum(counts[:rank]), ways), Fraction(counts[rank], ways), exact=True)


def with_die(counts: Sequence[int], sides: int, weight: int) -> list[int]:
    """Return in how many ways each sum of ranks can be thrown with one more die, given the ways without it.

    Each new count is a sum of `sides` old ones, `weight` apart: the difference of two running sums.
    """
    moved = [*counts, *repeat(0, weight * (sides - 1))]
    for first in range(weight):
        sums = list(accumulate(moved[first::weight]))
        moved[first::weight] = map(sub, sums, chain(repeat(0, min(sides, len(sums))), sums))
    return moved


def _normal_shares(dice: DiceCounts, rank: int, most: int) -> SumShares:
    """Return the shares in a normal distribution with the mean and the spread of the sum, half a step to each side.

    The lowest and the highest sum have nothing beyond them, as in a count.
    """
    step = gcd(*(weight for _, weight in dice))
    variance = Fraction(sum(number * weight**2 * (sides**2 - 1) for (sides, weight), number in dice.items()), 12)
    normal = NormalDist(most / 2, sqrt(variance))
    lower = Fraction(normal.cdf(rank - step / 2)) if rank else Fraction(0)
    upper = Fraction(normal.cdf(rank + step / 2)) if rank < most else Fraction(1)
    return SumShares(lower, upper - lower, exact=False)
