"""How much the random tests try: a little in every run, much behind `--long`, and `--scale` times that.

`python -m pytest --long --scale 20 tests/simulation` plays two thousand evenings; `.ci/run` tries a thirtieth, and of
long tables, by `--rows`, a third of the rows.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from random import Random
from typing import Any, Final

import pytest
from _pytest.mark import ParameterSet

LEAST: Final = 3  # cases of one kind in any run


@dataclass
class Budget:
    """What the options of this run allow."""

    long: bool = False
    scale: float = 1.0

    def examples(self, quick: int, long: int) -> int:
        """Return how many examples, seeds or steps a test tries: `quick`, or `long` times the scale of the run."""
        return max(1, round(long * self.scale)) if self.long else quick

    def part(self, cases: Sequence[Any], chance: Random, share: float | None = None, least: int = LEAST) -> list[Any]:
        """Return the cases that this run tries, in their order: this share of them, or its scale, drawn anew."""
        count = min(len(cases), max(least, round(len(cases) * (self.scale if share is None else share))))
        return [cases[place] for place in sorted(chance.sample(range(len(cases)), count))]

    def drawn(self, cases: Sequence[Any], share: float | None = None, least: int = LEAST) -> list[Any]:
        """Return the cases of this run, as `part` does: the same in all processes of xdist, others in the next run."""
        return self.part(cases, Random(os.environ.get("PYTEST_XDIST_TESTRUNUID")), share, least)

    def seeds(self, quick: int, long: int) -> list[Any]:
        """Return the seeds of a test: the first ones in every run, of those up to `long` what the long run tries."""
        return self.cases(range(quick), self.drawn(range(quick, long)))

    def cases(self, quick: Sequence[Any], long: Sequence[Any]) -> list[Any]:
        """Return the cases of a test: those of `quick` are tried in every run, the others only in the long run."""
        return [*quick, *(slow(case) for case in long if case not in quick)]


def spread(rows: int, count: int, name: str) -> list[int]:
    """Return `count` places of so many rows, one in each part of them, always the same for a name.

    Where in its part a place is differs, so that rows of several parameters do not all have the same one of them.
    """
    chance, count = Random(name), min(rows, count)
    bounds = [each * rows // count for each in range(count + 1)]
    return [chance.randrange(begin, end) for begin, end in pairwise(bounds)]


def slow(case: Any) -> ParameterSet:
    """Return a case, with its name if it has one, as one of the long run."""
    values, marks, id = case if isinstance(case, ParameterSet) else ((case,), (), None)
    return pytest.param(*values, marks=[*marks, pytest.mark.slow], id=id)


BUDGET = Budget()  # set by conftest.py before any test module is imported
