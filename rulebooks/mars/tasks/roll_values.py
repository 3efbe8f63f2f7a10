"""Roll values: `r14+2` as dice and a flat number, and what two of them make together."""

from __future__ import annotations

import re
from collections import Counter
from functools import cached_property, lru_cache
from typing import Final

import msgspec

from projections.state import State
from rulebooks.mars.texts import is_on, value_refusal

WRITTEN: Final = re.compile(r"r([0-9]{1,4})(?:([+-])([0-9]{1,4}))?", re.ASCII)
TEN: Final = 10
TWELVE: Final = 12


class RollValue(msgspec.Struct, frozen=True, dict=True):
    """GR-OUT-1: `sides` is the number behind the r, `flat` what is added to the dice."""

    sides: int = 0
    flat: int = 0

    @cached_property
    def dice(self) -> tuple[int, ...]:
        """GR-OUT-1: one d10 for each ten and one die for the rest; a rest of 2 makes a d12 of one d10."""
        tens, rest = divmod(self.sides, TEN)
        if rest == TWELVE - TEN and tens:
            return (TWELVE, *[TEN] * (tens - 1))
        return (*[TEN] * tens, *((rest,) if rest else ()))

    @property
    def least(self) -> int:
        """The least total."""
        return len(self.dice) + self.flat

    @property
    def most(self) -> int:
        """The greatest total."""
        return self.sides + self.flat

    @property
    def passive(self) -> int:
        """GR-OUT-3: the estimate of a roll."""
        return self.sides // 2 + self.flat

    def chance(self, difficulty: int) -> int:
        """Return in how many of 100 rolls the total reaches a difficulty, as far as the dice alone decide."""
        totals = Counter[int]((self.flat,))
        for sides in self.dice:
            totals = _with_die(totals, sides)
        reached = sum(ways for total, ways in totals.items() if total >= difficulty)
        return round(100 * reached / totals.total())

    def __add__(self, other: RollValue) -> RollValue:
        """GR-OUT-2: merged before the dice are chosen."""
        return RollValue(self.sides + other.sides, self.flat + other.flat)

    def __str__(self) -> str:
        return f"r{self.sides}" + (f"{self.flat:+}" if self.flat else "")


def _with_die(totals: Counter[int], sides: int) -> Counter[int]:
    """Return the totals, each with the number of ways to throw it, with one more die."""
    added = Counter[int]()
    for total, ways in totals.items():
        for face in range(1, sides + 1):
            added[total + face] += ways
    return added


@lru_cache(maxsize=1024)
def read_roll_value(text: str) -> RollValue | None:
    """Return the roll value that a text writes, if it writes one."""
    match = WRITTEN.fullmatch(text.strip().lower())
    if match is None:
        return None
    sides, sign, flat = match.groups()
    return RollValue(int(sides), int(f"{sign}{flat}") if sign else 0)


def parse_roll_value(text: str, state: State | None = None, field: str = "roll value") -> RollValue:
    """GR-GAP-1: the roll value of a text. With a state an odd one is refused, unless the table allows it."""
    value = read_roll_value(text)
    odd = value is not None and value.sides % 2
    if value is None or (odd and state is not None and not is_on(state, "odd_roll_values")):
        raise value_refusal(field, "a roll value, as in r14 or r10+2, with an even number of sides", text)
    return value
