"""How lucky dice were: their sum compared with all sums that they could have had.

A die may weigh more than another (for what was at stake), and low faces may be the good ones. Nothing is simulated:
the shares are counted, and those of very many dice are read from a normal distribution.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from typing import Final

import msgspec

from projections.dice_sums import sum_shares

MILLION: Final = 10**6


class LuckyDie(msgspec.Struct, frozen=True):
    """A die that was thrown. `weight` multiplies its face; `is_low`: the low faces are the good ones."""

    sides: int
    face: int
    weight: int = 1
    is_low: bool = False

    @property
    def rank(self) -> int:
        """How good the face is: 0 for the worst."""
        return self.sides - self.face if self.is_low else self.face - 1


class Luck(msgspec.Struct, frozen=True, kw_only=True):
    """The sum of some dice (weighted, if they have weights), what was expected, and the share of throws on each side.

    `worse`, `same` and `better` are the shares of all throws of these dice with a lower, the same and a higher sum.
    They are `exact`, or of a normal distribution where there are very many dice.
    """

    dice: int
    sum: int
    expected: Fraction
    worse: Fraction
    same: Fraction
    better: Fraction
    exact: bool = True


def luck_of_counts(dice: Mapping[LuckyDie, int]) -> Luck:
    """Return how lucky these dice were, each kind of die with the number of dice like it."""
    numbers, rank = Counter[tuple[int, int]](), 0
    for die, count in dice.items():
        numbers[die.sides, die.weight] += count
        rank += count * die.weight * die.rank
    ones = sum(weight * number for (_, weight), number in numbers.items())  # ranks begin at 0, faces at 1
    twice = sum((sides + 1) * weight * number for (sides, weight), number in numbers.items())
    shares = sum_shares(numbers, rank)
    return Luck(
        dice=numbers.total(),
        sum=rank + ones,
        expected=Fraction(twice, 2),
        worse=shares.worse,
        same=shares.same,
        better=1 - shares.worse - shares.same,
        exact=shares.exact,
    )


def figures(share: Fraction) -> tuple[int, int | None]:
    """Return a share in millionths, and the number of groups of which it is one (None above a million)."""
    return round(share * MILLION), round(1 / share) if share * MILLION >= 1 else None
