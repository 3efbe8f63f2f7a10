"""Fights: ends of effects, interrupts, joining and leaving, new initiative, delayed actions, charges."""

from __future__ import annotations

from typing import Any

import pytest

from ledger.facts import GM, ConditionBegan, Ends, Fact, Reached
from rulebooks.common.encounters import LeaveEncounter
from rulebooks.dusk_bastards.declarations import turns
from rulebooks.dusk_bastards.declarations.combat import Attack, Defence
from rulebooks.dusk_bastards.declarations.harm import Damage, InflictWound, WoundRoll
from rulebooks.dusk_bastards.declarations.world import SetDistance
from tests.rulebooks.dusk_bastards.fight import WHO, conditions, drop_to_zero, fight, moment, pass_turns, turns_of
from tests.rulebooks.dusk_bastards.seat import DUSK, Seat, close, final_difficulty, tries

# DB-DUR: the slot where an effect ends, also if its anchor is gone


def effect(anchor: str, phase: str, due: int) -> tuple[Fact, ...]:
    """Return a condition of Cole that ends in this slot."""
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
    seat = fight(*order, phase="action", turn="thug", facts=effect("Bryn", phase, 2), **given)
    if fate == "stunned":
        drop_to_zero(seat, "Bryn")
    if fate == "dead":
        drop_to_zero(seat, "Bryn", (12, 11))
    if fate in ("gone", "gone and back"):
        seat.say(LeaveEncounter(by=GM, who="Bryn"))
    if fate == "gone and back":
        seat.say(turns.JoinEncounter(by=GM, who="Bryn", initiative=29))
    ended: list[tuple[int, str, str]] = []
    reordered = False
    while "hexed Cole" in seat.state.conditions:
        record = seat.say(turns.Pass(by=moment(seat)[2]))
        if fate == "reordered" and moment(seat) == (2, "movement", "thug") and not reordered:
            reordered = True
            seat.say(turns.NewInitiative(by=GM, reason="the lamp goes out"))
            for who, faces in (("Ash", (9, 10)), ("Bryn", (9, 9))):
                seat.say(turns.Initiative(by=who), *faces)
            record = seat.say(close())
        point = ""
        for fact in record.facts:
            if isinstance(fact, Reached):
                point = (fact.round, fact.phase, fact.who)
            if type(fact).__name__ == "ConditionEnded" and fact.name == "hexed":
                ended.append(point)
    assert ended == [(2, phase, "Bryn")]


def test_full_defence_ends_at_an_interrupt_of_the_next_round() -> None:
    seat = fight("Ash", "Bryn", "thug")
    pass_turns(seat, 2)
    seat.say(turns.FullDefence(by="Ash"))
    assert moment(seat) == (1, "action", "Bryn")
    pass_turns(seat, 2)
    assert moment(seat) == (2, "movement", "thug")
    assert conditions(seat) == ["defending"]
    seat.say(turns.Interrupt(by="Ash"))
    assert conditions(seat) == []
    assert moment(seat) == (2, "movement", "Ash")


def test_full_defence_eases_every_defence() -> None:
    seat = fight("thug", "captain", "Ash")
    seat.say(turns.FullDefence(by="Ash"))
    pass_turns(seat, 2)
    for foe, base in (("captain", 6), ("thug", 4)):
        if moment(seat)[2] != foe:
            pass_turns(seat, 1)
        if moment(seat)[1] == "action":
            record = seat.say(Defence(by="Ash", source=foe, npc_slot="none"), *DUSK)
            assert final_difficulty(record) == base - 1


def test_a_foe_that_defends_is_harder_to_hit() -> None:
    """DB-MOVE-4."""
    seat = fight("Ash", "thug")
    seat.say(turns.FullDefence(by="thug"))
    pass_turns(seat, 1)
    assert final_difficulty(seat.say(Attack(by="Ash", target="thug", stat="might"), *DUSK)) == 5


def test_a_foe_that_charges_is_harder_to_defend_against_once() -> None:
    """DB-MOVE-3, DB-ROLL-4."""
    seat = fight("thug", "Ash")
    pass_turns(seat, 1)
    seat.say(turns.Charge(by="thug", target="Ash"))
    assert final_difficulty(seat.say(Defence(by="Ash", source="thug"), *DUSK)) == 5
    again = seat.say(Defence(by="Ash", source="thug", npc_slot="reaction"), *DUSK)
    assert final_difficulty(again) == 4


def test_encounter_long_effects_end_with_the_encounter() -> None:
    """DB-ENC-12."""
    seat = fight("thug", "Cole", "Ash", phase="movement")
    seat.say(turns.FullDefence(by="Ash"))
    seat.say(turns.Charge(by="Cole", target="thug"))
    seat.say(turns.EndEncounter(by=GM))
    assert not seat.state.conditions
    assert not seat.state.allowances
    assert not {name for _, name in seat.state.counts} & {"moved", "melee"}


# DB-ENC-7


def test_nested_interrupts_resume_in_order() -> None:
    seat = fight("captain", "Bryn", "Cole", "Ash")
    for who in ("Bryn", "captain", "Cole"):
        seat.say(turns.Interrupt(by=who))
    for who in ("Ash", "Bryn", "captain", "Cole"):  # moving, or waiting to go on
        assert seat.code(turns.Interrupt(by=who)) == "INTERRUPT"
    gone = []
    while moment(seat)[1] == "movement":
        gone.append(moment(seat)[2])
        seat.say(turns.Move(by=moment(seat)[2]))
    assert gone == ["Cole", "captain", "Bryn", "Ash"]


def test_an_interrupter_who_is_struck_down_is_passed_over() -> None:
    seat = fight("captain", "Bryn", "Ash")
    seat.say(turns.Interrupt(by="Bryn"))
    drop_to_zero(seat, "Ash")  # waits
    assert moment(seat)[2] == "Bryn"
    seat.say(turns.Interrupt(by="captain"))
    drop_to_zero(seat, "captain")
    assert moment(seat)[2] == "Bryn"
    seat.say(turns.Pass(by="Bryn"))
    assert moment(seat) == (1, "action", "Bryn")


# DB-GAP-63: joining and leaving


def test_leaving_in_ones_own_slot_ends_it() -> None:
    seat = fight("Bryn", "Ash")
    seat.say(LeaveEncounter(by=GM, who="Ash"))
    assert moment(seat) == (1, "movement", "Bryn")
    assert seat.code(LeaveEncounter(by=GM, who="Ash")) == "ENC"
    assert seat.code(turns.Move(by="Ash"), *DUSK) == "ENC"
    seat.say(tries(), *DUSK)  # she is elsewhere, with other things to do
    seat.say(close())
    assert turns_of(seat, "Ash", 6) == []


def test_the_last_to_leave_ends_their_turn() -> None:
    """DB-DUR-2: a fight that nobody is left in is nobody's turn; it waits to be joined or ended."""
    seat = fight("Bryn", "Ash")
    seat.say(LeaveEncounter(by=GM, who="Ash"))
    pass_turns(seat, 9)
    seat.say(LeaveEncounter(by=GM, who="Bryn"))
    assert moment(seat)[2] == ""
    assert seat.code(turns.Pass(by="Bryn")) == "ENC"
    seat.say(turns.EndEncounter(by=GM))
    assert seat.state.encounter is None


@pytest.mark.parametrize(("phase", "first"), [("movement", (1, "action")), ("action", (2, "movement"))])
def test_a_fight_that_all_have_left_goes_on_when_joined(phase: str, first: tuple[int, str]) -> None:
    seat = fight("Ash", phase=phase)
    seat.say(LeaveEncounter(by=GM, who="Ash"))
    assert moment(seat) == (1, phase, "")
    seat.say(turns.JoinEncounter(by=GM, who="thug"))
    assert moment(seat) == (*first, "thug")


def test_the_last_to_die_ends_their_turn() -> None:
    """DB-WOUND-5: the turn of the dead is over, also when nobody else is left to act."""
    seat = fight("thug")
    seat.say(Damage(by=GM, target="thug", amount=99))
    assert moment(seat) == (1, "movement", "")


def test_an_unplaced_character_may_leave() -> None:
    seat = Seat(*WHO)
    seat.say(turns.StartEncounter(by=GM, participants=("Ash", "thug")))
    seat.say(LeaveEncounter(by=GM, who="Ash"))
    assert moment(seat) == (1, "movement", "thug")
    assert seat.code(turns.Initiative(by="Ash"), *DUSK) == "ENC"


@pytest.mark.parametrize(("phase", "first"), [("movement", (1, "action")), ("action", (2, "movement"))])
def test_a_foe_that_joins_acts_from_the_next_phase_on(phase: str, first: tuple[int, str]) -> None:
    seat = fight("Bryn 20", "Ash 5", phase=phase)
    seat.say(turns.JoinEncounter(by=GM, who="captain"))
    encounter = seat.state.encounter
    assert encounter
    assert [slot.slot for slot in encounter.order] == ["Bryn", "captain", "Ash"]
    assert turns_of(seat, "captain", 6)[0] == first
    assert seat.code(turns.JoinEncounter(by=GM, who="captain")) == "ENC"


def test_a_character_who_joins_rolls_for_the_place() -> None:
    seat = fight("Bryn 20", "Ash 5")
    seat.say(turns.JoinEncounter(by=GM, who="Cole"))
    pass_turns(seat, 1)
    assert moment(seat) == (1, "movement", "")  # it waits for the roll
    assert seat.code(turns.Move(by="Bryn"), *DUSK) == "TURN"
    seat.say(turns.Initiative(by="Cole"), *DUSK)
    seat.say(close())
    assert moment(seat) == (1, "movement", "Bryn")
    assert turns_of(seat, "Cole", 4)[0] == (1, "action")


def test_a_wound_of_one_who_joined_late_comes_into_force_at_the_end() -> None:
    """DB-WOUND-4, DB-ENC-12."""
    seat = fight("Bryn 20", "thug 5")
    seat.say(turns.JoinEncounter(by=GM, who="Ash", initiative=1))
    drop_to_zero(seat, faces=(6, 7))
    assert [wound.in_force for _, wound in seat.state.wounds_of("Ash")] == [False]
    seat.say(turns.EndEncounter(by=GM))
    assert [wound.in_force for _, wound in seat.state.wounds_of("Ash")] == [True]
    assert seat.points("Ash", "health") == 6  # 1 for coming to, 5 for half of 10


def test_a_leavers_wounds_come_into_force_at_the_end_or_at_once() -> None:
    seat = fight("Bryn", "thug", "Ash")
    drop_to_zero(seat, faces=(6, 7))
    seat.say(LeaveEncounter(by=GM, who="Ash"))
    seat.say(InflictWound(by=GM, target="Ash"))
    seat.say(WoundRoll(by="Ash"), 1, 2)
    seat.say(close())
    assert [wound.in_force for _, wound in seat.state.wounds_of("Ash")] == [False, True]
    seat.say(turns.EndEncounter(by=GM))
    assert [wound.in_force for _, wound in seat.state.wounds_of("Ash")] == [True, True]


def test_a_returning_character_has_no_second_turn() -> None:
    seat = fight("Ash", "Bryn", "thug", phase="action")
    pass_turns(seat, 1)
    seat.say(LeaveEncounter(by=GM, who="Ash"))
    seat.say(turns.JoinEncounter(by=GM, who="Ash", initiative=1))
    assert turns_of(seat, "Ash", 4) == [(2, "movement")]


# DB-ENC-10


def test_new_initiative_gives_everybody_a_movement_slot() -> None:
    seat = fight("Ash", "Bryn", "thug 5", phase="action", turn="thug")
    pass_turns(seat, 1)
    assert moment(seat) == (2, "movement", "thug")
    seat.say(turns.NewInitiative(by=GM, reason="smoke"))
    assert seat.code(turns.Move(by="thug")) == "TURN"
    seat.say(turns.Initiative(by="Ash"), 2, 1)
    seat.say(turns.Initiative(by="Bryn"), 9, 8)
    seat.say(close())
    moved = []
    while moment(seat)[1] == "movement":
        moved.append(moment(seat)[2])
        pass_turns(seat, 1)
    assert moved == ["Ash", "thug", "Bryn"]


def test_new_initiative_may_follow_skipped_slots_of_the_stunned() -> None:
    seat = fight("Bryn", "thug", "Ash", phase="action")
    pass_turns(seat, 3)
    assert moment(seat) == (2, "movement", "Ash")
    seat = fight("Bryn", "Ash", "thug", phase="action")
    pass_turns(seat, 2)
    drop_to_zero(seat)
    pass_turns(seat, 1)
    assert moment(seat)[0] == 2
    seat.say(turns.Interrupt(by="Bryn"))
    assert seat.code(turns.NewInitiative(by=GM, reason="x")) == "PHASE"


# DB-STD-4


def test_a_delayed_action_is_taken_once_and_cannot_be_passed() -> None:
    seat = fight("Ash", "Bryn", phase="action")
    seat.say(turns.Delay(by="Ash"))
    assert seat.code(turns.Delay(by="Ash")) == "SLOT"
    assert seat.code(turns.Pass(by="Ash", what="standard")) == "SLOT"
    seat.say(turns.Pass(by="Ash"))
    seat.say(tries(difficulty=0))
    assert seat.code(tries(difficulty=0)) == "SLOT"


# Charges


@pytest.mark.parametrize(("round", "code"), [(1, "CHARGE"), (2, "")])
def test_melee_before_the_order_is_fixed_counts_for_the_first_round(round: int, code: str) -> None:
    """DB-MOVE-3: in round 1 since the encounter began, in round 2 since the start of round 1."""
    seat = Seat("Ash", "Bryn", "captain")
    seat.say(turns.StartEncounter(by=GM))
    seat.say(turns.Initiative(by="Ash"), 12, 11)
    seat.say(Defence(by="Ash", source="captain", npc_slot="none"), 9, 10)
    seat.say(turns.Initiative(by="Bryn"), 12, 11)
    seat.say(close())
    for _ in range(0 if round == 1 else 6):
        assert seat.state.encounter is not None
        seat.say(turns.Pass(by=seat.state.encounter.turn))
    for who in ("captain", "Ash"):
        charge = turns.Charge(by=who, target="captain" if who == "Ash" else "Ash")
        while seat.state.encounter is not None and seat.state.encounter.turn != who:
            seat.say(turns.Pass(by=seat.state.encounter.turn))
        assert seat.state.encounter is not None
        assert (seat.state.encounter.round, seat.state.encounter.phase) == (round, "movement")
        if code:
            assert seat.code(charge) == code
        else:
            seat.say(charge)


def facing(distance: Any = None) -> Seat:
    """Begin Ash's movement, at a known distance from the captain."""
    seat = Seat("Ash", "captain", encounter={"order": ("captain", "Ash")})
    if distance is not None:
        seat.say(SetDistance(by=GM, between=("Ash", "captain"), at=distance))
    return seat


@pytest.mark.parametrize("distance", ["long", "extreme", "beyond"])
@pytest.mark.parametrize("said", [None, "immediate", "short"])
def test_a_charge_goes_no_farther_than_a_short_distance(distance: Any, said: Any) -> None:
    """DB-MOVE-3, DB-DIST-2: the known distance counts, not the declared one."""
    assert facing(distance).code(turns.Charge(by="Ash", target="captain", distance=said)) == "CHARGE"


@pytest.mark.parametrize(
    ("known", "said", "moved"),
    [(None, None, 2), ("immediate", None, 1), ("short", None, 2), ("immediate", "short", 2), (None, "immediate", 1)],
)
def test_a_charge_covers_the_known_distance(known: Any, said: Any, moved: int) -> None:
    """DB-DIST-2: or the declared one, or else a short distance."""
    seat = facing(known)
    seat.say(turns.Charge(by="Ash", target="captain", distance=said))
    assert seat.state.count("Ash", "moved") == moved


def test_nobody_charges_themselves() -> None:
    """DB-MOVE-3."""
    assert facing().code(turns.Charge(by="Ash", target="Ash")) == "VALUE"


def test_next_up_have_yet_to_roll_for_initiative() -> None:
    seat = Seat("Ash", "Bryn", "thug")
    assert list(seat.book.guide.next_up(seat.state)) == []
    seat.say(turns.StartEncounter(by=GM))
    assert list(seat.book.guide.next_up(seat.state)) == ["Ash", "Bryn"]
    seat.say(turns.Initiative(by="Ash"), *DUSK)
    assert list(seat.book.guide.next_up(seat.state)) == ["Bryn"]
    seat.say(turns.Initiative(by="Bryn"), *DUSK)
    seat.say(close())
    assert list(seat.book.guide.next_up(seat.state)) == [seat.state.encounter.turn]
