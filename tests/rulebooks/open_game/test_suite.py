"""The tests that every game has."""

from __future__ import annotations

import pytest

from rulebooks.testing import suite
from tests.rulebooks import CASES

pytestmark = pytest.mark.quick_rows(1000)
ELSEWHERE = ("OG-SHEET-2", "OG-DICE-2", "OG-DICE-3", "OG-DICE-4", "OG-MOVE-2")  # no fact cites how dice are read

suite(globals(), "open-game", gaps=0, cases=CASES / "open_game.toml", elsewhere=ELSEWHERE)
