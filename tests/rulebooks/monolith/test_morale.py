"""Morale: triggers, leaders, lone foes."""

from __future__ import annotations

import pytest

from ledger.errors import Refused
from ledger.facts import GM, Judged, Rolled, Ruled
from rulebooks.common.encounters import BringIn
from rulebooks.monolith.declarations import (
    Blast,
    ChangeGroup,
    CreateGroup,
    CreateNpc,
    EndEncounter,
    Flee,
    Morale,
    StartEncounter,
)
from rulebooks.monolith.morale import find_group
from rulebooks.testing.seat import of_kind
from tests.rulebooks.monolith.seat import Seat, judgements, rules, strike


def test_new_fight_resets_morale() -> None:
    """ML-MOR-5: once per fight."""
    seat = Seat(present=("Kade", "Vega", "R1", "R2", "R3", "R4"), set={"r1.hp": 0, "r2.hp": 0})
    assert judgements(seat.say(strike("Kade", "R1"), 9, 19, 5))[-1] == ("morale", "Raiders", "passed")
    seat.say(Flee(by=GM, who="R4", reason="the vent"))
    seat.say(EndEncounter(by=GM))
    assert seat.conditions("R4") == ["absent"]
    assert seat.state.clock["seconds"] == 10  # its Round was open
    seat.say(StartEncounter(by=GM, participants=("Kade", "Vega", "R2", "R3", "R4")))
    assert find_group("Raiders", seat.state).began == 3
    assert seat.conditions("R4") == []
    seat.rounds(1, None)
    assert [name for name, _, _ in judgements(seat.say(strike("Kade", "R2"), 9, 19, 5))].count("morale") == 1
    seat.say(BringIn(by=GM, who="R1"))
    assert find_group("Raiders", seat.state).began == 4


def test_morale_uses_an_able_leader_or_the_first_member() -> None:
    """ML-MOR-3, ML-GAP-24, ML-GAP-28."""
    seat = Seat(leader="Boss")
    assert resolve(seat) == 12
    seat.say(rules(**{"boss.fled": 1}))
    assert resolve(seat) == 8
    seat.say(ChangeGroup(by=GM, name="Raiders", members=("R1", "R2", "Boss"), because="they part"))
    seat.say(rules(**{"r2.resolve": 3, "r1.critical": 1}))
    assert resolve(seat) == 3


def resolve(seat: Seat) -> int | None:
    """Return the score of the Raiders' Save; they pass."""
    (judged,) = of_kind(seat.say(Morale(by=GM, group="R2", reason="the dark"), 1), Judged)
    assert (judged.who, judged.result) == ("Raiders", "passed")
    return judged.target


def test_morale_is_not_rolled_where_nobody_can_act() -> None:
    """ML-MOR-5."""
    seat = Seat(present=("Kade", "R1", "R2"), set={"r1.hp": 0, "r2.fled": 1})
    assert "morale" not in [name for name, _, _ in judgements(seat.say(strike("Kade", "R1"), 9, 19))]
    record = seat.say(Morale(by=GM, group="Raiders", reason="the dark"))
    assert [fact.text for fact in of_kind(record, Ruled)] == ["the dark"]
    assert not of_kind(record, Judged)


def test_group_of_one_is_a_lone_foe() -> None:
    """ML-MOR-4."""
    seat = Seat(present=("Kade", "Stalker"))
    seat.say(CreateGroup(by=GM, name="Pack", members=("Stalker",), resolve=3))
    (judged,) = [fact for fact in of_kind(seat.say(strike("Kade", "Stalker"), 9, 4), Judged) if fact.what == "morale"]
    assert (judged.who, judged.target, judged.result) == ("Pack", 3, "failed")
    assert seat.conditions("Stalker") == ["fled"]


def test_two_lone_foes_in_a_blast_roll_separately() -> None:
    seat = Seat(present=("Kade", "Stalker"), set={"stalker.hp": 1})
    seat.say(CreateNpc(by=GM, name="Rook", body=8, resolve=6, hp=2))
    seat.say(BringIn(by=GM, who="Rook"))
    record = seat.say(Blast(by="Kade", targets=("Stalker", "Rook"), weapon="grenade"), 2, 2, 7, 7)
    assert judgements(record)[2:] == [("morale", "Stalker", "passed"), ("morale", "Rook", "failed")]


def test_one_member_is_tested_where_each_rolls() -> None:
    """ML-GAP-14."""
    seat = Seat(present=("Kade", "R1", "R2", "R3"), options={"morale_roll": "each"})
    only = Morale(by=GM, group="R2", only=True, reason="the dark")
    seat.say(only, 18)
    assert [seat.conditions(who) for who in ("R1", "R2", "R3")] == [[], ["fled"], []]
    with pytest.raises(Refused, match="Of R3 alone: ! morale R3 only"):
        seat.say(Morale(by=GM, group="R3", reason="the dark"), 18)
    with pytest.raises(Refused, match="ML-E-OUT: R2 has fled"):
        seat.say(only, 18)


def test_group_that_rolls_once_has_no_save_of_one_member() -> None:
    with pytest.raises(Refused, match="the group rolls one Save"):
        Seat().say(Morale(by=GM, group="R2", only=True, reason="the dark"), 18)


def test_two_triggers_roll_dice_of_their_own() -> None:
    seat = Seat(
        present=("Kade", "R1", "R2", "R3"), set={"r1.hp": 0}, options={"morale_roll": "each", "morale_both": "two"}
    )
    seat.say(rules(**{"r2.dead": 1}))
    record = seat.say(strike("Kade", "R1"), 9, 19, 5, 6)
    assert [fact.purpose for fact in of_kind(record, Rolled)][2:] == ["morale R3", "morale R3, half lost"]


def test_leader_who_is_not_in_the_fight_does_not_lead() -> None:
    """ML-MOR-3, ML-GAP-28: gone in the first fight, so the group's own Resolve counts in the second."""
    seat = Seat(leader="Boss")
    seat.say(Flee(by=GM, who="Boss", reason="the vent"))
    seat.say(EndEncounter(by=GM, reason="a lull"))
    seat.say(StartEncounter(by=GM))
    seat.rounds(1, None)
    seat.say(rules(**{"r1.hp": 0}))
    save = of_kind(seat.say(strike("Vega", "R1", weapons=("rifle",)), 5, 20, 10), Judged)[-1]
    assert (save.what, save.target, save.result) == ("morale", 8, "failed")
    assert "ML-GAP-28" in save.rules


def test_leader_who_joins_the_fight_leads_again() -> None:
    """ML-MOR-3."""
    seat = Seat(leader="Boss")
    seat.say(Flee(by=GM, who="Boss", reason="the vent"))
    seat.say(EndEncounter(by=GM, reason="a lull"))
    seat.say(StartEncounter(by=GM))
    seat.say(BringIn(by=GM, who="Boss"))
    seat.rounds(1, None)
    seat.say(rules(**{"r1.hp": 0}))
    save = of_kind(seat.say(strike("Vega", "R1", weapons=("rifle",)), 5, 20, 10), Judged)[-1]
    assert (save.target, save.result) == (12, "passed")
