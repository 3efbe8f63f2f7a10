"""Stun: which turn it costs, and the 1 health that comes back."""

from __future__ import annotations

from typing import Any

import pytest

from ledger.declarations import Declaration, Ruling
from ledger.facts import GM
from rulebooks.common.encounters import LeaveEncounter
from rulebooks.dusk_bastards.declarations.combat import Defence
from rulebooks.dusk_bastards.declarations.harm import Damage, Rest, SetCondition, WoundRoll
from rulebooks.dusk_bastards.declarations.parts import Change, Effect
from rulebooks.dusk_bastards.declarations.turns import Delay, Initiative, Pass, StartEncounter
from rulebooks.dusk_bastards.declarations.world import AdvanceTime
from tests.rulebooks.dusk_bastards.fight import (
    WHO,
    attack,
    condition,
    conditions,
    drop_to_zero,
    fight,
    moment,
    pass_turns,
    turns_of,
)
from tests.rulebooks.dusk_bastards.seat import BOOK, DAWN, DUSK, Seat, close, tries

# The 1 health that comes back


@pytest.mark.parametrize(
    ("healed", "expected"),
    [(0, 1), (3, 4), (10, 10)],  # Ash has 10 at most
)
def test_one_health_comes_back_at_any_health(healed: int, expected: int) -> None:
    """DB-ZERO-4: a healer in between does not take it away; the maximum holds."""
    seat = Seat("Ash", "thug", encounter={"order": ("thug", "Ash"), "phase": "action"})
    seat.say(Damage(by=GM, target="Ash", amount=10))
    seat.say(WoundRoll(by="Ash"), 2, 3)
    seat.say(close())
    seat.say(Ruling(by=GM, text="a healer", reason="so", changes=(Change("ash.health", healed),)))
    seat.say(Pass(by="thug"))  # Ash's turn is lost, the next is not
    assert seat.points("Ash", "health") == expected
    seat.check_replay()


# Paralysed, stunned


@pytest.mark.parametrize("more", [{"rounds": 2}, {"lasts": 60}, {"until": "encounter"}, {"tasks": -1}])
def test_a_stun_lasts_one_turn_whatever_is_said(more: dict[str, Any]) -> None:
    """DB-ZERO-3, DB-SPEC-2."""
    seat = Seat("Ash", "thug", encounter={"order": ("Ash", "thug"), "phase": "action"})
    assert seat.code(SetCondition(by=GM, target="Ash", name="stunned", **more)) == "VALUE"
    assert seat.code(attack(on_hit=(Effect("stunned", **more),)), *DUSK) == "VALUE"
    seat.say(SetCondition(by=GM, target="Ash", name="stunned", rounds=1))


@pytest.mark.parametrize("passes", [0, 1, 2], ids=["in the own slot", "in a later one", "in the last one"])
def test_a_stun_costs_the_delayed_action_or_else_the_next_turn(passes: int) -> None:
    """DB-ZERO-3, DB-STD-4: one turn, not two."""
    seat = Seat("Ash", "Bryn", "thug", encounter={"order": ("Ash", "Bryn", "thug"), "phase": "action"})
    seat.say(Delay(by="Ash"))
    for who in ("Ash", "Bryn")[:passes]:
        seat.say(Pass(by=who))
    seat.say(SetCondition(by=GM, target="Ash", name="stunned"))
    assert seat.code(attack(), *DUSK) == "STUNNED"
    for who in ("Ash", "Bryn", "thug")[max(1, passes) :]:
        if passes == 0:
            assert seat.code(attack(), *DUSK) == "STUNNED"
        seat.say(Pass(by=who))
    assert seat.state.encounter is not None
    assert (seat.state.encounter.round, seat.state.conditions_of("Ash")) == (2, ())
    for who in ("thug", "Bryn", "Ash"):
        seat.say(Pass(by=who))
    assert seat.state.encounter.turn == "Ash"
    seat.say(attack(), *DUSK)
    seat.check_replay()


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
    seat = fight("Ash", "Bryn", "Cole", phase=phase, turn=turn, round=2)
    if turn == "Ash" and phase == "movement":
        seat = fight("Ash", "Bryn", "Cole", round=2)
        pass_turns(seat, 2)
    drop_to_zero(seat, "Bryn")
    before = []
    while moment(seat)[2] != "Bryn":
        before.append(moment(seat))
        pass_turns(seat, 1)
    assert moment(seat)[:2] == lost_until
    assert seat.points("Bryn", "health") == 1
    assert conditions(seat, "Bryn") == []


def test_a_second_stun_costs_the_later_turn_only() -> None:
    """DB-ZERO-3: dropped after the own slot, raised by the game master, and dropped again in the next round."""
    seat = fight("Ash", "thug", phase="action")
    pass_turns(seat, 1)
    drop_to_zero(seat)  # her turn of round 2
    seat.say(Ruling(by=GM, text="up", reason="a potion", changes=(Change("ash.health", 5),)))
    drop_to_zero(seat)  # the same turn
    pass_turns(seat, 1)
    assert moment(seat) == (2, "movement", "thug")
    seat.say(Ruling(by=GM, text="up", reason="a potion", changes=(Change("ash.health", 5),)))
    drop_to_zero(seat)  # still the turn of round 2, which is not over
    assert turns_of(seat, "Ash", 4) == [(3, "movement")]


def test_stunned_before_the_first_round_the_first_turn_is_lost() -> None:
    seat = Seat(*WHO)
    seat.say(StartEncounter(by=GM, participants=("Ash", "thug")))
    drop_to_zero(seat)
    seat.say(Initiative(by="Ash"), *DUSK)
    seat.say(close())
    assert moment(seat) == (1, "movement", "thug")
    assert turns_of(seat, "Ash", 3) == [(2, "movement")]


def test_stunned_before_exploration_begins_the_first_turn_is_lost() -> None:
    """DB-ZERO-3: the first round waits for somebody who can act."""
    seat = Seat(*WHO, Ash={"sheet": {"wounds": [8]}})
    seat.say(StartEncounter(by=GM, scale="exploration", participants=("Ash",)))
    seat.say(condition("Ash", "stunned"))
    ((_, stun),) = seat.state.conditions_of("Ash")
    assert [end.due for end in stun.ends] == [1]


def test_stunned_outside_encounters_the_first_slot_ends_it() -> None:
    """DB-ZERO-3: there was no turn to lose; DB-ZERO-4: the first slot gives the health."""
    seat = Seat(*WHO)
    drop_to_zero(seat)
    seat.say(StartEncounter(by=GM, participants=("Ash", "thug")))
    seat.say(Initiative(by="Ash"), *DUSK)
    seat.say(close())
    assert moment(seat) == (1, "movement", "Ash")
    assert (seat.points("Ash", "health"), conditions(seat)) == (1, [])


@pytest.mark.parametrize("said", [AdvanceTime(by=GM, seconds=1), tries(difficulty=0), Rest(by="Ash", kind="one_hour")])
def test_outside_encounters_the_stunned_come_to_when_they_act(said: Declaration) -> None:
    """DB-ZERO-4."""
    seat = Seat(*WHO)
    drop_to_zero(seat)
    seat.say(Defence(by="Ash", source="thug"), 9, 8)
    seat.say(close())
    assert (seat.points("Ash", "health"), conditions(seat)) == (0, ["rising", "stunned"])
    seat.say(said)
    assert seat.points("Ash", "health") >= 1
    assert "stunned" not in conditions(seat)


def test_passing_time_ends_the_stun_of_those_outside() -> None:
    seat = Seat(*WHO)
    drop_to_zero(seat)
    drop_to_zero(seat, "Bryn")
    seat.say(StartEncounter(by=GM, participants=("Ash", "thug")))
    seat.say(AdvanceTime(by=GM, seconds=60))
    assert (seat.points("Ash", "health"), seat.points("Bryn", "health")) == (0, 1)


def test_a_stunned_foe_outside_encounters_comes_to_when_it_attacks() -> None:
    seat = Seat(*WHO)
    drop_to_zero(seat, "captain")
    seat.say(Defence(by="Ash", source="captain"), 9, 8)
    assert seat.points("captain", "health") == 1


def test_in_exploration_the_stunned_lose_their_action() -> None:
    """DB-ZERO-3 and 4 where there are no phases: before the own action this round's, after it the next one's."""
    seat = Seat(*WHO)
    seat.say(StartEncounter(by=GM, scale="exploration", participants=("Ash", "Bryn")))
    drop_to_zero(seat)
    assert seat.code(tries(), *DAWN) == "STUNNED"
    seat.say(Pass(by="Bryn"))
    assert moment(seat)[0] == 2
    assert (seat.points("Ash", "health"), conditions(seat)) == (1, [])
    seat.say(Pass(by="Ash"))
    drop_to_zero(seat, faces=(1, 1))
    seat.say(Pass(by="Bryn"))
    assert seat.code(Pass(by="Ash")) == "STUNNED"
    seat.say(Pass(by="Bryn"))
    assert (moment(seat)[0], seat.points("Ash", "health")) == (4, 1)


@pytest.mark.parametrize("how", ["dead", "critical", "gone"])
def test_in_exploration_nobody_waits_for_those_who_cannot_act(how: str) -> None:
    seat = Seat(*WHO, Ash={"wounds": [{"value": 8, "in_force": how == "critical"}]})
    seat.say(StartEncounter(by=GM, scale="exploration", participants=("Ash", "Bryn")))
    if how == "dead":
        drop_to_zero(seat, faces=(12, 11))
    if how == "gone":
        seat.say(LeaveEncounter(by=GM, who="Ash"))
    seat.say(Pass(by="Bryn"))
    assert moment(seat)[0] == 2


# The dead


@pytest.mark.parametrize("faces", [(12, 12), (1, 1)])
def test_the_dead_lose_no_turn_and_do_not_get_up(faces: tuple[int, int]) -> None:
    """DB-WOUND-5: the stun of somebody who dies of the blow ends with the life, not at a later place in the order."""
    seat = Seat("Ash", "thug", encounter={"order": ("Ash", "thug"), "phase": "action"})
    seat.say(Damage(by=GM, target="Ash", amount=10))
    seat.say(WoundRoll(by="Ash"), *faces)
    seat.say(close())
    held = {condition.name for condition in seat.state.conditions.values() if condition.who == "Ash"}
    assert ("dead" in held) != bool({"stunned", "rising"} & held)
    seat.check_replay()


def test_nothing_is_left_of_a_turn_that_a_stun_cost() -> None:
    """DB-ZERO-3, DB-ENC-8."""
    seat = Seat("Ash", "thug", encounter={"order": ("Ash", "thug"), "phase": "action"})
    seat.say(SetCondition(by=GM, target="Ash", name="stunned", rounds=1))
    assert (seat.state.encounter.turn, dict(BOOK.guide.left("Ash", seat.state))) == ("thug", {"reaction": 1})
