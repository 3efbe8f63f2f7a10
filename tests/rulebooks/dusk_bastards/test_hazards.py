"""Hazards and exposure."""

from __future__ import annotations

import pytest

from ledger.facts import GM
from rulebooks.dusk_bastards.declarations.harm import Damage, Hazard, WoundRoll
from rulebooks.dusk_bastards.declarations.turns import EndEncounter, Pass
from tests.rulebooks.dusk_bastards.fight import WHO, condition, conditions, explore, fight, moment, pass_turns
from tests.rulebooks.dusk_bastards.seat import Seat, close

# Hazards


def test_an_exposure_hurts_at_the_same_point_of_each_round() -> None:
    """DB-HAZ-2, DB-ZERO-1: each instance meets the rule of 0 health on its own."""
    seat = fight("thug", "Ash", Ash={"health": 4}, phase="action")
    seat.say(Hazard(by=GM, target="Ash", row="minor_fire", rounds=3))
    pass_turns(seat, 3)
    assert moment(seat) == (2, "movement", "thug")
    pass_turns(seat)
    assert (seat.points("Ash", "health"), moment(seat)) == (0, (2, "action", "thug"))
    assert seat.code(Pass(by="thug")) == "PENDING-WOUND"
    seat.say(WoundRoll(by="Ash"), 1, 2)
    seat.say(close())
    pass_turns(seat)  # her action slot is lost; in the third round she stands up and burns a last time
    assert (moment(seat), seat.points("Ash", "health")) == ((3, "movement", "Ash"), 1)
    pass_turns(seat, 2)
    assert (moment(seat), seat.points("Ash", "health")) == ((3, "action", "thug"), 0)
    assert "exposed to minor fire" not in conditions(seat)


def test_an_exposure_in_the_own_slot_costs_the_turn_that_begins() -> None:
    """DB-HAZ-2, DB-ZERO-3: a character dropped at the start of a slot neither acts nor rises in it."""
    seat = fight("Ash", "thug", Ash={"health": 4}, phase="action")
    seat.say(Hazard(by=GM, target="Ash", row="minor_fire", rounds=2))
    pass_turns(seat, 4)
    assert (moment(seat), seat.points("Ash", "health")) == ((2, "action", "Ash"), 0)
    seat.say(WoundRoll(by="Ash"), 1, 2)
    seat.say(close())
    assert (moment(seat), seat.points("Ash", "health")) == ((2, "action", "thug"), 0)


@pytest.mark.parametrize("how", ["ends", "is ruled over", "kills", "leaves the fight"])
def test_an_exposure_can_end_early(how: str) -> None:
    seat = fight("Ash", "thug", phase="action")
    seat.say(Hazard(by=GM, target="thug", row="minor_fire", rounds=9))
    if how == "ends":
        seat.say(condition("thug", "exposed to minor fire", off=True))
    if how == "is ruled over":
        seat.say(EndEncounter(by=GM))
    if how == "kills":
        seat.say(Damage(by=GM, target="thug", amount=9))
        pass_turns(seat, 2)
    if how == "leaves the fight":
        pass_turns(seat, 4)
    assert ("exposed to minor fire" in conditions(seat, "thug")) == (
        how == "leaves the fight" and seat.points("thug", "health") > 0
    )


def test_outside_of_a_combat_all_rounds_of_an_exposure_come_at_once() -> None:
    """DB-HAZ-2: also where the rounds are not those of a combat."""
    for seat in (Seat(*WHO), explore()):
        seat.say(Hazard(by=GM, target="Ash", row="acid_splash", rounds=3))
        assert (seat.points("Ash", "health"), conditions(seat)) == (4, [])


def test_at_zero_the_rest_of_an_exposure_does_nothing() -> None:
    """DB-ZERO-2: unless the table reads it otherwise, and then each instance makes a roll due."""
    for reading, due in (("nothing", 1), ("wound", 3)):
        seat = Seat(*WHO, Ash={"health": 2}, options={"hits_at_zero": reading})
        seat.say(Hazard(by=GM, target="Ash", row="minor_fire", rounds=3))
        assert len(seat.state.windows) == due


def test_a_shock_after_the_own_slot_costs_the_next_turn() -> None:
    """DB-HAZ-3, DB-ZERO-3."""
    seat = fight("Ash", "thug", phase="action")
    pass_turns(seat)
    seat.say(Hazard(by=GM, target="Ash", row="shock", lose_action=True))
    pass_turns(seat)
    assert moment(seat) == (2, "movement", "thug")
    pass_turns(seat)
    assert moment(seat) == (2, "action", "thug")
    pass_turns(seat)
    assert moment(seat)[0] == 3
    assert conditions(seat) == []


def test_a_shocked_foe_loses_its_turn_too() -> None:
    """DB-NPC-1."""
    seat = fight("captain", "Ash", phase="action")
    seat.say(Hazard(by=GM, target="captain", row="electrocution", lose_action=True))
    assert moment(seat)[2] == "Ash"
    assert seat.points("captain", "health") == 4  # ambient: its armor is physical
