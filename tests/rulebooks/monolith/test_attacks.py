"""Attacks with several weapons, blasts, and situations that the line does not name."""

from __future__ import annotations

from ledger.facts import ActionSpent, Judged, Rolled
from rulebooks.monolith.declarations import Ally, Blast
from rulebooks.testing.seat import of_kind
from tests.rulebooks.monolith.seat import Seat, hp_and_body, strike


def test_attack_without_a_weapon_uses_the_sheet() -> None:
    """The first weapon on the sheet; of a blast the only one with the tag; bare hands where there is none."""
    seat = Seat(sheets={"R2": {"weapons": {}}, "R3": {"weapons": {"mine": "d8 blast", "knife": "d6"}}})
    assert of_kind(seat.say(strike("Oru", "Boss"), 1), Rolled)[0].purpose == "attack Oru pistol on Boss"
    assert of_kind(seat.say(strike("R2", "Vega"), 1), Rolled)[0].purpose == "attack R2 bare hands on Vega"
    assert of_kind(seat.say(Blast(by="R3", targets=("Vega",)), 1), Rolled)[0].purpose == "attack R3 mine on Vega"
    assert seat.code(Blast(by="Vega", targets=("R1",))) == "AREA"
    assert seat.code(Blast(by="Kade", targets=("R1",))) == "AREA"  # two with the tag: the shotgun is meant


def test_attack_with_a_blast_weapon_is_a_blast() -> None:
    """ML-GAP-19."""
    seat = Seat()
    record = seat.say(strike("Kade", "R1", weapons=("grenade",)), 2)
    assert any("ML-TAG-1" in fact.rules for fact in of_kind(record, Judged))
    assert Seat().code(strike("Kade", "R1", weapons=("grenade", "shotgun")), 1, 1) == "AREA"
    assert Seat().code(strike("Kade", "R1", weapons=("shotgun", "shotgun")), 1, 1) == "WEAPON"
    assert seat.refusal(strike("Vega", "Vega", weapons=("rifle",))).code == "ML-E-TARGET"


def test_weapons_of_each_attacker_make_one_attack() -> None:
    seat = Seat()
    gang = (Ally(who="Oru", weapon="pistol"), Ally(who="Oru", weapon="baton"), Ally(who="Vega", weapon="knife"))
    record = seat.say(strike("Vega", "Boss", weapons=("rifle",), allies=gang), 1, 2, 3, 6)
    kept = [
        (fact.purpose, die.kept) for fact in of_kind(record, Rolled) for die in fact.dice if "attack" in fact.purpose
    ]
    assert [purpose for purpose, _ in kept] == [
        "attack Vega rifle on Boss",
        "attack Vega knife on Boss",
        "attack Oru pistol on Boss",
        "attack Oru baton on Boss",
    ]
    assert [index for index, (_, counts) in enumerate(kept) if counts] == [3]
    assert [fact.who for fact in of_kind(record, ActionSpent)] == ["Vega", "Oru"]


def test_die_of_lethal_with_nonlethal_weapon_is_lethal() -> None:
    """ML-GAP-12."""
    seat = Seat(set={"r1.hp": 0})
    seat.say(strike("Oru", "R1", weapons=("baton", "pistol"), impaired=("bound",)), 3, 1)
    assert hp_and_body(seat, "R1") == (0, 8)
    seat = Seat(set={"r1.hp": 0})
    seat.say(strike("Oru", "R1", weapons=("baton",), impaired=("bound",)), 3, 1)
    assert hp_and_body(seat, "R1") == (0, 10)


def test_damage_beyond_body_is_recorded_as_over() -> None:
    seat = Seat(set={"oru.hp": 0, "oru.body": 2})
    seat.say(strike("R1", "Oru"), 8)
    assert seat.conditions("Oru") == ["dead"]
