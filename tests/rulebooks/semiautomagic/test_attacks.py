"""Attacks: weapons, reach, items of the target, limbs, and combinations that no worked case has."""

from __future__ import annotations

from typing import Any

import pytest

from ledger.declarations import Ruling, Setting
from ledger.facts import GM
from ledger.records import Record
from projections.values import values
from rulebooks.common.options import SetOption
from rulebooks.semiautomagic.declarations.combat import Area, Attack, Harm
from rulebooks.semiautomagic.declarations.scene import Heal, SetFlanked, SetLocation
from rulebooks.semiautomagic.declarations.turns import Draw, DyingCheck, Fortitude, Move, Stow, Wear
from tests.rulebooks.semiautomagic.seat import Seat, judgements


def strike(**fields: Any) -> Attack:
    return Attack(**{"by": "Rook", "target": "Thorn", "weapon": "harpoon"} | fields)


def result(record: Record, what: str) -> list[str]:
    return [fact.result for fact in judgements(record.facts, what)]


def names(seat: Seat, who: str) -> list[str]:
    return sorted(condition.name for _, condition in seat.state.conditions_of(who))


def test_weapon_in_hand_is_the_one_that_strikes() -> None:
    record = Seat().say(strike(weapon=""), 6, 8)
    assert judgements(record.facts, "toughness")[0].total == 11


def test_weapon_that_reaches_is_chosen() -> None:
    record = Seat().say(strike(by="Thorn", target="Rook", weapon="", reach="ranged"), 6, 8)
    assert judgements(record.facts, "toughness")[0].total == 9


def test_destroyed_weapon_is_passed_over() -> None:
    seat = Seat()
    seat.say(Harm(by=GM, target="Rook's arming sword", damage=20, reason="acid"))
    record = seat.say(strike(weapon="", reach="melee"), 6, 8)
    assert judgements(record.facts, "toughness")[0].total == 8  # the flail


def test_jammed_weapon_is_passed_over() -> None:
    seat = Seat()
    seat.say(Ruling(by=GM, text="x", reason="y", changes=(Setting("thorn's bow.jammed", 1),)))
    record = seat.say(strike(by="Thorn", target="Rook", weapon="", reach="ranged"), 6, 20)
    assert judgements(record.facts, "toughness")[0].total == 20  # the harpoon of the body


def test_line_may_name_the_item_as_its_target() -> None:
    record = Seat().say(strike(target="Thorn's knife"), 6, 10)
    assert result(record, "item") == ["destroyed"]


def test_item_that_is_carried_may_be_the_target() -> None:
    assert result(Seat().say(strike(item="pistol"), 6, 4), "item") == ["wounded"]


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({"target": "Rook"}, "VALUE"),
        ({"item": "knife", "at": "leg"}, "VALUE"),
        ({"range": 5}, "VALUE"),
        ({"range": 1, "weapon": "flail"}, "VALUE"),
        ({"reach": "melee"}, "VALUE"),
        ({"weapon": "mail"}, "VALUE"),
        ({"weapon": "lance"}, "UNKNOWN"),
        ({"item": "spear"}, "NO-NUMBERS"),
        ({"item": "harpoon"}, "UNKNOWN"),
        ({"at": "wing"}, "LOCATION"),
        ({"at": "leg", "limb": 3}, "VALUE"),
        ({"at": "foot", "target_modifier": 1, "toughness": -1}, "REASON"),
        ({"defence": "block"}, "VALUE"),
        ({"square": (1,)}, "VALUE"),
    ],
)
def test_attack_is_refused(fields: dict[str, Any], code: str) -> None:
    assert Seat(locations=True).code(strike(**fields)) == code


def test_range_is_taken_off_the_attack() -> None:
    assert judgements(Seat().say(strike(range=3), 4).facts, "attack")[0].total == 3


def test_parry_uses_the_weapon_skill() -> None:
    record = Seat().say(strike(by="Thorn", target="Rook", weapon="knife", defence="parry"), 6, 2)
    assert judgements(record.facts, "defence")[0].total == 5


def test_shield_in_hand_blocks() -> None:
    seat, line = Seat(), strike(by="Thorn", target="Rook", weapon="knife", defence="block")
    assert seat.code(line) == "HAND"
    seat.say(Stow(by="Rook", item="throwing axe"))
    seat.say(Draw(by="Rook", item="shield"))
    assert result(seat.say(line, 6, 4), "defence") == ["negated"]


def test_armour_is_taken_off_and_put_on_again() -> None:
    seat = Seat()
    seat.say(Stow(by="Rook", item="mail"))
    assert seat.state.ties_from("Rook's mail", "worn") == ()
    seat.say(Wear(by="Rook", item="mail"))
    assert seat.state.ties_from("Rook's mail", "worn") == ("Rook",)


@pytest.mark.parametrize("item", ["mail", "throwing axe", "shield"])
def test_what_is_worn_or_no_armour_is_not_put_on(item: str) -> None:
    assert Seat().code(Wear(by="Rook", item=item)) == "VALUE"


def test_dying_creature_makes_no_defence() -> None:
    seat = Seat()
    seat.say(strike(), 6, 9)
    assert seat.code(strike(defence="dodge")) == "DYING"


def test_wound_while_dying_kills() -> None:
    seat = Seat()
    seat.say(strike(), 6, 9)
    seat.say(strike(), 6, 2)
    assert names(seat, "Thorn") == ["dying", "unconscious"]
    seat.say(strike(), 6, 3)
    assert names(seat, "Thorn") == ["dead"]


def test_hopeless_creature_is_dead_at_once() -> None:
    seat = Seat(sheets={"Thorn": {"endurance": -3}})
    seat.say(strike(), 6, 20)
    assert names(seat, "Thorn") == ["dead"]


def test_reading_that_leaves_no_hope_kills_at_once() -> None:
    seat = Seat(sheets={"Thorn": {"endurance": -3}}, options={"attack_die": "d10"})
    seat.say(strike(), 6, 20)
    assert "dying" in names(seat, "Thorn")
    seat.say(SetOption(by=GM, name="attack_die", value="d6", reason="after all"))
    assert names(seat, "Thorn") == ["dead"]


def test_last_failure_of_the_dying_kills() -> None:
    seat = Seat(sheets={"Thorn": {"endurance": -2}})
    seat.say(strike(), 6, 20)
    seat.say(DyingCheck(by="Thorn"), 5)
    assert names(seat, "Thorn") == ["dead"]


def test_disabled_hand_drops_what_it_holds() -> None:
    seat = Seat(locations=True)
    seat.say(strike(at="hand", limb=1), 6, 6)
    assert seat.state.ties_from("Thorn's knife", "held") == ()
    assert seat.code(strike(by="Thorn", target="Rook", weapon="knife")) == "HAND"
    assert seat.code(Draw(by="Thorn", item="knife")) == "HAND"
    seat.say(Heal(by=GM, who="Thorn", wounds=1, reason="a salve"))
    seat.say(Draw(by="Thorn", item="knife"))
    assert seat.state.ties_from("Thorn's knife", "held") == ("Thorn",)


def test_disabled_arm_drops_a_weapon_for_two_hands() -> None:
    seat = Seat(present=("Rook", "Ogre"), locations=True)
    seat.say(strike(target="Ogre", at="arm", limb=2), 6, 15)
    assert seat.state.ties_from("Ogre's maul", "held") == ()


def test_second_called_shot_goes_to_the_other_leg() -> None:
    seat = Seat(locations=True)
    for damage in (8, 7):
        seat.say(strike(at="leg"), 6, damage)
    hurt = sorted(condition.about for _, condition in seat.state.conditions_of("Thorn") if condition.name == "disabled")
    assert hurt == ["leg 1", "leg 2"]
    seat.say(Heal(by=GM, who="Thorn", injuries=("leg 1",), reason="a splint"))
    assert names(seat, "Thorn") == ["disabled", "slowed"]


def test_hurt_legs_count_together_in_the_value() -> None:
    seat = Seat(locations=True)
    for damage, slowed, disabled in ((8, 2, 1), (7, 4, 2)):
        seat.say(strike(at="leg"), 6, damage)
        found = values(seat.state)
        assert (found["thorn.slowed"], found["thorn.disabled"]) == (slowed, disabled)


@pytest.mark.slow
def test_slower_speed_is_never_below_nothing() -> None:
    seat = Seat(sheets={"Thorn": {"speed": 1}}, locations=True)
    seat.say(strike(at="leg"), 6, 8)
    speed = next(sum for sum in seat.book.guide.computed("Thorn", seat.state) if sum.name == "speed")
    assert speed.total == 0


def test_two_fortitude_checks_are_made_in_order() -> None:
    seat = Seat(locations=True)
    seat.say(strike(at="head"), 6, 2)
    seat.say(strike(at="hand", limb=1), 6, 3)
    first, second = seat.say(Fortitude(by="Thorn"), 6), seat.say(Fortitude(by="Thorn"), 1)
    assert [result(record, "fortitude") for record in (first, second)] == [["passed"], ["passed"]]
    assert seat.code(Fortitude(by="Thorn")) == "NOT-DUE"


def test_death_voids_the_checks_that_are_due() -> None:
    seat = Seat(locations=True)
    seat.say(strike(at="head"), 6, 2)
    for damage in (8, 20):
        seat.say(strike(), 6, damage)
    assert not seat.state.windows


def test_staggered_ends_a_round_later() -> None:
    seat = Seat(fight=("Rook", "Thorn"), locations=True)
    seat.say(strike(at="head"), 6, 5)
    seat.say(Fortitude(by="Thorn"), 1)
    assert "staggered" in names(seat, "Thorn")
    seat.next_round()
    assert "staggered" not in names(seat, "Thorn")


def test_location_gets_its_numbers_by_ruling() -> None:
    seat = Seat()
    seat.say(SetLocation(by=GM, location="leg", target=2, toughness=-3, reason="agreed"))
    record = seat.say(strike(at="leg"), 4, 3)
    attack, hit = judgements(record.facts, "attack")[0], judgements(record.facts, "toughness")[0]
    assert (attack.target, hit.target) == (6, 6)


def test_campaign_row_has_its_own_results() -> None:
    seat = Seat(locations=True)
    seat.say(SetLocation(by=GM, location="foot", target=2, toughness=-2, reason="agreed"))
    assert result(seat.say(strike(at="foot"), 6, 7), "toughness") == ["wound"]


def test_location_outside_the_table_takes_both_numbers() -> None:
    seat = Seat(locations=True)
    record = seat.say(strike(at="tail", target_modifier=1, toughness=-1, reason="a long tail"), 6, 8)
    assert result(record, "toughness") == ["dying"]


@pytest.mark.parametrize(("fast", "outcome"), [(True, "wounded"), (False, "nothing")])
def test_high_speed_adds_to_an_attack_on_an_item(fast: bool, outcome: str) -> None:
    seat = Seat()
    seat.say(Move(by="Thorn", squares=5, speed=20))
    line = strike(by="Thorn", target="Rook", weapon="knife", item="arming sword", fast=fast)
    assert result(seat.say(line, 6, 4), "item") == [outcome]


def test_damage_of_a_battered_weapon_is_never_below_nothing() -> None:
    seat = Seat()
    for _ in range(3):
        seat.say(Harm(by=GM, target="Thorn's knife", damage=5, reason="a stone"))
    record = seat.say(strike(by="Thorn", target="Rook", weapon="knife"), 6, 1)
    assert judgements(record.facts, "toughness")[0].total == 0


def test_area_takes_the_whole_damage_without_a_dodge() -> None:
    record = Seat().say(Area(by=GM, target="Rook", damage=5, reason="fire"))
    assert (result(record, "area"), result(record, "toughness")) == (["caught"], ["wound"])


def test_area_dodge_is_harder_when_flanked() -> None:
    seat = Seat()
    seat.say(SetFlanked(by=GM, who="Rook", reason="two ogres"))
    line = Area(by=GM, target="Rook", damage=8, dc=6, dodge=True, reason="fire")
    assert [fact.total for fact in judgements(seat.say(line, 4).facts, "defence")] == [5]
