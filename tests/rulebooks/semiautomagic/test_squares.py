"""Flanking from squares, and distances in the squares of the one who moves or is hurt."""

from __future__ import annotations

from typing import Any

import pytest

from ledger.facts import GM
from rulebooks.common.encounters import LeaveEncounter
from rulebooks.semiautomagic.declarations.scene import PutAt, SetFlanked
from rulebooks.semiautomagic.declarations.turns import MountUp, Move
from rulebooks.semiautomagic.squares import fast_damage, is_flanked
from tests.rulebooks.semiautomagic.seat import Seat

BESIDE = {"Thorn": (5, 5), "Rook": (4, 5), "Kite": (6, 5)}


def seat(**given: Any) -> Seat:
    return Seat(**{"present": ("Rook", "Thorn", "Kite", "Horse", "Ogre"), "at": BESIDE} | given)


def flanked(seat: Seat, who: str = "Thorn") -> bool:
    return is_flanked(who, seat.state)


def test_enemies_on_opposite_squares_flank() -> None:
    assert flanked(seat())


def test_friends_do_not_flank() -> None:
    assert not flanked(seat(at={"Rook": (5, 5), "Kite": (4, 5), "Thorn": (6, 5)}), "Rook")


def test_enemy_in_another_place_does_not_flank() -> None:
    table = seat()
    table.say(PutAt(by=GM, who="Kite", place="cellar", square=(6, 5)))
    assert not flanked(table)


def test_enemy_who_left_does_not_flank() -> None:
    table = seat(fight=("Rook", "Thorn", "Kite"))
    table.say(LeaveEncounter(by=GM, who="Kite", reason="through the gate"))
    assert not flanked(table)


def test_move_without_a_square_ends_flanking() -> None:
    table = seat()
    table.say(Move(by="Kite", squares=3))
    assert not flanked(table)


def test_rider_flanks_from_the_square_of_the_mount() -> None:
    table = seat(at={"Thorn": (5, 5), "Rook": (4, 5), "Horse": (6, 5)})
    assert not flanked(table)  # a horse is too large to flank by squares
    table.say(MountUp(by="Kite", mount="Horse"))
    assert flanked(table)


def test_large_creature_is_flanked_by_word_only() -> None:
    table = seat(at={"Ogre": (5, 5), "Rook": (4, 5), "Kite": (6, 5)})
    assert not flanked(table, "Ogre")
    table.say(SetFlanked(by=GM, who="Ogre", reason="one on each side"))
    assert flanked(table, "Ogre")
    table.say(SetFlanked(by=GM, who="Ogre", reason="it turned", off=True))
    assert not flanked(table, "Ogre")


@pytest.mark.parametrize(("target", "bonus"), [("Thorn", 3), ("Ogre", 1)])
def test_speed_hurts_in_the_squares_of_the_target(target: str, bonus: int) -> None:
    table = seat()
    table.say(Move(by="Rook", squares=6, speed=18))
    assert fast_damage("Rook", target, table.state) == (bonus, 18)
