"""What many runs add up to: shares with their intervals, and the spread of numbers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import sqrt
from statistics import NormalDist
from typing import Final

import msgspec

from cli.forecast.fight import OUT, RunEnd
from rulebooks.common.sides import DEAD

CONFIDENCE: Final = 0.95
Z: Final = NormalDist().inv_cdf((1 + CONFIDENCE) / 2)
LOW, HIGH = 10, 90  # per cent of the runs that end at or below


class Frequency(msgspec.Struct, frozen=True):
    """How often something came in so many runs, and the interval (Wilson, 95 %) in which its chance is."""

    times: int
    of: int
    low: float
    high: float

    @property
    def part(self) -> float:
        """The share of the runs in which it came, from 0 to 1."""
        return self.times / self.of

    @property
    def width(self) -> float:
        """Half the width of the interval."""
        return (self.high - self.low) / 2


class Spread(msgspec.Struct, frozen=True, kw_only=True):
    """A number over all runs: in one of ten it was `low` or less, in half `middle` or less, in nine `high` or less."""

    name: str
    now: int
    low: int
    middle: int
    high: int


class Outlook(msgspec.Struct, frozen=True, kw_only=True):
    """What becomes of somebody: out of the fight in any way but flight, dead, gone; and the round of the fall."""

    who: str
    side: str
    falls: Frequency
    dies: Frequency
    leaves: Frequency
    rounds: Spread | None


class Difference(msgspec.Struct, frozen=True, kw_only=True):
    """How far a plan moves the chance that somebody of the players falls, over the same runs, with its interval."""

    plan: str
    before: Frequency
    after: Frequency
    low: float
    high: float

    @property
    def change(self) -> float:
        """How far the chance is moved, from -1 to 1."""
        return (self.low + self.high) / 2

    def is_told(self) -> bool:
        """Return whether the difference is more than chance."""
        return self.low > 0 or self.high < 0


class Forecast(msgspec.Struct, frozen=True, kw_only=True):
    """What comes of a fight: `wins` has the share of each side that stood.

    `plan` and `policy` say what was supposed; `key` gives the same runs again; `at` is empty for a fight
    of sheets alone; `until` is the one whose fall also ended a run. `unended` are runs that a bound has ended, each
    after `bound` rounds or more.
    """

    plan: str
    policy: str
    key: str
    runs: int
    at: str
    until: str
    round: int
    rounds: Spread
    unended: Frequency
    bound: int
    wins: tuple[tuple[str, Frequency], ...]
    outlooks: tuple[Outlook, ...]
    values: tuple[Spread, ...]
    differences: tuple[Difference, ...] = ()
    stopped: bool = False
    broken_off: Frequency = Frequency(0, 0, 0.0, 1.0)  # as the table ends fights
    is_idle: bool = False  # no strike could be made as the plan alters strikes


def share(times: int, of: int) -> Frequency:
    """Return a share of so many runs with its interval: never nought to nought."""
    if not of:
        return Frequency(0, 0, 0.0, 1.0)
    part, square = times / of, Z * Z
    middle = (part + square / (2 * of)) / (1 + square / of)
    reach = Z / (1 + square / of) * sqrt(part * (1 - part) / of + square / (4 * of * of))
    return Frequency(times, of, max(0.0, middle - reach), 1.0 if times == of else middle + reach)


def spread_of(name: str, now: int, numbers: Iterable[int]) -> Spread:
    """Return the spread of numbers, at least one."""
    ordered = sorted(numbers)
    low, middle, high = (ordered[(len(ordered) - 1) * part // 100] for part in (LOW, 50, HIGH))
    return Spread(name=name, now=now, low=low, middle=middle, high=high)


def outlook(who: str, side: str, ends: Sequence[RunEnd]) -> Outlook:
    """Return what becomes of somebody in these runs."""
    falls = [fall for end in ends for fall in end.falls if fall.who == who]
    down = [fall for fall in falls if fall.how in (OUT, DEAD)]
    return Outlook(
        who=who,
        side=side,
        falls=share(len(down), len(ends)),
        dies=share(sum(fall.how == DEAD for fall in falls), len(ends)),
        leaves=share(len(falls) - len(down), len(ends)),
        rounds=spread_of("round", 0, (fall.round for fall in down)) if down else None,
    )


def any_falls(end: RunEnd, whose: Sequence[str]) -> bool:
    """Return whether one of these was out or dead at the end of a run."""
    return any(fall.who in whose and fall.how in (OUT, DEAD) for fall in end.falls)


def difference(plan: str, before: Sequence[RunEnd], after: Sequence[RunEnd], whose: Sequence[str]) -> Difference:
    """Return how far a plan moves the chance that one of these falls; both were played with the same runs."""
    return difference_of_counts(plan, len(before), *count_pairs(before, after, whose))


def count_pairs(before: Sequence[RunEnd], after: Sequence[RunEnd], whose: Sequence[str]) -> tuple[int, int, int]:
    """Return in how many runs one of these falls both before and after a change, only before, and only after."""
    pairs = [(any_falls(one, whose), any_falls(other, whose)) for one, other in zip(before, after, strict=True)]
    return pairs.count((True, True)), pairs.count((True, False)), pairs.count((False, True))


def difference_of_counts(plan: str, runs: int, both: int, saved: int, lost: int) -> Difference:
    """Return how far a plan moves a chance: in so many runs it came in both, only without, or only with the plan."""
    moved = (lost - saved) / runs
    reach = Z * sqrt(max(lost + saved - (lost - saved) ** 2 / runs, 1)) / runs
    return Difference(
        plan=plan,
        before=share(both + saved, runs),
        after=share(both + lost, runs),
        low=moved - reach,
        high=moved + reach,
    )
