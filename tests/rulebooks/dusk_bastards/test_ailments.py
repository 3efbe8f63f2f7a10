"""Poison, disease, lasting damage and paralysis."""

from __future__ import annotations

import pytest

from ledger.declarations import Declaration, Ruling
from ledger.facts import GM, Ruled
from rulebooks.dusk_bastards.declarations import turns
from rulebooks.dusk_bastards.declarations.combat import Attack, CastSpell, Defence, Intercept, StartLongSpell, TakeCover
from rulebooks.dusk_bastards.declarations.harm import Damage, Disease, Poison, Rest, SetCondition
from rulebooks.dusk_bastards.declarations.parts import Change, Effect
from rulebooks.dusk_bastards.declarations.tasks import Retry
from rulebooks.testing.seat import cited
from tests.rulebooks.dusk_bastards.fight import WHO, actions_left, condition, conditions, fight
from tests.rulebooks.dusk_bastards.seat import DAWN, DUSK, Seat, close, final_difficulty, of_kind, tries

# Poison, disease, lasting damage, paralysis


def test_a_poison_has_the_effects_that_were_said() -> None:
    """DB-SPEC-3: damage first, then the wound, then the effect."""
    seat = fight("thug", "Ash", phase="action")
    said = Poison(by=GM, target="Ash", difficulty=6, damage=1, wound=True, on_fail=(Effect("dazed"),), lose_action=True)
    (told,) = of_kind(seat.say(said), Ruled)
    assert told.text == "Ash resists it with Might against 6, or suffers 1 damage, a wound, dazed, the next action"
    seat.say(Defence(by="Ash", cause="poison"), 1, 2)
    seat.say(close())
    assert (seat.points("Ash", "health"), conditions(seat)) == (9, ["dazed", "stunned"])
    assert [window.who for window in seat.state.windows.values()] == ["Ash"]


def test_a_poison_affects_a_foe_at_once() -> None:
    """DB-NPC-1, DB-NPC-2: foes do not roll."""
    seat = Seat(*WHO)
    record = seat.say(Poison(by=GM, target="captain", difficulty=4, damage=3))
    assert {"DB-SPEC-3", "DB-NPC-1"} <= cited(record.facts)
    assert seat.points("captain", "health") == 8
    seat.say(Poison(by=GM, target="thug", difficulty=4, wound=True))
    assert "dead" in conditions(seat, "thug")


def test_a_foes_poison_uses_no_turn_and_ignores_cover() -> None:
    """DB-SPEC-3: poison is no attack."""
    seat = fight("Ash", "thug", phase="action")
    seat.say(TakeCover(by="Ash", cover_near="yes"))
    record = seat.say(Defence(by="Ash", source="thug", cause="poison", difficulty=5), *DUSK)
    assert final_difficulty(record) == 5  # the poison's, not the foe's
    assert "taking cover" in conditions(seat)
    assert actions_left(seat, "thug") == ["move", "standard", "bonus", "reaction"]


def test_a_disease_is_resisted_once_a_day() -> None:
    """DB-SPEC-4, DB-REC-4: a ten-hour rest ends the day."""
    seat = Seat(*WHO)
    seat.say(Disease(by=GM, target="Ash", difficulty=4, damage=2, lasting=True, source="fever"))
    seat.say(Disease(by=GM, target="Ash", difficulty=2, source="rot"))
    seat.say(Defence(by="Ash", cause="disease", task="fever"), 1, 1)
    assert seat.code(Defence(by="Ash", cause="disease", task="fever"), *DAWN) == "VALUE"
    assert final_difficulty(seat.say(Defence(by="Ash", cause="disease", task="rot"), *DAWN)) == 2
    seat.say(Rest(by="Ash", kind="ten_hours"), 1)
    assert (seat.points("Ash", "health"), seat.state.tokens_held("Ash", "destiny")) == (8, 1)
    seat.say(Defence(by="Ash", cause="disease", task="fever"), 1, 1)
    seat.say(close())
    assert seat.state.conditions["lasting damage Ash"].degree == 4
    seat.say(condition("Ash", "diseased", off=True))
    assert conditions(seat) == ["lasting damage"]


def test_lasting_damage_limits_recovery_after_an_encounter() -> None:
    """DB-SPEC-4, DB-HEAL-1."""
    seat = fight("Ash", "thug", phase="action")
    seat.say(Damage(by=GM, target="Ash", amount=7, lasting=True))
    seat.say(turns.EndEncounter(by=GM))
    assert seat.points("Ash", "health") == 3
    seat.say(Ruling(by=GM, text="so", reason="the test", changes=(Change("ash.health", 10),)))
    seat.say(Damage(by=GM, target="Ash", amount=9, lasting=True))
    seat.say(Rest(by="Ash", kind="one_hour"), 1)
    assert seat.points("Ash", "health") == 1


@pytest.mark.parametrize(
    ("said", "faces", "code"),
    [
        (Attack(by="Ash", target="thug", stat="speed"), DAWN, "PARALYSED"),
        (Attack(by="Ash", target="thug", stat="intellect"), DAWN, ""),
        (Attack(by="Ash", target="thug", stat="intellect", physical=True), DAWN, "PARALYSED"),
        (tries(stat="might"), DAWN, "PARALYSED"),
        (tries(stat="might", physical=False), DAWN, ""),
        (CastSpell(by="Ash", task="fog"), (), ""),
        (TakeCover(by="Ash"), (), "PARALYSED"),
        (Intercept(by="Ash", target="thug", protect="Bryn", stat="speed"), DAWN, "PARALYSED"),
        (turns.Deed(by="Ash", text="bar the door"), (), "PARALYSED"),
        (turns.Deed(by="Ash", text="think", physical=False), (), ""),
        (turns.QuickDeed(by="Ash", text="kick the door"), (), "PARALYSED"),
        (turns.QuickDeed(by="Ash", text="shout", physical=False), (), ""),
        (turns.UseAbility(by="Ash", text="Night Eyes"), (), ""),
        (turns.UseAbility(by="Ash", text="Tiger Leap", physical=True), (), "PARALYSED"),
        (Rest(by="Ash", kind="one_action"), (3,), ""),
        (Defence(by="Ash", source="captain", npc_slot="none"), DAWN, ""),
    ],
)
def test_the_paralysed_only_act_without_movement(said: Declaration, faces: tuple[int, ...], code: str) -> None:
    """DB-SPEC-5."""
    seat = fight("Ash", "Bryn", "thug", "captain", phase="action")
    seat.say(condition("Ash", "paralysed"))
    if code:
        assert seat.code(said, *faces) == code
    else:
        seat.say(said, *faces)


def test_the_paralysed_begin_a_spell_but_neither_charge_nor_defend() -> None:
    """DB-SPEC-5."""
    seat = fight("thug", "Ash", phase="movement")
    seat.say(condition("Ash", "paralysed"))
    assert seat.code(turns.Charge(by="Ash", target="thug")) == "PARALYSED"
    assert seat.code(turns.FullDefence(by="Ash")) == "PARALYSED"
    assert seat.code(StartLongSpell(by="Ash", spell="ward", physical=True)) == "PARALYSED"
    seat.say(StartLongSpell(by="Ash", spell="ward"))


def test_a_retry_of_the_paralysed_is_of_the_stat_that_failed() -> None:
    """DB-SPEC-5, DB-RETRY-2."""
    seat = Seat(*WHO)
    seat.say(tries(stat="speed", task="climb"), *DUSK)
    seat.say(tries(stat="intellect", task="recall"), *DUSK)
    seat.say(condition("Ash", "paralysed"))
    assert seat.code(Retry(by="Ash", task="climb", effort=1), *DAWN) == "PARALYSED"
    seat.say(Retry(by="Ash", task="recall", effort=1), *DAWN)


def test_a_paralysed_foe_attacks_with_its_mind_only() -> None:
    """DB-SPEC-5, DB-NPC-1."""
    seat = fight("thug", "Ash", phase="action")
    seat.say(condition("thug", "paralysed"))
    assert seat.code(Defence(by="Ash", source="thug"), *DAWN) == "PARALYSED"
    seat.say(Defence(by="Ash", source="thug", physical=False), *DAWN)


# Poison and disease


def test_an_ailment_has_its_own_difficulty_without_modifiers() -> None:
    """DB-SPEC-3: neither the foe's difficulty, nor what eases or hinders its attacks."""
    seat = Seat("Ash", "captain", encounter={"order": ("captain", "Ash")})
    seat.say(turns.Pass(by="Ash"))
    seat.say(turns.Charge(by="captain", target="Ash"))
    seat.say(SetCondition(by=GM, target="captain", name="dazed", rounds=3))
    seat.say(Poison(by=GM, target="Ash", difficulty=3, source="the blade"))
    record = seat.say(Defence(by="Ash", source="captain", cause="poison"), *DUSK)
    assert final_difficulty(record) == 3
    assert "charging captain" in seat.state.conditions
    assert final_difficulty(seat.say(Defence(by="Ash", source="captain"), *DUSK)) == 6 + 1 - 1


def test_an_unknown_ailment_has_no_difficulty() -> None:
    """DB-SPEC-3: the game master declares it before the roll."""
    assert Seat("Ash", "captain").code(Defence(by="Ash", source="captain", cause="disease"), *DUSK) == "DIFFICULTY"
    said = Defence(by="Ash", source="captain", cause="disease", difficulty=2)
    assert final_difficulty(Seat("Ash", "captain").say(said, *DUSK)) == 2
