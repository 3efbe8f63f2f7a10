"""What a player who knows every sentence of the book found wrong, put right."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from ledger.declarations import Declaration, Ruling
from ledger.errors import Refused
from ledger.facts import GM, ConditionEnded
from rulebooks.dusk_bastards.declarations import (
    AreaAttack,
    Attack,
    Attempt,
    CastSpell,
    Change,
    Charge,
    Cost,
    Damage,
    Deed,
    Defence,
    Delay,
    Effect,
    Initiative,
    Intercept,
    Move,
    Pass,
    Poison,
    QuickDeed,
    Rest,
    SetCondition,
    SetDistance,
    Spot,
    StartEncounter,
    UseAbility,
    WoundRoll,
)
from rulebooks.dusk_bastards.texts import TEXTS
from tests.rulebooks.dusk_bastards.seat import DUSK, Seat, close, final_difficulty, of_kind, points, task, tries
from tests.rulebooks.seat import cited


def attack(by: str = "Ash", target: str = "thug", **more: Any) -> Attack:
    return Attack(by=by, target=target, stat="might", **more)


# A delayed action


def delayed() -> Seat:
    """Ash has kept the standard action, and the last of the round has attacked with the only action left."""
    seat = Seat("Ash", "Bryn", "thug", encounter={"order": ("Ash", "Bryn", "thug"), "phase": "action"})
    for who in ("Ash", "Bryn"):
        seat.say(Delay(by=who))
        seat.say(Pass(by=who))
    seat.say(Pass(by="thug", what="bonus"))
    seat.say(Defence(by="Ash", source="thug"), *DUSK)
    return seat


@pytest.mark.parametrize(
    ("said", "faces"),
    [
        (attack(), DUSK),
        (Attempt(by="Ash", stat="might", difficulty=4), DUSK),
        (CastSpell(by="Ash", task="fog"), ()),
        (Rest(by="Ash", kind="one_action"), (3,)),
        (Deed(by="Ash", text="bar the door"), ()),
    ],
)
def test_a_delayed_action_is_taken_after_the_last_roll_of_the_round(said: Declaration, faces: tuple[int, ...]) -> None:
    """DB-STD-4: whoever speaks with a delayed action does so in the round in which it was kept."""
    seat = delayed()
    ended = of_kind(seat.say(said, *faces), ConditionEnded)
    assert ("Ash", "delayed", "used") in [(fact.who, fact.name, fact.because) for fact in ended]
    seat.replayed()


def test_one_delayed_action_follows_another() -> None:
    """DB-STD-4, DB-ENC-9: the round ends when the last of them is settled."""
    seat = delayed()
    seat.say(attack(), *DUSK)
    seat.say(attack("Bryn"), *DUSK)
    assert seat.state.encounter is not None
    assert seat.state.encounter.round == 1
    seat.say(close())
    assert seat.state.encounter.round == 2


def test_a_foes_delayed_attack_is_defended_against_in_its_round() -> None:
    """DB-STD-4, DB-ROLL-3: the foe's action is taken by the defence against it."""
    seat = Seat("Ash", "thug", encounter={"order": ("thug", "Ash"), "phase": "action"})
    for said in (Delay(by="thug"), Pass(by="thug"), Pass(by="Ash", what="bonus")):
        seat.say(said)
    seat.say(attack(), *DUSK)
    seat.say(Defence(by="Ash", source="thug"), *DUSK)
    assert seat.state.encounter is not None
    assert seat.state.encounter.round == 1


def test_a_delayed_action_that_nobody_calls_is_lost() -> None:
    """DB-STD-4: a free attempt is none."""
    seat = delayed()
    seat.say(close())
    assert seat.state.encounter is not None
    assert seat.state.encounter.round == 2
    assert "delayed Ash" not in seat.state.conditions
    assert seat.code(attack(), *DUSK) == "PHASE"


# The 1 health that comes back


@pytest.mark.parametrize(
    ("healed", "expected"),
    [(0, 1), (3, 4), (10, 10)],  # Ash has 10 at most
)
def test_one_health_comes_back_whatever_there_is_by_then(healed: int, expected: int) -> None:
    """DB-ZERO-4: a healer in between does not take it away; the maximum holds."""
    seat = Seat("Ash", "thug", encounter={"order": ("thug", "Ash"), "phase": "action"})
    seat.say(Damage(by=GM, target="Ash", amount=10))
    seat.say(WoundRoll(by="Ash"), 2, 3)
    seat.say(close())
    seat.say(Ruling(by=GM, text="a healer", reason="so", changes=(Change("ash.health", healed),)))
    seat.say(Pass(by="thug"))  # Ash's turn is lost, the next is not
    assert seat.points("Ash", "health") == expected
    seat.replayed()


# An attack is a standard action

AREA = AreaAttack(by="Ash", targets=(Spot("thug"),), stat="might", at="short")


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        (attack(slot="bonus"), "Ash has no bonus action left for that"),
        (attack(slot="none"), "Ash has no free action left for that"),
        (msgspec.structs.replace(AREA, slot="bonus"), "Ash has no bonus action left for that"),
        (msgspec.structs.replace(AREA, slot="none"), "Ash has no free action left for that"),
    ],
)
def test_an_attack_is_a_standard_action(said: Attack | AreaAttack, expected: str) -> None:
    """DB-ACTN-4, DB-BONUS-1."""
    seat = Seat("Ash", "thug", encounter={"order": ("Ash", "thug"), "phase": "action"})
    refusal = seat.refused(said, *DUSK)
    assert (refusal.code, expected in str(refusal)) == ("DB-E-SLOT", True)
    moving = Seat("Ash", "thug", encounter={"order": ("thug", "Ash")})
    assert moving.code(said, *DUSK) == "PHASE"


@pytest.mark.parametrize(("slot", "code"), [("none", ""), ("standard", ""), ("bonus", "SLOT")])
def test_outside_a_combat_an_attack_may_cost_no_action(slot: Any, code: str) -> None:
    """DB-ACTN-4: slots are of combat rounds."""
    seat = Seat("Ash", "thug")
    if code:
        assert seat.code(attack(slot=slot), *DUSK) == code
    else:
        seat.say(attack(slot=slot), *DUSK)


# Help


@pytest.mark.parametrize("helper", ["Ash", "ash", "nobody"])
def test_nobody_helps_themselves(helper: str) -> None:
    """DB-MOD-5."""
    assert Seat("Ash").code(tries(helpers=(helper,)), *DUSK) == "VALUE"


# The same direction


@pytest.mark.parametrize(
    ("situations", "expected"),
    [
        (("same_direction",), 4),
        (("moved=short", "same_direction"), 6),
        (("moving=short", "same_direction"), 6),
        (("moved=short", "moving=short", "same_direction"), 4),
    ],
)
def test_the_same_direction_matters_only_where_both_have_moved(situations: tuple[str, ...], expected: int) -> None:
    """DB-MTGT-3: what is said for nothing is told."""
    seat = Seat("Ash", "thug")
    record = seat.say(attack(mode="ranged", at="short", situations=situations), *DUSK)
    assert final_difficulty(record) == expected
    assert "DB-MTGT-3" in cited(record.facts)
    reasons = [step.reason for found in task(record).sums for step in found.steps]
    assert any("not both" in reason for reason in reasons) == (expected == 6)


# Poison and disease


def test_an_ailment_has_its_own_difficulty_and_no_foe_bears_on_it() -> None:
    """DB-SPEC-3: neither the foe's difficulty, nor what eases or hinders its attacks."""
    seat = Seat("Ash", "captain", encounter={"order": ("captain", "Ash")})
    seat.say(Pass(by="Ash"))
    seat.say(Charge(by="captain", target="Ash"))
    seat.say(SetCondition(by=GM, target="captain", name="dazed", rounds=3))
    seat.say(Poison(by=GM, target="Ash", difficulty=3, source="the blade"))
    record = seat.say(Defence(by="Ash", source="captain", cause="poison"), *DUSK)
    assert final_difficulty(record) == 3
    assert "charging captain" in seat.state.conditions
    assert final_difficulty(seat.say(Defence(by="Ash", source="captain"), *DUSK)) == 6 + 1 - 1


def test_an_ailment_that_nobody_has_spoken_of_has_no_difficulty() -> None:
    """DB-SPEC-3: the game master says it before the roll."""
    assert Seat("Ash", "captain").code(Defence(by="Ash", source="captain", cause="disease"), *DUSK) == "DIFFICULTY"
    said = Defence(by="Ash", source="captain", cause="disease", difficulty=2)
    assert final_difficulty(Seat("Ash", "captain").say(said, *DUSK)) == 2


# The ease of a charge


def test_an_interception_is_no_attack_of_a_charge() -> None:
    """DB-MOVE-3: nor is the ease used up by it."""
    seat = Seat("Ash", "Bryn", "thug", encounter={"order": ("Ash", "Bryn", "thug")})
    for said in (Pass(by="thug"), Pass(by="Bryn"), Charge(by="Ash", target="thug")):
        seat.say(said)
    record = seat.say(Intercept(by="Ash", target="thug", protect="Bryn", stat="might"), *DUSK)
    assert final_difficulty(record) == 4
    assert final_difficulty(seat.say(attack(), *DUSK)) == 3


def test_a_foes_interception_is_no_attack_of_its_charge() -> None:
    """DB-MOVE-3, DB-REACT-8, DB-ROLL-4."""
    seat = Seat("Ash", "captain", "thug", encounter={"order": ("captain", "Ash", "thug")})
    for said in (Pass(by="thug"), Pass(by="Ash"), Charge(by="captain", target="Ash")):
        seat.say(said)
    record = seat.say(Intercept(by="captain", target="Ash", protect="thug", stat="might"), *DUSK)
    assert final_difficulty(record) == 6
    assert final_difficulty(seat.say(Defence(by="Ash", source="captain"), *DUSK)) == 7


# A foe's area attack


def test_each_character_defends_once_against_a_foes_area_attack() -> None:
    """DB-AREA-2: once a round, since the foe has one action for it."""
    seat = Seat("Ash", "Bryn", "thug", encounter={"order": ("thug", "Ash", "Bryn"), "phase": "action"})
    said = {who: Defence(by=who, source="thug", area=True) for who in ("Ash", "Bryn")}
    for who in ("Ash", "Bryn"):
        seat.say(said[who], 9, 8)
    for who in ("Ash", "Bryn"):
        assert seat.code(said[who], 9, 8) == "VALUE"
    for who in ("thug", "Ash", "Bryn", "Bryn", "Ash", "thug"):
        seat.say(Pass(by=who))
    for who in ("Ash", "Bryn"):
        seat.say(said[who], 9, 8)
    seat.replayed()


# Charges


@pytest.mark.parametrize(("round", "code"), [(1, "CHARGE"), (2, "")])
def test_melee_before_the_order_is_fixed_counts_for_the_first_round(round: int, code: str) -> None:
    """DB-MOVE-3: in round 1 since the encounter began, in round 2 since the start of round 1."""
    seat = Seat("Ash", "Bryn", "captain")
    seat.say(StartEncounter(by=GM))
    seat.say(Initiative(by="Ash"), 12, 11)
    seat.say(Defence(by="Ash", source="captain", npc_slot="none"), 9, 10)
    seat.say(Initiative(by="Bryn"), 12, 11)
    seat.say(close())
    for _ in range(0 if round == 1 else 6):
        assert seat.state.encounter is not None
        seat.say(Pass(by=seat.state.encounter.turn))
    for who in ("captain", "Ash"):
        charge = Charge(by=who, target="captain" if who == "Ash" else "Ash")
        while seat.state.encounter is not None and seat.state.encounter.turn != who:
            seat.say(Pass(by=seat.state.encounter.turn))
        assert seat.state.encounter is not None
        assert (seat.state.encounter.round, seat.state.encounter.phase) == (round, "movement")
        if code:
            assert seat.code(charge) == code
        else:
            seat.say(charge)


def facing(distance: Any = None) -> Seat:
    """Ash is to move, and the captain is known to be so far away."""
    seat = Seat("Ash", "captain", encounter={"order": ("captain", "Ash")})
    if distance is not None:
        seat.say(SetDistance(by=GM, between=("Ash", "captain"), at=distance))
    return seat


@pytest.mark.parametrize("distance", ["long", "extreme", "beyond"])
@pytest.mark.parametrize("said", [None, "immediate", "short"])
def test_a_charge_goes_no_farther_than_a_short_distance(distance: Any, said: Any) -> None:
    """DB-MOVE-3, DB-DIST-2: what is known counts, whatever is said."""
    assert facing(distance).code(Charge(by="Ash", target="captain", distance=said)) == "CHARGE"


@pytest.mark.parametrize(
    ("known", "said", "moved"),
    [(None, None, 2), ("immediate", None, 1), ("short", None, 2), ("immediate", "short", 2), (None, "immediate", 1)],
)
def test_a_charge_goes_as_far_as_is_known(known: Any, said: Any, moved: int) -> None:
    """DB-DIST-2: or said, or else a short distance."""
    seat = facing(known)
    seat.say(Charge(by="Ash", target="captain", distance=said))
    assert seat.state.count("Ash", "moved") == moved


def test_nobody_charges_themselves() -> None:
    """DB-MOVE-3."""
    assert facing().code(Charge(by="Ash", target="Ash")) == "VALUE"


# Paralysed, stunned


@pytest.mark.parametrize(
    ("said", "code"),
    [
        (Deed(by="Ash", text="bar the door"), "PARALYSED"),
        (Deed(by="Ash", text="think", physical=False), ""),
        (QuickDeed(by="Ash", text="kick the door"), "PARALYSED"),
        (QuickDeed(by="Ash", text="shout", physical=False), ""),
        (UseAbility(by="Ash", text="Night Eyes"), ""),
        (UseAbility(by="Ash", text="Tiger Leap", physical=True), "PARALYSED"),
    ],
)
def test_the_paralysed_do_what_needs_no_movement(said: Declaration, code: str) -> None:
    """DB-SPEC-5."""
    seat = Seat("Ash", "thug", encounter={"order": ("Ash", "thug"), "phase": "action"})
    seat.say(SetCondition(by=GM, target="Ash", name="paralysed"))
    if code:
        assert seat.code(said) == code
    else:
        seat.say(said)


@pytest.mark.parametrize("more", [{"rounds": 2}, {"lasts": 60}, {"until": "encounter"}, {"tasks": -1}])
def test_a_stun_costs_one_turn_and_nothing_else_can_be_said(more: dict[str, Any]) -> None:
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
    assert (seat.state.encounter.round, seat.state.conditions_of("Ash")) == (2, [])
    for who in ("thug", "Bryn", "Ash"):
        seat.say(Pass(by=who))
    assert seat.state.encounter.turn == "Ash"
    seat.say(attack(), *DUSK)
    seat.replayed()


# The shares of a recovery roll


def tired() -> Seat:
    """Ash is of level 2, and there is room for 8 might, 5 speed and no intellect."""
    return Seat("Ash", Ash={"might": 4, "speed": 5})


@pytest.mark.parametrize("split", [points(might=8, speed=1), points(speed=6), points(intellect=1)])
def test_shares_that_can_never_fit_are_refused_before_the_die(split: tuple[Cost, ...]) -> None:
    """DB-PLAY-9, DB-REC-1: more than 8 points there are not, nor more room than there is."""
    assert tired().code(Rest(by="Ash", kind="one_hour", split=split)) == "SPLIT"


@pytest.mark.parametrize("kind", ["one_action", "ten_minutes", "one_hour", "ten_hours"])
def test_no_die_is_shown_for_nothing(kind: Any) -> None:
    """DB-PLAY-9, DB-REC-1: what the die does not cover is cut from the shares that were named last."""
    seat = tired()
    record = seat.say(Rest(by="Ash", kind=kind, split=points(speed=5, might=3)))
    total = task(record).total
    assert total is not None
    assert seat.pools("Ash") == (4 + max(0, total - 5), 5 + min(5, total), 9)
    seat.replayed()


def test_faces_typed_in_are_known_and_cover_what_is_said() -> None:
    """DB-REC-1: the sum above the roll is refused, as in the catalogue."""
    seat = tired()
    with pytest.raises(Refused) as raised:
        seat.say(Rest(by="Ash", kind="one_hour", split=points(speed=5, might=3)), 5)
    assert raised.value.code == "DB-E-SPLIT"
    seat.say(Rest(by="Ash", kind="one_hour", split=points(speed=5, might=3)), 6)


# Intercept: in reach


def moving_off(known: Any, said: Declaration) -> Seat:
    """The thug moves, and so far apart were Ash and the thug before."""
    seat = Seat("Ash", "Bryn", "thug", encounter={"order": ("Ash", "Bryn", "thug")})
    if known is not None:
        seat.say(SetDistance(by=GM, between=("Ash", "thug"), at=known))
    seat.say(said)
    return seat


@pytest.mark.parametrize(
    ("known", "said", "code"),
    [
        (None, Move(by="thug", distance="short"), ""),
        ("immediate", Move(by="thug", distance="short"), ""),
        ("short", Move(by="thug", distance="short"), "REACH"),
        ("extreme", Move(by="thug", distance="short"), "REACH"),
        (None, Charge(by="thug", target="Bryn"), ""),
        ("immediate", Charge(by="thug", target="Bryn"), ""),
        ("short", Charge(by="thug", target="Bryn"), "REACH"),
        (None, Charge(by="thug", target="Ash"), "REACH"),
        ("short", Charge(by="thug", target="Ash"), "REACH"),
    ],
)
@pytest.mark.parametrize("mode", ["melee", "ranged"])
def test_only_who_leaves_ones_reach_is_stopped(known: Any, said: Declaration, code: str, mode: Any) -> None:
    """DB-REACT-4: by the distance before the move; who comes does not leave."""
    seat = moving_off(known, said)
    stops = Intercept(by="Ash", target="thug", stat="speed", mode=mode)
    if code:
        assert seat.code(stops, 9, 8) == code
        return
    seat.say(stops, 12, 11)
    seat.say(close())
    assert "stopped thug" in seat.state.conditions
    seat.replayed()


def test_of_two_the_one_who_had_the_mover_in_reach_stops_it() -> None:
    """DB-REACT-4: what was known of others is theirs; and the next movement is another."""
    seat = moving_off("short", Move(by="thug", distance="short"))
    assert seat.code(Intercept(by="Ash", target="thug", stat="speed"), 9, 8) == "REACH"
    seat.say(Intercept(by="Bryn", target="thug", stat="speed"), 9, 8)
    seat.say(Pass(by="Bryn"))
    assert not [name for _, name in seat.state.counts if name.startswith("out of reach")]


def test_a_foe_stops_only_whom_it_has_in_reach() -> None:
    """DB-REACT-4, DB-REACT-8: a short move of a character that is rolled, too."""
    seat = Seat("Ash", "thug", "captain", encounter={"order": ("thug", "captain", "Ash")})
    seat.say(SetDistance(by=GM, between=("thug", "Ash"), feet=30))
    seat.say(Move(by="Ash", distance="short"), 9, 8)
    assert seat.code(Intercept(by="thug", target="Ash"), 9, 8) == "REACH"
    seat.say(Intercept(by="captain", target="Ash"), 9, 8)


# What the book says of it


@pytest.mark.parametrize(
    ("rule", "part"),
    [
        ("DB-ROLL-4", "what hinders everything the foe does works on both rolls"),
        ("DB-MOVE-3", "in round 1: at any time in this encounter"),
        ("DB-MOVE-3", "whoever does not use the ease in it loses it"),
        ("DB-REACT-4", "before any other declaration"),
        ("DB-SPEC-7", "(DB-DUR-1)"),
        ("DB-SPEC-7", "(DB-TIME-2)"),
        ("DB-SPEC-7", "(DB-TIME-3)"),
        ("DB-NPC-1", "Foes that are human"),
    ],
)
def test_a_sentence_of_the_book_leaves_out_nothing(rule: str, part: str) -> None:
    assert part in TEXTS.rules[rule].text


def test_a_hit_at_zero_is_one_that_does_damage() -> None:
    """DB-ZERO-2, DB-GAP-42."""
    assert "net damage is 1 or more" in TEXTS.options["hits_at_zero"].text
