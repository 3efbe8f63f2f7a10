"""Rest: the shares of a recovery roll."""

from __future__ import annotations

from typing import Any

import pytest

from ledger.errors import Refused
from rulebooks.dusk_bastards.declarations.harm import Rest
from rulebooks.dusk_bastards.declarations.parts import Cost
from tests.rulebooks.dusk_bastards.seat import Seat, points, task


def tired() -> Seat:
    """Ash is of level 2, and there is room for 8 might, 5 speed and no intellect."""
    return Seat("Ash", Ash={"might": 4, "speed": 5})


@pytest.mark.parametrize("split", [points(might=8, speed=1), points(speed=6), points(intellect=1)])
def test_impossible_shares_are_refused_before_the_die(split: tuple[Cost, ...]) -> None:
    """DB-PLAY-9, DB-REC-1: more than 8 points there are not, nor more room than there is."""
    assert tired().code(Rest(by="Ash", kind="one_hour", split=split)) == "SPLIT"


@pytest.mark.parametrize("kind", ["one_action", "ten_minutes", "one_hour", "ten_hours"])
def test_uncovered_shares_are_cut_after_the_die(kind: Any) -> None:
    """DB-PLAY-9, DB-REC-1: the shares named last are cut to the points of the die."""
    seat = tired()
    record = seat.say(Rest(by="Ash", kind=kind, split=points(speed=5, might=3)))
    total = task(record).total
    assert total is not None
    assert seat.pools("Ash") == (4 + max(0, total - 5), 5 + min(5, total), 9)
    seat.check_replay()


def test_shares_above_a_typed_face_are_refused() -> None:
    """DB-REC-1: the sum above the roll is refused, as in the catalogue."""
    seat = tired()
    with pytest.raises(Refused) as raised:
        seat.say(Rest(by="Ash", kind="one_hour", split=points(speed=5, might=3)), 5)
    assert raised.value.code == "DB-E-SPLIT"
    seat.say(Rest(by="Ash", kind="one_hour", split=points(speed=5, might=3)), 6)
