"""How lucky dice were: their sum compared with the exact distribution of all sums that they could have had.

The distribution is counted with whole numbers, die by die; nothing is simulated or rounded. A die may weigh more than
another (for what was at stake), and low faces may be the good ones.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction

import msgspec


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
    """

    dice: int
    sum: int
    expected: Fraction
    worse: Fraction
    same: Fraction
    better: Fraction


def luck_of(dice: Iterable[LuckyDie]) -> Luck:
    """Return how lucky these dice were. Of dice whose low faces are good, the sum counts from the other end."""
    thrown = sorted(dice, key=lambda die: die.sides * die.weight)
    counts, found = [1], 0
    for die in thrown:
        counts = with_die(counts, die.sides, die.weight)
        found += die.weight * die.rank
    ways, worse = sum(counts), sum(counts[:found])
    ones = sum(die.weight for die in thrown)  # ranks begin at 0, faces at 1
    return Luck(
        dice=len(thrown),
        sum=found + ones,
        expected=Fraction(sum(die.weight * (die.sides + 1) for die in thrown), 2),
        worse=Fraction(worse, ways),
        same=Fraction(counts[found], ways),
        better=Fraction(ways - worse - counts[found], ways),
    )


def with_die(counts: Sequence[int], sides: int, weight: int) -> list[int]:
    """Return in how many ways each sum of ranks can be thrown with one more die, given the ways without it.

    Each new count is a sum of `sides` old ones, `weight` apart: the one before it moved on by one step.
    """
    size = len(counts)
    moved = [*counts, *[0] * (weight * (sides - 1))]
    for total in range(weight, len(moved)):
        leaving = total - weight * sides
        moved[total] += moved[total - weight] - (counts[leaving] if 0 <= leaving < size else 0)
    return moved
