"""How many throws of some dice have a lower sum, and how many the same: counted, or found to as many digits as needed.

Sums are sums of ranks, 0 to `sides` - 1, each times the weight of its die. They lie evenly around the middle one.

Counting takes a number for each sum and as many digits as there are throws, so it is kept to few dice. For many, the
shares are read from the characteristic function of the sum, which for a die is the real number
`sin(sides x) / (sides sin(x))`. With x = pi k / modulus, and `weight * x` for a die, the
share of the `width` sums in the middle is the mean over all k of the product over all dice, times
`sin(width x) / sin(x)`. That is
exact for sums taken modulo the modulus. What this leaves out is bounded, and each bound is part of the error returned:

- sums further than half a modulus from the middle: Hoeffding's inequality;
- angles at which the product is below a limit: at distance u from a multiple of pi a die contributes at most
  `exp(-(sides^2 - 1) u^2 / 6)` before its first zero, and at most 1/2 behind it;
- rounding: each quotient of sines is right to a small share of it, and is multiplied as often as there are dice.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal, localcontext
from fractions import Fraction
from math import ceil, gcd, log, pi, prod, sin, sqrt
from typing import Any, Final, NamedTuple

DiceCounts = Mapping[tuple[int, int], int]  # (sides, weight) -> how many dice
FLOAT_DIGITS: Final = 15
GUARD_DIGITS: Final = 10


class SumShares(NamedTuple):
    """The shares of all throws with a lower and with the same sum, each right to `error`."""

    worse: Fraction
    same: Fraction
    error: Fraction


def shares_to(digits: int, dice: DiceCounts, rank: int) -> SumShares:
    """Return the shares to about so many digits; counted, if the number of throws has no more digits than that.

    Args:
        digits: how many digits of a share are computed with; the error says how many of them are sure.
        dice: how many dice there are of each number of sides and weight.
        rank: the sum of weighted ranks that was thrown.
    """
    if prod(sides**number for (sides, _), number in dice.items()) < 10**digits:
        return counted_shares(dice, rank)
    if digits <= FLOAT_DIGITS:
        return _shares(dice, rank, digits, _Sines(_float_sine, Fraction(1, 2**49)))
    with localcontext(prec=digits + GUARD_DIGITS):
        slack = Fraction(1, 10 ** (digits + GUARD_DIGITS - 4))
        return _shares(dice, rank, digits, _Sines(_decimal_sine(digits + GUARD_DIGITS), slack))


def counted_shares(dice: DiceCounts, rank: int) -> SumShares:
    """Return the shares exactly, by counting all throws."""
    counts = [1]
    for (sides, weight), number in sorted(dice.items()):
        for _ in range(number):
            counts = with_die(counts, sides, weight)
    ways = sum(counts)
    return SumShares(Fraction(sum(counts[:rank]), ways), Fraction(counts[rank], ways), Fraction(0))


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


class _Sines(NamedTuple):
    """The sine of `pi * numerator / denominator`, as float or decimal; a quotient of two is off by a share `slack`."""

    sine: Callable[[int, int], Any]
    slack: Fraction


def _shares(dice: DiceCounts, rank: int, digits: int, sines: _Sines) -> SumShares:
    """Return the shares from the characteristic function of the sum."""
    unit = gcd(*(weight for _, weight in dice))
    dice = {(sides, weight // unit): number for (sides, weight), number in dice.items() if sides > 1}
    rank //= unit
    most = sum(number * weight * (sides - 1) for (sides, weight), number in dice.items())
    if 2 * rank > most:
        better, same, error = _lower_half(dice, most - rank, most, digits, sines)
        return SumShares(1 - better - same, same, 2 * error)
    return _lower_half(dice, rank, most, digits, sines)


def _lower_half(dice: DiceCounts, rank: int, most: int, digits: int, sines: _Sines) -> SumShares:
    """Return the shares for a rank that is not above the middle. Only that of no sum at all is 0."""
    sine, limit = sines.sine, Fraction(1, 10 ** (digits + 3))
    modulus, width = _modulus(dice, most, digits + 3), most - 2 * rank + 1
    if width > modulus:
        return SumShares(limit if rank else Fraction(0), Fraction(0), limit)
    middle, same, size = [], [], 0.0
    for k in _angles(dice, modulus, float(limit)):
        product = _product(dice, k, modulus, _float_sine, float(limit))
        if abs(product) < limit:
            continue
        if sine is not _float_sine:
            product = _product(dice, k, modulus, sine)
        middle.append(product * (sine(width * k, modulus) / sine(k, modulus)))
        same.append(product * sine(modulus - 2 * k * (width - 1), 2 * modulus))  # a cosine
        size += abs(float(middle[-1])) + abs(float(same[-1]))
    rounding = (sum(dice.values()) + 4) * sines.slack * Fraction(size) / modulus
    inside = (width + 2 * _sum(middle)) / modulus
    error = 4 * (rounding + limit * (2 + modulus.bit_length()))
    worse = max((1 - inside) / 2, limit) if rank else Fraction(0)
    return SumShares(worse, (1 + 2 * _sum(same)) / modulus, error)


def _sum(terms: Sequence[Any]) -> Fraction:
    """Return the sum of floats or decimals."""
    return sum(map(Fraction, terms), Fraction(0))


def _modulus(dice: DiceCounts, most: int, digits: int) -> int:
    """Return an odd number; sums further than half of it from the middle have a share below 10 ** -digits."""
    squares = sum(number * (weight * (sides - 1)) ** 2 for (sides, weight), number in dice.items())
    reach = ceil(sqrt(squares * (digits * log(10) + log(2)) / 2)) + 1
    return 2 * min(reach, most // 2 + 1) + 1


def _angles(dice: DiceCounts, modulus: int, limit: float) -> Sequence[int]:
    """Return the k > 0 at which the product may not be below the limit, by the weight that leaves the fewest."""
    half = modulus // 2
    best: Sequence[int] = range(1, half + 1)
    for weight in {weight for _, weight in dice}:
        own = [(sides, number) for (sides, other), number in dice.items() if other == weight]
        reach = _reach(own, modulus, -log(limit))
        if 2 * reach * half < modulus * len(best):
            wanted = (
                k
                for turn in range(weight // 2 + 1)
                for k in range(-(-(turn * modulus - reach) // weight), (turn * modulus + reach) // weight + 1)
            )
            best = [k for k in dict.fromkeys(wanted) if 0 < k <= half]
    return best


def _reach(dice: Sequence[tuple[int, int]], modulus: int, wanted: float) -> int:
    """Return the distance, in steps of pi / modulus, from which on these dice of one weight hold the product down."""

    def exponent(distance: int) -> float:
        square = (pi * distance / modulus) ** 2
        return sum(number * min((sides**2 - 1) * square / 6, log(2)) for sides, number in dice)

    low, high = 0, modulus // 2 + 1
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if exponent(middle) > wanted else (middle + 1, high)
    return low


def _product(dice: DiceCounts, k: int, modulus: int, sine: Callable[[int, int], Any], limit: float = 0) -> Any:
    """Return the characteristic function of the sum at an angle, or something nearer to 0 than the limit if it is."""
    product = 1
    for (sides, weight), number in dice.items():
        turns, left = divmod(weight * k, modulus)
        if left:
            product *= (sine(sides * weight * k, modulus) / (sides * sine(weight * k, modulus))) ** number
        elif turns * (sides - 1) * number % 2:
            product = -product
        if abs(product) < limit:
            break
    return product


def _float_sine(numerator: int, denominator: int) -> float:
    """Return `sin(pi * numerator / denominator)`, right to a few units in the last place."""
    sign, numerator = _first_quarter(numerator, denominator)
    return sign * sin(pi * numerator / denominator)


def _decimal_sine(precision: int) -> Callable[[int, int], Decimal]:
    """Return the sine as a decimal of so many digits, but for the last ones."""
    circle = _decimal_pi(precision)

    def sine(numerator: int, denominator: int) -> Decimal:
        sign, numerator = _first_quarter(numerator, denominator)
        angle = circle * numerator / denominator
        square, term, total, index = angle * angle, angle, angle, 1
        while total + term != total:
            index += 2
            term = -term * square / (index * (index - 1))
            total += term
        return total if sign > 0 else -total

    return sine


def _first_quarter(numerator: int, denominator: int) -> tuple[int, int]:
    """Return the sign of the sine, and the numerator of the angle up to a right one that has this sine but for it."""
    turns, left = divmod(numerator, denominator)
    return (-1 if turns % 2 else 1), min(left, denominator - left)


def _decimal_pi(precision: int) -> Decimal:
    """Return pi: 16 atan(1/5) - 4 atan(1/239), in whole numbers."""
    one: int = 10 ** (precision + GUARD_DIGITS)

    def arctangent(inverse: int) -> int:
        total, power, index = 0, one // inverse, 1
        while power:
            total += power // index if index % 4 == 1 else -(power // index)
            power, index = power // inverse**2, index + 2
        return total

    return Decimal(16 * arctangent(5) - 4 * arctangent(239)) / one
