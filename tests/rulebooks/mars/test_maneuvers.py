"""Every maneuver of the table does what its row says."""

from __future__ import annotations

import re
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from ledger.facts import GM, EntryId, Ruled
from ledger.odds import count_odds
from ledger.records import Record
from rulebooks.common.encounters import EndTurn
from rulebooks.mars.declarations.combat import Attack
from rulebooks.mars.declarations.harm import Concentrate, DealDamage
from rulebooks.mars.declarations.maneuvers import Maneuver
from rulebooks.mars.declarations.parts import Reaction
from rulebooks.mars.declarations.tasks import Check
from rulebooks.mars.declarations.turns import BeginTurn, DropProne, Interact, Move, Ready, SeekCover, TriggerReadied
from rulebooks.mars.maneuvers.table import rows
from rulebooks.testing.seat import of_kind
from tests.rulebooks.mars.seat import Seat, judged, result

DUEL = {"players": ["Asha"], "guards": ["Gil"]}
GUARDS_FIRST = {"guards": ["Gil", "Hob"], "players": ["Asha", "Bram"]}
PLAYERS_FIRST = {"players": ["Asha", "Bram"], "guards": ["Gil", "Hob"]}
HIT = (6, 6, 4, 3, 3)  # Asha's attack on Gil: 12 against 7, and 6 of damage of which 3 get through
MISS = (1, 1, 8)


def use(seat: Seat, by: str, name: str, target: str = "", *dice: int, **more: Any) -> Record:
    """Improvise a maneuver for stamina."""
    return seat.say(Maneuver(by=by, name=name, target=target, improvise="stamina", **more), *dice)


def rulings(record: Record) -> list[str]:
    return [fact.text for fact in of_kind(record, Ruled)]


def asha(**given: Any) -> Seat:
    """Return a duel in Asha's turn."""
    return Seat(teams=DUEL, turn="Asha", **given)


def test_advancing_strike_steps_and_adds_1() -> None:
    record = use(asha(), "Asha", "advancing-strike", "Gil", *HIT)
    assert result(record, "attack") == [13, 7, "hit"]
    assert rulings(record) == ["Asha first steps up to 1 m toward Gil"]


def test_back_step_adds_2_against_one_attack() -> None:
    seat = Seat(teams=GUARDS_FIRST, turn="Gil")
    assert rulings(use(seat, "Asha", "back-step", "Gil")) == ["Asha steps 1 m back from Gil"]
    assert seat.points("Asha", "stamina") == 12
    assert result(seat.say(Attack(by="Gil", target="Asha"), 5, 4, 8, 1, 1), "attack") == [9, 12, "graze"]
    assert result(seat.say(Attack(by="Gil", target="Asha"), 10, 4, 8, 1, 1), "attack") == [9, 10, "graze"]


def test_back_step_adds_3_with_agility_r12() -> None:
    seat = Seat(teams=GUARDS_FIRST, turn="Gil", sheets={"Asha": {"skills": {"martial": "r8", "agility": "r12"}}})
    use(seat, "Asha", "back-step", "Gil")
    assert result(seat.say(Attack(by="Gil", target="Asha"), 5, 4, 8, 1, 1), "attack") == [9, 13, "graze"]


def test_back_step_ends_with_the_turn() -> None:
    seat = Seat(teams=GUARDS_FIRST, turn="Gil")
    use(seat, "Asha", "back-step", "Gil")
    seat.say(EndTurn(by="Gil"))
    assert seat.holds("Asha") == []


def test_back_step_counts_for_nothing_against_a_shot() -> None:
    teams = {"guards": ["Archer"], "players": ["Asha"]}
    seat = Seat(teams=teams, turn="Archer")
    use(seat, "Asha", "back-step", "Archer")
    assert result(seat.say(Attack(by="Archer", target="Asha"), 5, 4, 8, 1, 1), "attack") == [9, 10, "graze"]


def test_back_step_strike_guards_against_the_next_attack() -> None:
    seat = asha()
    assert result(use(seat, "Asha", "back-step-strike", "Gil", *HIT), "attack") == [10, 7, "hit"]
    seat.next_turn("Gil")
    assert result(seat.say(Attack(by="Gil", target="Asha"), 5, 4, 8, 1, 1), "attack") == [9, 12, "graze"]
    assert seat.holds("Asha") == []


def test_battle_cry_adds_1_to_one_roll_of_each_ally() -> None:
    seat = Seat(teams=PLAYERS_FIRST, turn="Asha")
    use(seat, "Asha", "battle-cry")
    assert (seat.holds("Asha"), seat.holds("Bram"), seat.holds("Gil")) == ([], ["battle-cry"], [])
    seat.next_turn("Gil")
    assert result(seat.say(Attack(by="Gil", target="Bram"), 5, 4, 8, 1, 1), "attack") == [9, 10, "graze"]
    assert seat.holds("Bram") == []


def test_battle_cry_adds_2_with_charisma_r12() -> None:
    seat = Seat(teams=PLAYERS_FIRST, turn="Asha", sheets={"Asha": {"skills": {"martial": "r8", "charisma": "r12"}}})
    use(seat, "Asha", "battle-cry", "Bram")
    seat.next_turn("Gil")
    seat.next_turn("Bram")
    assert result(seat.say(Attack(by="Bram", target="Gil"), 8, 3, 4, 1, 1), "attack") == [13, 7, "hit"]


def test_battle_cry_is_heard_by_allies_alone() -> None:
    seat = Seat(teams=PLAYERS_FIRST, turn="Asha")
    assert seat.code(Maneuver(by="Asha", name="battle-cry", target="Gil", improvise="stamina")) == "VALUE"


@pytest.mark.parametrize(("skill", "boost", "target"), [("r8", False, 11), ("r12", False, 11), ("r12", True, 12)])
def test_brace_adds_to_every_defence_of_the_round(skill: str, boost: bool, target: int) -> None:
    seat = asha(sheets={"Asha": {"skills": {"martial": skill}}})
    use(seat, "Asha", "brace", boost=boost)
    assert seat.points("Asha", "stamina") == (12 if boost else 13)
    seat.next_turn("Gil")
    for _ in range(2):
        assert result(seat.say(Attack(by="Gil", target="Asha"), 10, 4, 8, 1, 1), "attack")[1] == target


def test_bullrush_adds_2_to_roll_and_damage() -> None:
    seat = asha()
    record = use(seat, "Asha", "bullrush", "Gil", *HIT, metres=9)
    assert (result(record, "attack"), result(record, "damage")[0]) == ([14, 7, "critical"], 14)
    assert (seat.ap("Asha"), seat.points("Asha", "stamina")) == (0, 11)
    assert rulings(record) == ["Asha runs 9 m in a straight line to Gil"]


@pytest.mark.parametrize(("metres", "code"), [(2, "VALUE"), (19, "TOO-FAR")])
def test_bullrush_runs_3_m_to_3_times_the_speed(metres: int, code: str) -> None:
    said = Maneuver(by="Asha", name="bullrush", target="Gil", improvise="stamina", metres=metres)
    assert asha().code(said) == code


def test_bullrush_adds_knock_down_for_its_bonuses() -> None:
    seat = asha(sheets={"Asha": {"learned": {"knock-down": "martial"}}})
    record = use(seat, "Asha", "bullrush", "Gil", *HIT, 3, 3, boost=True)
    assert (result(record, "attack"), result(record, "resist")) == ([12, 7, "hit"], [12, 6, "hit"])
    assert (seat.holds("Gil"), seat.points("Asha", "stamina")) == (["prone"], 10)


def test_bullrush_adds_only_a_knock_down_that_is_known() -> None:
    said = Maneuver(by="Asha", name="bullrush", target="Gil", improvise="stamina", boost=True)
    assert asha().code(said) == "UNKNOWN-MANEUVER"


def test_concussive_strike_with_an_edge_stuns_at_a_penalty() -> None:
    seat = asha()
    record = use(seat, "Asha", "concussive-strike", "Gil", *HIT, 3, 1)
    assert (result(record, "attack"), result(record, "damage")[0]) == ([11, 7, "hit"], 2)
    assert (result(record, "resist"), seat.holds("Gil")) == ([11, 4, "critical"], ["stunned"])


def test_concussive_strike_with_a_club_has_no_penalty() -> None:
    seat = Seat(teams={"players": ["Dov"], "guards": ["Gil"]}, turn="Dov")
    record = use(seat, "Dov", "concussive-strike", "Gil", 8, 4, 4, 3, 3, 10, 8)
    assert result(record, "attack") == [12, 7, "hit"]
    assert seat.holds("Gil") == []


def test_concussive_strike_fells_who_has_no_endurance_left() -> None:
    seat = asha(pools={"Gil.endurance": 2})
    use(seat, "Asha", "concussive-strike", "Gil", *HIT, 3, 1)
    assert (seat.points("Gil", "endurance"), seat.points("Gil", "health")) == (0, 10)
    assert seat.holds("Gil") == ["prone", "unconscious"]
    seat.next_turn("Gil")
    seat.say(BeginTurn(by="Asha"))
    assert seat.holds("Gil") == ["prone"]


@pytest.mark.parametrize(("athletics", "penalty"), [("r4", 1), ("r12", 2)])
def test_crippling_strike_hinders_attacks_and_speed(athletics: str, penalty: int) -> None:
    seat = asha(sheets={"Asha": {"skills": {"martial": "r8", "athletics": athletics}}})
    use(seat, "Asha", "crippling-strike", "Gil", *HIT, 3, 3)
    seat.next_turn("Gil")
    assert seat.code(Move(by="Gil", metres=3)) == "TOO-FAR"
    assert result(seat.say(Attack(by="Gil", target="Asha"), 8, 4, 3, 1, 1), "attack")[0] == 12 - penalty


def test_crippling_strike_as_a_readied_action_stops_the_target() -> None:
    seat = asha(sheets={"Asha": {"learned": {"crippling-strike": "martial"}}})
    seat.say(Ready(by="Asha", action="maneuver", maneuver="crippling-strike", target="Gil", trigger="he comes"))
    seat.next_turn("Gil")
    seat.say(TriggerReadied(by="Asha"), *HIT, 3, 3)
    assert seat.holds("Gil") == ["crippled", "held fast"]
    assert seat.code(Move(by="Gil", metres=1)) == "CANNOT-MOVE"
    seat.say(EndTurn(by="Gil"))
    assert seat.holds("Gil") == ["crippled"]


def test_readied_maneuver_has_to_be_known() -> None:
    said = Ready(by="Asha", action="maneuver", maneuver="trip", target="Gil", trigger="he comes")
    assert asha().code(said) == "UNKNOWN-MANEUVER"


def test_readied_double_shot_names_its_targets_when_it_is_made() -> None:
    seat = Seat(teams=PLAYERS_FIRST, turn="Bram", sheets={"Bram": {"learned": {"double-shot": "ranged"}}})
    seat.say(Ready(by="Bram", action="maneuver", maneuver="double-shot", trigger="they come"))
    seat.next_turn("Gil")
    record = seat.say(TriggerReadied(by="Bram", target="Gil", also=("Hob",)), 9, 5, 4, 3, 2, 8, 3, 3)
    assert [fact.against for fact in judged(record, "attack")] == ["Gil", "Hob"]


def test_dancing_strike_changes_places() -> None:
    seat = Seat(teams={"players": ["Dov"], "guards": ["Gil"]}, turn="Dov")
    record = use(seat, "Dov", "dancing-strike", "Gil", 8, 4, 4, 8, 1, 1, weapon="bare hands")
    assert rulings(record) == ["Dov and Gil have changed places"]


def test_disarm_takes_what_the_target_holds() -> None:
    seat = Seat(teams={"players": ["Dov"], "guards": ["Gil"]}, turn="Dov")
    record = use(seat, "Dov", "disarm", "Gil", 8, 4, 5)
    assert result(record, "resist") == [11, 5, "hit"]
    assert seat.state.sheet("Gil", "held") is None
    assert rulings(record) == ["Gil no longer holds spear: it lies up to 3 m away, or is in the free hand of Dov"]
    assert seat.code(Maneuver(by="Dov", name="disarm", target="Gil", improvise="stamina")) != ""


def test_disarm_takes_no_shield() -> None:
    teams = {"guards": ["Gil"], "players": ["Asha"]}
    seat = Seat(teams=teams, turn="Gil", sheets={"Gil": {"skills": {"unarmed": "r4"}}, "Asha": {"held": ["shield"]}})
    assert seat.code(Maneuver(by="Gil", name="disarm", target="Asha", improvise="stamina")) == "NOT-WIELDED"


def test_distracting_strike_breaks_concentration() -> None:
    seat = asha()
    seat.say(Concentrate(by="Gil", effect="ward"))
    record = use(seat, "Asha", "distracting-strike", "Gil", *HIT, 2, 2)
    assert result(record, "attack") == [13, 7, "hit"]
    assert (seat.holds("Gil"), rulings(record)) == ([], ["Gil cannot use ward in its next turn"])


def test_distracting_strike_breaks_a_readied_action() -> None:
    seat = Seat(teams=GUARDS_FIRST, turn="Gil")
    seat.say(Ready(by="Gil", action="attack", target="Asha", trigger="she comes"))
    seat.next_turn("Asha")
    use(seat, "Asha", "distracting-strike", "Gil", *HIT, 2, 2)
    assert seat.code(TriggerReadied(by="Gil")) == "NOT-READIED"


def test_double_shot_hits_two_with_one_roll() -> None:
    seat = Seat(teams=PLAYERS_FIRST, turn="Bram")
    record = use(seat, "Bram", "double-shot", "Gil", 9, 5, 4, 3, 2, 8, 3, 3, also=("Hob",))
    assert [[fact.total, fact.target, fact.result] for fact in judged(record, "attack")] == [
        [12, 7, "hit"],
        [12, 11, "hit"],
    ]
    assert (seat.points("Gil", "endurance"), seat.points("Hob", "endurance")) == (6, 5)
    assert result(seat.say(Attack(by="Bram", target="Gil"), 10, 6, 1, 1, 1), "attack")[0] == 6


def test_trip_takes_the_weapon_in_hand_that_trips() -> None:
    items = {
        "longsword": {"damage": "r8", "skill": "martial"},
        "flail": {"damage": "r6", "skill": "martial", "features": ["trip"]},
    }
    seat = asha(sheets={"Asha": {"items": items, "held": ["longsword", "flail"]}})
    record = use(seat, "Asha", "trip", "Gil", 6, 6, 4, 1, 1, 5)
    assert judged(record, "attack")[0].using == (("Asha", "flail"),)


def test_double_shot_needs_two_targets() -> None:
    seat = Seat(teams=PLAYERS_FIRST, turn="Bram")
    for also in ((), ("Gil",)):
        assert (
            seat.code(Maneuver(by="Bram", name="double-shot", target="Gil", also=also, improvise="stamina")) == "VALUE"
        )


def test_escape_makes_the_next_attack_a_sneak_attack() -> None:
    seat = Seat(teams={"players": ["Bram"], "guards": ["Gil"]}, turn="Bram")
    record = use(seat, "Bram", "escape", "Gil", 9, 3)
    assert (result(record, "resist"), seat.holds("Bram")) == ([9, 3, "hit"], ["hidden"])
    record = seat.say(Attack(by="Bram", target="Gil"), 10, 3, 4, 5, 1, 1)
    assert "GR-ATK-7" in judged(record, "attack")[0].rules
    assert seat.holds("Bram") == []


def test_feint_gives_the_next_melee_attack_advantage() -> None:
    seat = asha()
    assert result(use(seat, "Asha", "feint", "Gil", 9, 5, 3), "resist") == [9, 8, "hit"]
    assert result(seat.say(Attack(by="Asha", target="Gil"), 3, 9, 10, 4, 1, 1), "attack")[0] == 19
    assert result(seat.say(Attack(by="Asha", target="Gil"), 3, 9, 4, 1, 1), "attack")[0] == 7


def test_feint_counts_for_no_attack() -> None:
    seat = asha()
    use(seat, "Asha", "feint", "Gil", 1, 5, 3)
    assert seat.state.count("Asha", "attacks") == 0


def test_grapple_holds_until_it_is_turned_around() -> None:
    seat = Seat(
        teams={"players": ["Dov"], "guards": ["Gil"]}, turn="Dov", sheets={"Gil": {"skills": {"unarmed": "r4"}}}
    )
    use(seat, "Dov", "grapple", "Gil", 9, 5, 3, 1, check="unarmed")
    assert seat.holds("Gil") == ["held fast"]
    seat.next_turn("Gil")
    assert seat.code(Move(by="Gil", metres=1)) == "CANNOT-MOVE"
    use(seat, "Gil", "grapple", "Dov", 9, 4, 2, check="unarmed", resist="agility")
    assert (seat.holds("Gil"), seat.holds("Dov")) == ([], ["held fast"])


def test_hard_parry_defends_with_skill_and_armour() -> None:
    seat = Seat(teams=GUARDS_FIRST, turn="Gil")
    use(seat, "Asha", "hard-parry", "Gil")
    # r22 for the skill, 2 of armour, 1 for a parry of r6
    met = seat.say(Attack(by="Gil", target="Asha"), 10, 4, 8, 4)
    assert result(met, "attack") == [14, 15, "fail"]
    assert "GR-OUT-17" in judged(met, "attack")[0].rules, "the rule that makes a graze a miss"
    assert seat.holds("Asha") == []
    assert result(seat.say(Attack(by="Gil", target="Asha"), 10, 4, 8, 1, 1), "attack")[1] == 10


def test_hard_parry_needs_something_to_parry_with() -> None:
    seat = Seat(
        teams={"guards": ["Gil"], "players": ["Cora"]}, turn="Gil", sheets={"Cora": {"skills": {"finesse": "r4"}}}
    )
    assert seat.code(Maneuver(by="Cora", name="hard-parry", target="Gil", improvise="stamina")) == "NO-PARRY"


@pytest.mark.parametrize(("boost", "skill", "total", "damage"), [(False, "r8", 11, 5), (True, "r12", 14, 7)])
def test_heavy_strike_trades_accuracy_for_damage(boost: bool, skill: str, total: int, damage: int) -> None:
    seat = asha(sheets={"Asha": {"skills": {"martial": skill}}})
    dice = HIT if skill == "r8" else (8, 4, 4, 5, 3, 3)  # r26: 2d10 and d6
    record = use(seat, "Asha", "heavy-strike", "Gil", *dice, boost=boost)
    assert (result(record, "attack")[0], result(record, "damage")[0]) == (total, damage)


def test_once_a_round_is_refused_before_what_a_defence_costs() -> None:
    seat = asha(pools={"Gil.stamina": 0})
    use(seat, "Asha", "heavy-strike", "Gil", 1, 1, 8)
    evade = (Reaction(who="Gil", kind="evade"),)
    said = Maneuver(by="Asha", name="heavy-strike", target="Gil", improvise="stamina", defences=evade)
    assert seat.code(said) == "MANEUVER-USED"
    other = Maneuver(by="Asha", name="wild-strike", target="Gil", improvise="stamina", defences=evade)
    assert seat.code(other) == "NO-STAMINA"


def test_heavy_strike_is_boosted_by_masters_alone() -> None:
    said = Maneuver(by="Asha", name="heavy-strike", target="Gil", improvise="stamina", boost=True)
    assert asha().code(said) == "SKILL"


def test_hook_parry_hampers_one_melee_attack() -> None:
    axe = {"axe": {"damage": "r8", "skill": "martial", "features": ["hook"]}}
    seat = Seat(teams=GUARDS_FIRST, turn="Gil", sheets={"Asha": {"held": ["axe"], "items": axe}})
    use(seat, "Asha", "hook-parry", "Gil")
    assert result(seat.say(Attack(by="Gil", target="Asha"), 10, 4, 1, 3, 1, 1), "attack")[0] == 5
    assert seat.holds("Gil") == []


def test_hook_parry_needs_a_hook() -> None:
    seat = Seat(teams=GUARDS_FIRST, turn="Gil")
    assert seat.code(Maneuver(by="Asha", name="hook-parry", target="Gil", improvise="stamina")) == "NOT-WIELDED"


def test_intercept_takes_the_place_of_an_ally() -> None:
    seat = Seat(teams=GUARDS_FIRST, turn="Gil")
    assert rulings(use(seat, "Asha", "intercept", "Bram")) == ["Asha and Bram change places within 1 m"]
    block = Reaction(who="Asha", kind="block")
    record = seat.say(Attack(by="Gil", target="Bram", defences=(block,)), 10, 4, 1, 5, 5)
    assert judged(record, "attack")[0].against == "Asha"
    assert (result(record, "attack"), seat.points("Asha", "shield")) == ([14, 5, "critical"], 3)
    assert seat.points("Asha", "stamina") == 12  # nothing for the block
    assert (seat.holds("Asha"), seat.holds("Bram")) == ([], [])


def test_intercept_protects_no_foe() -> None:
    seat = Seat(teams=GUARDS_FIRST, turn="Gil")
    assert seat.code(Maneuver(by="Asha", name="intercept", target="Hob", improvise="stamina")) == "VALUE"


def test_intercepting_strike_comes_before_the_attack_that_it_hampers() -> None:
    seat = Seat(teams=GUARDS_FIRST, turn="Gil")
    record = use(seat, "Asha", "intercepting-strike", "Gil", *HIT, 3, 3)
    assert (result(record, "attack"), result(record, "resist")) == ([14, 7, "critical"], [14, 6, "critical"])
    assert seat.state.count("Asha", "attacks") == 0
    assert result(seat.say(Attack(by="Gil", target="Bram"), 8, 4, 3, 1, 1), "attack")[0] == 10
    assert result(seat.say(Attack(by="Gil", target="Bram"), 8, 4, 3, 1, 1), "attack")[0] == 7


def test_intimidating_strike_rolls_charisma_and_then_attacks() -> None:
    seat = asha()
    record = use(seat, "Asha", "intimidating-strike", "Gil", 9, 3, 1, *HIT)
    assert (result(record, "resist"), result(record, "attack")) == ([9, 4, "hit"], [12, 7, "hit"])
    seat.next_turn("Gil")
    assert result(seat.say(Attack(by="Gil", target="Asha"), 8, 4, 3, 1, 1), "attack")[0] == 10


def test_intimidating_strike_attacks_though_it_is_resisted() -> None:
    seat = asha()
    record = use(seat, "Asha", "intimidating-strike", "Gil", 1, 9, 6, *HIT)
    assert (result(record, "resist"), result(record, "attack")) == ([1, 15, "fail"], [12, 7, "hit"])
    assert seat.holds("Gil") == []


def test_knock_down_brings_the_target_to_the_ground() -> None:
    seat = asha()
    record = use(seat, "Asha", "knock-down", "Gil", *HIT, 3, 3)
    assert (result(record, "attack"), seat.holds("Gil")) == ([10, 7, "hit"], ["prone"])


@pytest.mark.parametrize(("leap", "total", "damage"), [((9, 4), 13, 4), ((3, 2), 12, 3)])
def test_leap_strike_has_its_bonus_after_a_leap(leap: tuple[int, int], total: int, damage: int) -> None:
    record = use(asha(), "Asha", "leap-strike", "Gil", *leap, *HIT, check="athletics")
    assert (result(record, "attack")[0], result(record, "damage")[0]) == (total, damage)


def test_opportunity_strike_stops_a_move() -> None:
    seat = Seat(teams=GUARDS_FIRST, turn="Gil")
    record = use(seat, "Asha", "opportunity-strike", "Gil", *HIT)
    assert result(record, "attack") == [14, 7, "critical"]
    assert seat.code(Move(by="Gil", metres=1)) == "CANNOT-MOVE"
    seat.say(EndTurn(by="Gil"))
    assert seat.holds("Gil") == []


def test_opportunity_strike_that_misses_stops_nobody() -> None:
    seat = Seat(teams=GUARDS_FIRST, turn="Gil")
    use(seat, "Asha", "opportunity-strike", "Gil", 1, 1, 8)
    seat.say(Move(by="Gil", metres=1))


def test_opportunity_strike_needs_footing() -> None:
    seat = asha()
    seat.say(DropProne(by="Asha"))
    seat.next_turn("Gil")
    assert seat.code(Maneuver(by="Asha", name="opportunity-strike", target="Gil", improvise="stamina")) == "PRONE"


@pytest.mark.parametrize(("skill", "boost", "face", "graded"), [
    ("r6", False, 5, "critical"),
    ("r6", False, 6, "hit"),
    ("r12", True, 6, "critical"),
    ("r12", True, 7, "hit"),
])  # fmt: skip
def test_penetrating_strike_is_critical_earlier(skill: str, boost: bool, face: int, graded: str) -> None:
    seat = Seat(
        teams={"players": ["Bram"], "guards": ["Gil"]}, turn="Bram", sheets={"Bram": {"skills": {"ranged": skill}}}
    )
    dice = (9, 4) if skill == "r6" else (7, 6)  # 13 either way: r16 is d10 and d6, r22 is d12 and d10
    record = use(seat, "Bram", "penetrating-strike", "Gil", *dice, face, 1, 1, boost=boost)
    assert result(record, "attack") == [13, face + 3, graded]


def test_pinning_shot_holds_the_target() -> None:
    seat = Seat(teams={"players": ["Bram"], "guards": ["Gil"]}, turn="Bram")
    use(seat, "Bram", "pinning-shot", "Gil", 9, 4, 4, 3, 3, 3, 3)
    seat.next_turn("Gil")
    assert seat.code(Move(by="Gil", metres=1)) == "CANNOT-MOVE"
    seat.next_turn("Bram")
    assert seat.holds("Gil") == []


def test_pinning_shot_needs_a_projectile() -> None:
    axe = {"axe": {"damage": "r4", "skill": "ranged", "mode": "ranged", "features": ["thrown"]}}
    seat = Seat(
        teams={"players": ["Bram"], "guards": ["Gil"]}, turn="Bram", sheets={"Bram": {"held": ["axe"], "items": axe}}
    )
    assert seat.code(Maneuver(by="Bram", name="pinning-shot", target="Gil", improvise="stamina")) == "NOT-WIELDED"


@pytest.mark.parametrize(("metres", "damage"), [(2, 3), (1, 4)])
def test_point_blank_shot_hurts_more_from_nearer(metres: int, damage: int) -> None:
    seat = Seat(teams={"players": ["Bram"], "guards": ["Gil"]}, turn="Bram")
    record = use(seat, "Bram", "point-blank-shot", "Gil", 8, 4, 4, 3, 2, metres=metres)
    assert (result(record, "attack"), result(record, "damage")[0]) == ([11, 7, "hit"], damage)


def test_point_blank_shot_reaches_2_m() -> None:
    seat = Seat(teams={"players": ["Bram"], "guards": ["Gil"]}, turn="Bram")
    said = Maneuver(by="Bram", name="point-blank-shot", target="Gil", improvise="stamina", metres=3)
    assert seat.code(said) == "TOO-FAR"


def test_poisonous_strike_sickens_until_it_is_resisted() -> None:
    seat = Seat(teams={"players": ["Bram"], "guards": ["Gil"]}, turn="Bram")
    record = use(seat, "Bram", "poisonous-strike", "Gil", 9, 4, 4, 3, 2, 9, 6, 3, 3)
    assert result(record, "resist") == [15, 6, "critical"]  # medicine r20 against fortitude
    assert seat.state.conditions["poison Gil"].degree == 3
    seat.say(EndTurn(by="Bram"))
    seat.next_turn("Gil")
    record = seat_turn(seat, "Bram", 3, 3)
    assert (result(record, "poison"), seat.points("Gil", "health")) == ([3, 15, "fail"], 8)
    seat.next_turn("Gil")
    seat_turn(seat, "Bram", 10, 8)
    assert (seat.state.conditions["poison Gil"].degree, seat.points("Gil", "health")) == (2, 7)


def seat_turn(seat: Seat, who: str, *dice: int) -> Record:
    """End the open turn, and begin one with dice."""
    encounter = seat.state.encounter
    assert encounter is not None
    if encounter.turn:
        seat.say(EndTurn(by=encounter.turn))
    return seat.say(BeginTurn(by=who), *dice)


def test_poisonous_strike_that_is_resisted_leaves_the_lesser_poison() -> None:
    seat = Seat(teams={"players": ["Bram"], "guards": ["Gil"]}, turn="Bram")
    use(seat, "Bram", "poisonous-strike", "Gil", 9, 4, 4, 3, 2, 1, 1, 10, 8)
    assert seat.state.conditions["poison Gil"].degree == 1


def test_poisonous_strike_needs_medicine() -> None:
    seat = Seat(
        teams={"players": ["Bram"], "guards": ["Gil"]}, turn="Bram", sheets={"Bram": {"skills": {"ranged": "r6"}}}
    )
    assert seat.code(Maneuver(by="Bram", name="poisonous-strike", target="Gil", improvise="stamina")) == "UNTRAINED"


@pytest.mark.parametrize(("boost", "skill", "total", "damage"), [(False, "r6", 14, 3), (True, "r12", 17, 2)])
def test_precise_strike_trades_damage_for_accuracy(boost: bool, skill: str, total: int, damage: int) -> None:
    seat = Seat(
        teams={"players": ["Bram"], "guards": ["Gil"]}, turn="Bram", sheets={"Bram": {"skills": {"ranged": skill}}}
    )
    record = use(seat, "Bram", "precise-strike", "Gil", 8, 4 if skill == "r6" else 5, 8, 5, 2, boost=boost)
    assert (result(record, "attack")[0], result(record, "damage")[0]) == (total, damage)


def test_provoke_opens_the_target_to_the_first_ally() -> None:
    seat = Seat(teams=PLAYERS_FIRST, turn="Asha")
    record = use(seat, "Asha", "provoke", "Gil", 9, 3, 1)
    assert rulings(record) == ["Gil has to choose Asha as a target once"]
    assert "GR-ATK-7" not in judged(seat.say(Attack(by="Asha", target="Gil"), *HIT), "attack")[0].rules
    seat.next_turn("Hob")
    seat.next_turn("Bram")
    record = seat.say(Attack(by="Bram", target="Gil"), 8, 3, 4, 4, 1, 1)
    assert "GR-ATK-7" in judged(record, "attack")[0].rules
    assert seat.holds("Gil") == []


@pytest.mark.parametrize(("boost", "ap", "link"), [(False, 2, "or"), (True, 1, "and")])
def test_push_moves_the_target(boost: bool, ap: int, link: str) -> None:
    seat = asha()
    record = use(seat, "Asha", "push", "Gil", 8, 4, 5, boost=boost)
    assert (result(record, "resist"), seat.ap("Asha")) == ([12, 5, "critical"], ap)
    assert rulings(record) == [f"Asha moves Gil: 2 m away, {link} goes along with it up to half the speed"]
    assert seat.points("Asha", "stamina") == 12


def test_quick_reload_makes_one_reload_faster() -> None:
    seat = Seat(teams={"players": ["Bram"], "guards": ["Gil"]}, turn="Bram")
    use(seat, "Bram", "quick-reload")
    assert seat.ap("Bram") == 3
    seat.say(Interact(by="Bram", note="opens the hatch"))
    assert seat.ap("Bram") == 2
    seat.say(Interact(by="Bram", note="reload the crossbow", speed=2))
    assert seat.ap("Bram") == 1
    seat.say(Interact(by="Bram", note="reload the crossbow"))
    assert seat.ap("Bram") == 0


def test_shield_crush_strikes_with_the_shield() -> None:
    seat = asha()
    record = use(seat, "Asha", "shield-crush", "Gil", 6, 6, 4, 6, 5, 3, 3)
    assert (result(record, "attack"), result(record, "damage")[0]) == ([12, 7, "hit"], 8)  # STR r12 and r6
    assert rulings(record) == ["Gil is moved or thrown back by 1 m"]


@pytest.mark.parametrize(("given", "code"), [
    ({"sheets": {"Asha": {"held": ["longsword"]}}}, "NO-SHIELD"),
    ({"pools": {"Asha.shield": 0}}, "SHIELD-BROKEN"),
])  # fmt: skip
def test_shield_crush_needs_a_whole_shield(given: Any, code: str) -> None:
    assert asha(**given).code(Maneuver(by="Asha", name="shield-crush", target="Gil", improvise="stamina")) == code


def test_spell_deflection_adds_1_to_the_next_check() -> None:
    seat = Seat(teams=GUARDS_FIRST, turn="Gil")
    assert rulings(use(seat, "Asha", "spell-deflection")) == ["a spell is aimed at Asha alone"]
    assert (
        result(seat.say(Check(by="Asha", name="willpower", difficulty=12, reason="the spell"), 5, 6), "check")[0] == 12
    )
    assert result(seat.say(Check(by="Asha", name="willpower", difficulty=12, reason="again"), 5, 6), "check")[0] == 11


@pytest.mark.parametrize(("spell", "graded"), [(8, "fail"), (12, "hit")])
def test_spell_evasion_makes_a_graze_miss(spell: int, graded: str) -> None:
    seat = Seat(teams=GUARDS_FIRST, turn="Gil")
    record = (
        use(seat, "Asha", "spell-evasion", "", 6, 3, difficulty=spell, after="prone", skill="unarmed")
        if False
        else None
    )
    seat = Seat(teams=GUARDS_FIRST, turn="Gil", sheets={"Asha": {"skills": {"unarmed": "r4"}}})
    record = use(seat, "Asha", "spell-evasion", "", 6, 3, difficulty=spell, after="prone")
    assert result(record, "spell-evasion") == [spell, 11, graded]
    assert seat.holds("Asha") == ["prone"]


def test_spell_strike_weakens_the_resistance_to_a_spell() -> None:
    seat = asha()
    record = use(seat, "Asha", "spell-strike", "Gil", *HIT)
    assert result(record, "attack") == [13, 7, "hit"]
    assert rulings(record) == ["Asha casts a spell of touch, of speed 2 or less, on Gil"]
    assert result(seat.say(Check(by="Gil", name="willpower", difficulty=9, reason="the spell"), 5, 6), "check")[0] == 9


def test_taunt_hampers_attacks_on_others() -> None:
    seat = Seat(teams=PLAYERS_FIRST, turn="Asha")
    use(seat, "Asha", "taunt", "Gil", 9, 3, 1)
    seat.next_turn("Gil")
    assert result(seat.say(Attack(by="Gil", target="Bram"), 8, 4, 1, 4, 1, 1), "attack")[0] == 5
    assert result(seat.say(Attack(by="Gil", target="Asha"), 8, 4, 4, 1, 1), "attack")[0] == 7


@pytest.mark.parametrize(("by", "items", "total"), [
    ("bare hands", {}, 10),
    ("hook", {"hook": {"damage": "r4", "skill": "martial", "features": ["trip"]}}, 12),
])  # fmt: skip
def test_trip_halves_the_damage_and_fells(by: str, items: Any, total: int) -> None:
    skills = {"martial": "r8", "unarmed": "r8"}
    held = list(items)
    seat = asha(sheets={"Asha": {"skills": skills, "items": items, "held": held}})
    damage = (10,) if by == "bare hands" else (8, 2)
    record = use(seat, "Asha", "trip", "Gil", 6, 6, 4, *damage, 5, weapon=by)
    assert (result(record, "attack")[0], result(record, "damage")[0]) == (total, 2)  # 10, halved, less 3
    assert seat.holds("Gil") == ["prone"]


def test_trip_needs_a_weapon_that_trips() -> None:
    assert asha().code(Maneuver(by="Asha", name="trip", target="Gil", improvise="stamina")) == "NOT-WIELDED"


def test_triple_shot_hits_three_with_one_roll() -> None:
    seat = Seat(teams={"players": ["Bram"], "guards": ["Gil", "Hob", "Pell"]}, turn="Bram")
    record = use(seat, "Bram", "triple-shot", "Gil", 9, 5, 4, 3, 2, 1, 3, 3, 8, 2, 2, also=("Hob", "Pell"))
    assert [fact.total for fact in judged(record, "attack")] == [11, 11, 11]
    assert (seat.ap("Bram"), seat.state.count("Bram", "attacks")) == (0, 3)


@pytest.mark.parametrize(("boost", "skill", "defence"), [(False, "r8", 9), (True, "r12", 8)])
def test_wild_strike_opens_the_own_defence(boost: bool, skill: str, defence: int) -> None:
    seat = asha(sheets={"Asha": {"skills": {"martial": skill}}})
    dice = HIT if skill == "r8" else (8, 4, 4, 4, 3, 3)
    use(seat, "Asha", "wild-strike", "Gil", *dice, boost=boost)
    seat.next_turn("Gil")
    assert result(seat.say(Attack(by="Gil", target="Asha"), 8, 4, 8, 1, 1), "attack")[1] == defence


def test_leap_strike_leaps_half_the_speed_and_leaves_cover() -> None:
    seat = asha()
    seat.say(SeekCover(by="Asha", object="the cart"))
    assert seat.code(Maneuver(by="Asha", name="leap-strike", target="Gil", improvise="stamina", metres=4)) == "TOO-FAR"
    use(seat, "Asha", "leap-strike", "Gil", 9, 4, *HIT, check="athletics", metres=3)
    assert "cover" not in seat.holds("Asha")


def test_shot_at_close_range_keeps_the_cover() -> None:
    seat = Seat(teams={"players": ["Bram"], "guards": ["Gil"]}, turn="Bram")
    seat.say(SeekCover(by="Bram", object="the cart"))
    use(seat, "Bram", "point-blank-shot", "Gil", 8, 4, 4, 3, 2)
    assert seat.holds("Bram") == ["cover"]


def test_weaker_poison_adds_nothing_to_a_stronger_one() -> None:
    seat = Seat(
        teams={"players": ["Bram"], "guards": ["Gil"]}, turn="Bram", options={"round_window": "encounter_round"}
    )
    use(seat, "Bram", "poisonous-strike", "Gil", 9, 4, 4, 3, 2, 9, 6, 3, 3)
    seat.next_turn("Gil")
    seat_turn(seat, "Bram", 3, 3)
    use(seat, "Bram", "poisonous-strike", "Gil", 9, 4, 4, 3, 2, 1, 1, 10, 8)
    assert seat.state.conditions["poison Gil"].degree == 3


def test_who_is_felled_for_a_round_and_then_dies_does_not_wake() -> None:
    seat = asha(pools={"Gil.endurance": 2})
    use(seat, "Asha", "concussive-strike", "Gil", *HIT, 3, 1)
    seat.say(DealDamage(by=GM, target="Gil", amount=20))
    seat.say(EndTurn(by="Asha"))
    seat.say(BeginTurn(by="Gil"), 10, 8)
    seat.say(BeginTurn(by="Asha"))
    assert {"dying", "unconscious"} <= set(seat.holds("Gil"))


def chances(seat: Seat, said: Maneuver) -> dict[tuple[str, str], dict[str, Fraction]]:
    """Return the chances of each result, by what is judged and whom it is against."""
    state = seat.ledger.state
    outlook = count_odds(seat.book, state, said, EntryId(1, state.last.number + 1))
    assert outlook.unexplored == 0
    results: dict[tuple[str, str], dict[str, Fraction]] = {}
    for each in outlook.chances:
        results.setdefault((each.what, each.against), {})[each.result] = Fraction(each.ways, each.of)
    return results


@pytest.mark.slow
def test_odds_of_a_double_shot_are_equal_for_equal_targets() -> None:
    bow = {"shortbow": {"damage": "=r2", "critical": 8, "mode": "ranged", "skill": "ranged"}}
    seat = Seat(teams=PLAYERS_FIRST, turn="Bram", sheets={"Bram": {"items": bow}})
    said = Maneuver(by="Bram", name="double-shot", target="Gil", also=("Hob",), improvise="stamina")
    found = chances(seat, said)
    assert found["attack", "Gil"] == found["attack", "Hob"]


@pytest.mark.slow
def test_odds_of_a_resisted_maneuver_are_those_of_all_faces() -> None:
    """Knock Down: d12 and d10 less 2 against d8 + 3; FORT d10 and d8 against the same total."""
    down = Fraction(0)
    for one, other, guard in product(range(1, 13), range(1, 11), range(1, 9)):
        total = one + other - 2
        if total - guard - 3 > -7:
            ways = sum(total >= first + second for first, second in product(range(1, 11), range(1, 9)))
            down += Fraction(ways, 960 * 80)
    blade = {"blade": {"damage": "=r2", "skill": "martial"}}
    seat = asha(sheets={"Asha": {"items": blade, "held": ["blade"]}})
    found = chances(seat, Maneuver(by="Asha", name="knock-down", target="Gil", improvise="stamina"))
    resisted = found["resist", "Gil"]
    assert resisted["hit"] + resisted["critical"] == down


@pytest.mark.parametrize("name", rows())
def test_every_maneuver_is_played(name: str) -> None:
    assert re.search(rf'use\(.*, "{name}"', Path(__file__).read_text(encoding="utf-8"))


def test_reaction_does_not_end_the_turn_that_it_answers() -> None:
    seat = Seat(teams=GUARDS_FIRST, turn="Gil")
    seat.say(Move(by="Gil", metres=5))
    seat.say(Move(by="Gil", metres=5))
    seat.say(Move(by="Gil", metres=5))
    use(seat, "Asha", "opportunity-strike", "Gil", *HIT)
    encounter = seat.state.encounter
    assert encounter is not None
    assert encounter.turn == "Gil"
