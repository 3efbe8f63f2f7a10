"""What a player who knows every sentence of the book found wrong, put right."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from ledger.declarations import Declaration
from ledger.errors import Refused
from ledger.facts import GM, ConditionEnded
from rulebooks.dusk_bastards.declarations import (
    AreaAttack,
    Attack,
    Attempt,
    CastSpell,
    Charge,
    Cost,
    Deed,
    Defence,
    Delay,
    Initiative,
    Pass,
    Rest,
    SetDistance,
    Spot,
    StartEncounter,
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
