"""Fights for the tests: begin one at a point of its cycle, act in it, and see who can do what."""

from __future__ import annotations

from typing import Any

from ledger.facts import GM
from rulebooks.dusk_bastards.declarations.combat import Attack
from rulebooks.dusk_bastards.declarations.harm import Damage, SetCondition, WoundRoll
from rulebooks.dusk_bastards.declarations.turns import Pass, StartEncounter
from tests.rulebooks.dusk_bastards.seat import Seat, close

WHO = ("Ash", "Bryn", "Cole", "thug", "captain")


def fight(*order: str, phase: str = "movement", turn: str = "", round: int = 1, **given: Any) -> Seat:
    """Begin a fight among `order`, from highest to lowest."""
    return Seat(*WHO, encounter={"order": order, "phase": phase, "turn": turn, "round": round}, **given)


def explore(*who: str, scale: Any = "exploration") -> Seat:
    """Begin an encounter without phases."""
    seat = Seat(*WHO)
    seat.say(StartEncounter(by=GM, scale=scale, participants=who or ("Ash", "Bryn")))
    return seat


def attack(by: str = "Ash", target: str = "thug", **more: Any) -> Attack:
    """Return an attack with might."""
    return Attack(by=by, target=target, stat="might", **more)


def condition(who: str, name: str, **more: Any) -> SetCondition:
    """Return the declaration that gives somebody a condition."""
    return SetCondition(by=GM, target=who, name=name, **more)


def drop_to_zero(seat: Seat, who: str = "Ash", faces: tuple[int, int] = (2, 3)) -> None:
    """Bring somebody to 0 health and roll their wound."""
    seat.say(Damage(by=GM, target=who, amount=99))
    seat.say(WoundRoll(by=who if who in WHO[:3] else GM, who=who), *faces)
    seat.say(close())


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


def actions_left(seat: Seat, who: str = "Ash") -> list[str]:
    """Return the actions that somebody has left in this round."""
    return [action for action in ("move", "standard", "bonus", "reaction") if seat.state.actions_left(who, action)]


def turns_of(seat: Seat, who: str, count: int = 12) -> list[tuple[int, str]]:
    """Pass so many turns, and return the round and phase of those that were somebody's."""
    turns = []
    for _ in range(count):
        if moment(seat)[2] == who:
            turns.append(moment(seat)[:2])
        pass_turns(seat)
    return turns
