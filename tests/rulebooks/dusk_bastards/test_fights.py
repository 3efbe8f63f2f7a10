"""Fights: the cycle at its corners, stuns, interrupts, joining and leaving, and what ends where."""

from __future__ import annotations

from typing import Any

import pytest

from ledger.declarations import Declaration, Ruling
from ledger.facts import GM, ConditionBegan, Ends, Fact, Reached
from rulebooks.dusk_bastards.declarations import (
    Adjust,
    AdvanceTime,
    Attack,
    Change,
    ChangeSheet,
    Charge,
    CreateNpc,
    Damage,
    Defence,
    Delay,
    EndEncounter,
    FullDefence,
    InflictWound,
    Initiative,
    Interrupt,
    JoinEncounter,
    LeaveEncounter,
    Move,
    NewInitiative,
    Pass,
    Rest,
    StartEncounter,
    WoundRoll,
)
from tests.rulebooks.dusk_bastards.seat import DAWN, DUSK, Seat, close, final_difficulty, of_kind, tries

WHO = ("Ash", "Bryn", "Cole", "thug", "captain")


def seat(*order: str, phase: str = "movement", turn: str = "", round: int = 1, **given: Any) -> Seat:
    """A fight among `order`, from highest to lowest."""
    return Seat(*WHO, encounter={"order": order, "phase": phase, "turn": turn, "round": round}, **given)


def at(seat: Seat) -> tuple[int, str, str]:
    found = seat.state.encounter
    assert found
    return found.round, found.phase, found.turn


def passes(seat: Seat, times: int) -> None:
    """So many slots pass."""
    for _ in range(times):
        seat.say(Pass(by=at(seat)[2]))


def dropped(seat: Seat, who: str = "Ash", faces: tuple[int, int] = (2, 3)) -> None:
    """Down to 0, with a wound."""
    seat.say(Damage(by=GM, target=who, amount=99))
    seat.say(WoundRoll(by=who if who in WHO[:3] else GM, who=who), *faces)
    seat.say(close())


def holds(seat: Seat, who: str = "Ash") -> list[str]:
    return sorted(found.name for _, found in seat.state.conditions_of(who))


def slots(seat: Seat, who: str, count: int = 12) -> list[tuple[int, str]]:
    """The slots that somebody gets while everybody passes so many times."""
    found = []
    for _ in range(count):
        if at(seat)[2] == who:
            found.append(at(seat)[:2])
        passes(seat, 1)
    return found


# DB-ZERO-3 and 4: which turn a stun costs


@pytest.mark.parametrize(
    ("turn", "phase", "lost_until"),
    [
        ("Cole", "movement", (3, "movement")),  # before her movement slot: all of this round
        ("Bryn", "movement", (3, "movement")),  # in her own movement slot
        ("Ash", "movement", (3, "movement")),  # after it: her action slot
        ("Ash", "action", (3, "movement")),  # before her action slot
        ("Bryn", "action", (3, "movement")),  # in it
        ("Cole", "action", (4, "movement")),  # after it: all of the next round
    ],
)
def test_a_stun_costs_one_turn(turn: str, phase: str, lost_until: tuple[int, str]) -> None:
    """DB-ZERO-3, DB-ZERO-4: Bryn, in the middle of the order, comes down to 0 in the second round."""
    table = seat("Ash", "Bryn", "Cole", phase=phase, turn=turn, round=2)
    if turn == "Ash" and phase == "movement":
        table = seat("Ash", "Bryn", "Cole", round=2)
        passes(table, 2)
    dropped(table, "Bryn")
    before = []
    while at(table)[2] != "Bryn":
        before.append(at(table))
        passes(table, 1)
    assert at(table)[:2] == lost_until
    assert table.points("Bryn", "health") == 1
    assert holds(table, "Bryn") == []


def test_a_second_stun_costs_the_later_turn_only() -> None:
    """DB-ZERO-3: dropped after the own slot, raised by the game master, and dropped again in the next round."""
    table = seat("Ash", "thug", phase="action")
    passes(table, 1)
    dropped(table)  # her turn of round 2
    table.say(Ruling(by=GM, text="up", reason="a potion", changes=(Change("ash.health", 5),)))
    dropped(table)  # the same turn
    passes(table, 1)
    assert at(table) == (2, "movement", "thug")
    table.say(Ruling(by=GM, text="up", reason="a potion", changes=(Change("ash.health", 5),)))
    dropped(table)  # still the turn of round 2, which is not over
    assert slots(table, "Ash", 4) == [(3, "movement")]


def test_stunned_before_the_first_round_the_first_turn_is_lost() -> None:
    table = Seat(*WHO)
    table.say(StartEncounter(by=GM, participants=("Ash", "thug")))
    dropped(table)
    table.say(Initiative(by="Ash"), *DUSK)
    table.say(close())
    assert at(table) == (1, "movement", "thug")
    assert slots(table, "Ash", 3) == [(2, "movement")]


def test_stunned_outside_encounters_the_first_slot_ends_it() -> None:
    """DB-ZERO-3: there was no turn to lose; DB-ZERO-4: the first slot gives the health."""
    table = Seat(*WHO)
    dropped(table)
    table.say(StartEncounter(by=GM, participants=("Ash", "thug")))
    table.say(Initiative(by="Ash"), *DUSK)
    table.say(close())
    assert at(table) == (1, "movement", "Ash")
    assert (table.points("Ash", "health"), holds(table)) == (1, [])


@pytest.mark.parametrize("said", [AdvanceTime(by=GM, seconds=1), tries(difficulty=0), Rest(by="Ash", kind="one_hour")])
def test_outside_encounters_the_stunned_come_to_with_what_they_do_next(said: Declaration) -> None:
    """DB-ZERO-4."""
    table = Seat(*WHO)
    dropped(table)
    table.say(Defence(by="Ash", source="thug"), 9, 8)
    table.say(close())
    assert (table.points("Ash", "health"), holds(table)) == (0, ["rising", "stunned"])
    table.say(said)
    assert table.points("Ash", "health") >= 1
    assert "stunned" not in holds(table)


def test_time_brings_to_those_who_are_not_in_the_encounter() -> None:
    table = Seat(*WHO)
    dropped(table)
    dropped(table, "Bryn")
    table.say(StartEncounter(by=GM, participants=("Ash", "thug")))
    table.say(AdvanceTime(by=GM, seconds=60))
    assert (table.points("Ash", "health"), table.points("Bryn", "health")) == (0, 1)


def test_a_stunned_foe_outside_encounters_comes_to_when_it_attacks() -> None:
    table = Seat(*WHO)
    dropped(table, "captain")
    table.say(Defence(by="Ash", source="captain"), 9, 8)
    assert table.points("captain", "health") == 1


def test_in_exploration_the_stunned_lose_their_action() -> None:
    """DB-ZERO-3 and 4 where there are no phases: before the own action this round's, after it the next one's."""
    table = Seat(*WHO)
    table.say(StartEncounter(by=GM, scale="exploration", participants=("Ash", "Bryn")))
    dropped(table)
    assert table.code(tries(), *DAWN) == "STUNNED"
    table.say(Pass(by="Bryn"))
    assert at(table)[0] == 2
    assert (table.points("Ash", "health"), holds(table)) == (1, [])
    table.say(Pass(by="Ash"))
    dropped(table, faces=(1, 1))
    table.say(Pass(by="Bryn"))
    assert table.code(Pass(by="Ash")) == "STUNNED"
    table.say(Pass(by="Bryn"))
    assert (at(table)[0], table.points("Ash", "health")) == (4, 1)


@pytest.mark.parametrize("how", ["dead", "critical", "gone"])
def test_in_exploration_nobody_waits_for_those_who_cannot_act(how: str) -> None:
    table = Seat(*WHO, Ash={"wounds": [{"value": 8, "in_force": how == "critical"}]})
    table.say(StartEncounter(by=GM, scale="exploration", participants=("Ash", "Bryn")))
    if how == "dead":
        dropped(table, faces=(12, 11))
    if how == "gone":
        table.say(LeaveEncounter(by=GM, who="Ash"))
    table.say(Pass(by="Bryn"))
    assert at(table)[0] == 2


# DB-DUR: what ends where, whatever becomes of the anchor


def effect(anchor: str, phase: str, due: int) -> tuple[Fact, ...]:
    """Something on Cole that ends at this place."""
    ends = (Ends(at="slot", whose=anchor, phase=phase, due=due),)
    return (ConditionBegan(id="hexed Cole", who="Cole", name="hexed", ends=ends),)


@pytest.mark.parametrize("phase", ["movement", "action"])
@pytest.mark.parametrize(
    "fate", ["acts", "passes", "stunned", "dead", "critical", "gone", "gone and back", "reordered"]
)
def test_an_effect_ends_at_the_place_of_its_anchor(fate: str, phase: str) -> None:
    """DB-DUR-1, DB-DUR-2: at the start of the slot, or where it would be."""
    order = ("Ash", "Bryn", "thug")
    wounds = [{"value": 8, "in_force": fate == "critical"}]
    given = {"Bryn": {"wounds": wounds}} if fate in ("dead", "critical") else {}
    table = seat(*order, phase="action", turn="thug", facts=effect("Bryn", phase, 2), **given)
    if fate == "stunned":
        dropped(table, "Bryn")
    if fate == "dead":
        dropped(table, "Bryn", (12, 11))
    if fate in ("gone", "gone and back"):
        table.say(LeaveEncounter(by=GM, who="Bryn"))
    if fate == "gone and back":
        table.say(JoinEncounter(by=GM, who="Bryn", initiative=29))
    ended: list[tuple[int, str, str]] = []
    reordered = False
    while "hexed Cole" in table.state.conditions:
        record = table.say(Pass(by=at(table)[2]))
        if fate == "reordered" and at(table) == (2, "movement", "thug") and not reordered:
            reordered = True
            table.say(NewInitiative(by=GM, reason="the lamp goes out"))
            for who, faces in (("Ash", (9, 10)), ("Bryn", (9, 9))):
                table.say(Initiative(by=who), *faces)
            record = table.say(close())
        point = ""
        for fact in record.facts:
            if isinstance(fact, Reached):
                point = (fact.round, fact.phase, fact.who)
            if type(fact).__name__ == "ConditionEnded" and fact.name == "hexed":
                ended.append(point)
    assert ended == [(2, phase, "Bryn")]


def test_full_defence_lasts_until_the_next_movement_slot_even_if_it_is_an_interrupt() -> None:
    table = seat("Ash", "Bryn", "thug")
    passes(table, 2)
    table.say(FullDefence(by="Ash"))
    assert at(table) == (1, "action", "Bryn")
    passes(table, 2)
    assert at(table) == (2, "movement", "thug")
    assert holds(table) == ["defending"]
    table.say(Interrupt(by="Ash"))
    assert holds(table) == []
    assert at(table) == (2, "movement", "Ash")


def test_full_defence_eases_every_defence() -> None:
    table = seat("thug", "captain", "Ash")
    table.say(FullDefence(by="Ash"))
    passes(table, 2)
    for foe, base in (("captain", 6), ("thug", 4)):
        if at(table)[2] != foe:
            passes(table, 1)
        if at(table)[1] == "action":
            record = table.say(Defence(by="Ash", source=foe, npc_slot="none"), *DUSK)
            assert final_difficulty(record) == base - 1


def test_a_foe_that_defends_is_harder_to_hit() -> None:
    """DB-MOVE-4."""
    table = seat("Ash", "thug")
    table.say(FullDefence(by="thug"))
    passes(table, 1)
    assert final_difficulty(table.say(Attack(by="Ash", target="thug", stat="might"), *DUSK)) == 5


def test_a_foe_that_charges_is_harder_to_defend_against_once() -> None:
    """DB-MOVE-3, DB-ROLL-4."""
    table = seat("thug", "Ash")
    passes(table, 1)
    table.say(Charge(by="thug", target="Ash"))
    assert final_difficulty(table.say(Defence(by="Ash", source="thug"), *DUSK)) == 5
    again = table.say(Defence(by="Ash", source="thug", npc_slot="reaction"), *DUSK)
    assert final_difficulty(again) == 4


def test_what_lasted_for_the_encounter_ends_with_it() -> None:
    """DB-ENC-12."""
    table = seat("thug", "Cole", "Ash", phase="movement")
    table.say(FullDefence(by="Ash"))
    table.say(Charge(by="Cole", target="thug"))
    table.say(EndEncounter(by=GM))
    assert not table.state.conditions
    assert not table.state.allowances
    assert not {name for _, name in table.state.counts} & {"moved", "melee"}


# DB-ENC-7


def test_interrupts_nest_and_each_goes_on_where_it_was() -> None:
    table = seat("captain", "Bryn", "Cole", "Ash")
    for who in ("Bryn", "captain", "Cole"):
        table.say(Interrupt(by=who))
    for who in ("Ash", "Bryn", "captain", "Cole"):  # moving, or waiting to go on
        assert table.code(Interrupt(by=who)) == "INTERRUPT"
    gone = []
    while at(table)[1] == "movement":
        gone.append(at(table)[2])
        table.say(Move(by=at(table)[2]))
    assert gone == ["Cole", "captain", "Bryn", "Ash"]


def test_who_is_struck_down_while_interrupting_or_waiting_is_passed_over() -> None:
    table = seat("captain", "Bryn", "Ash")
    table.say(Interrupt(by="Bryn"))
    dropped(table, "Ash")  # waits
    assert at(table)[2] == "Bryn"
    table.say(Interrupt(by="captain"))
    dropped(table, "captain")
    assert at(table)[2] == "Bryn"
    table.say(Pass(by="Bryn"))
    assert at(table) == (1, "action", "Bryn")


# DB-GAP-63: joining and leaving


def test_who_leaves_in_the_own_slot_leaves_it_over() -> None:
    table = seat("Bryn", "Ash")
    table.say(LeaveEncounter(by=GM, who="Ash"))
    assert at(table) == (1, "movement", "Bryn")
    assert table.code(LeaveEncounter(by=GM, who="Ash")) == "ENC"
    assert table.code(Move(by="Ash"), *DUSK) == "ENC"
    table.say(tries(), *DUSK)  # she is elsewhere, with other things to do
    table.say(close())
    assert slots(table, "Ash", 6) == []


def test_the_last_to_leave_ends_their_turn() -> None:
    """DB-DUR-2: a fight that nobody is left in is nobody's turn; it waits to be joined or ended."""
    table = seat("Bryn", "Ash")
    table.say(LeaveEncounter(by=GM, who="Ash"))
    passes(table, 9)
    table.say(LeaveEncounter(by=GM, who="Bryn"))
    assert at(table)[2] == ""
    assert table.code(Pass(by="Bryn")) == "ENC"
    table.say(EndEncounter(by=GM))
    assert table.state.encounter is None


@pytest.mark.parametrize(("phase", "first"), [("movement", (1, "action")), ("action", (2, "movement"))])
def test_a_fight_that_all_have_left_goes_on_when_joined(phase: str, first: tuple[int, str]) -> None:
    table = seat("Ash", phase=phase)
    table.say(LeaveEncounter(by=GM, who="Ash"))
    assert at(table) == (1, phase, "")
    table.say(JoinEncounter(by=GM, who="thug"))
    assert at(table) == (*first, "thug")


def test_the_last_to_die_ends_their_turn() -> None:
    """DB-WOUND-5: the turn of the dead is over, also when nobody else is left to act."""
    table = seat("thug")
    table.say(Damage(by=GM, target="thug", amount=99))
    assert at(table) == (1, "movement", "")


def test_who_has_not_rolled_may_leave() -> None:
    table = Seat(*WHO)
    table.say(StartEncounter(by=GM, participants=("Ash", "thug")))
    table.say(LeaveEncounter(by=GM, who="Ash"))
    assert at(table) == (1, "movement", "thug")
    assert table.code(Initiative(by="Ash"), *DUSK) == "ENC"


@pytest.mark.parametrize(("phase", "first"), [("movement", (1, "action")), ("action", (2, "movement"))])
def test_a_foe_that_joins_acts_from_the_next_phase_on(phase: str, first: tuple[int, str]) -> None:
    table = seat("Bryn 20", "Ash 5", phase=phase)
    table.say(JoinEncounter(by=GM, who="captain"))
    found = table.state.encounter
    assert found
    assert [slot.slot for slot in found.order] == ["Bryn", "captain", "Ash"]
    assert slots(table, "captain", 6)[0] == first
    assert table.code(JoinEncounter(by=GM, who="captain")) == "ENC"


def test_a_character_who_joins_rolls_for_the_place() -> None:
    table = seat("Bryn 20", "Ash 5")
    table.say(JoinEncounter(by=GM, who="Cole"))
    passes(table, 1)
    assert at(table) == (1, "movement", "")  # it waits for the roll
    assert table.code(Move(by="Bryn"), *DUSK) == "TURN"
    table.say(Initiative(by="Cole"), *DUSK)
    table.say(close())
    assert at(table) == (1, "movement", "Bryn")
    assert slots(table, "Cole", 4)[0] == (1, "action")


def test_a_wound_of_one_who_joined_late_comes_into_force_at_the_end() -> None:
    """DB-WOUND-4, DB-ENC-12."""
    table = seat("Bryn 20", "thug 5")
    table.say(JoinEncounter(by=GM, who="Ash", initiative=1))
    dropped(table, faces=(6, 7))
    assert [wound.in_force for _, wound in table.state.wounds_of("Ash")] == [False]
    table.say(EndEncounter(by=GM))
    assert [wound.in_force for _, wound in table.state.wounds_of("Ash")] == [True]
    assert table.points("Ash", "health") == 6  # 1 for coming to, 5 for half of 10


def test_a_wound_of_one_who_left_comes_into_force_at_the_end_and_one_taken_elsewhere_at_once() -> None:
    table = seat("Bryn", "thug", "Ash")
    dropped(table, faces=(6, 7))
    table.say(LeaveEncounter(by=GM, who="Ash"))
    table.say(InflictWound(by=GM, target="Ash"))
    table.say(WoundRoll(by="Ash"), 1, 2)
    table.say(close())
    assert [wound.in_force for _, wound in table.state.wounds_of("Ash")] == [False, True]
    table.say(EndEncounter(by=GM))
    assert [wound.in_force for _, wound in table.state.wounds_of("Ash")] == [True, True]


def test_who_comes_back_has_no_second_turn() -> None:
    table = seat("Ash", "Bryn", "thug", phase="action")
    passes(table, 1)
    table.say(LeaveEncounter(by=GM, who="Ash"))
    table.say(JoinEncounter(by=GM, who="Ash", initiative=1))
    assert slots(table, "Ash", 4) == [(2, "movement")]


# DB-ENC-10


def test_new_initiative_gives_everybody_a_movement_slot_in_the_new_order() -> None:
    table = seat("Ash", "Bryn", "thug 5", phase="action", turn="thug")
    passes(table, 1)
    assert at(table) == (2, "movement", "thug")
    table.say(NewInitiative(by=GM, reason="smoke"))
    assert table.code(Move(by="thug")) == "TURN"
    table.say(Initiative(by="Ash"), 2, 1)
    table.say(Initiative(by="Bryn"), 9, 8)
    table.say(close())
    moved = []
    while at(table)[1] == "movement":
        moved.append(at(table)[2])
        passes(table, 1)
    assert moved == ["Ash", "thug", "Bryn"]


def test_new_initiative_may_be_called_when_only_the_stunned_have_been_passed_over() -> None:
    table = seat("Bryn", "thug", "Ash", phase="action")
    passes(table, 3)
    assert at(table) == (2, "movement", "Ash")
    table = seat("Bryn", "Ash", "thug", phase="action")
    passes(table, 2)
    dropped(table)
    passes(table, 1)
    assert at(table)[0] == 2
    table.say(Interrupt(by="Bryn"))
    assert table.code(NewInitiative(by=GM, reason="x")) == "PHASE"


# DB-STD-4


def test_a_delayed_action_is_taken_once_and_cannot_be_passed() -> None:
    table = seat("Ash", "Bryn", phase="action")
    table.say(Delay(by="Ash"))
    assert table.code(Delay(by="Ash")) == "SLOT"
    assert table.code(Pass(by="Ash", what="standard")) == "SLOT"
    table.say(Pass(by="Ash"))
    table.say(tries(difficulty=0))
    assert table.code(tries(difficulty=0)) == "SLOT"


# Armor, damage, elites


@pytest.mark.parametrize(("reading", "health"), [("physical", 13), ("all", 12)])
def test_ambient_damage_passes_physical_armor_or_all(reading: str, health: int) -> None:
    """DB-AMB-1."""
    armor = [{"kind": "physical", "value": 3}, {"kind": "magic", "value": 1}]
    table = Seat("Cole", options={"ambient_ignores": reading}, Cole={"sheet": {"armor": armor}})
    table.say(Damage(by=GM, target="Cole", amount=4, ambient=True))
    assert table.points("Cole", "health") == health


def test_foes_have_no_stat_pools_so_that_such_damage_takes_their_health() -> None:
    """DB-GAP-36."""
    table = Seat(*WHO, options={"stat_damage_target": "pool"})
    table.say(Damage(by=GM, target="thug", amount=2, damage_type="speed"))
    assert table.points("thug", "health") == 4


def test_an_elites_wound_without_a_player_is_rolled_by_the_game_master() -> None:
    """DB-DMG-6: Dawn does nothing, Dusk gives 2 Doom, an Eclipse costs 1."""
    doom = []
    for faces in ((5, 2), (2, 5), (1, 1)):
        table = Seat(*WHO, doom=3)
        table.say(Damage(by=GM, target="captain", amount=99))
        assert table.code(WoundRoll(by="Ash", who="captain"), *faces) == "PENDING-WOUND"
        table.say(WoundRoll(by=GM, who="captain"), *faces)
        table.say(close())
        doom.append(table.doom)
    assert doom == [3, 5, 2]


def test_an_elite_at_its_limit_is_out_and_on_a_death_result_dead() -> None:
    """DB-DMG-5."""
    table = seat("Ash", "captain")
    dropped(table, "captain", (12, 12))
    assert holds(table, "captain") == ["dead", "rising", "stunned"]
    table = seat("Ash", "captain", "thug")
    for _ in range(2):
        table.say(InflictWound(by=GM, target="captain"))
        table.say(WoundRoll(by=GM, who="captain"), 1, 1)
        table.say(close())
    assert holds(table, "captain") == ["incapacitated"]
    assert table.code(Damage(by=GM, target="captain", amount=1)) == "DEAD"
    assert table.code(InflictWound(by=GM, target="captain")) == "DEAD"
    assert table.code(Attack(by="Ash", target="captain", stat="might"), *DAWN) == "VALUE"
    assert table.code(Defence(by="Ash", source="captain"), *DAWN) == "DEAD"
    assert slots(table, "captain", 5) == []


def test_the_attack_that_kills_leaves_nobody_to_attack() -> None:
    """DB-DEST-4: a declaration is checked against the state after the close."""
    table = Seat(*WHO)
    table.say(Attack(by="Ash", target="thug", stat="might", damage=9), 9, 8)
    assert table.code(Attack(by="Bryn", target="thug", stat="might"), *DAWN) == "VALUE"


def test_a_retry_of_an_attack_is_one_only_while_the_reading_holds() -> None:
    """DB-RETRY-5: outside encounters nothing is remembered either."""
    table = Seat(*WHO, options={"combat_attacks_are_retries": "on"})
    for _ in range(2):
        table.say(Attack(by="Ash", target="thug", stat="might"), 1, 2)
        table.say(close())
    assert holds(table) == []


def test_an_attack_that_must_be_paid_and_cannot_fails_by_itself() -> None:
    """DB-COST-4, DB-RETRY-1."""
    table = seat("Ash", "thug", phase="action", options={"combat_attacks_are_retries": "on"}, Ash={"might": 2})
    table.say(Attack(by="Ash", target="thug", stat="might"), 1, 2)
    table.say(close())
    passes(table, 4)
    record = table.say(Attack(by="Ash", target="thug", stat="might", effort=1), 9, 9)
    assert record.declared
    assert record.declared.faces is None
    assert table.points("Ash", "might") == 2


# Rulings and sheets


def test_a_wound_by_ruling_waits_for_the_end_of_a_running_fight() -> None:
    """DB-WOUND-4."""
    table = seat("Ash", "thug")
    for who, force in (("ash", False), ("bryn", True)):
        table.say(Adjust(by=GM, value=f"{who}.wound", change=4, reason="rolled by hand"))
        (found,) = [wound for (bearer, _), wound in table.state.wounds.items() if bearer.casefold() == who]
        assert (found.kind, found.in_force) == ("moderate", force)


def test_a_condition_is_adjusted_on_and_off() -> None:
    table = Seat(*WHO)
    table.say(Adjust(by="Ash", value="dazed", change=1, reason="smoke"))
    assert holds(table) == ["dazed"]
    assert table.code(Adjust(by="Ash", value="dazed", change=1, reason="smoke")) == "VALUE"
    table.say(Adjust(by="Ash", value="dazed", change=-1, reason="fresh air"))
    assert holds(table) == []


@pytest.mark.parametrize("reading", ["reached", "kept", "rounded_down"])
def test_wounds_brought_along_have_a_category_in_every_reading(reading: str) -> None:
    """DB-HEAL-6."""
    table = Seat("Ash", Ash={"sheet": {"wounds": [3]}})
    table = Seat("Ash")
    from ledger.facts import OptionSet

    table = Seat(facts=(OptionSet(name="healing_category", was="reached", now=reading, because="given"),))
    from tests.rulebooks.dusk_bastards.seat import BOOK, cases

    table.say(BOOK.sheet({"name": "Ash", **cases()["sheets"]["Ash"], "wounds": [3]}, "ash.toml"))
    ((_, wound),) = table.state.wounds_of("Ash")
    assert wound.kind == ("light" if reading == "rounded_down" else "moderate")


def test_a_changed_sheet_moves_the_maxima_and_cuts_what_is_above_them() -> None:
    """DB-DMG-1, DB-DEST-3."""
    table = seat("Ash", "thug", Ash={"destiny": 2})
    fields: dict[str, Any] = {"name": "Ash", "intellect": 9, "effort_limit": 2}
    table.say(ChangeSheet(by=GM, level=3, might=14, speed=12, because="a level", **fields))
    assert (table.pools("Ash"), table.points("Ash", "health"), table.state.pools["Ash", "health"].most) == (
        (12, 10, 9),
        10,
        12,
    )
    table.say(ChangeSheet(by=GM, level=1, might=8, speed=8, because="a curse", **fields))
    assert (table.pools("Ash"), table.points("Ash", "health"), table.destiny("Ash")) == ((8, 8, 9), 8, 1)
    assert not of_kind(table.say(ChangeSheet(by=GM, level=1, might=8, speed=8, because="again", **fields)), Reached)


def test_only_characters_and_foes_take_part() -> None:
    table = Seat("Ash")
    table.say(CreateNpc(by=GM, name="rat", kind="minion", difficulty=1, health=1))
    table.say(StartEncounter(by=GM, kind="fight"))
    found = table.state.encounter
    assert found
    assert found.members == ("Ash", "rat")
    table.say(Initiative(by="Ash", task="initiative"), *DUSK)
    assert table.code(Initiative(by="Ash", take20=True), *DUSK) == "ENC"
