"""Monolith beyond the worked cases: orders, clocks, groups, free time, sheets, and what was not said."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from ledger.corrections.amend import plan_amendment
from ledger.corrections.plan import write_correction
from ledger.declarations import Ruling, Setting
from ledger.facts import GM, ActionSpent, ConditionBegan, Judged, Reached, Rolled, Ruled, SheetChanged
from rulebooks.common.groups import leader, members
from rulebooks.common.intents import intent
from rulebooks.monolith.declarations import (
    Adjust,
    Aid,
    Ally,
    Attack,
    BeginRound,
    Blast,
    ChangeCombatant,
    ChangeGroup,
    CreateCharacter,
    CreateGroup,
    CreateNpc,
    DeclareIntent,
    EndEncounter,
    EndPart,
    EndRound,
    Flee,
    JoinEncounter,
    Morale,
    Move,
    OtherAction,
    PassTime,
    Rest,
    Save,
    SetOption,
    SetOrder,
    StartEncounter,
    Telegraph,
)
from rulebooks.monolith.morale import starting_number
from rulebooks.monolith.order import first_actors
from rulebooks.monolith.turns import phase
from tests.ledger.edits import DROP
from tests.rulebooks.dusk_bastards.seat import AT, of_kind
from tests.rulebooks.monolith.seat import BOOK, Seat, rules


def strike(by: str, target: str, **more: Any) -> Attack:
    return Attack(by=by, target=target, **more)


def points(seat: Seat, who: str) -> tuple[int, int]:
    return seat.points(who, "hp"), seat.points(who, "body")


def due(seat: Seat, who: str) -> list[int]:
    """When the clock of somebody's Critical Damage runs out: nothing where it stands."""
    return [end.due for end in seat.state.conditions[f"critical {who}"].ends]


def what(record: Any) -> list[tuple[str, str, str]]:
    return [(fact.what, fact.who, fact.result) for fact in of_kind(record, Judged)]


# Rounds and their order


def test_a_round_begins_a_fight_where_there_is_none_and_ends_with_ten_seconds() -> None:
    """ML-ROUND-1."""
    seat = Seat(fight=False)
    seat.say(BeginRound(by=GM))
    assert seat.state.encounter is not None
    assert (seat.state.encounter.round, phase(seat.state)) == (1, "declaring")
    seat.say(EndRound(by=GM))
    assert (phase(seat.state), seat.state.clock["seconds"]) == ("", 10)
    seat.say(BeginRound(by=GM))
    assert seat.state.encounter.round == 2


def test_who_cannot_act_need_not_declare_and_a_ruling_may_end_the_wait() -> None:
    """ML-ACT-4."""
    seat = Seat(declared=("Vega", "Kade"))
    assert phase(seat.state) == "declaring"
    seat.say(rules(**{"oru.unconscious": 1}))
    assert phase(seat.state) == "acting"
    assert seat.code(DeclareIntent(by="Oru")) == "OUT"
    seat = Seat(set={"vega.dead": 1, "oru.fled": 1, "kade.critical": 1})
    seat.say(EndRound(by=GM))
    seat.say(BeginRound(by=GM))
    assert phase(seat.state) == "acting"


def test_an_intent_may_be_changed_until_its_character_has_acted_and_ends_with_the_round() -> None:
    """ML-GAP-23."""
    seat = Seat()
    seat.say(DeclareIntent(by="Vega", text="shoot R1"))
    seat.say(DeclareIntent(by="Vega", text="run"))
    assert intent("Vega", seat.state) == "run"
    seat.say(strike("Vega", "R1"), 1)
    assert seat.code(DeclareIntent(by="Vega", text="hide")) == "ACTION"
    seat.say(EndRound(by=GM))
    assert intent("Vega", seat.state) is None


def test_those_who_act_first_are_done_with_the_first_deed_of_an_opponent_and_may_still_act() -> None:
    """ML-GAP-32: refused is only who comes too early."""
    seat = Seat()
    seat.say(SetOrder(by=GM, first=("Vega", "Oru"), reason="the drop"))
    assert (phase(seat.state), first_actors(seat.state)) == ("first", ("Vega", "Oru"))
    assert seat.code(Move(by="Kade", feet=5)) == "ORDER"
    seat.say(strike("Vega", "R1"), 1)
    seat.say(Move(by="R1", feet=5))
    assert phase(seat.state) == "opponents"
    seat.say(Move(by="Oru", feet=5))
    assert seat.code(Move(by="Kade", feet=5)) == "ORDER"
    assert seat.code(EndPart(by=GM, part="first")) == "ORDER"
    seat.say(EndPart(by=GM, part="opponents"))
    seat.say(Move(by="Kade", feet=5))
    seat.say(EndRound(by=GM))
    assert first_actors(seat.state) == ()


def test_the_opponents_are_done_when_each_who_can_act_has_spent_its_action() -> None:
    """ML-GAP-32."""
    seat = Seat(present=("Kade", "Vega", "R1", "R2"))
    seat.say(SetOrder(by=GM, opponents=True, reason="they lay in wait"))
    assert phase(seat.state) == "opponents"
    seat.say(strike("R1", "Vega"), 1)
    assert phase(seat.state) == "opponents"
    seat.say(rules(**{"r2.fled": 1}))
    assert phase(seat.state) == "others"


def test_where_nobody_can_act_first_the_opponents_begin() -> None:
    """ML-TURN-2, ML-GAP-3: all fail the Save, or the only one who passed it falls."""
    seat = Seat(present=("Vega", "Kade", "R1"))
    seat.say(SetOrder(by=GM, score="reflex", reason="a scramble"))
    assert phase(seat.state) == "first"
    seat.say(Save(by="Vega", score="reflex"), 14)
    seat.say(Save(by="Kade", score="reflex"), 8)
    assert phase(seat.state) == "opponents"
    assert seat.code(Save(by="Vega", score="reflex"), 5) == "RULING"
    seat = Seat(present=("Vega", "Kade", "R1"))
    seat.say(SetOrder(by=GM, first=("Vega",), reason="the drop"))
    seat.say(rules(**{"vega.dead": 1}))
    assert phase(seat.state) == "opponents"


def test_a_save_to_act_first_that_is_not_made_in_time_is_lost() -> None:
    """ML-GAP-3: who has made no such Save acts after the opponents."""
    seat = Seat()
    seat.say(SetOrder(by=GM, score="reflex", reason="a scramble"))
    seat.say(Save(by="Vega", score="reflex"), 5)
    seat.say(Save(by="Oru", score="reflex", reason="a leap besides"), 5)
    assert first_actors(seat.state) == ("Vega",)
    seat.say(strike("R1", "Vega"), 1)
    assert seat.state.windows == {}
    assert seat.code(Save(by="Oru", score="reflex"), 5) == "RULING"
    assert seat.code(Move(by="Oru", feet=5)) == "ORDER"


def test_an_order_may_be_ruled_before_all_have_declared_and_anew() -> None:
    seat = Seat(declared=("Vega",))
    seat.say(SetOrder(by=GM, score="reflex", reason="a scramble"))
    assert phase(seat.state) == "declaring"
    assert seat.code(Save(by="Vega", score="reflex"), 5) == "DECL"
    seat.say(SetOrder(by=GM, first=("Oru",), reason="no: it is clear"))
    assert seat.state.windows == {}
    for who in ("Oru", "Kade"):
        seat.say(DeclareIntent(by=who))
    assert (phase(seat.state), first_actors(seat.state)) == ("first", ("Oru",))
    seat.say(SetOrder(by=GM, score="reflex", reason="no: it is not"))
    seat.say(EndRound(by=GM))
    assert seat.state.windows == {}


def test_who_joins_late_has_a_turn_and_a_place_in_the_order() -> None:
    seat = Seat(present=("Vega", "R1", "R2"))
    seat.say(CreateNpc(by=GM, name="Rook", body=8, resolve=6, hp=2))
    assert seat.refusal(Move(by="Rook", feet=5)).code == "L-VALUE"
    seat.say(JoinEncounter(by=GM, who="Rook"))
    seat.say(Move(by="Rook", feet=5))
    seat.say(SetOrder(by=GM, first=("Vega",), reason="the drop"))
    seat.say(CreateCharacter(by=GM, name="Ilse", body=8, resolve=6, hp=2))
    seat.say(JoinEncounter(by=GM, who="Ilse"))
    assert first_actors(seat.state) == ("Vega",)
    assert seat.code(Move(by="Ilse", feet=5)) == "ORDER"
    seat.next_round()
    seat.say(Move(by="Ilse", feet=5))
    seat.say(Move(by="Rook", feet=5))


def test_between_two_rounds_of_a_fight_nobody_acts() -> None:
    seat = Seat()
    seat.say(EndRound(by=GM))
    for said in (Move(by="Vega", feet=5), strike("Vega", "R1"), Blast(by="Kade", targets=("R1",), weapon="grenade")):
        assert seat.code(said) == "ORDER"
    seat.say(Save(by="Vega", score="resolve", reason="the dark"), 9)


def test_a_correction_that_brings_somebody_back_lets_them_pass_where_they_have_to_declare() -> None:
    """ML-ACT-4: what stands behind it is still possible."""
    seat = Seat(set={"vega.hp": 0})
    felled = seat.say(strike("R1", "Vega"), 8, 19)
    assert seat.holds("Vega") == ["critical"]
    seat.say(EndRound(by=GM))
    seat.say(BeginRound(by=GM))
    for who in ("Oru", "Kade"):
        seat.say(DeclareIntent(by=who))
    seat.say(strike("Kade", "Boss"), 8)
    correction = plan_amendment(seat.ledger, {felled.id: DROP}, by=GM, because="it was dark")
    fates = [(fate.outcome, fate.input.by if fate.input else "") for fate in correction.what_if.outcomes if fate.writes]
    assert fates == [("left out", ""), ("changed", GM), ("changed", "Kade"), ("newly open", "Vega")]
    write_correction(seat.ledger, correction, at=AT, line="~")
    assert (intent("Vega", seat.state), seat.points("Boss", "hp")) == ("pass", 0)
    seat.check_replay()


def test_who_joins_while_others_declare_declares_too() -> None:
    seat = Seat(declared=("Vega", "Oru"))
    seat.say(CreateCharacter(by=GM, name="Ilse", body=8, resolve=6, hp=2))
    seat.say(JoinEncounter(by=GM, who="Ilse"))
    seat.say(DeclareIntent(by="Kade"))
    assert phase(seat.state) == "declaring"
    seat.say(DeclareIntent(by="Ilse"))
    assert phase(seat.state) == "acting"
    seat.say(EndRound(by=GM))
    seat.say(CreateCharacter(by=GM, name="Wren", body=8, resolve=6, hp=2))
    assert not of_kind(seat.say(JoinEncounter(by=GM, who="Wren")), Reached)


def test_without_a_round_nobody_counts_actions_pools_or_declarations() -> None:
    """ML-ROUND-1: where timing does not matter."""
    seat = Seat(fight=False)
    for _ in range(3):
        seat.say(Move(by="Vega", feet=40))
        assert not of_kind(seat.say(OtherAction(by="Vega", text="look", ruling="dust")), ActionSpent)
    seat.say(strike("Vega", "Boss"), 3)
    seat.say(strike("Vega", "Boss"), 3)
    assert points(seat, "Boss") == (4, 13)
    seat.say(Save(by="Vega", score="resolve", reason="the dark"), 9)
    seat.say(Morale(by=GM, group="Raiders", reason="the dark"), 8)
    assert seat.holds("R1") == []


# Attacks


def test_what_is_not_said_the_sheet_knows() -> None:
    """The first weapon on the sheet; of a blast the only one with the tag; bare hands where there is none."""
    seat = Seat(sheets={"R2": {"weapons": {}}, "R3": {"weapons": {"mine": "d8 blast", "knife": "d6"}}})
    assert of_kind(seat.say(strike("Oru", "Boss"), 1), Rolled)[0].purpose == "attack Oru pistol on Boss"
    assert of_kind(seat.say(strike("R2", "Vega"), 1), Rolled)[0].purpose == "attack R2 bare hands on Vega"
    assert of_kind(seat.say(Blast(by="R3", targets=("Vega",)), 1), Rolled)[0].purpose == "attack R3 mine on Vega"
    assert seat.code(Blast(by="Vega", targets=("R1",))) == "AREA"
    assert seat.code(Blast(by="Kade", targets=("R1",))) == "AREA"  # two with the tag: the shotgun is meant


def test_a_single_attack_with_a_blast_weapon_is_a_blast_and_one_of_two_is_none() -> None:
    """ML-GAP-19."""
    seat = Seat()
    record = seat.say(strike("Kade", "R1", weapons=("grenade",)), 2)
    assert any("ML-TAG-1" in fact.rules for fact in of_kind(record, Judged))
    assert Seat().code(strike("Kade", "R1", weapons=("grenade", "shotgun")), 1, 1) == "AREA"
    assert Seat().code(strike("Kade", "R1", weapons=("shotgun", "shotgun")), 1, 1) == "WEAPON"
    assert seat.refusal(strike("Vega", "Vega", weapons=("rifle",))).code == "ML-E-TARGET"


def test_two_weapons_of_an_ally_and_more_of_ones_own_make_one_attack_each() -> None:
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
    assert [place for place, (_, counts) in enumerate(kept) if counts] == [3]
    assert [fact.who for fact in of_kind(record, ActionSpent)] == ["Vega", "Oru"]


def test_one_die_for_a_lethal_and_a_nonlethal_weapon_is_lethal() -> None:
    """ML-GAP-12."""
    seat = Seat(set={"r1.hp": 0})
    seat.say(strike("Oru", "R1", weapons=("baton", "pistol"), impaired=("bound",)), 3, 1)
    assert points(seat, "R1") == (0, 8)
    seat = Seat(set={"r1.hp": 0})
    seat.say(strike("Oru", "R1", weapons=("baton",), impaired=("bound",)), 3, 1)
    assert points(seat, "R1") == (0, 10)


def test_damage_that_cannot_be_lost_any_more_is_told_as_over() -> None:
    seat = Seat(set={"oru.hp": 0, "oru.body": 2})
    seat.say(strike("R1", "Oru"), 8)
    assert seat.holds("Oru") == ["dead"]


# Critical Damage


def test_struck_under_critical_damage_the_clock_stays_as_it_is_running_or_stopped() -> None:
    """ML-GAP-17."""
    seat = Seat(set={"vega.hp": 0, "vega.critical": 1})
    seat.say(PassTime(by=GM, seconds=600))
    (before,) = due(seat, "Vega")
    seat.say(strike("R1", "Vega"), 2, 19)
    assert due(seat, "Vega") == [before]
    seat.say(Aid(by="Oru", patient="Vega"))
    seat.next_round()
    seat.say(strike("R1", "Vega"), 2, 19)
    assert (due(seat, "Vega"), seat.holds("Vega")) == ([], ["critical", "treated"])
    seat.say(PassTime(by=GM, seconds=9999))
    assert seat.holds("Vega") == ["critical", "treated"]


@pytest.mark.parametrize("before", [("stable",), ("stable", "unconscious")])
def test_a_stable_character_who_fails_is_under_critical_damage_with_a_new_clock(before: tuple[str, ...]) -> None:
    """ML-GAP-17."""
    seat = Seat(set={"vega.hp": 0, **{f"vega.{name}": 1 for name in before}})
    seat.say(strike("R1", "Vega"), 2, 19)
    assert seat.holds("Vega") == sorted(["critical", *(name for name in before if name != "stable")])
    assert due(seat, "Vega") == [3600]
    seat.say(PassTime(by=GM, seconds=3600))
    assert seat.holds("Vega") == ["dead"]


def test_nonlethal_against_critical_damage_adds_unconsciousness_and_the_clock_runs_on() -> None:
    """ML-GAP-18; and to who is stable already, nothing but sleep."""
    seat = Seat(set={"r1.hp": 0, "r1.critical": 1, "r2.hp": 0, "r2.stable": 1}, past=("morale.first", "morale.half"))
    seat.say(strike("Oru", "R1", weapons=("baton",)), 6, 19)
    assert seat.holds("R1") == ["critical", "unconscious"]
    assert due(seat, "R1") == [3600]
    seat.next_round()
    seat.say(strike("Oru", "R2", weapons=("baton",)), 6, 19)
    assert seat.holds("R2") == ["stable", "unconscious"]


def test_rest_without_aid_does_nothing_and_aid_twice_is_an_action_all_the_same() -> None:
    """ML-CRIT-3."""
    seat = Seat(set={"vega.hp": 0, "vega.critical": 1})
    assert not of_kind(seat.say(Rest(by="Vega")), ConditionBegan)
    seat.say(Aid(by="Oru", patient="Vega"))
    assert not of_kind(seat.say(Aid(by="Kade", patient="Vega")), ConditionBegan)
    assert seat.code(Aid(by="Kade", patient="Oru")) == "TARGET"
    assert seat.code(Aid(by="Vega", patient="Vega")) == "OUT"
    seat.say(Rest(by="Vega"))
    assert seat.holds("Vega") == ["stable"]


def test_the_scores_of_the_game_masters_people_are_told_to_nobody_else() -> None:
    seat = Seat(set={"r1.hp": 0, "vega.hp": 0})
    seen = [fact.seen for fact in of_kind(seat.say(strike("Vega", "R1"), 8, 1), Judged)]
    assert seen == ["table", "gm"]
    assert [fact.seen for fact in of_kind(seat.say(strike("R2", "Vega"), 8, 1), Judged)] == ["table", "table"]
    (morale,) = of_kind(seat.say(Morale(by=GM, group="Raiders", reason="the dark"), 1), Judged)
    assert morale.seen == "gm"


# Morale


def test_a_new_fight_has_new_triggers_and_new_numbers_and_those_who_fled_are_back() -> None:
    """ML-MOR-5: once per fight."""
    seat = Seat(present=("Kade", "Vega", "R1", "R2", "R3", "R4"), set={"r1.hp": 0, "r2.hp": 0})
    assert what(seat.say(strike("Kade", "R1"), 9, 19, 5))[-1] == ("morale", "Raiders", "passed")
    seat.say(Flee(by=GM, who="R4", reason="the vent"))
    seat.say(EndEncounter(by=GM))
    assert seat.holds("R4") == []
    assert seat.state.clock["seconds"] == 10  # its Round was open
    seat.say(StartEncounter(by=GM, participants=("Kade", "Vega", "R2", "R3", "R4")))
    assert starting_number("Raiders", seat.state) == 3
    seat.rounds(1, None)
    assert [name for name, _, _ in what(seat.say(strike("Kade", "R2"), 9, 19, 5))].count("morale") == 1
    seat.say(JoinEncounter(by=GM, who="R1"))
    assert starting_number("Raiders", seat.state) == 4


def test_the_leader_counts_while_able_and_the_first_able_member_where_the_group_has_no_resolve() -> None:
    """ML-MOR-3, ML-GAP-24, ML-GAP-28."""
    seat = Seat(leader="Boss")
    assert resolve(seat) == 12
    seat.say(rules(**{"boss.fled": 1}))
    assert resolve(seat) == 8
    seat.say(ChangeGroup(by=GM, name="Raiders", members=("R1", "R2", "Boss"), because="they part"))
    seat.say(rules(**{"r2.resolve": 3, "r1.critical": 1}))
    assert resolve(seat) == 3


def resolve(seat: Seat) -> int | None:
    """What the Raiders roll against; they pass."""
    (found,) = of_kind(seat.say(Morale(by=GM, group="R2", reason="the dark"), 1), Judged)
    assert (found.who, found.result) == ("Raiders", "passed")
    return found.target


def test_nobody_rolls_where_nobody_can_act_and_triggers_are_past_all_the_same() -> None:
    """ML-MOR-5."""
    seat = Seat(present=("Kade", "R1", "R2"), set={"r1.hp": 0, "r2.fled": 1})
    assert "morale" not in [name for name, _, _ in what(seat.say(strike("Kade", "R1"), 9, 19))]
    record = seat.say(Morale(by=GM, group="Raiders", reason="the dark"))
    assert [fact.text for fact in of_kind(record, Ruled)] == ["the dark"]
    assert not of_kind(record, Judged)


def test_a_group_of_one_is_a_lone_foe() -> None:
    """ML-MOR-4."""
    seat = Seat(present=("Kade", "Stalker"))
    seat.say(CreateGroup(by=GM, name="Pack", members=("Stalker",), resolve=3))
    (found,) = [fact for fact in of_kind(seat.say(strike("Kade", "Stalker"), 9, 4), Judged) if fact.what == "morale"]
    assert (found.who, found.target, found.result) == ("Pack", 3, "failed")
    assert seat.holds("Stalker") == ["fled"]


def test_two_lone_foes_in_one_blast_roll_each_for_themselves() -> None:
    seat = Seat(present=("Kade", "Stalker"), set={"stalker.hp": 1})
    seat.say(CreateNpc(by=GM, name="Rook", body=8, resolve=6, hp=2))
    seat.say(JoinEncounter(by=GM, who="Rook"))
    record = seat.say(Blast(by="Kade", targets=("Stalker", "Rook"), weapon="grenade"), 2, 2, 7, 7)
    assert what(record)[2:] == [("morale", "Stalker", "passed"), ("morale", "Rook", "failed")]


def test_both_triggers_of_each_member_are_rolled_under_their_own_dice() -> None:
    seat = Seat(
        present=("Kade", "R1", "R2", "R3"), set={"r1.hp": 0}, options={"morale_roll": "each", "morale_both": "two"}
    )
    seat.say(rules(**{"r2.dead": 1}))
    record = seat.say(strike("Kade", "R1"), 9, 19, 5, 6)
    assert [fact.purpose for fact in of_kind(record, Rolled)][2:] == ["morale R3", "morale R3, half lost"]


# The table decides


def test_a_ruling_sets_pools_conditions_scores_and_readings() -> None:
    seat = Seat()
    changes = (("vega.hp", 2), ("r1.armor", 3), ("option.save_auto", "off"), ("vega.luck", 4), ("r1.weapon.axe", "d8"))
    seat.say(Ruling(by=GM, text="so", reason="so", changes=tuple(Setting(*change) for change in changes)))
    assert (seat.points("Vega", "hp"), seat.state.sheet("R1", "armor"), seat.state.sheet("Vega", "luck")) == (2, 3, 4)
    seat.say(Save(by="Vega", score="luck", reason="x"), 4)
    seat.say(strike("R1", "Boss", weapons=("axe",)), 8)
    seat.say(rules(**{"vega.body": 0}))
    assert seat.holds("Vega") == ["dead"]
    seat.say(rules(**{"vega.dead": 1, "vega.critical": 0}))
    assert seat.holds("Vega") == ["dead"]
    seat.say(rules(**{"oru.treated": 1, "oru.fled": 1, "kade.dead": 1}))
    assert (seat.holds("Oru"), seat.holds("Kade")) == (["fled", "treated"], ["dead"])


def test_nobody_lives_with_body_0_and_nothing_else_holds_for_the_dead() -> None:
    """ML-BODY-1."""
    seat = Seat(set={"vega.body": 0})
    for changes in ({"vega.dead": 0}, {"vega.critical": 1}, {"vega.fled": 1}):
        assert seat.refusal(rules(**changes)).code == "L-VALUE"
    seat.say(rules(**{"vega.body": 3, "vega.dead": 0}))
    assert seat.holds("Vega") == []


def test_an_adjustment_moves_a_pool_a_score_or_a_condition() -> None:
    seat = Seat()
    seat.say(Adjust(by="Vega", value="hp", change=-3, reason="the stairs"))
    seat.say(Adjust(by=GM, value="vega.armor", change=1, reason="a plate"))
    seat.say(Adjust(by=GM, value="r1.fled", change=1, reason="the vent"))
    assert (seat.points("Vega", "hp"), seat.state.sheet("Vega", "armor"), seat.holds("R1")) == (2, 2, ["fled"])


def test_a_telegraphed_deed_of_a_group_is_told() -> None:
    """ML-TURN-1."""
    record = Seat().say(Telegraph(by=GM, who="Raiders", text="they fall back"))
    assert record.facts[-1].kind == "telegraph"


# Sheets


SHEET: dict[str, Any] = {"name": "Rook", "body": 8, "resolve": 6, "hp": 4, "scores": {"Reflex": 11}}


def test_a_sheet_moves_in_with_what_is_left_and_is_changed_for_a_reason() -> None:
    seat = Seat(fight=False)
    content = {**SHEET, "player": "Ana", "now": {"hp": 1, "body": 5}, "weapons": {"axe": "d8", "bow": "d6 nonlethal"}}
    said = BOOK.sheet(content, "rook.toml")
    seat.say(said)
    assert points(seat, "Rook") == (1, 5)
    assert seat.state.sheet_of("Rook") == {
        "armor": 0,
        "player": "Ana",
        "reflex": 11,
        "resolve": 6,
        "weapon.axe": "d8",
        "weapon.bow": "d6 nonlethal",
        "wields": "axe",
    }
    change = BOOK.sheet_edits(said, "the same")
    assert isinstance(change, ChangeCombatant)
    assert len(seat.say(change).facts) == 1
    lower = msgspec.structs.replace(change, body=5, hp=9, weapons=(("bow", "d6"),), because="a winter")
    record = seat.say(lower)
    assert [(fact.key, fact.was, fact.now) for fact in of_kind(record, SheetChanged)] == [
        ("weapon.axe", "d8", None),
        ("weapon.bow", "d6 nonlethal", "d6"),
        ("wields", "axe", "bow"),
    ]
    assert points(seat, "Rook") == (1, 5)
    assert [seat.state.pools["Rook", pool].most for pool in ("hp", "body")] == [9, 5]


def test_the_sheet_of_a_group_is_changed_for_a_reason() -> None:
    seat = Seat(fight=False)
    content = {"sheet": "group", "name": "Pack", "members": ["Stalker"], "leader": "Stalker", "resolve": 5}
    said = BOOK.sheet(content, "pack.toml")
    seat.say(said)
    change = BOOK.sheet_edits(said, "a quarrel")
    assert isinstance(change, ChangeGroup)
    assert len(seat.say(change).facts) == 1
    seat.say(msgspec.structs.replace(change, leader="", resolve=None))
    assert (members("Pack", seat.state), leader("Pack", seat.state)) == (["Stalker"], "")
    assert seat.state.sheet_of("Pack") == {}


# What was not said, and the words of a line


def test_what_was_known_and_what_was_possible_is_told() -> None:
    seat = Seat(leader="Boss", set={"r1.unconscious": 1}, past=("morale.first",))
    seat.say(DeclareIntent(by="Kade", text="finish r1"))
    seat.say(strike("Vega", "R1"), 3)
    found = {situation.name: situation for situation in BOOK.unclaimed(strike("Oru", "R1"), seat.state)}
    assert {name for name, situation in found.items() if situation.known} == {"armor", "dealt", "leader", "wields"}
    assert {name for name, situation in found.items() if not situation.known} == {"helpless", "dual", "gang"}
    said = strike("Oru", "R1", weapons=("pistol", "baton"), enhanced=("helpless",), allies=(Ally(who="Kade"),))
    assert not [situation for situation in BOOK.unclaimed(said, seat.state) if not situation.known]
    blast = Blast(by="Kade", targets=("R1", "R2"))
    assert [situation.name for situation in BOOK.unclaimed(blast, seat.state)] == ["armor", "dealt", "leader", "armor"]
    assert list(BOOK.unclaimed(Move(by="Vega", feet=5), seat.state)) == []


def test_words_of_a_line_are_the_weapons_scores_and_reasons_that_there_are() -> None:
    state = Seat().state
    assert BOOK.vocabulary(Attack, "weapons", state, "Oru") == ["baton", "pistol", "second pistol", "bare hands"]
    assert {"shotgun", "cleaver"} <= set(BOOK.vocabulary(Attack, "weapon", state, "Oru"))
    assert set(BOOK.vocabulary(Blast, "weapon", state, "Kade")) == {"shotgun", "grenade", "stun grenade", "bare hands"}
    assert BOOK.vocabulary(Save, "score", state, "Vega") == ["body", "reflex", "resolve"]
    assert BOOK.vocabulary(SetOrder, "score", state, GM) == ["body", "reflex", "resolve"]
    assert "helpless" in BOOK.vocabulary(Attack, "enhanced", state, "Oru")
    assert "cover" in BOOK.vocabulary(Attack, "impaired", state, "Oru")
    assert "gang_scope" in BOOK.vocabulary(SetOption, "name", state, GM)
    assert BOOK.vocabulary(Move, "feet", state, "Oru") == ()


def test_an_attack_is_weighed_with_each_weapon_of_the_sheet() -> None:
    state = Seat().state
    assert [level for level, _ in BOOK.levels(strike("Kade", "R1"), state)] == ["shotgun", "bare hands"]
    said = strike("Kade", "R1", weapons=("shotgun",))
    assert BOOK.levels(said, state) == [("", said)]


def test_a_round_may_go_on_in_the_next_session() -> None:
    seat = Seat()
    seat.say(strike("Vega", "Boss"), 5)
    seat.ledger.close_session(at="2026-01-01T23:00:00Z")
    seat.ledger.open_session("two", at="2026-01-02T20:00:00Z", seed=bytes(32))
    assert of_kind(seat.say(strike("Oru", "Boss"), 6), Judged)[0].total == 1
    assert not of_kind(seat.say(Move(by="Kade", feet=5)), Reached)
    seat.check_replay()
