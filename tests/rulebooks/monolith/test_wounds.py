"""Critical Damage, its clock, aid and rest."""

from __future__ import annotations

import pytest

from ledger.facts import GM, ConditionBegan, Judged
from rulebooks.common.encounters import PassTime
from rulebooks.monolith.declarations import Aid, Morale, Rest
from rulebooks.testing.seat import of_kind
from tests.rulebooks.monolith.seat import Seat, clock_ends, strike


def test_second_critical_damage_keeps_the_clock() -> None:
    """ML-GAP-17."""
    seat = Seat(set={"vega.hp": 0, "vega.critical": 1})
    seat.say(PassTime(by=GM, seconds=600))
    (before,) = clock_ends(seat, "Vega")
    seat.say(strike("R1", "Vega"), 2, 19)
    assert clock_ends(seat, "Vega") == [before]
    seat.say(Aid(by="Oru", patient="Vega"))
    seat.next_round()
    seat.say(strike("R1", "Vega"), 2, 19)
    assert (clock_ends(seat, "Vega"), seat.conditions("Vega")) == ([], ["critical", "treated"])
    seat.say(PassTime(by=GM, seconds=9999))
    assert seat.conditions("Vega") == ["critical", "treated"]


@pytest.mark.parametrize("before", [("stable",), ("stable", "unconscious")])
def test_stable_character_who_fails_gets_a_new_clock(before: tuple[str, ...]) -> None:
    """ML-GAP-17."""
    seat = Seat(set={"vega.hp": 0, **{f"vega.{name}": 1 for name in before}})
    seat.say(strike("R1", "Vega"), 2, 19)
    assert seat.conditions("Vega") == sorted(["critical", *(name for name in before if name != "stable")])
    assert clock_ends(seat, "Vega") == [3600]
    seat.say(PassTime(by=GM, seconds=3600))
    assert seat.conditions("Vega") == ["dead"]


def test_nonlethal_damage_leaves_the_clock_running() -> None:
    """ML-GAP-18; and to who is stable already, nothing but sleep."""
    seat = Seat(set={"r1.hp": 0, "r1.critical": 1, "r2.hp": 0, "r2.stable": 1}, past=("morale.first", "morale.half"))
    seat.say(strike("Oru", "R1", weapons=("baton",)), 6, 19)
    assert seat.conditions("R1") == ["critical", "unconscious"]
    assert clock_ends(seat, "R1") == [3600]
    seat.next_round()
    seat.say(strike("Oru", "R2", weapons=("baton",)), 6, 19)
    assert seat.conditions("R2") == ["stable", "unconscious"]


def test_rest_without_aid_does_nothing() -> None:
    """ML-CRIT-3."""
    seat = Seat(set={"vega.hp": 0, "vega.critical": 1})
    assert not of_kind(seat.say(Rest(by="Vega")), ConditionBegan)
    seat.say(Aid(by="Oru", patient="Vega"))
    assert not of_kind(seat.say(Aid(by="Kade", patient="Vega")), ConditionBegan)
    assert seat.code(Aid(by="Kade", patient="Oru")) == "TARGET"
    assert seat.code(Aid(by="Vega", patient="Vega")) == "OUT"
    seat.say(Rest(by="Vega"))
    assert seat.conditions("Vega") == ["stable"]


def test_foes_scores_are_hidden_from_players() -> None:
    seat = Seat(set={"r1.hp": 0, "vega.hp": 0})
    seen = [fact.seen for fact in of_kind(seat.say(strike("Vega", "R1"), 8, 1), Judged)]
    assert seen == ["table", "gm"]
    assert [fact.seen for fact in of_kind(seat.say(strike("R2", "Vega"), 8, 1), Judged)] == ["table", "table"]
    (morale,) = of_kind(seat.say(Morale(by=GM, group="Raiders", reason="the dark"), 1), Judged)
    assert morale.seen == "gm"
