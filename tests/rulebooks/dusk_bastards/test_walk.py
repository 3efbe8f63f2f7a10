"""The walk of an attack and of an attempt through the modules of the book: no module is asked again and again."""

from __future__ import annotations

import pytest

from tests.bench.walk import RETURNS_MOST, STAYS_MOST, WALKED, meeting, walk_of


@pytest.mark.parametrize("line", WALKED)
def test_walk_of_a_roll_goes_straight_on(line: str) -> None:
    walk = walk_of(meeting(), WALKED[line])
    assert len(walk.stays) <= STAYS_MOST
    assert walk.returns <= RETURNS_MOST
