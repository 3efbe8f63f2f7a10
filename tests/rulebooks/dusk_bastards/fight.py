"""A fight for the tests: begin it at a point of its cycle, pass turns, and see what holds."""

from __future__ import annotations

from typing import Any

from rulebooks.dusk_bastards.declarations import Pass
from tests.rulebooks.dusk_bastards.seat import Seat

WHO = ("Ash", "Bryn", "Cole", "thug", "captain")


def fight(*order: str, phase: str = "movement", turn: str = "", round: int = 1, **given: Any) -> Seat:
    """Begin a fight among `order`, from highest to lowest."""
    return Seat(*WHO, encounter={"order": order, "phase": phase, "turn": turn, "round": round}, **given)


def moment(seat: Seat) -> tuple[int, str, str]:
    """Return the round, the phase and whose turn it is."""
    encounter = seat.state.encounter
    assert encounter
    return encounter.round, encounter.phase, encounter.turn


def pass_turns(seat: Seat, times: int = 1) -> None:
    """Pass so many turns."""
    for _ in range(times):
        seat.say(Pass(by=moment(seat)[2]))


def conditions(seat: Seat, who: str = "Ash") -> list[str]:
    """Return the names of somebody's conditions."""
    return sorted(condition.name for _, condition in seat.state.conditions_of(who))
