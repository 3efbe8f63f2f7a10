"""Sums: the named steps of an arithmetic, collected as they are taken, for `Judged`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from ledger.facts import Step, Sum

OPERATIONS: Final[Mapping[str, Callable[[int, int], int]]] = {
    "+": lambda now, value: now + value,
    "-": lambda now, value: now - value,
    "*": lambda now, value: now * value,
    "/up": lambda now, value: -(-now // value),
    "/down": lambda now, value: now // value,
    "min": min,
    "max": max,
    "set": lambda now, value: value,
}


class SumSteps:
    """A sum that is being made: its name, its start, its steps so far and their total.

    >>> cost = SumSteps("cost", 3)
    >>> cost.add(2, "XX-1", "a second level")
    >>> cost.total, cost.sum().steps[0].now
    (5, 5)
    """

    def __init__(self, name: str, start: int) -> None:
        self.name, self.start, self.total = name, start, start
        self._taken: list[tuple[str, int, str, str, int, bool]] = []  # the fields of each step: mostly nobody reads it

    @property
    def steps(self) -> list[Step]:
        """The steps so far."""
        return [
            Step(op=op, value=value, rule=rule, because=because, now=now, counted=counted)
            for op, value, rule, because, now, counted in self._taken
        ]

    def add(self, value: int, rule: str, because: str) -> None:
        """Add a number, or take off a negative one. 0 is no step."""
        if value:
            self.total += value
            self._taken.append(("+" if value > 0 else "-", abs(value), rule, because, self.total, True))

    def take(self, op: str, value: int, rule: str, because: str, *, counted: bool = True) -> None:
        """Take a step with an operation of `Step`; one that is not `counted` is shown and changes nothing."""
        if counted:
            self.total = OPERATIONS[op](self.total, value)
        self._taken.append((op, value, rule, because, self.total, counted))

    def bound(self, op: str, value: int, rule: str, because: str) -> None:
        """Take a `min` or `max` step if it changes the total."""
        if OPERATIONS[op](self.total, value) != self.total:
            self.take(op, value, rule, because)

    def sum(self) -> Sum:
        """Return the sum as a fact holds it."""
        return Sum(name=self.name, start=self.start, steps=tuple(self.steps), total=self.total)
