"""Test which rows of a test are in the quick run."""

from __future__ import annotations

from itertools import pairwise
from types import SimpleNamespace

import pytest

from tests.budget import spread
from tests.conftest import drawn_rows, is_slow, mark_rows


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


@pytest.mark.parametrize(("slow", "kept"), [(40, 12), (20, 8), (5, 5), (0, 0)])
def test_share_of_the_slow_rows_is_drawn(slow: int, kept: int) -> None:
    rows = [SimpleNamespace(marks=[pytest.mark.slow.mark] * (place % 2)) for place in range(2 * slow)]
    drawn = drawn_rows(rows, 0.3)
    assert [is_slow(row) for row in drawn].count(True) == kept
    assert [row for row in rows if not is_slow(row)] == [row for row in drawn if not is_slow(row)]
    assert [id(row) for row in drawn] == [id(row) for row in rows if any(row is each for each in drawn)]
    assert drawn_rows(rows, 1.0) == rows
