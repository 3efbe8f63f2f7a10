"""The walk of a line through the modules of its book: what is worked out once is handed on, not asked for again."""

from __future__ import annotations

from typing import Any

import pytest

from rulebooks.mars.declarations.combat import Attack as MarsAttack
from rulebooks.momentum.declarations import DoubleAttack
from rulebooks.semiautomagic.declarations.combat import Attack as SemiautomagicAttack
from tests.bench.walk import RETURNS_MOST, STAYS_MOST, WALKED, meeting, walk_of
from tests.rulebooks.mars.test_attacks import fight as mars_fight
from tests.rulebooks.momentum.seat import Seat as MomentumSeat
from tests.rulebooks.momentum.seat import attacks
from tests.rulebooks.monolith.seat import Seat as MonolithSeat
from tests.rulebooks.monolith.seat import strike
from tests.rulebooks.semiautomagic.seat import Seat as SemiautomagicSeat


@pytest.mark.parametrize("line", WALKED)
def test_walk_of_a_roll_goes_straight_on(line: str) -> None:
    walk = walk_of(meeting(), WALKED[line], 7, 6)
    assert len(walk.stays) <= STAYS_MOST
    assert walk.returns <= RETURNS_MOST


@pytest.mark.parametrize(
    ("seat", "said", "faces", "stays"),
    [
        (MomentumSeat, attacks("Cole", "Brute"), (3, 3, 3), 33),
        (MomentumSeat, DoubleAttack(by="Cole", target="Brute"), (3, 3, 3, 3), 45),
        (MonolithSeat, strike("Vega", "R1"), (3,), 32),
        (mars_fight, MarsAttack(by="Asha", target="Gil"), (4, 4, 4, 4, 4), 92),
        (SemiautomagicSeat, SemiautomagicAttack(by="Rook", target="Thorn", weapon="harpoon"), (6, 8), 75),
    ],
)
def test_walk_of_an_attack_is_no_longer_than_it_was(seat: Any, said: Any, faces: tuple[int, ...], stays: int) -> None:
    assert len(walk_of(seat().ledger, said, *faces).stays) <= stays
