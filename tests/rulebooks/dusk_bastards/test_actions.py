"""Reactions, spells, abilities, hazards, poison and disease, rounds of every scale: the corners of what is done."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from ledger.declarations import Declaration, Ruling
from ledger.facts import GM, ActionSpent, ConditionBegan, Judged, PointsLost, Ruled, TimePassed
from rulebooks.dusk_bastards.declarations import (
    AdvanceTime,
    Attack,
    Attempt,
    CastSpell,
    Change,
    Charge,
    CreateNpc,
    Damage,
    Deed,
    Defence,
    Delay,
    Disease,
    Effect,
    EndEncounter,
    FinishLongSpell,
    FullDefence,
    Hazard,
    Intercept,
    Move,
    Pass,
    Poison,
    QuickDeed,
    Rest,
    Retry,
    SetCondition,
    StartEncounter,
    StartLongSpell,
    TakeCover,
    UseAbility,
    WoundRoll,
)
from tests.rulebooks.dusk_bastards.seat import (
    DAWN,
    DUSK,
    ECLIPSE,
    Seat,
    close,
    final_difficulty,
    of_kind,
    points,
    refunded,
    spent,
    task,
    tries,
)
from tests.rulebooks.seat import cited

WHO = ("Ash", "Bryn", "Cole", "thug", "captain")


def seat(*order: str, phase: str = "action", turn: str = "", round: int = 1, **given: Any) -> Seat:
    """A fight among `order`, from highest to lowest."""
    return Seat(*WHO, encounter={"order": order, "phase": phase, "turn": turn, "round": round}, **given)


def at(seat: Seat) -> tuple[int, str, str]:
    found = seat.state.encounter
    assert found
    return found.round, found.phase, found.turn


def passes(seat: Seat, times: int = 1) -> None:
    """So many slots pass."""
    for _ in range(times):
        seat.say(Pass(by=at(seat)[2]))


def holds(seat: Seat, who: str = "Ash") -> list[str]:
    return sorted(found.name for _, found in seat.state.conditions_of(who))


def left(seat: Seat, who: str = "Ash") -> list[str]:
    return [action for action in ("move", "standard", "bonus", "reaction") if seat.state.actions_left(who, action)]


def condition(who: str, name: str, **more: Any) -> SetCondition:
    return SetCondition(by=GM, target=who, name=name, **more)


def exploring(*who: str, scale: Any = "exploration") -> Seat:
    table = Seat(*WHO)
    table.say(StartEncounter(by=GM, scale=scale, participants=who or ("Ash", "Bryn")))
    return table


# Take Cover


def test_a_foe_that_takes_cover_is_harder_to_hit_once() -> None:
    """DB-REACT-1 mirrored, DB-COVER-1: the reaction is used up, the cover stays."""
    table = seat("Ash", "Bryn", "captain")
    table.say(TakeCover(by="captain", cover_near="yes"))
    assert final_difficulty(table.say(Attack(by="Ash", target="captain", stat="might"), *DUSK)) == 8
    passes(table)
    assert final_difficulty(table.say(Attack(by="Bryn", target="captain", stat="speed"), *DUSK)) == 7


def test_cover_that_nobody_attacks_is_gone_with_the_round_and_the_cover_itself_is_not() -> None:
    """DB-REACT-1, DB-DUR-3, DB-REACT-2."""
    table = seat("thug", "Ash")
    table.say(TakeCover(by="Ash", cover_near="full"))
    passes(table, 2)
    assert at(table)[0] == 2
    assert holds(table) == ["full_cover"]


@pytest.mark.parametrize("said", [Move(by="Ash"), Charge(by="Ash", target="thug")])
def test_a_move_or_a_charge_ends_cover_and_lying_down(said: Declaration) -> None:
    """DB-REACT-2, DB-GAP-67."""
    table = seat("thug", "Ash", phase="movement")
    table.say(TakeCover(by="Ash"))
    assert "prone" in holds(table)
    table.say(said)
    assert not {"prone", "cover"} & set(holds(table))


def test_the_end_of_the_encounter_ends_what_taking_cover_brought() -> None:
    """DB-ENC-12."""
    table = seat("thug", "Ash")
    table.say(TakeCover(by="Ash", cover_near="yes"))
    table.say(EndEncounter(by=GM))
    assert holds(table) == []


def test_who_took_cover_before_a_failed_dash_has_nothing_left_to_lose() -> None:
    """DB-REACT-3, DB-MOVE-2: the standard action is gone once."""
    table = seat("thug", "Ash", phase="movement")
    table.say(TakeCover(by="Ash", cover_near="yes"))
    table.say(Move(by="Ash", distance="short"), 1, 2)
    table.say(close())
    assert left(table) == ["bonus"]


@pytest.mark.parametrize(
    ("reading", "owes"),
    [("next_phase", False), ("this_round_if_unused", True)],
)
def test_who_gave_up_the_standard_action_pays_as_the_table_reads_it(reading: str, owes: bool) -> None:
    """DB-REACT-3: full defence leaves nothing in this round's action phase; only the other reading looks further."""
    table = seat("thug", "Ash", phase="movement", options={"take_cover_costs": reading})
    table.say(FullDefence(by="Ash"))
    table.say(TakeCover(by="Ash"))
    assert ("without a standard action" in holds(table)) == owes


def test_a_delayed_action_is_unused_still() -> None:
    """DB-STD-4, DB-REACT-3 in the other reading: the one that waits is the price."""
    table = seat("Ash", "thug", options={"take_cover_costs": "this_round_if_unused"})
    table.say(Delay(by="Ash"))
    table.say(TakeCover(by="Ash", cover_near="yes"))
    assert "delayed" not in holds(table)
    assert "without a standard action" not in holds(table)
    assert table.code(Attack(by="Ash", target="thug", stat="might"), *DAWN) == "SLOT"


def test_the_price_is_paid_once_even_by_who_has_left_and_come_back() -> None:
    """DB-REACT-3."""
    table = seat("thug", "Ash", "Bryn")
    table.say(TakeCover(by="Bryn", cover_near="yes"))
    passes(table, 3)
    assert left(table, "Bryn") == ["move", "bonus", "reaction"]
    passes(table, 6)
    assert at(table)[0] == 3
    assert left(table, "Bryn") == ["move", "standard", "bonus", "reaction"]


def test_taking_cover_closes_the_roll_that_is_open() -> None:
    """DB-DEST-4: it is the next declaration."""
    table = seat("Ash", "thug")
    table.say(Attack(by="Ash", target="thug", stat="might", damage=2), 9, 8)
    record = table.say(TakeCover(by="Ash", cover_near="yes"))
    assert [fact.points for fact in of_kind(record, PointsLost)] == [2]
    assert not table.state.windows


def test_in_rounds_without_phases_cover_costs_the_reaction_only() -> None:
    """DB-ACTN-5, DB-REACT-3: no action phase begins."""
    table = exploring()
    table.say(TakeCover(by="Ash", cover_near="yes"))
    assert table.code(TakeCover(by="Ash")) == "REACTION"
    assert table.state.actions_left("Ash", "action") == 1
    passes_outside(table)
    table.say(TakeCover(by="Ash"))


def passes_outside(table: Seat, *who: str) -> None:
    for name in who or ("Ash", "Bryn"):
        table.say(Pass(by=name))


def test_before_the_first_round_nobody_reacts() -> None:
    """DB-ACTN-2: reactions belong to rounds."""
    table = Seat(*WHO)
    table.say(StartEncounter(by=GM, participants=("Ash", "thug")))
    assert table.code(TakeCover(by="thug")) == "TURN"


# Intercept


@pytest.mark.parametrize("mover", ["thug", "captain"])
def test_a_charge_that_is_stopped_comes_to_nothing(mover: str) -> None:
    """DB-REACT-4: the movement ends, and with it the ease."""
    table = seat("Ash", "Bryn", mover, phase="movement")
    table.say(Charge(by=mover, target="Ash"))
    table.say(Intercept(by="Bryn", target=mover, stat="speed"), 12, 11)
    table.say(close())
    assert (table.state.count(mover, "moved"), holds(table, mover)) == (1, ["stopped"])


def test_a_charge_of_an_immediate_distance_cannot_be_stopped() -> None:
    table = seat("Ash", "Bryn", "thug", phase="movement")
    table.say(Charge(by="thug", target="Ash", distance="immediate"))
    assert table.code(Intercept(by="Bryn", target="thug", stat="speed"), *DAWN) == "REACH"


def test_two_may_try_to_stop_the_same_movement_but_not_one_that_is_stopped() -> None:
    """DB-REACT-4: both before anything else is declared."""
    table = seat("Ash", "Bryn", "Cole", "thug", phase="movement")
    table.say(Move(by="thug", distance="short"))
    table.say(Intercept(by="Bryn", target="thug", stat="speed"), 1, 2)
    table.say(Intercept(by="Ash", target="thug", stat="speed"), 9, 8)
    assert table.code(Intercept(by="Cole", target="thug", stat="speed"), *DAWN) == "REACH"


def test_what_a_failed_dash_cost_stays_lost_when_it_is_stopped() -> None:
    """DB-REACT-4, DB-GAP-72."""
    table = seat("thug", "Ash", phase="movement")
    table.say(Move(by="Ash", distance="short"), 1, 2)
    table.say(Intercept(by="thug", target="Ash"), 1, 2)
    table.say(close())
    assert (table.state.count("Ash", "moved"), left(table)) == (1, ["bonus", "reaction"])


def test_an_interception_is_melee_for_both_and_no_damage() -> None:
    """DB-MOVE-3, DB-REACT-4."""
    table = seat("Ash", "thug", phase="movement")
    table.say(Move(by="thug", distance="short"))
    table.say(Intercept(by="Ash", target="thug", stat="speed", damage=5), 9, 8)
    table.say(close())
    assert table.points("thug", "health") == 6
    assert table.code(Charge(by="Ash", target="thug")) == "CHARGE"


def test_an_interception_before_the_action_phase_does_not_use_up_a_charge() -> None:
    """DB-MOVE-3: the ease is for an attack in the action phase."""
    table = seat("thug", "Ash", phase="movement")
    table.say(Charge(by="Ash", target="thug", distance="immediate"))
    table.say(Move(by="thug", distance="short"))
    assert final_difficulty(table.say(Intercept(by="Ash", target="thug", stat="speed"), *DUSK)) == 4
    table.say(close())
    passes(table)
    assert final_difficulty(table.say(Attack(by="Ash", target="thug", stat="might"), *DUSK)) == 3


def test_each_interceptor_hinders_and_is_not_hindered_against() -> None:
    """DB-REACT-5: two who keep the same enemy busy."""
    table = seat("captain", "Ash", "Bryn", "Cole")
    table.say(Intercept(by="Bryn", target="captain", protect="Ash", stat="speed"), 12, 11)
    table.say(Intercept(by="Cole", target="captain", protect="Ash", stat="speed"), 12, 11)
    found = {
        who: final_difficulty(table.say(Defence(by=who, source="captain", npc_slot="none"), *DUSK))
        for who in ("Ash", "Bryn", "Cole")
    }
    assert found == {"Ash": 4, "Bryn": 5, "Cole": 5}


def test_an_intercepted_character_is_hindered_in_whatever_is_done_to_others() -> None:
    """DB-REACT-5, DB-REACT-8: tasks toward somebody too; not what is done to nobody, nor to the interceptor."""
    table = seat("Ash", "thug", "captain")
    table.say(Intercept(by="thug", target="Ash", protect="captain"), 1, 2)
    table.say(close())
    said = Attempt(by="Ash", stat="intellect", difficulty=4, slot="none")
    found = [
        final_difficulty(table.say(msgspec.structs.replace(said, toward=who), *DUSK)) for who in ("captain", "thug", "")
    ]
    assert found == [5, 4, 4]


def test_what_bears_on_a_defence_bears_on_one_against_an_interception() -> None:
    """DB-REACT-8, DB-ROLL-4: cover, full defence and wounds as against any attack of a foe."""
    table = seat("thug", "Ash", phase="movement", Ash={"sheet": {"wounds": [4]}})
    table.say(TakeCover(by="Ash", cover_near="yes"))
    table.say(Move(by="Ash", distance="short", effort=1), 9, 8)
    record = table.say(Intercept(by="thug", target="Ash", effort=1), 9, 8)
    assert spent(record) == {"speed": 3}
    assert final_difficulty(record) == 4 - 1 - 1 + 1  # Effort, taking cover (its cover was left), a moderate wound


@pytest.mark.parametrize(
    "said",
    [
        Intercept(by="Ash", target="Bryn", stat="speed"),  # character against character: DB-GAP-59
        Intercept(by="thug", target="captain"),  # two foes: a ruling
        Intercept(by="Ash", target="Nobody", stat="speed"),
        Intercept(by="Ash", target="thug", protect="Ash", stat="speed"),
        Intercept(by="Ash", target="thug", protect="Nobody", stat="speed"),
        Intercept(by="Ash", target="thug"),  # no stat
        CastSpell(by="Ash"),
        CastSpell(by="Ash", task="fog", cost=points(might=-1)),
        CastSpell(by="Ash", task="fog", target="Bryn", stat="speed"),
        CastSpell(by="thug", task="fog", cost=points(might=1)),
        CastSpell(by="thug", task="fog", difficulty=3),
        StartLongSpell(by="Ash", spell=""),
        StartLongSpell(by="thug", spell="fog", cost=points(might=1)),
        Deed(by="thug", cost=points(might=1)),
        UseAbility(by="Ash", text="x", target="Nobody"),
        UseAbility(by="Ash", text="x", effect=Effect("braced", rounds=0)),
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
def test_what_makes_no_sense_is_refused(said: Declaration) -> None:
    """DB-PLAY-9."""
    faces = DAWN if isinstance(said, Intercept | CastSpell) and (said.by == "Ash" or said.target) else ()
    assert seat("Ash", "Bryn", "thug", "captain").code(said, *faces) == "VALUE"


# Spells


def test_start_and_finish_of_a_long_spell_are_one_action() -> None:
    """DB-DEST-13: one rounding on what was paid at the start and at the finish, from two pools."""
    table = seat("Ash", phase="movement")
    table.say(StartLongSpell(by="Ash", spell="ward", cost=points(intellect=2, might=1)))
    record = table.say(FinishLongSpell(by="Ash", stat="intellect", difficulty=5, effort=1), *ECLIPSE)
    assert spent(record) == {"intellect": 3}
    assert refunded(record) == {"intellect": 3}  # half of 6
    assert table.pools("Ash") == (11, 10, 7)


def test_a_long_spell_strikes_when_it_is_finished() -> None:
    """DB-STD-3, DB-STD-1: only then there is a roll, and a miss costs no more."""
    table = seat("thug", "Bryn", phase="movement")
    table.say(StartLongSpell(by="Bryn", spell="lance", cost=points(intellect=4)))
    passes(table, 2)
    table.say(FinishLongSpell(by="Bryn", target="thug", stat="intellect", damage=9, mode="ranged", at="short"), 9, 8)
    table.say(close())
    assert "dead" in holds(table, "thug")


def test_a_long_spell_that_cannot_be_paid_uses_the_move_and_comes_to_nothing() -> None:
    """DB-COST-4."""
    table = seat("thug", "Ash", phase="movement", Ash={"intellect": 1})
    record = table.say(StartLongSpell(by="Ash", spell="ward", cost=points(intellect=2)))
    assert [fact.result for fact in of_kind(record, Judged)] == ["automatic failure"]
    assert (holds(table), table.points("Ash", "intellect"), left(table)) == ([], 1, ["standard", "bonus", "reaction"])


def test_a_spell_that_cannot_be_paid_fails_without_a_roll() -> None:
    """DB-COST-4, DB-COST-3: what a spell costs is part of the least."""
    table = seat("Ash", Ash={"intellect": 2})
    record = table.say(CastSpell(by="Ash", task="ray", cost=points(intellect=2), stat="intellect", effort=0))
    assert spent(record) == {"intellect": 2}
    table = seat("Ash", Ash={"intellect": 1})
    assert task(table.say(CastSpell(by="Ash", task="ray", cost=points(intellect=2)))).result == "automatic failure"
    costly = CastSpell(by="Ash", task="ray", cost=points(intellect=1), stat="intellect", difficulty=4, effort=1)
    assert seat("Ash", Ash={"intellect": 2}).code(costly, *DAWN) == "POINTS"


def test_a_named_finish_is_of_the_spell_that_was_started() -> None:
    table = seat("Ash", phase="movement")
    table.say(StartLongSpell(by="Ash", spell="ward"))
    assert table.code(FinishLongSpell(by="Ash", task="fog")) == "SPELL"
    table.say(FinishLongSpell(by="Ash"))
    assert table.code(FinishLongSpell(by="Ash")) == "SLOT"


@pytest.mark.parametrize("time", ["standard", "bonus", "reaction"])
def test_a_foe_casts_without_a_roll(time: Any) -> None:
    """DB-ROLL-3: whom it strikes dodges."""
    table = seat("captain", "Ash")
    record = table.say(CastSpell(by="captain", task="hex", time=time))
    assert task(record).result == "routine"
    assert time not in left(table, "captain")


def test_a_reaction_spell_outside_of_encounters_uses_up_nothing() -> None:
    table = Seat(*WHO)
    for _ in range(2):
        table.say(CastSpell(by="Ash", task="shield", time="reaction"))
    assert task(table.say(CastSpell(by="Ash", task="ray"))).result == "routine"


def test_after_a_reaction_spell_no_long_one_is_started() -> None:
    """DB-REACT-7."""
    table = seat("thug", "Ash", phase="movement")
    table.say(CastSpell(by="Ash", task="shield", time="reaction"))
    assert table.code(StartLongSpell(by="Ash", spell="ward")) == "SPELL"


def test_a_delayed_action_may_be_a_spell() -> None:
    """DB-STD-4."""
    table = seat("Ash", "thug")
    table.say(Delay(by="Ash"))
    passes(table)
    table.say(CastSpell(by="Ash", task="ray"))
    assert "delayed" not in holds(table)


def test_a_spell_that_fails_is_no_task_to_retry() -> None:
    """DB-RETRY-4: it is cast again."""
    table = Seat(*WHO)
    table.say(CastSpell(by="Ash", task="ray", stat="intellect", difficulty=9), *DUSK)
    assert table.code(Retry(by="Ash", effort=1), *DAWN) == "RETRY-TARGET"


# Abilities, quick deeds, and what abilities give


def test_an_ability_gives_armor_for_so_many_rounds() -> None:
    """DB-BONUS-1, DB-ARMOR-2, DB-DUR-1: the best of its kind, and ambient damage does not pass it."""
    table = seat("Ash", "thug", Ash={"sheet": {"armor": [{"kind": "ability", "value": 1}]}})
    effect = Effect("stone skin", rounds=1, armor=3)
    table.say(UseAbility(by="Ash", text="Stone Skin", cost=points(speed=2), effect=effect))
    table.say(Damage(by=GM, target="Ash", amount=5, ambient=True))
    assert (table.points("Ash", "health"), table.points("Ash", "speed")) == (8, 8)
    passes(table, 4)
    assert at(table) == (2, "action", "Ash")
    table.say(Damage(by=GM, target="Ash", amount=5))
    assert table.points("Ash", "health") == 4


def test_an_ability_gives_free_effort_and_a_skill_while_it_lasts() -> None:
    """DB-EFFORT-6, DB-SKILL-1, DB-TIME-3."""
    table = Seat(*WHO)
    table.say(condition("Ash", "night eyes", effort=1, trained="sneak", lasts=600))
    record = table.say(Attempt(by="Ash", task="sneak", difficulty=6), *DUSK)
    assert (final_difficulty(record), spent(record)) == (4, {})
    assert {"DB-EFFORT-6", "DB-SKILL-1"} <= cited(record.facts)
    table.say(close())
    table.say(Retry(by="Ash"), *DUSK)  # a free level is a level: DB-RETRY-1
    table.say(AdvanceTime(by=GM, seconds=600))
    assert final_difficulty(table.say(Attempt(by="Ash", task="sneak", difficulty=6), *DUSK)) == 6


def test_an_ability_that_cannot_be_paid_does_nothing() -> None:
    """DB-COST-4."""
    table = seat("Ash", Ash={"speed": 1})
    table.say(UseAbility(by="Ash", text="Brace", cost=points(speed=2), effect=Effect("braced", defence=1)))
    assert (holds(table), left(table)) == ([], ["move", "standard", "reaction"])


def test_a_quick_deed_and_a_deed_are_one_action_each() -> None:
    """DB-BONUS-1, DB-STD-5."""
    table = seat("Ash", "thug")
    table.say(QuickDeed(by="Ash", text="shout"))
    assert table.code(QuickDeed(by="Ash", text="shout")) == "SLOT"
    table.say(Deed(by="Ash", text="open the door"))
    assert at(table)[2] == "thug"


# Hazards


def test_an_exposure_goes_on_at_its_point_and_drops_who_it_may() -> None:
    """DB-HAZ-2, DB-ZERO-1: each instance meets the rule of 0 health on its own."""
    table = seat("thug", "Ash", Ash={"health": 4})
    table.say(Hazard(by=GM, target="Ash", row="minor_fire", rounds=3))
    passes(table, 3)
    assert at(table) == (2, "movement", "thug")
    passes(table)
    assert (table.points("Ash", "health"), at(table)) == (0, (2, "action", "thug"))
    assert table.code(Pass(by="thug")) == "PENDING-WOUND"
    table.say(WoundRoll(by="Ash"), 1, 2)
    table.say(close())
    passes(table)  # her action slot is lost; in the third round she stands up and burns a last time
    assert (at(table), table.points("Ash", "health")) == ((3, "movement", "Ash"), 1)
    passes(table, 2)
    assert (at(table), table.points("Ash", "health")) == ((3, "action", "thug"), 0)
    assert "exposed to minor fire" not in holds(table)


def test_an_exposure_in_the_own_slot_costs_the_turn_that_begins() -> None:
    """DB-HAZ-2, DB-ZERO-3: who is dropped at the start of a slot does not act in it, nor rise in it."""
    table = seat("Ash", "thug", Ash={"health": 4})
    table.say(Hazard(by=GM, target="Ash", row="minor_fire", rounds=2))
    passes(table, 4)
    assert (at(table), table.points("Ash", "health")) == ((2, "action", "Ash"), 0)
    table.say(WoundRoll(by="Ash"), 1, 2)
    table.say(close())
    assert (at(table), table.points("Ash", "health")) == ((2, "action", "thug"), 0)


@pytest.mark.parametrize("how", ["ends", "is ruled over", "kills", "leaves the fight"])
def test_an_exposure_may_be_over_before_its_time(how: str) -> None:
    table = seat("Ash", "thug")
    table.say(Hazard(by=GM, target="thug", row="minor_fire", rounds=9))
    if how == "ends":
        table.say(condition("thug", "exposed to minor fire", off=True))
    if how == "is ruled over":
        table.say(EndEncounter(by=GM))
    if how == "kills":
        table.say(Damage(by=GM, target="thug", amount=9))
        passes(table, 2)
    if how == "leaves the fight":
        passes(table, 4)
    assert ("exposed to minor fire" in holds(table, "thug")) == (
        how == "leaves the fight" and table.points("thug", "health") > 0
    )


def test_outside_of_a_combat_all_rounds_of_an_exposure_come_at_once() -> None:
    """DB-HAZ-2: also where the rounds are not those of a combat."""
    for table in (Seat(*WHO), exploring()):
        table.say(Hazard(by=GM, target="Ash", row="acid_splash", rounds=3))
        assert (table.points("Ash", "health"), holds(table)) == (4, [])


def test_at_zero_the_rest_of_an_exposure_does_nothing() -> None:
    """DB-ZERO-2: unless the table reads it otherwise, and then each instance makes a roll due."""
    for reading, due in (("nothing", 1), ("wound", 3)):
        table = Seat(*WHO, Ash={"health": 2}, options={"hits_at_zero": reading})
        table.say(Hazard(by=GM, target="Ash", row="minor_fire", rounds=3))
        assert len(table.state.windows) == due


def test_a_shock_after_the_own_slot_costs_the_next_turn() -> None:
    """DB-HAZ-3, DB-ZERO-3."""
    table = seat("Ash", "thug")
    passes(table)
    table.say(Hazard(by=GM, target="Ash", row="shock", lose_action=True))
    passes(table)
    assert at(table) == (2, "movement", "thug")
    passes(table)
    assert at(table) == (2, "action", "thug")
    passes(table)
    assert at(table)[0] == 3
    assert holds(table) == []


def test_a_shocked_foe_loses_its_turn_too() -> None:
    """DB-NPC-1."""
    table = seat("captain", "Ash")
    table.say(Hazard(by=GM, target="captain", row="electrocution", lose_action=True))
    assert at(table)[2] == "Ash"
    assert table.points("captain", "health") == 4  # ambient: its armor is physical


# Poison, disease, lasting damage, paralysis


def test_a_poison_brings_what_was_said_a_wound_a_daze_a_lost_action() -> None:
    """DB-SPEC-3: damage first, then the wound, then the effect."""
    table = seat("thug", "Ash")
    said = Poison(by=GM, target="Ash", difficulty=6, damage=1, wound=True, on_fail=(Effect("dazed"),), lose_action=True)
    (told,) = of_kind(table.say(said), Ruled)
    assert told.text == "Ash resists it with Might against 6, or suffers 1 damage, a wound, dazed, the next action"
    table.say(Defence(by="Ash", cause="poison"), 1, 2)
    table.say(close())
    assert (table.points("Ash", "health"), holds(table)) == (9, ["dazed", "stunned"])
    assert [window.who for window in table.state.windows.values()] == ["Ash"]


def test_a_poison_comes_to_a_foe_at_once() -> None:
    """DB-NPC-1, DB-NPC-2: foes do not roll."""
    table = Seat(*WHO)
    record = table.say(Poison(by=GM, target="captain", difficulty=4, damage=3))
    assert {"DB-SPEC-3", "DB-NPC-1"} <= cited(record.facts)
    assert table.points("captain", "health") == 8
    table.say(Poison(by=GM, target="thug", difficulty=4, wound=True))
    assert "dead" in holds(table, "thug")


def test_a_foes_turn_is_not_used_by_its_poison_and_cover_does_not_help() -> None:
    """DB-SPEC-3: poison is no attack."""
    table = seat("Ash", "thug")
    table.say(TakeCover(by="Ash", cover_near="yes"))
    record = table.say(Defence(by="Ash", source="thug", cause="poison", difficulty=5), *DUSK)
    assert final_difficulty(record) == 5  # the poison's, not the foe's
    assert "taking cover" in holds(table)
    assert left(table, "thug") == ["move", "standard", "bonus", "reaction"]


def test_a_disease_is_resisted_on_each_day_by_the_clock_or_the_own() -> None:
    """DB-SPEC-4, DB-REC-4: a ten-hour rest ends the day."""
    table = Seat(*WHO)
    table.say(Disease(by=GM, target="Ash", difficulty=4, damage=2, lasting=True, source="fever"))
    table.say(Disease(by=GM, target="Ash", difficulty=2, source="rot"))
    table.say(Defence(by="Ash", cause="disease", task="fever"), 1, 1)
    assert table.code(Defence(by="Ash", cause="disease", task="fever"), *DAWN) == "VALUE"
    assert final_difficulty(table.say(Defence(by="Ash", cause="disease", task="rot"), *DAWN)) == 2
    table.say(Rest(by="Ash", kind="ten_hours"), 1)
    assert (table.points("Ash", "health"), table.state.tokens_held("Ash", "destiny")) == (8, 1)
    table.say(Defence(by="Ash", cause="disease", task="fever"), 1, 1)
    table.say(close())
    assert table.state.conditions["lasting damage Ash"].degree == 4
    table.say(condition("Ash", "diseased", off=True))
    assert holds(table) == ["lasting damage"]


def test_lasting_damage_stops_what_an_encounter_gives_back_but_never_below_one() -> None:
    """DB-SPEC-4, DB-HEAL-1."""
    table = seat("Ash", "thug")
    table.say(Damage(by=GM, target="Ash", amount=7, lasting=True))
    table.say(EndEncounter(by=GM))
    assert table.points("Ash", "health") == 3
    table.say(Ruling(by=GM, text="so", reason="the test", changes=(Change("ash.health", 10),)))
    table.say(Damage(by=GM, target="Ash", amount=9, lasting=True))
    table.say(Rest(by="Ash", kind="one_hour"), 1)
    assert table.points("Ash", "health") == 1


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
        (Deed(by="Ash", text="think", physical=False), (), ""),
        (Rest(by="Ash", kind="one_action"), (3,), ""),
        (Defence(by="Ash", source="captain", npc_slot="none"), DAWN, ""),
    ],
)
def test_the_paralysed_do_what_needs_no_movement(said: Declaration, faces: tuple[int, ...], code: str) -> None:
    """DB-SPEC-5."""
    table = seat("Ash", "Bryn", "thug", "captain")
    table.say(condition("Ash", "paralysed"))
    if code:
        assert table.code(said, *faces) == code
    else:
        table.say(said, *faces)


def test_the_paralysed_begin_a_spell_but_neither_charge_nor_defend() -> None:
    """DB-SPEC-5."""
    table = seat("thug", "Ash", phase="movement")
    table.say(condition("Ash", "paralysed"))
    assert table.code(Charge(by="Ash", target="thug")) == "PARALYSED"
    assert table.code(FullDefence(by="Ash")) == "PARALYSED"
    assert table.code(StartLongSpell(by="Ash", spell="ward", physical=True)) == "PARALYSED"
    table.say(StartLongSpell(by="Ash", spell="ward"))


def test_a_retry_of_the_paralysed_is_of_the_stat_that_failed() -> None:
    """DB-SPEC-5, DB-RETRY-2."""
    table = Seat(*WHO)
    table.say(tries(stat="speed", task="climb"), *DUSK)
    table.say(tries(stat="intellect", task="recall"), *DUSK)
    table.say(condition("Ash", "paralysed"))
    assert table.code(Retry(by="Ash", task="climb", effort=1), *DAWN) == "PARALYSED"
    table.say(Retry(by="Ash", task="recall", effort=1), *DAWN)


def test_a_paralysed_foe_attacks_with_its_mind_only() -> None:
    """DB-SPEC-5, DB-NPC-1."""
    table = seat("thug", "Ash")
    table.say(condition("thug", "paralysed"))
    assert table.code(Defence(by="Ash", source="thug"), *DAWN) == "PARALYSED"
    table.say(Defence(by="Ash", source="thug", physical=False), *DAWN)


# What a failed defence brings


def test_what_a_failed_defence_brings_comes_in_the_books_order() -> None:
    """Damage, wound due, condition, and the lost action."""
    table = seat("thug", "Ash")
    said = Defence(
        by="Ash",
        source="thug",
        damage=2,
        lasting=True,
        wound=True,
        on_fail=(Effect("blind", rounds=2),),
        lose_action=True,
    )
    table.say(said, 1, 2)
    record = table.say(close())
    began = [fact.name for fact in of_kind(record, ConditionBegan)]
    assert began == ["lasting damage", "blind", "stunned"]
    kinds = [type(fact).__name__ for fact in record.facts]
    assert kinds.index("PointsLost") < kinds.index("WindowOpened") < kinds.index("ConditionBegan", 6)


def test_what_is_no_foe_has_a_name_and_a_difficulty() -> None:
    """DB-ROLL-3."""
    table = Seat(*WHO)
    record = table.say(Defence(by="Ash", source="the spear trap", difficulty=5, damage=3), 1, 2)
    assert task(record).against == "the spear trap"
    lost = of_kind(table.say(close()), PointsLost)
    assert [(fact.points, fact.by) for fact in lost] == [(3, "the spear trap")]
    table.say(Defence(by="Ash", task="a falling slate", difficulty=5, damage=3), 1, 2)
    assert [fact.because for fact in of_kind(table.say(close()), PointsLost)] == ["a falling slate"]


# Rounds of every scale


@pytest.mark.parametrize(("scale", "seconds"), [("exploration", 600), ("downtime", 86400)])
def test_a_round_takes_its_time(scale: Any, seconds: int) -> None:
    """DB-TIME-1."""
    table = exploring(scale=scale)
    table.say(Pass(by="Ash"))
    record = table.say(Pass(by="Bryn"))
    assert [fact.seconds for fact in of_kind(record, TimePassed)] == [seconds]


def test_the_rounds_of_a_combat_have_passed_when_it_is_over() -> None:
    """DB-TIME-1: six seconds each, the one that was running among them; before the first there is none."""
    table = seat("Ash", "thug", round=3)
    passes(table, 2)
    assert of_kind(table.say(EndEncounter(by=GM)), TimePassed)[0].seconds == 24
    table.say(StartEncounter(by=GM, participants=("Ash", "thug")))
    assert not of_kind(table.say(EndEncounter(by=GM)), TimePassed)


def test_one_action_each_in_rounds_without_phases() -> None:
    """DB-ACTN-5, DB-ACT-1: whatever kind of action it is."""
    table = exploring()
    table.say(CastSpell(by="Ash", task="fog", time="bonus"))
    for said in (Deed(by="Ash"), QuickDeed(by="Ash"), CastSpell(by="Ash", task="fog"), UseAbility(by="Ash", text="x")):
        assert table.code(said) == "SLOT"
    table.say(QuickDeed(by="Bryn", text="whistle"))
    assert at(table)[0] == 2
    table.say(Deed(by="Ash", text="search"))


def test_ten_minutes_are_one_round_of_exploration() -> None:
    """DB-TIME-3."""
    table = exploring()
    table.say(UseAbility(by="Ash", text="Lantern", effect=Effect("lit", lasts=600, attacks=1)))
    assert holds(table) == ["lit"]
    table.say(Pass(by="Bryn"))
    assert holds(table) == []


def test_a_minute_in_a_fight_lasts_for_the_rest_of_it() -> None:
    """DB-TIME-2."""
    table = seat("Ash", "thug")
    table.say(UseAbility(by="Ash", text="Fury", effect=Effect("furious", lasts=60, attacks=1)))
    passes(table, 8)
    assert holds(table) == ["furious"]
    table.say(EndEncounter(by=GM))
    assert holds(table) == []


def test_what_was_lost_is_told_once() -> None:
    """DB-STD-3, DB-ENC-11: an unfinished long spell is gone with the round, its points too."""
    table = seat("Ash", "thug", phase="movement")
    table.say(Pass(by="thug"))
    table.say(TakeCover(by="Ash", cover_near="yes"))
    table.say(StartLongSpell(by="Ash", spell="ward", cost=points(intellect=3)))
    assert table.code(FinishLongSpell(by="Ash")) == "SLOT"
    record = table.say(Pass(by="Ash"))
    assert [fact.outcome for fact in of_kind(record, ActionSpent)] == ["passed"]
    passes(table)
    assert (at(table)[0], holds(table), table.points("Ash", "intellect")) == (2, ["cover"], 6)


def test_an_elite_that_is_poisoned_to_nothing_takes_a_wound_of_the_game_masters_roll() -> None:
    """DB-DMG-5, DB-DMG-6: nobody struck it."""
    table = Seat(*WHO)
    table.say(CreateNpc(by=GM, name="boss", kind="elite", difficulty=5, health=2, wound_limit=1))
    table.say(Poison(by=GM, target="boss", difficulty=4, damage=5))
    table.say(WoundRoll(by=GM, who="boss"), *DAWN)
    table.say(close())
    assert "incapacitated" in holds(table, "boss")
