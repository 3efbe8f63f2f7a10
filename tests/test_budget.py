"""Test which rows of a test are in the quick run."""

from __future__ import annotations

from itertools import pairwise
from types import SimpleNamespace

import pytest

from tests.budget import spread
from tests.conftest import mark_rows


@pytest.mark.parametrize(("rows", "count"), [(1, 4), (4, 4), (7, 4), (8, 3), (321, 40)])
def test_rows_are_spread_over_all(rows: int, count: int) -> None:
    places = spread(rows, count, "any")
    assert len(set(places)) == min(rows, count)
    widest = max(after - before for before, after in pairwise([-1, *places, rows]))
    assert widest <= 2 * -(-rows // count)
    assert places == spread(rows, count, "any")


class Row(SimpleNamespace):
    """A collected row with its marks."""

    def get_closest_marker(self, name: str) -> pytest.Mark | None:
        return self.marks.get(name)

    def add_marker(self, mark: pytest.MarkDecorator) -> None:
        self.marks[mark.name] = mark.mark


def test_rows_beyond_the_quick_ones_are_slow() -> None:
    few = pytest.mark.quick_rows(2).mark
    rows = [Row(nodeid=f"a.py::test_it[{each}]", marks={"quick_rows": few}) for each in range(6)]
    slow = Row(nodeid="a.py::test_it[slow]", marks={"quick_rows": few, "slow": pytest.mark.slow.mark})
    other = Row(nodeid="a.py::test_other[1]", marks={})
    mark_rows([slow, other, *rows])
    assert ["slow" not in row.marks for row in rows].count(True) == 2
    assert "slow" not in other.marks
