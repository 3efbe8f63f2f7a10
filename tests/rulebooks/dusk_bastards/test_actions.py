"""Reactions, spells, abilities, hazards, poison and disease, rounds of every scale: the corners of what is done."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from ledger.declarations import Declaration
from ledger.facts import GM, ActionSpent, ConditionBegan, ConditionEnded, PointsLost, TimePassed
from rulebooks.dusk_bastards.declarations import combat, turns
from rulebooks.dusk_bastards.declarations.harm import Damage, Disease, Hazard, Poison, Rest, WoundRoll
from rulebooks.dusk_bastards.declarations.parts import Effect, Spot
from rulebooks.dusk_bastards.declarations.sheets import CreateNpc
from rulebooks.dusk_bastards.declarations.tasks import Attempt, Retry
from rulebooks.dusk_bastards.declarations.world import AdvanceTime
from rulebooks.testing.seat import cited
from tests.rulebooks.dusk_bastards.fight import (
    WHO,
    actions_left,
    attack,
    condition,
    conditions,
    explore,
    fight,
    moment,
    pass_turns,
)
from tests.rulebooks.dusk_bastards.seat import DAWN, DUSK, Seat, close, final_difficulty, of_kind, points, spent, task

# Abilities, quick deeds, and what abilities give


def test_an_ability_gives_armor_for_so_many_rounds() -> None:
    """DB-BONUS-1, DB-ARMOR-2, DB-DUR-1: the best of its kind, and ambient damage does not pass it."""
    seat = fight("Ash", "thug", Ash={"sheet": {"armor": [{"kind": "ability", "value": 1}]}}, phase="action")
    effect = Effect("stone skin", rounds=1, armor=3)
    seat.say(turns.UseAbility(by="Ash", text="Stone Skin", cost=points(speed=2), effect=effect))
    seat.say(Damage(by=GM, target="Ash", amount=5, ambient=True))
    assert (seat.points("Ash", "health"), seat.points("Ash", "speed")) == (8, 8)
    pass_turns(seat, 4)
    assert moment(seat) == (2, "action", "Ash")
    seat.say(Damage(by=GM, target="Ash", amount=5))
    assert seat.points("Ash", "health") == 4


def test_an_ability_gives_free_effort_and_a_skill_while_it_lasts() -> None:
    """DB-EFFORT-6, DB-SKILL-1, DB-TIME-3."""
    seat = Seat(*WHO)
    seat.say(condition("Ash", "night eyes", effort=1, trained="sneak", lasts=600))
    record = seat.say(Attempt(by="Ash", task="sneak", difficulty=6), *DUSK)
    assert (final_difficulty(record), spent(record)) == (4, {})
    assert {"DB-EFFORT-6", "DB-SKILL-1"} <= cited(record.facts)
    seat.say(close())
    seat.say(Retry(by="Ash"), *DUSK)  # a free level is a level: DB-RETRY-1
    seat.say(AdvanceTime(by=GM, seconds=600))
    later = Attempt(by="Ash", task="sneak", difficulty=6, new="the next corridor")
    assert final_difficulty(seat.say(later, *DUSK)) == 6


def test_an_ability_that_cannot_be_paid_does_nothing() -> None:
    """DB-COST-4."""
    seat = fight("Ash", Ash={"speed": 1}, phase="action")
    seat.say(turns.UseAbility(by="Ash", text="Brace", cost=points(speed=2), effect=Effect("braced", defence=1)))
    assert (conditions(seat), actions_left(seat)) == ([], ["move", "standard", "reaction"])


def test_a_quick_deed_and_a_deed_are_one_action_each() -> None:
    """DB-BONUS-1, DB-STD-5."""
    seat = fight("Ash", "thug", phase="action")
    seat.say(turns.QuickDeed(by="Ash", text="shout"))
    assert seat.code(turns.QuickDeed(by="Ash", text="shout")) == "SLOT"
    seat.say(turns.Deed(by="Ash", text="open the door"))
    assert moment(seat)[2] == "thug"


# What a failed defence brings


def test_a_failed_defence_has_its_effects_in_the_books_order() -> None:
    """Damage, wound due, condition, and the lost action."""
    seat = fight("thug", "Ash", phase="action")
    said = combat.Defence(
        by="Ash",
        source="thug",
        damage=2,
        lasting=True,
        wound=True,
        on_fail=(Effect("blind", rounds=2),),
        lose_action=True,
    )
    seat.say(said, 1, 2)
    record = seat.say(close())
    began = [fact.name for fact in of_kind(record, ConditionBegan)]
    assert began == ["lasting damage", "blind", "stunned"]
    kinds = [type(fact).__name__ for fact in record.facts]
    assert kinds.index("PointsLost") < kinds.index("WindowOpened") < kinds.index("ConditionBegan", 6)


def test_a_defence_against_a_trap_needs_a_name_and_a_difficulty() -> None:
    """DB-ROLL-3."""
    seat = Seat(*WHO)
    record = seat.say(combat.Defence(by="Ash", source="the spear trap", difficulty=5, damage=3), 1, 2)
    assert task(record).against == "the spear trap"
    lost = of_kind(seat.say(close()), PointsLost)
    assert [(fact.points, fact.by) for fact in lost] == [(3, "the spear trap")]
    seat.say(combat.Defence(by="Ash", task="a falling slate", difficulty=5, damage=3), 1, 2)
    assert [fact.because for fact in of_kind(seat.say(close()), PointsLost)] == ["a falling slate"]


# Rounds of every scale


@pytest.mark.parametrize(("scale", "seconds"), [("exploration", 600), ("downtime", 86400)])
def test_a_round_of_each_scale_moves_the_clock(scale: Any, seconds: int) -> None:
    """DB-TIME-1."""
    seat = explore(scale=scale)
    seat.say(turns.Pass(by="Ash"))
    record = seat.say(turns.Pass(by="Bryn"))
    assert [fact.seconds for fact in of_kind(record, TimePassed)] == [seconds]


def test_a_combat_moves_the_clock_when_it_ends() -> None:
    """DB-TIME-1: six seconds each, the one that was running among them; before the first there is none."""
    seat = fight("Ash", "thug", round=3, phase="action")
    pass_turns(seat, 2)
    assert of_kind(seat.say(turns.EndEncounter(by=GM)), TimePassed)[0].seconds == 24
    seat.say(turns.StartEncounter(by=GM, participants=("Ash", "thug")))
    assert not of_kind(seat.say(turns.EndEncounter(by=GM)), TimePassed)


def test_one_action_each_in_rounds_without_phases() -> None:
    """DB-ACTN-5, DB-ACT-1: whatever kind of action it is."""
    seat = explore()
    seat.say(combat.CastSpell(by="Ash", task="fog", time="bonus"))
    for said in (
        turns.Deed(by="Ash"),
        turns.QuickDeed(by="Ash"),
        combat.CastSpell(by="Ash", task="fog"),
        turns.UseAbility(by="Ash", text="x"),
    ):
        assert seat.code(said) == "SLOT"
    seat.say(turns.QuickDeed(by="Bryn", text="whistle"))
    assert moment(seat)[0] == 2
    seat.say(turns.Deed(by="Ash", text="search"))


def test_ten_minutes_are_one_round_of_exploration() -> None:
    """DB-TIME-3."""
    seat = explore()
    seat.say(turns.UseAbility(by="Ash", text="Lantern", effect=Effect("lit", lasts=600, attacks=1)))
    assert conditions(seat) == ["lit"]
    seat.say(turns.Pass(by="Bryn"))
    assert conditions(seat) == []


def test_a_minute_in_a_fight_lasts_for_the_rest_of_it() -> None:
    """DB-TIME-2."""
    seat = fight("Ash", "thug", phase="action")
    seat.say(turns.UseAbility(by="Ash", text="Fury", effect=Effect("furious", lasts=60, attacks=1)))
    pass_turns(seat, 8)
    assert conditions(seat) == ["furious"]
    seat.say(turns.EndEncounter(by=GM))
    assert conditions(seat) == []


def test_an_unfinished_long_spell_is_lost_with_the_round() -> None:
    """DB-STD-3, DB-ENC-11: an unfinished long spell is gone with the round, its points too."""
    seat = fight("Ash", "thug", phase="movement")
    seat.say(turns.Pass(by="thug"))
    seat.say(combat.TakeCover(by="Ash", cover_near="yes"))
    seat.say(combat.StartLongSpell(by="Ash", spell="ward", cost=points(intellect=3)))
    assert seat.code(combat.FinishLongSpell(by="Ash")) == "SLOT"
    record = seat.say(turns.Pass(by="Ash"))
    assert [fact.outcome for fact in of_kind(record, ActionSpent)] == ["passed"]
    pass_turns(seat)
    assert (moment(seat)[0], conditions(seat), seat.points("Ash", "intellect")) == (2, ["cover"], 6)


def test_the_game_master_rolls_the_wound_of_a_poisoned_elite() -> None:
    """DB-DMG-5, DB-DMG-6: nobody struck it."""
    seat = Seat(*WHO)
    seat.say(CreateNpc(by=GM, name="boss", kind="elite", difficulty=5, health=2, wound_limit=1))
    seat.say(Poison(by=GM, target="boss", difficulty=4, damage=5))
    seat.say(WoundRoll(by=GM, who="boss"), *DAWN)
    seat.say(close())
    assert "incapacitated" in conditions(seat, "boss")


# Refusals


@pytest.mark.parametrize(
    "said",
    [
        combat.Intercept(by="Ash", target="Bryn", stat="speed"),  # character against character: DB-GAP-59
        combat.Intercept(by="thug", target="captain"),  # two foes: a ruling
        combat.Intercept(by="Ash", target="Nobody", stat="speed"),
        combat.Intercept(by="Ash", target="thug", protect="Ash", stat="speed"),
        combat.Intercept(by="Ash", target="thug", protect="Nobody", stat="speed"),
        combat.Intercept(by="Ash", target="thug"),  # no stat
        combat.CastSpell(by="Ash"),
        combat.CastSpell(by="Ash", task="fog", cost=points(might=-1)),
        combat.CastSpell(by="Ash", task="fog", target="Bryn", stat="speed"),
        combat.CastSpell(by="thug", task="fog", cost=points(might=1)),
        combat.CastSpell(by="thug", task="fog", difficulty=3),
        combat.StartLongSpell(by="Ash", spell=""),
        combat.StartLongSpell(by="thug", spell="fog", cost=points(might=1)),
        turns.Deed(by="thug", cost=points(might=1)),
        turns.UseAbility(by="Ash", text="x", target="Nobody"),
        turns.UseAbility(by="Ash", text="x", effect=Effect("braced", rounds=0)),
        Hazard(by=GM, target="Ash", row="falling"),
        Hazard(by=GM, target="Ash", row="falling", feet=-1),
        Hazard(by=GM, target="Ash", row="falling", feet=10, rounds=2),
        Hazard(by=GM, target="Ash", row="cold", feet=10),
        Hazard(by=GM, target="Ash", row="cold", rounds=0),
        Hazard(by=GM, target="Ash", row="cold", lose_action=True),
        Hazard(by=GM, target="Ash", row="crush", rounds=2),
        Hazard(by=GM, target="Nobody", row="cold"),
        Hazard(by="Ash", target="thug", row="cold"),
        Poison(by=GM, target="Ash", difficulty=0),
        Poison(by=GM, target="Nobody", difficulty=4),
        Disease(by=GM, target="Ash", difficulty=4, damage=-1),
        Disease(by=GM, target="Ash", difficulty=4, on_fail=(Effect(""),)),
        Poison(by="Ash", target="thug", difficulty=4),
    ],
)
def test_a_malformed_declaration_is_refused(said: Declaration) -> None:
    """DB-PLAY-9."""
    faces = DAWN if isinstance(said, combat.Intercept | combat.CastSpell) and (said.by == "Ash" or said.target) else ()
    assert fight("Ash", "Bryn", "thug", "captain", phase="action").code(said, *faces) == "VALUE"


# A delayed action


def delayed() -> Seat:
    """Ash has kept the standard action, and the last of the round has attacked with the only action left."""
    seat = Seat("Ash", "Bryn", "thug", encounter={"order": ("Ash", "Bryn", "thug"), "phase": "action"})
    for who in ("Ash", "Bryn"):
        seat.say(turns.Delay(by=who))
        seat.say(turns.Pass(by=who))
    seat.say(turns.Pass(by="thug", what="bonus"))
    seat.say(combat.Defence(by="Ash", source="thug"), *DUSK)
    return seat


@pytest.mark.parametrize(
    ("said", "faces"),
    [
        (attack(), DUSK),
        (Attempt(by="Ash", stat="might", difficulty=4), DUSK),
        (combat.CastSpell(by="Ash", task="fog"), ()),
        (Rest(by="Ash", kind="one_action"), (3,)),
        (turns.Deed(by="Ash", text="bar the door"), ()),
    ],
)
def test_a_delayed_action_is_taken_after_the_last_roll_of_the_round(said: Declaration, faces: tuple[int, ...]) -> None:
    """DB-STD-4: a delayed action belongs to the round of its delay."""
    seat = delayed()
    ended = of_kind(seat.say(said, *faces), ConditionEnded)
    assert ("Ash", "delayed", "used") in [(fact.who, fact.name, fact.because) for fact in ended]
    seat.check_replay()


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
    for said in (turns.Delay(by="thug"), turns.Pass(by="thug"), turns.Pass(by="Ash", what="bonus")):
        seat.say(said)
    seat.say(attack(), *DUSK)
    seat.say(combat.Defence(by="Ash", source="thug"), *DUSK)
    assert seat.state.encounter is not None
    assert seat.state.encounter.round == 1


def test_an_unused_delayed_action_is_lost() -> None:
    """DB-STD-4: a free attempt is none."""
    seat = delayed()
    seat.say(close())
    assert seat.state.encounter is not None
    assert seat.state.encounter.round == 2
    assert "delayed Ash" not in seat.state.conditions
    assert seat.code(attack(), *DUSK) == "PHASE"


# An attack is a standard action


AREA = combat.AreaAttack(by="Ash", targets=(Spot("thug"),), stat="might", at="short")


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        (attack(slot="bonus"), "Ash has no bonus action left for that"),
        (attack(slot="none"), "Ash has no free action left for that"),
        (msgspec.structs.replace(AREA, slot="bonus"), "Ash has no bonus action left for that"),
        (msgspec.structs.replace(AREA, slot="none"), "Ash has no free action left for that"),
    ],
)
def test_an_attack_is_a_standard_action(said: combat.Attack | combat.AreaAttack, expected: str) -> None:
    """DB-ACTN-4, DB-BONUS-1."""
    seat = Seat("Ash", "thug", encounter={"order": ("Ash", "thug"), "phase": "action"})
    refusal = seat.refusal(said, *DUSK)
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
