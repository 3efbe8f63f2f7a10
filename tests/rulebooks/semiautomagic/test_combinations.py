"""Combinations of circumstances that no worked case has."""

from __future__ import annotations

from typing import Any

import pytest

from ledger.facts import GM, Judged
from ledger.records import Record
from rulebooks.common.encounters import EndTurn, LeaveEncounter
from rulebooks.common.options import SetOption
from rulebooks.semiautomagic.declarations import turns
from rulebooks.semiautomagic.declarations.combat import Area, Attack, Harm
from rulebooks.semiautomagic.declarations.scene import Conceal, Heal, PutAt, SetCover, SetFlanked, SetLight
from tests.rulebooks.semiautomagic.seat import Seat, judgements

WALL = {"object": "wall", "toughness": 12, "durability": 4, "matters": True, "reason": "planks"}


def strike(**fields: Any) -> Attack:
    return Attack(**{"by": "Rook", "target": "Thorn", "weapon": "harpoon"} | fields)


def judged(record: Record, what: str) -> Judged:
    return judgements(record.facts, what)[0]


def names(seat: Seat, who: str) -> list[str]:
    return sorted(condition.name for _, condition in seat.state.conditions_of(who))


def mounted(*order: str, **given: Any) -> Seat:
    """Return a fight in which Rook rides the horse from the start and has a hand free."""
    seat = Seat(present=("Rook", "Thorn", "Horse"), fight=order or ("Rook", "Horse", "Thorn"), **given)
    seat.say(turns.MountUp(by="Rook", mount="Horse"))
    seat.say(turns.Stow(by="Rook", item="arming sword"))
    return seat


def test_fall_of_who_crouches_leaves_one_stance() -> None:
    seat = Seat(locations=True)
    seat.say(turns.SetStance(by="Thorn", stance="crouching"))
    seat.say(strike(at="leg"), 6, 8)
    seat.say(turns.Fortitude(by="Thorn"), 1)
    assert [name for name in names(seat, "Thorn") if name in ("crouching", "prone")] == ["prone"]


def test_distance_of_a_mount_in_the_order_lasts() -> None:
    seat = mounted()
    seat.say(turns.ControlMount(by="Rook"))
    seat.say(turns.Move(by="Horse", squares=60, speed=20))
    seat.say(EndTurn(by="Rook"))
    assert (seat.state.count("Horse", "squares"), names(seat, "Horse")) == (60, ["speeding"])
    assert judged(seat.say(strike(by="Thorn", target="Horse", weapon="knife"), 1), "attack").target == 5


def test_hit_without_a_wound_does_not_kill_the_dying() -> None:
    seat = Seat(locations=True)
    seat.say(strike(), 6, 9)
    seat.say(strike(at="hand", limb=1), 6, 1)
    assert names(seat, "Thorn") == ["dying", "hurt hand", "unconscious"]


def test_mount_has_one_turn_in_a_round() -> None:
    seat = mounted()
    seat.say(turns.ControlMount(by="Rook"))
    seat.say(turns.Move(by="Horse", squares=12, seconds=6))
    seat.say(turns.Dismount(by="Rook"))
    seat.say(turns.MountUp(by="Rook", mount="Horse"))
    seat.say(turns.ControlMount(by="Rook"))
    assert seat.code(turns.Move(by="Horse", squares=12, seconds=1)) == "NO-SECONDS"


def test_mount_that_has_had_its_turn_has_no_other() -> None:
    seat = Seat(present=("Rook", "Thorn", "Horse"), fight=("Horse", "Rook"))
    seat.say(EndTurn(by="Horse"))
    seat.say(turns.MountUp(by="Rook", mount="Horse"))
    seat.say(turns.ControlMount(by="Rook", stationary=True))
    assert seat.code(strike(by="Horse", target="Thorn", weapon="")) in ("HAND", "NO-SECONDS")
    assert seat.code(turns.SetStance(by="Horse", stance="prone")) == "NO-SECONDS"


@pytest.mark.parametrize(
    "fields",
    [
        {"at": "leg", "target_modifier": 2},
        {"at": "leg", "toughness": -2},
        {"target_modifier": 2, "toughness": -2, "reason": "agreed"},
        {"limb": 2},
        {"at": "head", "limb": 2},
    ],
)
def test_number_of_a_called_shot_without_use_is_refused(fields: dict[str, Any]) -> None:
    assert Seat(locations=True).code(strike(**fields)) == "VALUE"


@pytest.mark.parametrize("kind", [turns.Surprise, turns.Locate, turns.Perceive])
def test_oneself_is_not_surprised_or_located(kind: Any) -> None:
    assert Seat().code(kind(by="Rook", target="Rook")) == "VALUE"


def test_hiding_counts_the_cover_of_each_observer() -> None:
    seat = Seat(present=("Rook", "Thorn", "Kite"))
    seat.say(SetCover(by=GM, who="Thorn", grade="heavy", against=("Rook",), reason="a wall"))
    seat.say(turns.Hide(by="Thorn", total=4))
    assert judged(seat.say(turns.Perceive(by="Rook", target="Thorn", total=4)), "perceive").result == "unseen"
    assert judged(seat.say(turns.Perceive(by="Kite", target="Thorn", total=4)), "perceive").result == "seen"


# The page's own words, together


@pytest.mark.parametrize(
    ("stance", "grade", "target"),
    [("crouching", "light", 6), ("prone", "light", 7), ("crouching", "heavy", 8), ("prone", "none", 2)],
)
def test_stance_and_cover_in_melee(stance: Any, grade: str, target: int) -> None:
    seat = Seat()
    seat.say(SetCover(by=GM, who="Thorn", grade=grade, **WALL))
    seat.say(turns.SetStance(by="Thorn", stance=stance))
    seat.say(turns.Locate(by="Rook", target="Thorn"))
    assert judged(seat.say(strike(weapon="flail"), 1, 1), "attack").target == target


def test_cover_shot_away_leaves_the_stance_in_the_open() -> None:
    seat = Seat()
    seat.say(SetCover(by=GM, who="Thorn", grade="light", **WALL | {"toughness": 1}))
    seat.say(turns.SetStance(by="Thorn", stance="prone"))
    record = seat.say(strike(), 4, 1)  # 6 against 7: the wall, which is beaten
    assert judged(record, "attack").result == "hit cover"
    assert not any(name == "cover" for name in names(seat, "Thorn"))
    assert judged(seat.say(strike(), 3), "attack").target == 6  # prone in the open


def test_shared_cover_falls_for_both_and_undo() -> None:
    seat = Seat(present=("Rook", "Thorn", "Bear"))
    for who in ("Thorn", "Bear"):
        seat.say(SetCover(by=GM, who=who, grade="total", **WALL))
    seat.say(turns.Locate(by="Rook", target="Thorn"))
    record = seat.say(strike(), 6, 12)
    assert judged(record, "toughness").target == 13
    assert seat.state.conditions["cover Bear wall"].degree == 3


def test_flank_by_squares_ends_with_the_enemy() -> None:
    seat = Seat(present=("Rook", "Thorn", "Kite"), at={"Thorn": (5, 5), "Rook": (4, 4), "Kite": (6, 6)})
    record = seat.say(strike(weapon="flail", defence="dodge"), 6, 6)
    assert judged(record, "defence").total == 8
    seat.say(Harm(by=GM, target="Kite", damage=30, reason="a rock"))
    assert judged(seat.say(strike(weapon="flail", defence="dodge"), 6, 6), "defence").total == 9


def test_flank_by_squares_of_two_places() -> None:
    seat = Seat(present=("Rook", "Thorn", "Kite"), at={"Thorn": (5, 5), "Rook": (4, 4), "Kite": (6, 6)})
    seat.say(PutAt(by=GM, who="Kite", place="the loft", square=(6, 6)))
    assert judged(seat.say(strike(weapon="flail", defence="dodge"), 6, 6), "defence").total == 9


def test_light_of_the_place_counts_per_observer() -> None:
    seat = Seat(present=("Rook", "Thorn", "Kite"), sheets={"Kite": {"lowlight": True}})
    seat.say(PutAt(by=GM, who="Thorn", place="yard"))
    seat.say(SetLight(by=GM, light="hazy", dark=True, place="yard"))
    assert judged(seat.say(strike(), 1), "attack").target == 5
    assert judged(seat.say(strike(by="Kite", weapon="throwing axe"), 1), "attack").target == 4
    assert judged(seat.say(strike(by="Thorn", target="Rook"), 1, 1), "attack").target == 4
    seat.say(SetLight(by=GM, light="darkness", place="yard"))
    assert seat.code(strike()) == "NOT-LOCATED"


def test_seen_hider_is_invisible_to_the_other() -> None:
    seat = Seat(present=("Rook", "Thorn", "Kite"))
    seat.say(Conceal(by=GM, who="Thorn", reason="smoke"))
    seat.say(turns.Hide(by="Thorn", total=6))
    seat.say(turns.Perceive(by="Rook", target="Thorn", total=6))
    assert judged(seat.say(strike(), 1), "attack").target == 5
    assert seat.code(strike(by="Kite", weapon="throwing axe")) == "NOT-LOCATED"
    seat.say(turns.Locate(by="Kite", target="Thorn"))
    assert judged(seat.say(strike(by="Kite", weapon="throwing axe"), 1), "attack").target == 8
    seat.say(turns.Move(by="Thorn", squares=1))
    assert seat.code(strike(by="Kite", weapon="throwing axe")) == "NOT-LOCATED"


def test_surprised_mount_is_on_guard_with_its_rider() -> None:
    seat = Seat(
        present=("Rook", "Thorn", "Horse"),
        fight=("Thorn", "Rook", "Horse"),
        said=[{"say": "mount-up", "by": "Rook", "mount": "Horse"}],
        sheets={"Horse": {"dodge": 2}},
    )
    for who in ("Rook", "Horse"):
        seat.say(turns.Surprise(by="Thorn", target=who))
    assert judged(seat.say(strike(by="Thorn", target="Horse", defence="dodge"), 6, 6, 1), "defence").total == 7
    seat.say(EndTurn(by="Thorn"))
    assert seat.state.ties_from("Horse", "flat-footed") == ()
    assert seat.state.ties_from("Rook", "flat-footed") == ()


def test_called_shot_with_a_jammed_weapon() -> None:
    seat = Seat(locations=True, sheets={"Thorn": {"items": {"pistol": {"carry": "held"}, "bow": {"carry": "carried"}}}})
    seat.say(Harm(by=GM, target="Thorn's pistol", damage=4, reason="a stone"))
    record = seat.say(strike(by="Thorn", target="Rook", weapon="pistol", at="head"), 1)
    assert judged(record, "attack").result == "jammed"
    assert seat.code(strike(by="Thorn", target="Rook", weapon="pistol", at="head")) == "JAMMED"
    seat.say(Heal(by=GM, who="Thorn's pistol", jam=True, reason="cleared"))
    record = seat.say(strike(by="Thorn", target="Rook", weapon="pistol", at="head"), 2)
    assert (judged(record, "attack").total, judged(record, "attack").target) == (5, 6)


def test_stabilised_before_the_check_owes_none() -> None:
    seat = Seat(fight=("Rook", "Thorn"))
    seat.say(strike(), 6, 9)
    seat.say(EndTurn(by="Rook"))
    seat.say(turns.Stabilise(by="Thorn"), 10)
    assert seat.state.encounter
    assert seat.state.encounter.turn == "Rook"
    assert names(seat, "Thorn") == ["unconscious"]
    assert seat.code(turns.DyingCheck(by="Thorn")) == "NOT-DUE"
    assert seat.code(turns.Stabilise(by="Thorn", medicine=True, reason="salve")) == "NOT-DUE"


def test_parry_of_arrows_and_spells() -> None:
    seat = Seat(present=("Rook", "Thorn", "Mage"))
    seat.say(strike(by="Thorn", target="Rook", defence="parry"), 6, 5)
    record = seat.say(strike(by="Mage", target="Rook", weapon="bolt", defence="dodge"), 6, 6)
    assert judged(record, "defence").target == 6


def test_dodge_in_total_cover_by_stance_avoids_an_area() -> None:
    seat = Seat()
    seat.say(SetCover(by=GM, who="Thorn", grade="light", reason="a hedge"))
    seat.say(turns.SetStance(by="Thorn", stance="prone"))
    record = seat.say(Area(by=GM, target="Thorn", damage=8, dc=6, dodge=True, reason="fire"), 6)
    assert judged(record, "area").result == "avoided"


def test_scales_of_both_count() -> None:
    seat = Seat(present=("Rook", "Titan", "Cat"))
    record = seat.say(strike(by="Titan", target="Cat", weapon="glaive", defence="dodge"), 6, 6)
    assert (judged(record, "attack").total, judged(record, "attack").target) == (9, 5)
    assert judged(record, "defence").target == 10


def test_seconds_that_run_out_refuse_before_the_dice() -> None:
    seat = Seat(fight=("Rook", "Thorn"))
    seat.say(turns.Move(by="Rook", squares=5, seconds=5))
    assert seat.code(strike(), 6, 6) == "NO-SECONDS"
    assert seat.state.actions_left("Rook", "seconds") == 1


def test_die_changes_in_the_middle_of_a_fight() -> None:
    seat = Seat(fight=("Rook", "Thorn"))
    seat.say(SetOption(by=GM, name="attack_die", value="d10", reason="agreed"))
    assert judged(seat.say(strike(), 10, 2), "attack").total == 12
    seat.say(SetOption(by=GM, name="attack_die", value="d6", reason="agreed"))
    assert seat.code(strike(), 10, 2) == "DICE"


def test_rider_fast_damage_in_squares_of_the_hurt() -> None:
    seat = mounted()
    seat.say(turns.ControlMount(by="Rook"))
    seat.say(turns.Move(by="Horse", squares=20, speed=18))
    record = seat.say(strike(weapon="flail", fast=True), 6, 4)
    assert judged(record, "toughness").total == 7
    seat.say(EndTurn(by="Rook"))
    assert judged(seat.say(strike(by="Thorn", target="Horse", weapon="knife", fast=True), 6, 4), "toughness").total == 6


def test_item_behind_mattering_cover() -> None:
    seat = Seat()
    seat.say(SetCover(by=GM, who="Thorn", grade="medium", **WALL | {"toughness": 9}))
    record = seat.say(strike(item="knife"), 4, 8)  # 6 against 8: the wall, wounded; 5 go on
    assert judged(record, "attack").result == "hit cover"
    assert judged(record, "item").result == "wounded"


def test_concealed_flanked_flat_footed_without_stacking() -> None:
    seat = Seat(options={"circumstance_stacks": "off"})
    seat.say(SetFlanked(by=GM, who="Thorn", reason="two ogres"))
    seat.say(turns.Surprise(by="Rook", target="Thorn"))
    record = seat.say(strike(defence="dodge"), 6, 6)
    assert judged(record, "defence").total == 8


def test_put_on_the_same_square_keeps_the_location() -> None:
    seat = Seat(at={"Thorn": (5, 5)})
    seat.say(Conceal(by=GM, who="Thorn", how="invisible", reason="a spell"))
    seat.say(turns.Locate(by="Rook", target="Thorn", square=(5, 5)))
    seat.say(PutAt(by=GM, who="Thorn", square=(5, 5)))
    seat.say(strike(), 1)
    seat.say(PutAt(by=GM, who="Thorn", square=(5, 6)))
    assert seat.code(strike()) == "NOT-LOCATED"


def test_item_as_target_takes_no_other_item() -> None:
    assert Seat().code(strike(target="Thorn's knife", item="pistol")) == "VALUE"


def test_who_leaves_takes_no_speed_along() -> None:
    seat = Seat(present=("Rook", "Thorn", "Bear"), fight=("Rook", "Thorn", "Bear"))
    seat.say(turns.Move(by="Rook", squares=60, speed=9))
    seat.say(LeaveEncounter(by=GM, who="Rook", reason="over the wall"))
    assert (names(seat, "Rook"), seat.state.count("Rook", "squares")) == (["absent"], 0)


def test_mount_of_a_dying_rider_does_not_act() -> None:
    seat = mounted()
    seat.say(turns.ControlMount(by="Rook"))
    seat.say(Harm(by=GM, target="Rook", damage=13, reason="an arrow"))
    assert list(seat.book.guide.next_up(seat.state)) == ["Rook"]
    seat.say(turns.DyingCheck(by="Rook"), 6)
    seat.say(turns.Move(by="Horse", squares=1))  # in its own turn


def test_rider_dismounts_where_the_mount_is() -> None:
    seat = Seat(present=("Rook", "Thorn", "Horse"), at={"Rook": (0, 0), "Horse": (4, 4)})
    seat.say(turns.MountUp(by="Rook", mount="Horse"))
    seat.say(PutAt(by=GM, who="Horse", place="yard", square=(9, 9)))
    seat.say(turns.Dismount(by="Rook"))
    assert seat.state.places["Rook"] == seat.state.places["Horse"]


def test_destroyed_armour_no_longer_helps() -> None:
    seat = Seat(present=("Rook", "Kite"))
    seat.say(strike(target="Kite", item="mail"), 6, 6)
    assert judged(seat.say(strike(target="Kite"), 6, 1), "toughness").target == 8


def test_total_cover_on_both_sides_is_passed_in_turn() -> None:
    seat = Seat()
    seat.say(SetCover(by=GM, who="Thorn", grade="total", **WALL))
    seat.say(SetCover(by=GM, who="Rook", grade="total", object="door", toughness=5, durability=1, reason="a door"))
    seat.say(turns.Locate(by="Rook", target="Thorn"))
    record = seat.say(strike(), 6, 12)
    assert [fact.who for fact in judgements(record.facts, "cover")] == ["door", "wall"]
    assert judged(record, "attack").target == 8


def test_dusted_creature_in_fog_is_concealed_once() -> None:
    seat = Seat()
    for how in ("invisible", "dusted"):
        seat.say(Conceal(by=GM, who="Thorn", how=how, reason="flour"))
    seat.say(SetLight(by=GM, light="hazy"))
    seat.say(SetCover(by=GM, who="Thorn", grade="light", reason="a hedge"))
    assert judged(seat.say(strike(), 1), "attack").target == 6


def test_no_defence_while_the_table_reads_it_so() -> None:
    seat = Seat(fight=("Rook", "Thorn"))
    seat.say(turns.Surprise(by="Rook", target="Thorn"))
    seat.say(SetOption(by=GM, name="flat_footed", value="no_defence", reason="agreed"))
    assert seat.code(strike(defence="dodge")) == "FLAT-FOOTED"
    seat.say(SetOption(by=GM, name="flat_footed", value="penalty", reason="agreed"))
    assert judged(seat.say(strike(defence="dodge"), 6, 6), "defence").total == 8


def test_rider_flanks_from_the_square_of_the_mount() -> None:
    squares = {"Thorn": (5, 5), "Rook": (0, 0), "Horse": (4, 4), "Kite": (6, 6)}
    seat = Seat(present=("Rook", "Thorn", "Kite", "Horse"), at=squares)
    seat.say(turns.MountUp(by="Rook", mount="Horse"))
    assert judged(seat.say(strike(weapon="flail", defence="dodge"), 6, 6), "defence").total == 8
