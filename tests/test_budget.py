"""Test which rows of a test are in the quick run."""

from __future__ import annotations

from itertools import pairwise
from types import SimpleNamespace

import pytest

from tests.budget import spread
from tests.conftest import is_slow, mark_rows


@pytest.mark.parametrize(("rows", "count"), [(1, 4), (4, 4), (7, 4), (8, 3), (321, 40)])
def test_rows_are_spread_over_all(rows: int, count: int) -> None:
    places = spread(rows, count, "any")
    assert len(set(places)) == min(rows, count)
    widest = max(after - before for before, after in pairwise([-1, *places, rows]))
    assert widest <= 2 * -(-rows // count)
    assert places == spread(rows, count, "any")


class Marked(SimpleNamespace):
    """A collected test with its marks."""

    def get_closest_marker(self, name: str) -> pytest.Mark | None:
        return self.marks.get(name)


def test_rows_beyond_the_quick_ones_are_slow() -> None:
    few = pytest.mark.quick_rows(2).mark
    rows = [SimpleNamespace(marks=[]) for _ in range(6)]
    slow = SimpleNamespace(marks=[pytest.mark.slow.mark])
    mark_rows(Marked(nodeid="a.py::test_it", marks={"quick_rows": few}), [slow, *rows])
    assert [is_slow(row) for row in rows].count(False) == 2
    assert len(slow.marks) == 1


def test_eight_rows_of_other_tests_are_quick() -> None:
    rows = [SimpleNamespace(marks=[]) for _ in range(20)]
    mark_rows(Marked(nodeid="a.py::test_other", marks={}), rows)
    assert [is_slow(row) for row in rows].count(False) == 8
