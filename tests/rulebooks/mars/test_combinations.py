"""Combinations of rules that no worked case of the catalogue has."""

from __future__ import annotations

from typing import Any

import pytest

from ledger.declarations import Ruling, Setting
from ledger.facts import GM
from rulebooks.common.encounters import EndTurn
from rulebooks.common.options import SetOption
from rulebooks.mars.declarations import harm, turns
from rulebooks.mars.declarations.combat import Attack
from rulebooks.mars.declarations.maneuvers import Maneuver
from rulebooks.mars.declarations.parts import Modifier, Reaction
from rulebooks.mars.declarations.tasks import Check
from tests.rulebooks.mars.seat import Seat, judged, result

PLAYERS_FIRST = {"players": ["Asha", "Bram"], "guards": ["Gil", "Hob"]}
GUARDS_FIRST = {"guards": ["Gil", "Hob"], "players": ["Asha", "Bram"]}
MISS = (1, 1, 8)


def asha(**given: Any) -> Seat:
    return Seat(teams=PLAYERS_FIRST, turn="Asha", **given)


def gil(**given: Any) -> Seat:
    return Seat(teams=GUARDS_FIRST, turn="Gil", **given)


def effect(seat: Seat, who: str, name: str, **more: Any) -> None:
    seat.say(harm.ApplyEffect(by=GM, target=who, effect=name, **more))


def test_two_halvings_round_down_one_by_one() -> None:
    """GR-GAP-24: prone and encumbered: 6, 3, 1; then a step costs a point (GR-MOV-5)."""
    seat = asha()
    effect(seat, "Asha", "prone")
    effect(seat, "Asha", "encumbered")
    assert seat.code(turns.Move(by="Asha", metres=2)) == "TOO-FAR"
    seat.say(turns.Move(by="Asha", metres=1))
    assert seat.ap("Asha") == 2


def test_speed_0_on_the_sheet_moves_nowhere() -> None:
    """GR-GAP-24."""
    assert asha(sheets={"Asha": {"speed": 0}}).code(turns.Move(by="Asha", metres=1)) == "CANNOT-MOVE"


def test_blind_and_prone_metre_is_crossed_all_the_same() -> None:
    """GR-MOV-4, GR-BLI-2: speed 1 on ground that is all difficult."""
    seat = asha(sheets={"Asha": {"speed": 2}})
    effect(seat, "Asha", "prone")
    effect(seat, "Asha", "blind")
    seat.say(turns.Move(by="Asha", metres=1))
    assert seat.ap("Asha") == 2


def test_flat_modifiers_of_a_line_are_added() -> None:
    seat = asha()
    said = Attack(by="Asha", target="Gil", bonuses=(Modifier(3, "a ledge"),), penalties=(Modifier(1, "rain"),))
    assert result(seat.say(said, 5, 2, 6, 1, 1), "attack") == [9, 9, "hit"]


def test_advantage_of_a_line_cancels_against_cover() -> None:
    """GR-OUT-5, GR-COV-2."""
    seat = Seat(teams={"players": ["Bram"], "guards": ["Archer"]}, turn="Bram")
    seat.say(turns.SeekCover(by="Bram", object="a crate"))
    seat.next_turn("Archer")
    said = Attack(by="Archer", target="Bram", advantage=("a tower",))
    assert result(seat.say(said, 8, 5, 6, 1, 1), "attack") == [13, 7, "hit"]


def test_no_advantage_changes_a_roll_without_dice() -> None:
    """GR-OUT-5: r0."""
    seat = asha(sheets={"Gil": {"derived": {"deflection": "r0+5"}}})
    assert result(seat.say(Attack(by="Asha", target="Gil"), 2, 3, 1, 1), "attack") == [5, 5, "hit"]


def test_evasion_with_a_block_costs_two() -> None:
    """GR-GAP-15: an evasion that fails, and a block of the hit."""
    seat = gil()
    defences = (Reaction("Asha", "evade"), Reaction("Asha", "block"))
    record = seat.say(Attack(by="Gil", target="Asha", defences=defences), 10, 4, 1, 1, 5, 3)
    assert result(record, "attack") == [14, 4, "critical"]
    assert (seat.points("Asha", "stamina"), seat.points("Asha", "shield")) == (12, 5)


def test_block_behind_an_evasion_that_holds_costs_one() -> None:
    seat = gil()
    defences = (Reaction("Asha", "evade"), Reaction("Asha", "block"))
    seat.say(Attack(by="Gil", target="Asha", defences=defences), 6, 1, 5, 3)
    assert (seat.points("Asha", "stamina"), seat.points("Asha", "shield")) == (13, 12)


def test_last_stamina_pays_for_one_defence_only() -> None:
    seat = gil(pools={"Asha.stamina": 1})
    defences = (Reaction("Asha", "evade"), Reaction("Asha", "block"))
    assert seat.code(Attack(by="Gil", target="Asha", defences=defences)) == "NO-STAMINA"


def test_shield_that_breaks_exactly_lets_nothing_through() -> None:
    """GR-BLK-7: to_shield equal to the durability."""
    seat = gil(pools={"Asha.shield": 7})
    seat.say(Attack(by="Gil", target="Asha", defences=(Reaction("Asha", "block"),)), 9, 3, 5, 6, 5)
    assert (seat.points("Asha", "shield"), seat.points("Asha", "endurance")) == (0, 10)


def test_excess_of_a_blocked_critical_meets_armour() -> None:
    """GR-BLK-5: it goes on as a plain hit, so DR counts."""
    seat = gil(pools={"Asha.shield": 2})
    record = seat.say(Attack(by="Gil", target="Asha", defences=(Reaction("Asha", "block"),)), 10, 4, 1, 7, 6)
    assert [fact.total for fact in judged(record, "damage")] == [7]
    assert seat.points("Asha", "endurance") == 3


def test_readied_attack_waits_for_no_penalty_and_leaves_none() -> None:
    """GR-ATK-6: it counts for no later attack of the attacker's own turn either."""
    seat = asha()
    seat.say(turns.Ready(by="Asha", action="attack", target="Gil", trigger="he moves"))
    seat.next_turn("Gil")
    seat.say(turns.TriggerReadied(by="Asha"), *MISS)
    seat.next_turn("Bram")
    seat.next_turn("Hob")
    seat.next_turn("Asha")
    assert result(seat.say(Attack(by="Asha", target="Gil"), 1, 1, 8), "attack")[0] == 2


def test_readied_move_costs_no_stamina() -> None:
    """GR-GAP-26: nor does it count for the moves of the next turn."""
    seat = asha(pools={"Asha.stamina": 0})
    seat.say(turns.Move(by="Asha", metres=1))
    seat.say(turns.Ready(by="Asha", action="move", metres=6, trigger="he moves"))
    seat.next_turn("Gil")
    seat.say(turns.TriggerReadied(by="Asha"))
    assert seat.points("Asha", "stamina") == 0


def test_unconscious_loses_what_was_readied() -> None:
    """GR-GAP-63."""
    seat = asha()
    seat.say(turns.Ready(by="Asha", action="interact", trigger="the bell"))
    seat.say(harm.DealDamage(by=GM, target="Asha", amount=22, type="psychic"))
    assert seat.holds("Asha") == ["prone", "unconscious"]


def test_somebody_woken_is_prone_and_acts_in_the_next_slot() -> None:
    """GR-GAP-39, GR-GAP-55."""
    seat = asha()
    seat.say(harm.DealDamage(by=GM, target="Gil", amount=18, type="psychic"))
    seat.say(harm.Wake(by=GM, who="Gil", reason="a kick"))
    seat.next_turn("Gil")
    seat.say(turns.Rise(by="Gil"))
    assert seat.holds("Gil") == []


def test_prone_stays_prone_when_knocked_out() -> None:
    """GR-EFF-3: somebody prone who falls unconscious is prone once."""
    seat = asha()
    seat.say(turns.DropProne(by="Asha"))
    seat.say(harm.DealDamage(by=GM, target="Asha", amount=22, type="psychic"))
    assert seat.holds("Asha") == ["prone", "unconscious"]


def test_stun_in_the_own_turn_is_paid_in_the_next() -> None:
    """GR-STU-1: it takes no points of the turn that runs."""
    seat = asha()
    effect(seat, "Asha", "stunned", degree=2)
    assert seat.ap("Asha") == 3
    seat.next_turn("Gil")
    seat.next_turn("Bram")
    seat.next_turn("Hob")
    seat.next_turn("Asha")
    assert seat.ap("Asha") == 1


def test_second_stun_asks_for_one_check_of_concentration() -> None:
    """GR-CON-3: the check is due once; a success keeps concentration."""
    seat = asha()
    seat.say(harm.Concentrate(by="Asha", effect="ward"))
    effect(seat, "Asha", "stunned", difficulty=14)
    effect(seat, "Asha", "stunned")
    seat.say(harm.ConcentrationCheck(by="Asha"), 10, 8)
    assert "concentration" in seat.holds("Asha")


def test_encounter_that_ends_pays_no_more_points() -> None:
    """GR-GAP-64: long actions and points are gone with the encounter."""
    seat = asha()
    seat.say(turns.StartLongAction(by="Asha", need=6))
    seat.say(turns.EndEncounter(by=GM))
    assert seat.holds("Asha") == []
    seat.say(turns.Interact(by="Asha", note="a door"))
    assert seat.ap("Asha") == 0


def test_burning_waits_for_the_next_encounter() -> None:
    """GR-GAP-64."""
    seat = asha()
    effect(seat, "Gil", "burning", degree=2)
    record = seat.say(turns.EndEncounter(by=GM))
    assert any("Gil" in f"{fact.who} {fact.result}" for fact in judged(record, "notice"))
    assert seat.holds("Gil") == ["burning"]


def test_other_sickness_counts_when_the_first_has_weakened() -> None:
    """GR-SIC-4, GR-SIC-5: each runs its own time, and the strongest of the day counts."""
    seat = Seat(present=["Asha"])
    effect(seat, "Asha", "sickness", degree=3, days=1)
    effect(seat, "Asha", "sickness", degree=2)
    check = Check(by="Asha", name="strength", difficulty=10)
    assert result(seat.say(check, 10), "check")[0] == 7
    seat.say(harm.EndDay(by=GM), 12, 10)
    seat.say(harm.EndDay(by=GM), 12, 10)
    assert result(seat.say(check, 10), "check")[0] == 8


def test_two_debilitated_stats_are_two_sources() -> None:
    """GR-GAP-32: fortitude takes strength and resolve."""
    seat = Seat(present=["Asha"])
    effect(seat, "Asha", "debilitation", stat="strength")
    effect(seat, "Asha", "debilitation", stat="resolve")
    record = seat.say(Check(by="Asha", name="fortitude", difficulty=10), 12, 10, 1, 2)
    assert result(record, "check") == [3, 10, "fail"]


def test_permanent_and_passing_changes_of_a_stat_add_up() -> None:
    """GR-EFF-2."""
    seat = Seat(present=["Asha"])
    effect(seat, "Asha", "change", stat="strength", amount=2)
    effect(seat, "Asha", "change", stat="strength", amount=-1, temporary=True)
    assert result(seat.say(Check(by="Asha", name="strength", difficulty=10), 5), "check")[0] == 6
    assert seat.state.pools["Asha", "health"].most == 14


def test_interrupted_rest_that_is_not_resumed_is_gone() -> None:
    """GR-GAP-46: the end of the day drops it."""
    seat = Seat(present=["Asha"], pools={"Asha.health": 1})
    seat.say(harm.LongRest(by="Asha", interrupted=True))
    seat.say(harm.EndDay(by=GM))
    assert seat.code(harm.ResumeLongRest(by="Asha")) == "REST-LIMIT"
    seat.say(harm.LongRest(by="Asha"))
    assert seat.points("Asha", "health") == 2


def test_short_rest_after_an_interrupted_long_one_is_refused() -> None:
    """GR-GAP-47."""
    seat = Seat(present=["Asha"])
    seat.say(harm.LongRest(by="Asha", interrupted=True))
    assert seat.code(harm.ShortRest(by="Asha")) == "REST-LIMIT"


def test_rest_with_a_low_minimum_gives_nothing() -> None:
    """GR-GAP-50: a negative minimum is 0."""
    seat = Seat(present=["Asha"], sheets={"Asha": {"derived": {"fortitude": "r2-9"}}}, pools={"Asha.endurance": 0})
    seat.say(harm.ShortRest(by="Asha"))
    assert seat.points("Asha", "endurance") == 0


def test_healing_above_0_ends_dying_and_not_unconsciousness() -> None:
    """GR-GAP-58."""
    given = {"pools": {"Gil.endurance": 0, "Gil.health": -2}, "conditions": {"Gil": ["unconscious", "prone", "dying"]}}
    seat = Seat(present=["Gil"], **given)
    seat.say(harm.Restore(by=GM, who="Gil", resource="health", amount=9, reason="a miracle"))
    assert (seat.points("Gil", "health"), seat.holds("Gil")) == (7, ["prone", "unconscious"])


def test_nonlethal_blow_leaves_the_dying_dying() -> None:
    """GR-GAP-31."""
    given = {"pools": {"Gil.endurance": 0, "Gil.health": -2}, "conditions": {"Gil": ["unconscious", "prone", "dying"]}}
    seat = Seat(present=["Gil"], **given)
    seat.say(harm.DealDamage(by=GM, target="Gil", amount=4, nonlethal=True))
    assert seat.holds("Gil") == ["dying", "prone", "unconscious"]


def test_bare_hands_knock_out() -> None:
    """GR-OUT-9, GR-DMG-6: strength alone, bludgeoning, nonlethal."""
    seat = asha(pools={"Gil.endurance": 0, "Gil.health": 2})
    record = seat.say(Attack(by="Asha", target="Gil", weapon="bare hands"), 10, 4, 6, 11)
    assert result(record, "attack")[2] in ("hit", "critical")
    assert seat.holds("Gil") == ["prone", "unconscious"]


def test_maneuver_with_an_advantage_rerolls_the_die_picked() -> None:
    seat = asha(sheets={"Asha": {"learned": {"heavy-strike": "martial"}}})
    said = Maneuver(by="Asha", name="heavy-strike", target="Gil", flanked=True, pick=(2,))
    assert result(seat.say(said, 5, 2, 9, 6, 1, 1), "attack") == [13, 9, "hit"]


def test_turn_of_the_dead_is_passed_over() -> None:
    """GR-GAP-55: the dead have no slot."""
    seat = asha()
    seat.say(Ruling(by=GM, text="he is gone", reason="the fall", changes=(Setting("gil.dead", 1),)))
    seat.say(EndTurn(by="Asha"))
    assert seat.code(turns.BeginTurn(by="Gil")) == "DEAD"
    for who in ("Hob", "Bram"):
        seat.next_turn(who)
    seat.say(EndTurn(by="Bram"))
    assert seat.state.encounter is not None
    assert seat.state.encounter.round == 2


def test_items_put_away_do_not_defend() -> None:
    seat = gil()
    seat.next_turn("Asha")
    seat.say(turns.Brandish(by="Asha", items=("longsword",)))
    seat.next_turn("Hob")
    assert seat.code(Attack(by="Hob", target="Asha", defences=(Reaction("Asha", "block"),))) == "NO-SHIELD"


@pytest.mark.parametrize(("margin", "graded"), [(6, "hit"), (7, "critical")])
def test_critical_margin_of_the_table(margin: int, graded: str) -> None:
    seat = asha()
    record = seat.say(Attack(by="Asha", target="Gil"), 10, margin - 3, 4, 1, 1)
    assert result(record, "attack")[2] == graded
    seat.say(SetOption(by=GM, name="critical_margin", value=4, reason="a vote"))
    assert result(seat.say(Attack(by="Asha", target="Hob"), 10, margin + 2, 4, 1, 1), "attack")[2] == "critical"


def test_turn_cannot_begin_twice() -> None:
    seat = asha()
    assert seat.code(turns.BeginTurn(by="Asha")) == "NOT-TURN"
