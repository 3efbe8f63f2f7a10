"""Refusals of order, in every game: they say who or what is missing, in names."""

from __future__ import annotations

from typing import Any

import pytest

from ledger.declarations import Declaration
from ledger.facts import GM
from rulebooks.common.encounters import EndFight, EndTurn
from rulebooks.dusk_bastards.declarations import turns as dusk
from rulebooks.dusk_bastards.declarations.combat import TakeCover
from rulebooks.momentum import declarations as momentum
from rulebooks.monolith import declarations as monolith
from rulebooks.semiautomagic.declarations import turns as semiautomagic
from rulebooks.testing.seat import TableSeat
from tests.rulebooks.dusk_bastards.fight import explore, fight
from tests.rulebooks.dusk_bastards.seat import Seat as DuskSeat
from tests.rulebooks.momentum.seat import Seat as MomentumSeat
from tests.rulebooks.monolith.seat import Seat as MonolithSeat
from tests.rulebooks.semiautomagic.seat import Seat as SemiautomagicSeat


def says(seat: TableSeat, said: Declaration, code: str, *parts: str) -> None:
    """Check the code of a refusal, and parts of what it says."""
    refused = seat.refusal(said)
    assert refused.code.endswith(f"-E-{code}")
    assert [part for part in parts if part not in str(refused)] == []


@pytest.mark.parametrize(
    ("said", "code"),
    [
        (dusk.Move(by="Ash"), "PHASE"),
        (dusk.Deed(by="Ash"), "PHASE"),
        (dusk.Pass(by="Ash"), "PHASE"),
        (dusk.Move(by="thug"), "PHASE"),
        (TakeCover(by="Ash"), "TURN"),
        (dusk.NewInitiative(by=GM, reason="x"), "PHASE"),
        (dusk.Interrupt(by="Ash"), "INTERRUPT"),
        (dusk.Initiative(by="Ash"), "ENC"),
    ],
)
def test_who_has_not_rolled_initiative_is_named(said: Declaration, code: str) -> None:
    seat = DuskSeat("Ash", "Bryn", "Cole", "thug")
    seat.say(dusk.StartEncounter(by=GM))
    seat.say(dusk.Initiative(by="Ash"), 9, 8)
    says(seat, said, code, "Bryn and Cole have not rolled initiative: Bryn initiative")


def test_whose_turn_it_is_is_named() -> None:
    seat = fight("Ash", "thug", round=2)
    says(seat, dusk.Move(by="Ash"), "TURN", "Round 2, movement phase: thug has move left", "! thug pass")
    says(seat, dusk.Deed(by="Ash"), "PHASE", "It is the movement phase of round 2 and the turn of thug")
    says(seat, dusk.Interrupt(by="thug"), "INTERRUPT", "the turn of thug")
    seat.say(dusk.Move(by="thug"))
    seat.say(dusk.Move(by="Ash"))
    seat.say(dusk.Deed(by="Ash"))
    says(seat, dusk.Deed(by="Ash"), "SLOT", "Ash has bonus and reaction left")


def test_who_can_still_act_in_a_round_is_named() -> None:
    seat = explore("Ash", "Bryn", "Cole")
    seat.say(dusk.Deed(by="Ash"))
    says(seat, dusk.Deed(by="Ash"), "SLOT", "Ash has reaction left", "in round 1 Bryn and Cole can still act")


@pytest.mark.parametrize("said", [EndTurn(by="Arlo"), momentum.Move(by="Arlo", zone="Yard")])
def test_who_has_not_rolled_for_momentum_is_named(said: Any) -> None:
    seat = MomentumSeat("checks", present=("Arlo", "Bex", "Brute"))
    says(seat, said, "MOMENTUM", "Still to roll: Arlo and Bex", "Arlo momentum")
    seat.say(momentum.SeizeMomentum(by="Arlo"), 1, 2)
    says(seat, said, "MOMENTUM", "Still to roll: Bex.", "! bypass Bex")
    says(seat, momentum.SeizeMomentum(by="Arlo"), "PHASE", "Still to roll: Bex")


def test_who_has_still_to_act_in_a_phase_is_named() -> None:
    seat = MomentumSeat("pcs", present=("Arlo", "Bex", "Cole", "Brute"))
    says(seat, EndTurn(by="Brute"), "PHASE", "Still to act: Arlo, Bex and Cole", "Arlo end")
    seat.say(EndTurn(by="Arlo"))
    says(seat, EndTurn(by="Arlo"), "TURN", "Arlo has acted in round 2", "Still to act: Bex and Cole")


def test_open_turn_is_named() -> None:
    seat = MomentumSeat("pcs", present=("Arlo", "Bex", "Brute"))
    seat.say(momentum.OtherAction(by="Arlo", deed="shouts", ruling="it is loud"))
    says(seat, EndTurn(by="Bex"), "TURN", "The turn of Arlo is open, with 1 action left: end it, Arlo end")


def test_fight_and_round_that_are_missing_are_named() -> None:
    seat = MomentumSeat("none", present=("Arlo", "Brute"))
    says(seat, EndTurn(by="Arlo"), "PHASE", "! fight")
    monolith_seat = MonolithSeat(fight=False)
    says(monolith_seat, monolith.EndRound(by=GM), "ORDER", "Begin one: ! round")
    says(monolith_seat, monolith.EndEncounter(by=GM), "ORDER", "No fight is on")
    says(monolith_seat, monolith.DeclareIntent(by="Vega", text="x"), "ORDER", "Begin one: ! round")


def test_opponents_who_act_before_are_named() -> None:
    seat = MonolithSeat(present=("Vega", "Oru", "R1", "R2"))
    says(
        seat,
        monolith.BeginRound(by=GM),
        "ORDER",
        "Vega, Oru, R1 and R2 have an action left; ! done",
    )
    says(seat, monolith.StartEncounter(by=GM), "ORDER", "A fight is on already")
    says(seat, monolith.EndPart(by=GM, part="opponents"), "ORDER", "there is no order in this Round")
    seat.say(monolith.SetOrder(by=GM, first=("Vega",), reason="the drop"))
    says(seat, monolith.Move(by="Oru", feet=20), "ORDER", "Vega and then the opponents act before Oru")
    seat.say(monolith.EndPart(by=GM, part="first"))
    says(
        seat, monolith.Move(by="Oru", feet=20), "ORDER", "The opponents (R1 and R2) act before Oru", "! acted opponents"
    )


def test_turn_of_seconds_is_named_with_what_is_left() -> None:
    seat = SemiautomagicSeat(fight=("Rook", "Thorn"))
    says(seat, EndTurn(by="Thorn"), "NOT-TURN", "It is the turn of Rook, 6 s left: Rook end")
    says(seat, semiautomagic.SetStance(by="Thorn", stance="prone"), "NOT-TURN", "It is the turn of Rook")
    seat.say(EndTurn(by="Rook"))
    says(seat, EndTurn(by="Rook"), "NOT-TURN", "It is the turn of Thorn, 6 s left: ! Thorn end")
    seat.say(EndFight(by=GM))
    says(seat, EndTurn(by="Rook"), "NOT-TURN", "! fight")
