"""Armor, damage, elites, and the wounds of rulings and sheets."""

from __future__ import annotations

from typing import Any

import pytest

from ledger.facts import GM, Reached
from projections.values import values
from rulebooks.common.adjustments import Adjust
from rulebooks.dusk_bastards.declarations.combat import Attack, Defence
from rulebooks.dusk_bastards.declarations.harm import Damage, InflictWound, SetCondition, WoundRoll
from rulebooks.dusk_bastards.declarations.sheets import ChangeSheet, CreateNpc
from rulebooks.dusk_bastards.declarations.turns import Initiative, StartEncounter
from rulebooks.dusk_bastards.declarations.world import SetDistance
from tests.rulebooks.dusk_bastards.fight import WHO, conditions, drop_to_zero, fight, pass_turns, turns_of
from tests.rulebooks.dusk_bastards.seat import DAWN, DUSK, Seat, close, of_kind

# Armor, damage, elites


@pytest.mark.parametrize(("reading", "health"), [("physical", 13), ("all", 12)])
def test_ambient_damage_passes_physical_armor_or_all(reading: str, health: int) -> None:
    """DB-AMB-1."""
    armor = [{"kind": "physical", "value": 3}, {"kind": "magic", "value": 1}]
    seat = Seat("Cole", options={"ambient_ignores": reading}, Cole={"sheet": {"armor": armor}})
    seat.say(Damage(by=GM, target="Cole", amount=4, ambient=True))
    assert seat.points("Cole", "health") == health


def test_stat_damage_takes_the_health_of_foes() -> None:
    """DB-GAP-36."""
    seat = Seat(*WHO, options={"stat_damage_target": "pool"})
    seat.say(Damage(by=GM, target="thug", amount=2, damage_type="speed"))
    assert seat.points("thug", "health") == 4


def test_the_game_master_rolls_an_elites_wound_without_a_player() -> None:
    """DB-DMG-6: Dawn does nothing, Dusk gives 2 Doom, an Eclipse costs 1."""
    doom = []
    for faces in ((5, 2), (2, 5), (1, 1)):
        seat = Seat(*WHO, doom=3)
        seat.say(Damage(by=GM, target="captain", amount=99))
        assert seat.code(WoundRoll(by="Ash", who="captain"), *faces) == "PENDING-WOUND"
        seat.say(WoundRoll(by=GM, who="captain"), *faces)
        seat.say(close())
        doom.append(seat.doom)
    assert doom == [3, 5, 2]


def test_no_second_wound_is_rolled_after_a_death() -> None:
    """DB-WOUND-5, DB-DEST-4: the open wound roll is closed first, and the dead have no roll due."""
    seat = Seat(*WHO, Ash={"sheet": {"wounds": [8]}})
    seat.say(Defence(by="Ash", difficulty=5, damage=99, wound=True, task="trap"), 1, 2)
    seat.say(close())
    seat.say(WoundRoll(by="Ash"), 9, 9)
    assert seat.code(WoundRoll(by="Ash"), 1, 2) == "NO-WOUND"
    seat.say(close())
    assert "dead" in conditions(seat)
    assert not seat.state.windows


def test_an_elite_at_its_wound_limit_is_incapacitated() -> None:
    """DB-DMG-5."""
    seat = fight("Ash", "captain")
    drop_to_zero(seat, "captain", (12, 12))
    assert conditions(seat, "captain") == ["dead"]
    seat = fight("Ash", "captain", "thug")
    for _ in range(2):
        seat.say(InflictWound(by=GM, target="captain"))
        seat.say(WoundRoll(by=GM, who="captain"), 1, 1)
        seat.say(close())
    assert conditions(seat, "captain") == ["incapacitated"]
    assert seat.code(Damage(by=GM, target="captain", amount=1)) == "DEAD"
    assert seat.code(InflictWound(by=GM, target="captain")) == "DEAD"
    assert seat.code(Attack(by="Ash", target="captain", stat="might"), *DAWN) == "VALUE"
    assert seat.code(Defence(by="Ash", source="captain"), *DAWN) == "DEAD"
    assert turns_of(seat, "captain", 5) == []


def test_a_target_killed_by_the_open_roll_cannot_be_attacked() -> None:
    """DB-DEST-4: a declaration is checked against the state after the close."""
    seat = Seat(*WHO)
    seat.say(Attack(by="Ash", target="thug", stat="might", damage=9), 9, 8)
    assert seat.code(Attack(by="Bryn", target="thug", stat="might"), *DAWN) == "VALUE"


def test_an_attack_after_a_miss_is_a_retry_by_option() -> None:
    """DB-RETRY-5: outside encounters nothing is remembered either."""
    seat = Seat(*WHO, options={"combat_attacks_are_retries": "on"})
    for _ in range(2):
        seat.say(Attack(by="Ash", target="thug", stat="might"), 1, 2)
        seat.say(close())
    assert conditions(seat) == []


def test_an_unpaid_attack_fails_automatically() -> None:
    """DB-COST-4, DB-RETRY-1."""
    seat = fight("Ash", "thug", phase="action", options={"combat_attacks_are_retries": "on"}, Ash={"might": 2})
    seat.say(Attack(by="Ash", target="thug", stat="might"), 1, 2)
    seat.say(close())
    pass_turns(seat, 4)
    record = seat.say(Attack(by="Ash", target="thug", stat="might", effort=1), 9, 9)
    assert record.declared
    assert record.declared.faces is None
    assert seat.points("Ash", "might") == 2


# Rulings and sheets


def test_a_wound_by_ruling_waits_for_the_end_of_a_running_fight() -> None:
    """DB-WOUND-4."""
    seat = fight("Ash", "thug")
    for who, force in (("ash", False), ("bryn", True)):
        seat.say(Adjust(by=GM, value=f"{who}.wound", change=4, reason="rolled by hand"))
        (wound,) = [wound for (bearer, _), wound in seat.state.wounds.items() if bearer.casefold() == who]
        assert (wound.kind, wound.in_force) == ("moderate", force)


def test_a_condition_is_adjusted_on_and_off() -> None:
    seat = Seat(*WHO)
    seat.say(Adjust(by="Ash", value="dazed", change=1, reason="smoke"))
    assert conditions(seat) == ["dazed"]
    assert seat.code(Adjust(by="Ash", value="dazed", change=1, reason="smoke")) == "VALUE"
    seat.say(Adjust(by="Ash", value="dazed", change=-1, reason="fresh air"))
    assert conditions(seat) == []


@pytest.mark.parametrize("value", ["wounds", "might.most", "rattled", "distance.bryn"])
def test_value_that_is_not_on_the_sheet_is_no_number_of_it(value: str) -> None:
    """DB-PLAY-7: the sum of the wounds, a maximum, a condition of the table and a distance are not adjusted."""
    seat = Seat(*WHO)
    seat.say(Adjust(by=GM, value="ash.wound", change=4, reason="rolled by hand"))
    seat.say(SetCondition(by=GM, target="Ash", name="rattled"))
    seat.say(SetDistance(by=GM, between=("Ash", "Bryn"), at="short"))
    assert f"ash.{value}" in values(seat.state)
    refusal = seat.refusal(Adjust(by=GM, value=f"ash.{value}", change=2, reason="x"))
    assert str(refusal).startswith("DB-E-VALUE: value must be health, intellect, might, speed, destiny, wound, dazed")
    assert refusal.what.endswith(f"got ash.{value}")


@pytest.mark.parametrize("reading", ["reached", "kept", "rounded_down"])
def test_wounds_on_a_sheet_have_a_category_in_every_reading(reading: str) -> None:
    """DB-HEAL-6."""
    seat = Seat("Ash", Ash={"sheet": {"wounds": [3]}})
    seat = Seat("Ash")
    from ledger.facts import OptionSet

    seat = Seat(facts=(OptionSet(name="healing_category", was="reached", now=reading, because="given"),))
    from tests.rulebooks.dusk_bastards.seat import BOOK, cases

    seat.say(BOOK.sheet({"name": "Ash", **cases()["sheets"]["Ash"], "wounds": [3]}, "ash.toml"))
    ((_, wound),) = seat.state.wounds_of("Ash")
    assert wound.kind == ("light" if reading == "rounded_down" else "moderate")


def test_a_changed_sheet_cuts_pools_to_their_new_maximum() -> None:
    """DB-DMG-1, DB-DEST-3."""
    seat = fight("Ash", "thug", Ash={"destiny": 2})
    fields: dict[str, Any] = {"name": "Ash", "intellect": 9, "effort_limit": 2}
    seat.say(ChangeSheet(by=GM, level=3, might=14, speed=12, because="a level", **fields))
    assert (seat.pools("Ash"), seat.points("Ash", "health"), seat.state.pools["Ash", "health"].most) == (
        (12, 10, 9),
        10,
        12,
    )
    seat.say(ChangeSheet(by=GM, level=1, might=8, speed=8, because="a curse", **fields))
    assert (seat.pools("Ash"), seat.points("Ash", "health"), seat.destiny("Ash")) == ((8, 8, 9), 8, 1)
    assert not of_kind(seat.say(ChangeSheet(by=GM, level=1, might=8, speed=8, because="again", **fields)), Reached)


def test_only_characters_and_foes_take_part() -> None:
    seat = Seat("Ash")
    seat.say(CreateNpc(by=GM, name="rat", kind="minion", difficulty=1, health=1))
    seat.say(StartEncounter(by=GM, kind="fight"))
    encounter = seat.state.encounter
    assert encounter
    assert encounter.members == ("Ash", "rat")
    seat.say(Initiative(by="Ash", task="initiative"), *DUSK)
    assert seat.code(Initiative(by="Ash", take20=True), *DUSK) == "ENC"
