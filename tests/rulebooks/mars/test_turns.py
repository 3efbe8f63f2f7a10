"""Encounters and turns: slots, what begins and ends by itself, durations, latecomers, readied and long actions."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from ledger.declarations import Ruling, Setting
from ledger.facts import GM, EncounterEnded, Ends, Reached, Ruled
from rulebooks.common.encounters import EndTurn, LeaveEncounter, PassOn
from rulebooks.mars.declarations.harm import ApplyEffect, DealDamage
from rulebooks.mars.declarations.turns import (
    BeginTurn,
    Brandish,
    CancelLongAction,
    ChallengeTurn,
    ContinueLongAction,
    DropProne,
    EndEncounter,
    Found,
    Interact,
    JoinEncounter,
    Minutes,
    Move,
    Ready,
    Rise,
    RollInitiative,
    SeekCover,
    SpecialAction,
    StartEncounter,
    StartLongAction,
    TeamMember,
    TriggerReadied,
)
from rulebooks.mars.harm.sickness import Course, begin_sickness
from rulebooks.testing.seat import of_kind
from tests.rulebooks.mars.seat import Seat, judged, result, strike

FOUR = {"players": ["Asha", "Bram"], "guards": ["Gil", "Hob"]}
DUEL = {"players": ["Asha"], "guards": ["Gil"]}


def turn(seat: Seat) -> tuple[int, str]:
    """Return the round, and whose turn is open."""
    encounter = seat.state.encounter
    assert encounter is not None
    return encounter.round, encounter.turn


def ends(seat: Seat, id: str) -> tuple[Ends, ...]:
    return seat.state.conditions[id].ends


# Slots


def test_action_begins_the_turn_of_its_speaker() -> None:
    seat = Seat(teams=FOUR)
    seat.say(Move(by="Bram", metres=3))
    assert turn(seat) == (1, "Bram")
    assert seat.code(Move(by="Asha", metres=3)) == "NOT-TURN"
    assert seat.code(Move(by="Gil", metres=3)) == "NOT-TURN"


def test_turn_without_points_ends_as_another_acts() -> None:
    seat = Seat(teams=FOUR, turn="Asha")
    seat.say(SpecialAction(by="Asha", speed=3))
    seat.say(Move(by="Hob", metres=3))
    assert turn(seat) == (1, "Hob")
    assert seat.code(Move(by="Asha", metres=3)) == "NOT-TURN"


def test_begin_also_ends_a_turn_without_points() -> None:
    seat = Seat(teams=DUEL, turn="Asha")
    assert seat.refusal(BeginTurn(by="Gil")).what == "The turn of another character is still open, and Gil has to wait"
    seat.say(SpecialAction(by="Asha", speed=3))
    seat.say(BeginTurn(by="Gil"))
    assert turn(seat) == (1, "Gil")


def test_burning_turn_begins_only_when_said() -> None:
    seat = Seat(teams=DUEL)
    seat.say(ApplyEffect(by=GM, target="Asha", effect="burning"))
    assert seat.code(Move(by="Asha", metres=3)) == "NOT-TURN"
    seat.say(BeginTurn(by="Asha"), 2)
    seat.say(Move(by="Asha", metres=3))


def test_slot_of_the_helpless_is_passed_without_a_word() -> None:
    seat = Seat(teams={"players": ["Asha", "Bram"], "guards": ["Gil"]}, turn="Asha")
    seat.say(Ruling(by=GM, text="a blow", reason="given", changes=(Setting(value="gil.unconscious", to=1),)))
    seat.say(EndTurn(by="Asha"))
    seat.say(Move(by="Bram", metres=3))
    assert turn(seat) == (1, "Bram")
    seat.say(EndTurn(by="Bram"))
    assert turn(seat) == (2, "")


def test_slot_of_the_dying_waits_for_its_dice() -> None:
    seat = Seat(teams={"players": ["Asha", "Bram"], "guards": ["Gil"]}, turn="Asha")
    seat.say(DealDamage(by=GM, target="Gil", amount=23))
    seat.say(EndTurn(by="Asha"))
    assert "Gil" in seat.refusal(Move(by="Bram", metres=3)).hint
    seat.say(BeginTurn(by="Gil"), 1, 1)
    assert turn(seat) == (1, "")
    seat.say(Move(by="Bram", metres=3))


def test_turn_of_the_dead_ends_and_the_fight_goes_on() -> None:
    seat = Seat(teams=FOUR, turn="Asha")
    seat.say(Ruling(by=GM, text="a shaft", reason="given", changes=(Setting(value="asha.dead", to=1),)))
    assert turn(seat) == (1, "")
    for who in ("Gil", "Bram", "Hob"):
        seat.say(BeginTurn(by=who))
        seat.say(EndTurn(by=GM))
    assert turn(seat) == (2, "")
    assert seat.code(BeginTurn(by="Asha")) == "DEAD"


def test_encounter_of_the_dead_stands_still() -> None:
    seat = Seat(teams={"guards": ["Gil"]})
    record = seat.say(Ruling(by=GM, text="lava", reason="given", changes=(Setting(value="gil.dead", to=1),)))
    assert of_kind(record, Reached) == []


def test_turn_that_was_not_begun_is_let_go_with_one_line() -> None:
    seat = Seat(teams=FOUR)
    seat.say(EndTurn(by="Asha"))
    assert turn(seat) == (1, "")
    assert seat.refusal(EndTurn(by="Asha")).is_idle
    assert seat.code(EndTurn(by="Bram")) == "NOT-TURN"
    seat.say(EndTurn(by="Gil"))
    seat.say(Move(by="Bram", metres=3))
    assert turn(seat) == (1, "Bram")


def test_on_ends_the_turns_of_all_who_are_to_come() -> None:
    seat = Seat(teams=FOUR, turn="Asha")
    seat.say(PassOn(by=GM))
    assert turn(seat) == (2, "")
    seat.say(PassOn(by=GM))
    assert turn(seat) == (3, "")


def test_on_stops_before_the_dice_of_the_dying() -> None:
    seat = Seat(teams={"players": ["Asha", "Bram"], "guards": ["Gil"]}, turn="Asha")
    seat.say(DealDamage(by=GM, target="Gil", amount=23))
    seat.say(PassOn(by=GM))
    assert turn(seat) == (1, "")
    assert (
        "The turn of Gil begins with a roll: ! Gil begin, or let it go: ! Gil end" in seat.refusal(PassOn(by=GM)).hint
    )
    seat.say(BeginTurn(by="Gil"), 1, 1)
    seat.say(PassOn(by=GM))
    assert turn(seat) == (2, "")


def test_end_turn_is_said_by_its_owner_or_gm() -> None:
    seat = Seat(teams=FOUR)
    assert seat.code(EndTurn(by=GM)) == "NO-ENCOUNTER"
    seat.say(BeginTurn(by="Asha"))
    assert seat.code(EndTurn(by="Bram")) == "NOT-TURN"
    seat.say(EndTurn(by=GM))
    assert turn(seat) == (1, "")


def test_best_roll_acts_first_where_the_table_reads_it_so() -> None:
    seat = Seat(teams=FOUR, options={"team_internal_order": "initiative"})
    assert seat.code(BeginTurn(by="Bram")) == "NOT-TURN"
    seat.say(BeginTurn(by="Asha"))


def test_team_of_the_sheet_may_be_changed_for_once() -> None:
    seat = Seat(present=("Asha", "Bram", "Gil"))
    teams = (TeamMember(who="Bram", team="guards"),)
    seat.say(StartEncounter(by=GM, reason="treason", teams=teams))
    assert [(slot.slot, slot.who) for slot in seat.state.encounter.order] == [  # type: ignore[union-attr]
        ("players", ("Asha",)),
        ("guards", ("Bram", "Gil")),
    ]
    seat.say(EndEncounter(by=GM))
    twice = (*teams, TeamMember(who="Bram", team="players"))
    assert seat.code(StartEncounter(by=GM, reason="treason", teams=twice)) == "TEAMS"


def test_gm_rolls_for_all_who_have_not() -> None:
    seat = Seat(present=("Asha", "Gil", "Hob"))
    seat.say(StartEncounter(by=GM, reason="the gate"))
    seat.say(RollInitiative(by="Gil"), 3, 3)
    seat.say(RollInitiative(by=GM), 9, 8)
    assert seat.code(RollInitiative(by=GM)) == "ROLLED"
    record = seat.say(RollInitiative(by="Asha"), 10, 6, 1)
    assert [slot.slot for slot in seat.state.encounter.order] == ["players", "guards"]  # type: ignore[union-attr]
    assert of_kind(record, Ruled)[0].text == "players first of players and guards"
    assert turn(seat) == (1, "")


def test_latecomer_acts_in_the_slots_of_the_team() -> None:
    seat = Seat(present=("Asha", "Gil", "Hob", "R1"), teams=DUEL, turn="Asha")
    seat.say(JoinEncounter(by=GM, who="Hob"))
    seat.say(JoinEncounter(by=GM, who="R1"))
    assert seat.code(JoinEncounter(by=GM, who="Hob")) == "TEAMS"
    seat.say(EndTurn(by="Asha"))
    for who in ("Hob", "R1", "Gil"):
        seat.say(BeginTurn(by=who))
        seat.say(EndTurn(by=who))
    assert turn(seat) == (2, "")


def test_dying_latecomer_loses_health_with_the_round() -> None:
    seat = Seat(present=("Asha", "Gil", "Hob"), teams=DUEL, turn="Asha", options={"injuries": "on"})
    seat.say(JoinEncounter(by=GM, who="Hob"))
    seat.say(DealDamage(by=GM, target="Hob", amount=23))
    seat.next_turn("Gil")
    seat.say(EndTurn(by="Gil"))
    seat.say(BeginTurn(by="Hob"), 1, 1)
    assert seat.points("Hob", "health") == -3
    seat.say(EndEncounter(by=GM), 1)
    assert "debilitation strength" in seat.holds("Hob")


def test_latecomer_before_the_first_turn_rolls_too() -> None:
    seat = Seat(present=("Asha", "Gil"))
    seat.say(StartEncounter(by=GM, participants=("Asha",)))
    seat.say(JoinEncounter(by=GM, who="Gil"))
    seat.say(RollInitiative(by="Asha"), 9, 9, 4)
    assert turn(seat) == (0, "")
    seat.say(RollInitiative(by="Gil"), 1, 1)
    assert turn(seat) == (1, "")


def test_outsider_has_no_turn() -> None:
    seat = Seat(present=("Asha", "Gil", "Hob"), teams=DUEL)
    assert seat.refusal(BeginTurn(by="Hob")).what == "Hob takes no part in this encounter"
    assert seat.code(Move(by="Hob", metres=3)) == "NO-ENCOUNTER"


# Leaving


def test_who_leaves_has_no_turn_and_is_told_at_the_end() -> None:
    """GR-ENC-1: the round goes on with the others; who left is out of the next encounter too, unless named."""
    seat = Seat(teams=FOUR)
    seat.say(LeaveEncounter(by=GM, who="Gil", reason="he runs for the trees"))
    assert seat.code(Move(by="Gil", metres=3)) == "NO-ENCOUNTER"
    assert seat.code(LeaveEncounter(by=GM, who="Gil", reason="again")) == "NO-ENCOUNTER"
    for who in ("Asha", "Hob", "Bram"):
        seat.say(EndTurn(by=who))
    assert turn(seat) == (2, "")
    (ended,) = of_kind(seat.say(EndEncounter(by=GM)), EncounterEnded)
    assert ended.out == (("Gil", "left"),)
    seat.say(StartEncounter(by=GM, reason="the road"))
    assert seat.code(RollInitiative(by="Gil")) == "NO-ENCOUNTER"
    seat.check_replay()


def test_who_leaves_ends_the_own_turn_and_what_was_under_way() -> None:
    seat = Seat(teams=DUEL)
    seat.say(Ready(by="Asha", action="other", speed=1, trigger="when the bell rings"))
    seat.say(LeaveEncounter(by=GM, who="Asha", reason="through the window"))
    assert turn(seat) == (1, "")
    assert not [id for id in seat.state.conditions if "readied" in id]
    seat.say(JoinEncounter(by=GM, who="Asha"))
    assert seat.code(Move(by="Asha", metres=1)) == "NOT-TURN"  # the turn of this round is over
    seat.say(EndTurn(by="Gil"))
    seat.say(Move(by="Asha", metres=1))
    seat.check_replay()


def test_initiative_is_not_asked_of_those_who_left() -> None:
    seat = Seat(present=("Asha", "Gil", "Hob"))
    seat.say(StartEncounter(by=GM, reason="the gate"))
    seat.say(LeaveEncounter(by=GM, who="Hob", reason="he runs"))
    seat.say(RollInitiative(by="Asha"))
    seat.say(RollInitiative(by="Gil"))
    assert turn(seat)[0] == 1


def test_leaving_needs_a_reason() -> None:
    assert Seat(teams=DUEL).code(LeaveEncounter(by=GM, who="Gil")) == "REASON"


# Durations


def test_effect_between_turns_is_measured_by_the_next_turn() -> None:
    seat = Seat(teams=DUEL)
    seat.say(ApplyEffect(by=GM, target="Gil", effect="blind", rounds=1))
    assert ends(seat, "blind Gil") == (Ends(at="turn", due=1),)
    seat.say(BeginTurn(by="Asha"))
    assert ends(seat, "blind Gil") == (Ends(at="turn", whose="Asha", due=2),)
    seat.next_turn("Gil")
    seat.next_turn("Asha")
    assert seat.holds("Gil") == []


def test_effect_ends_with_a_round_if_its_owner_is_gone() -> None:
    seat = Seat(teams={"players": ["Asha", "Bram"], "guards": ["Gil"]}, turn="Asha")
    seat.say(ApplyEffect(by=GM, target="Gil", effect="blind", rounds=1))
    seat.say(Ruling(by=GM, text="a shaft", reason="given", changes=(Setting(value="asha.dead", to=1),)))
    for who in ("Gil", "Bram", "Bram", "Gil"):
        assert seat.holds("Gil") == ["blind"]
        seat.say(BeginTurn(by=who))
        seat.say(EndTurn(by=who))
    assert turn(seat) == (3, "")
    assert seat.holds("Gil") == []


def test_duration_stands_still_between_encounters() -> None:
    seat = Seat(teams=DUEL, turn="Asha")
    seat.say(ApplyEffect(by=GM, target="Gil", effect="blind", rounds=3))
    seat.next_turn("Gil")
    seat.next_turn("Asha")
    record = seat.say(EndEncounter(by=GM))
    assert [(fact.who, fact.result) for fact in judged(record, "notice")] == [
        ("Gil", "Gil is still blind: it goes on in the next encounter")
    ]
    assert ends(seat, "blind Gil") == (Ends(at="turn", whose="Asha", due=2),)
    assert len(of_kind(record, EncounterEnded)) == 1
    assert seat.state.seconds == 12


@pytest.mark.parametrize(
    ("effects", "text"),
    [
        (
            ({"effect": "change", "stat": "dexterity", "amount": 2, "rounds": 3}, {"effect": "burning"}),
            "still burning and still has +2 to dexterity",
        ),
        (
            ({"effect": "sickness", "degree": 2, "rounds": 3}, {"effect": "sickness", "degree": 1, "rounds": 4}),
            "still sick",
        ),
        (
            (
                {"effect": "change", "stat": "strength", "amount": -1, "rounds": 2},
                {"effect": "debilitation", "stat": "resolve", "rounds": 3},
                {"effect": "enhancement", "stat": "intelligence", "rounds": 3},
            ),
            "still has -1 to strength, a debilitated resolve and an enhanced intelligence",
        ),
    ],
)
def test_notice_says_what_somebody_still_is_and_has(effects: tuple[dict[str, Any], ...], text: str) -> None:
    seat = Seat(teams=DUEL, turn="Asha")
    for effect in effects:
        seat.say(ApplyEffect(by=GM, target="Gil", **effect))
    (notice,) = judged(seat.say(EndEncounter(by=GM)), "notice")
    words = notice.result.replace(" is ", " ")
    assert words.startswith(f"Gil {text}: it goes on"), notice.result


def test_source_measures_a_duration_where_the_table_reads_it_so() -> None:
    seat = Seat(teams=DUEL, turn="Asha", options={"duration_anchor": "source"})
    seat.say(ApplyEffect(by=GM, target="Asha", effect="blind", rounds=1, by_whom="Gil"))
    assert ends(seat, "blind Asha") == (Ends(at="turn", whose="Gil", due=2),)


# Actions


def test_actions_outside_an_encounter_cost_nothing() -> None:
    seat = Seat(present=("Asha", "Gil"))
    for said in (
        DropProne(by="Asha"),
        Rise(by="Asha"),
        Move(by="Asha", metres=6),
        Move(by="Asha", metres=6),
        Brandish(by="Asha", items=("shield",)),
        Interact(by="Asha", note="opens the door"),
    ):
        seat.say(said)
    assert seat.points("Asha", "stamina") == 14
    assert seat.state.sheet("Asha", "held") == "shield"
    assert seat.code(SeekCover(by="Asha", object="a crate")) == "NO-ENCOUNTER"
    assert seat.code(Ready(by="Asha", action="attack", target="Gil", trigger="he moves")) == "NO-ENCOUNTER"


def test_special_action_spends_stamina_and_focus() -> None:
    seat = Seat(teams=DUEL, turn="Asha")
    seat.say(SpecialAction(by="Asha", speed=2, note="a ward", focus=3, stamina=2))
    assert (seat.ap("Asha"), seat.points("Asha", "focus"), seat.points("Asha", "stamina")) == (1, 5, 12)
    assert seat.code(SpecialAction(by="Asha", speed=1, focus=6)) == "VALUE"
    assert seat.code(SpecialAction(by="Asha", speed=1, stamina=13)) == "NO-STAMINA"
    assert seat.code(SpecialAction(by="Asha", speed=4)) == "VALUE"


def test_brandish_takes_only_what_is_carried() -> None:
    seat = Seat(teams=DUEL, turn="Asha")
    assert seat.refusal(Brandish(by="Asha", items=("axe",))).what == "Asha neither carries axe nor has it within reach"
    seat.say(Brandish(by="Asha"))
    assert seat.state.sheet("Asha", "held") is None
    assert seat.code(strike("Asha", "Gil", weapon="longsword")) == "NOT-WIELDED"


def test_brandish_puts_away_one_item_and_keeps_the_rest() -> None:
    seat = Seat(teams=DUEL, turn="Asha")
    seat.say(Brandish(by="Asha", away=("longsword",)))
    assert seat.state.sheet("Asha", "held") == "shield"
    assert seat.refusal(Brandish(by="Asha", away=("longsword",))).hint == "In hand: shield"
    seat.say(Brandish(by="Asha", items=("longsword",), away=("shield",)))
    assert seat.state.sheet("Asha", "held") == "longsword"


def test_dropped_item_is_taken_with_what_it_can_do() -> None:
    seat = Seat(teams=DUEL, turn="Asha", pools={"Asha.shield": 5})
    seat.say(Brandish(by="Asha", items=("longsword",)))
    seat.next_turn("Gil")
    found = (Found("Asha", "shield"),)
    seat.say(Brandish(by="Gil", items=("spear",), found=(*found, *found)))
    assert seat.state.sheet("Gil", "held") == "spear, shield"
    assert (seat.points("Gil", "shield"), seat.state.pools["Gil", "shield"].most) == (5, 12)
    assert (seat.state.sheet("Gil", "item.shield.block"), seat.state.sheet("Asha", "item.shield.block")) == (4, None)
    assert seat.code(Brandish(by="Gil", items=("spear",), found=found)) == "NOT-WIELDED"


def test_item_in_hand_is_taken_only_from_the_helpless() -> None:
    seat = Seat(teams=DUEL, turn="Asha")
    spear = Brandish(by="Asha", found=(Found("Gil", "spear"),))
    assert seat.code(spear) == "NOT-WIELDED"
    assert seat.code(Brandish(by="Asha", found=(Found("Gil", "axe"),))) == "NOT-WIELDED"
    assert seat.code(Brandish(by="Asha", found=(Found("Nobody", "axe"),))) == "UNKNOWN"
    seat.say(DealDamage(by=GM, target="Gil", amount=23))
    seat.say(spear)
    assert (seat.state.sheet("Asha", "held"), seat.state.sheet("Gil", "held")) == ("spear", None)
    seat.say(strike("Asha", "Gil", weapon="spear"), 1, 1, 1, 1, 8)


@pytest.mark.parametrize(
    ("ready", "trigger", "dice"),
    [
        (Ready(by="Asha", action="move", metres=4, trigger="a shout"), TriggerReadied(by="Asha"), ()),
        (Ready(by="Asha", action="brandish", items=("shield",), trigger="a shout"), TriggerReadied(by="Asha"), ()),
        (Ready(by="Asha", action="drop-prone", trigger="a shout"), TriggerReadied(by="Asha"), ()),
        (Ready(by="Asha", action="seek-cover", object="a crate", trigger="a shout"), TriggerReadied(by="Asha"), ()),
        (
            Ready(by="Asha", action="use-skill", skill="athletics", trigger="a shout"),
            TriggerReadied(by="Asha", difficulty=10),
            (9, 5),
        ),
        (Ready(by="Asha", action="other", speed=2, trigger="cuts the rope"), TriggerReadied(by="Asha"), ()),
        (Ready(by="Asha", action="attack", trigger="a shout"), TriggerReadied(by="Asha", target="Gil"), (1, 1, 8)),
    ],
    ids=lambda value: value.action if isinstance(value, Ready) else "",
)
def test_readied_action_is_performed_as_the_reaction(ready: Ready, trigger: TriggerReadied, dice: tuple[int]) -> None:
    seat = Seat(teams=DUEL, turn="Asha")
    seat.say(ready)
    seat.next_turn("Gil")
    seat.say(trigger, *dice)
    assert seat.state.actions_left("Asha", "reaction") == 0
    assert "readied" not in seat.holds("Asha")
    assert seat.code(trigger) == "NOT-READIED"


def test_readied_rise_needs_somebody_prone() -> None:
    seat = Seat(teams=DUEL, turn="Asha")
    seat.say(Ready(by="Asha", action="rise", trigger="a shout"))
    seat.next_turn("Gil")
    assert seat.code(TriggerReadied(by="Asha")) == "NOT-PRONE"
    seat.say(ApplyEffect(by=GM, target="Asha", effect="prone"))
    seat.say(TriggerReadied(by="Asha"))
    assert seat.holds("Asha") == []


def test_readied_maneuver_is_improvised_and_paid_when_performed() -> None:
    seat = Seat(teams=DUEL, turn="Asha")
    ready = Ready(by="Asha", action="maneuver", maneuver="knock-down", target="Gil", trigger="a shout")
    assert seat.code(msgspec.structs.replace(ready, improvise="speed")) == "READY-SPEED"
    seat.say(msgspec.structs.replace(ready, improvise="stamina"))
    seat.next_turn("Gil")
    assert seat.points("Asha", "stamina") == 14
    seat.say(TriggerReadied(by="Asha"), 1, 1, 8)
    assert seat.points("Asha", "stamina") == 12


def test_cancelled_long_action_loses_its_points() -> None:
    seat = Seat(teams=DUEL, turn="Asha")
    seat.say(StartLongAction(by="Asha", need=5, pay=1, note="picks the lock"))
    assert seat.code(StartLongAction(by="Asha", need=5)) == "NO-LONG"
    seat.say(ContinueLongAction(by="Asha", pay=1))
    assert seat.state.conditions["long action Asha"].degree == 2
    seat.say(CancelLongAction(by="Asha"))
    assert (seat.holds("Asha"), seat.ap("Asha")) == ([], 1)
    assert seat.code(ContinueLongAction(by="Asha")) == "NO-LONG"


# Complex challenges


TEAMS_BEFORE = [("players", ("Asha",)), ("guards", ("Gil", "Hob"))]
TEAMS_AFTER = [("players", ("Asha",)), ("guards", ("Hob",)), ("third", ("Gil",))]


def challenge(*present: str, sheets: dict[str, dict[str, str]] | None = None) -> Seat:
    seat = Seat(present=present, sheets=sheets)
    seat.say(StartEncounter(by=GM, kind="challenge", reason="the brawl"))
    return seat


def test_challenge_counts_no_points_and_no_turns() -> None:
    seat = challenge("Asha", "Gil")
    assert seat.code(BeginTurn(by="Asha")) == "NO-ENCOUNTER"
    for _ in range(5):
        seat.say(Move(by="Asha", metres=6))
    assert seat.points("Asha", "stamina") == 14


def test_initiative_may_be_rolled_once_in_a_challenge() -> None:
    seat = challenge("Asha", "Gil")
    seat.say(RollInitiative(by="Asha"), 3, 5, 4)
    assert seat.code(RollInitiative(by="Asha")) == "ROLLED"
    seat.say(RollInitiative(by=GM), 3, 5)
    assert seat.holds("Asha") == seat.holds("Gil") == []
    assert [seat.state.conditions[f"initiative {who}"].degree for who in ("Asha", "Gil")] == [12, 8]
    seat.say(Move(by="Gil", metres=1))


def test_long_action_needs_no_points_in_a_challenge() -> None:
    seat = challenge("Asha", "Gil")
    seat.say(StartLongAction(by="Asha", need=5, note="the winch"))
    seat.say(Ready(by="Asha", action="attack", target="Gil", trigger="he comes"))
    record = seat.say(ContinueLongAction(by="Asha"))
    assert result(record, "long action") == [5, 5, "completed: the winch"]
    assert seat.holds("Asha") == ["readied"]


def minutes_of(who: str, minutes: int) -> ChallengeTurn:
    return ChallengeTurn(by=GM, minutes=(Minutes(who, minutes),))


def test_turn_of_a_challenge_ends_what_lasts_until_the_next() -> None:
    seat = challenge("Asha", "Gil")
    seat.say(SeekCover(by="Asha", object="a cart"))
    seat.say(Ready(by="Asha", action="attack", target="Gil", trigger="he comes"))
    seat.say(minutes_of("Asha", 0))
    assert seat.holds("Asha") == []


def test_dying_needs_turns_that_no_challenge_counts() -> None:
    seat = challenge("Asha", "Gil")
    seat.set_pools({"Gil.endurance": 0, "Gil.health": 1})
    seat.say(DealDamage(by=GM, target="Gil", amount=3, type="void"))
    record = seat.say(minutes_of("Asha", 5))
    assert "dying" in seat.holds("Gil")
    assert [fact.result for fact in judged(record, "notice")] == ["Gil is still dying: a challenge has no turns for it"]


def test_poison_works_once_in_a_turn_of_a_challenge() -> None:
    seat = Seat(present=("Dov", "Gil"), sheets={"Dov": {"skills": {"medicine": "r8", "martial": "r8"}}})
    seat.say(StartEncounter(by=GM, kind="challenge", reason="the brawl"))
    seat.add_facts((begin_sickness("poison Gil", "Gil", 2, Course(difficulty=30), "poison", seat.state),))
    seat.say(minutes_of("Gil", 3), 1, 1)
    assert (seat.points("Gil", "health"), seat.state.conditions["poison Gil"].degree) == (8, 2)


def test_simple_foe_drops_from_one_hit() -> None:
    seat = challenge("Asha", "Gil", sheets={"Gil": {"grade": "simple"}})
    seat.say(strike("Asha", "Gil"), 6, 5, 8, 1, 1)
    assert seat.holds("Gil") == ["defeated"]
    assert seat.points("Gil", "health") == 10
    assert seat.refusal(Move(by="Gil", metres=1)).what == "Gil is defeated and can do nothing"


@pytest.mark.parametrize(("team", "slots"), [("", TEAMS_BEFORE), ("third", TEAMS_AFTER), ("Guards", TEAMS_BEFORE)])
def test_who_comes_back_joins_the_team_that_is_said(team: str, slots: list[tuple[str, tuple[str, ...]]]) -> None:
    seat = Seat(teams={"players": ["Asha"], "guards": ["Gil", "Hob"]})
    seat.say(LeaveEncounter(by=GM, who="Gil", reason="he runs"))
    seat.say(JoinEncounter(by=GM, who="Gil", team=team))
    encounter = seat.state.encounter
    assert encounter is not None
    assert [(slot.slot, slot.who) for slot in encounter.order] == slots


def test_challenge_turn_takes_the_mean_of_its_minutes() -> None:
    seat = challenge("Asha", "Bram")
    seat.say(ChallengeTurn(by=GM, minutes=(Minutes("Asha", 5), Minutes("Bram", 10))))
    assert seat.state.seconds == 450
    assert seat.code(ChallengeTurn(by=GM, minutes=())) == "VALUE"
    assert seat.code(ChallengeTurn(by=GM, minutes=(Minutes("Asha", -1),))) == "VALUE"
    fight = Seat(teams=DUEL)
    assert fight.code(ChallengeTurn(by=GM, minutes=(Minutes("Asha", 5),))) == "NO-ENCOUNTER"


def test_initiative_rolled_elsewhere_has_its_total() -> None:
    seat = Seat(present=("Asha", "Gil", "Hob"))
    seat.say(StartEncounter(by=GM, reason="given"))
    assert seat.code(RollInitiative(by=GM, total=9)) == "VALUE"  # two of them roll
    seat.say(RollInitiative(by="Gil", total=9))
    assert seat.state.conditions["initiative Gil"].degree == 9
