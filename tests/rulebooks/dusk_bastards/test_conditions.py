"""Conditions: how they begin, their steps, and their ends."""

from __future__ import annotations

from typing import Any

import pytest

from ledger.facts import GM, ConditionBegan, Ends, Ruled
from rulebooks.dusk_bastards.declarations.combat import Attack, Defence
from rulebooks.dusk_bastards.declarations.harm import SetCondition
from rulebooks.dusk_bastards.declarations.parts import Effect
from rulebooks.dusk_bastards.declarations.tasks import Attempt, Retry
from rulebooks.dusk_bastards.declarations.turns import EndEncounter, Initiative, Move, Pass, StartEncounter
from rulebooks.dusk_bastards.declarations.world import AdvanceTime
from tests.rulebooks.dusk_bastards.fight import conditions
from tests.rulebooks.dusk_bastards.seat import DAWN, DUSK, Seat, close, doom, final_difficulty, of_kind

WHO = ("Ash", "Bryn", "captain", "thug")
FIGHT = {"order": ("captain", "Ash", "thug"), "round": 2, "phase": "action", "turn": "Ash"}


def new_seat(**given: Any) -> Seat:
    return Seat(*WHO, **given)


def sets(name: str = "rattled", target: str = "Ash", **more: Any) -> SetCondition:
    return SetCondition(by=GM, target=target, name=name, **more)


def began(seat: Seat, said: SetCondition) -> ConditionBegan:
    (fact,) = (fact for fact in of_kind(seat.say(said), ConditionBegan) if fact.name == said.name)
    assert isinstance(fact, ConditionBegan)
    return fact


def attack(**more: Any) -> Attack:
    return Attack(**{"by": "Ash", "target": "captain", "stat": "might", **more})


def defence(**more: Any) -> Defence:
    return Defence(**{"by": "Ash", "source": "captain", "npc_slot": "none", **more})


# When it ends


def slot(whose: str, phase: str, due: int) -> tuple[Ends, ...]:
    return (Ends(at="slot", whose=whose, phase=phase, due=due),)


REST = (Ends(at="encounter"),)


@pytest.mark.parametrize(
    ("fields", "ends", "rule"),
    [
        ({"rounds": 1}, slot("Ash", "action", 3), "DB-DUR-1"),
        ({"rounds": 3}, slot("Ash", "action", 5), "DB-DUR-1"),
        ({"rounds": 1, "whose": "captain"}, slot("captain", "action", 3), "DB-DUR-2"),
        ({"name": "dazed"}, slot("Ash", "action", 3), "DB-SPEC-1"),
        ({"name": "dazed", "until": "ruled"}, (), "DB-SPEC-1"),
        ({"lasts": 12}, slot("Ash", "action", 4), "DB-TIME-1"),
        ({"lasts": 13}, slot("Ash", "action", 5), "DB-TIME-1"),
        ({"lasts": 60}, REST, "DB-TIME-2"),
        ({"lasts": 61}, (Ends(at="seconds", due=61),), "DB-TIME-3"),
        ({"until": "encounter"}, REST, "DB-ENC-12"),
        ({}, (), "DB-SPEC-6"),
        ({"name": "blind"}, (), "DB-SPEC-6"),
        ({"name": "prone"}, (Ends(at="move", whose="Ash"), Ends(at="encounter")), "DB-GAP-67"),
        ({"name": "cover", "until": "ruled"}, (), "DB-COVER-1"),
        ({"rounds": 1, "target": "Bryn"}, (Ends(at="seconds", due=6),), "DB-TIME-1"),  # who is not in the fight
    ],
)
def test_a_condition_in_a_fight_ends_by_its_duration(fields: dict[str, Any], ends: tuple[Ends, ...], rule: str) -> None:
    fact = began(new_seat(encounter=FIGHT), sets(**{"name": "rattled", **fields}))
    assert fact.ends == ends
    assert rule in fact.rules


@pytest.mark.parametrize(
    ("fields", "ends"),
    [
        ({"rounds": 1}, (Ends(at="seconds", due=6),)),
        ({"lasts": 60}, (Ends(at="seconds", due=60),)),
        ({"lasts": 600}, (Ends(at="seconds", due=600),)),
        ({"name": "dazed"}, (Ends(at="seconds", due=6),)),
    ],
)
def test_a_condition_outside_encounters_ends_by_the_clock(fields: dict[str, Any], ends: tuple[Ends, ...]) -> None:
    """DB-TIME-1, DB-TIME-3."""
    assert began(new_seat(), sets(**{"name": "rattled", **fields})).ends == ends


@pytest.mark.parametrize(("fields", "last"), [({"rounds": 1}, 1), ({"rounds": 2}, 2), ({"lasts": 600}, 1)])
def test_rounds_of_exploration_end_whole(fields: dict[str, Any], last: int) -> None:
    """DB-TIME-3: ten minutes are one exploration round."""
    seat = new_seat()
    seat.say(StartEncounter(by=GM, scale="exploration", participants=("Ash", "Bryn")))
    seat.say(sets(**fields))
    for _ in range(last):
        assert conditions(seat) == ["rattled"]
        seat.say(Pass(by="Ash"))
        seat.say(Pass(by="Bryn"))
    assert conditions(seat) == []


def test_conditions_before_the_first_turn_end_with_a_round() -> None:
    seat = new_seat()
    seat.say(StartEncounter(by=GM, participants=("Ash", "captain")))
    seat.say(sets(rounds=1))
    seat.say(Initiative(by="Ash"), *DUSK)
    seat.say(close())
    for who in ("Ash", "captain", "captain"):
        assert conditions(seat) == ["rattled"]
        seat.say(Pass(by=who))
    assert conditions(seat) == ["rattled"]
    seat.say(Pass(by="Ash"))
    assert conditions(seat) == []


@pytest.mark.parametrize(
    ("first", "second", "counts"),
    [
        ({"rounds": 1}, {"rounds": 2}, 2),
        ({"rounds": 2}, {"rounds": 1}, 1),
        ({"rounds": 1, "whose": "thug"}, {"rounds": 1}, 1),  # the thug acts after Ash
        ({"rounds": 1, "whose": "captain"}, {"rounds": 1}, 2),  # the captain before
        ({"rounds": 9}, {"lasts": 60}, 2),
        ({"lasts": 60}, {"rounds": 9}, 1),
        ({"until": "encounter"}, {"until": "ruled"}, 2),
        ({"until": "ruled"}, {"rounds": 1}, 1),
        ({"until": "encounter"}, {"lasts": 600}, 2),
        ({"lasts": 700}, {"lasts": 600}, 1),
    ],
)
def test_the_later_end_of_two_dazes_counts(first: dict[str, Any], second: dict[str, Any], counts: int) -> None:
    """DB-SPEC-1: they do not add up."""
    seat = new_seat(encounter=FIGHT)
    both = [began(seat, sets("dazed", **fields)).ends for fields in (first, second)]
    alone = began(new_seat(encounter=FIGHT), sets("dazed", **second)).ends
    assert both[1] == (both[0] if counts == 1 else alone)
    assert final_difficulty(seat.say(attack(), *DUSK)) == 7


def test_a_move_ends_prone_and_cover() -> None:
    """DB-GAP-67."""
    seat = new_seat(encounter={"order": ("captain", "Ash")})
    for name in ("prone", "cover", "hidden"):
        seat.say(sets(name))
    seat.say(Move(by="Ash"))
    assert conditions(seat) == ["hidden"]


def test_the_end_of_an_encounter_ends_its_conditions() -> None:
    """DB-ENC-12, DB-TIME-3."""
    seat = new_seat(encounter=FIGHT)
    for name, fields in (
        ("a", {"until": "encounter"}),
        ("b", {"rounds": 9}),
        ("c", {}),
        ("prone", {}),
        ("d", {"lasts": 99}),
    ):
        seat.say(sets(name, **fields))
    seat.say(EndEncounter(by=GM))
    assert conditions(seat) == ["c", "d"]
    seat.say(AdvanceTime(by=GM, seconds=86))  # the fight took two rounds, 12 seconds
    assert conditions(seat) == ["c", "d"]
    seat.say(AdvanceTime(by=GM, seconds=1))
    assert conditions(seat) == ["c"]


# What it does


@pytest.mark.parametrize(
    ("fields", "task", "strikes", "defends"),
    [
        ({"tasks": -1}, 1, 1, 1),
        ({"tasks": 2}, -2, -2, -2),
        ({"attacks": -2}, 0, 2, 0),
        ({"attacks": 1}, 0, -1, 0),
        ({"defence": -1}, 0, 0, 1),
        ({"defence": 2}, 0, 0, -2),
        ({"tasks": -1, "attacks": 1, "defence": -1}, 1, 0, 2),
    ],
)
def test_condition_steps_apply_and_are_mirrored_for_foes(
    fields: dict[str, int], task: int, strikes: int, defends: int
) -> None:
    """DB-SPEC-7, DB-ROLL-4."""
    tried = Attempt(by="Ash", stat="might", difficulty=6)
    for said, on_ash, on_captain in ((tried, task, 0), (attack(), strikes, -defends), (defence(), defends, -strikes)):
        seat = new_seat()
        seat.say(sets(**fields))
        assert final_difficulty(seat.say(said, *DUSK)) == 6 + on_ash
        seat = new_seat()
        seat.say(sets(target="captain", **fields))
        assert final_difficulty(seat.say(said, *DUSK)) == 6 + on_captain


def test_a_repeated_condition_replaces_the_earlier_one() -> None:
    """DB-MOD-4: one and the same condition counts once."""
    seat = new_seat()
    seat.say(sets(tasks=-1))
    seat.say(sets(tasks=-2))
    seat.say(sets("slowed", tasks=-1))
    assert final_difficulty(seat.say(attack(), *DUSK)) == 6 + 2 + 1


def test_a_foes_moderate_wound_is_mirrored() -> None:
    """DB-DMG-5, DB-WOUND-7, DB-ROLL-4."""
    for options, defends in (({}, 5), ({"moderate_hinders_defence": "no"}, 6)):
        seat = new_seat(options=options, captain={"wounds": [{"value": 4, "in_force": True}]})
        assert final_difficulty(seat.say(attack(), *DUSK)) == defends
        assert final_difficulty(seat.say(defence(), *DUSK)) == 5


def test_a_hit_gives_its_condition_to_a_living_target() -> None:
    """DB-STD-1, DB-DUR-1: made in the slot of the attacker."""
    seat = new_seat(encounter={"order": ("Ash", "captain", "thug"), "phase": "action"})
    rattled = Effect("rattled", rounds=1, defence=-1)
    seat.say(attack(on_hit=(rattled,)), 9, 9)
    assert conditions(seat, "captain") == []
    seat.say(close())
    assert seat.state.conditions["rattled captain"].ends == slot("Ash", "action", 2)
    assert final_difficulty(seat.say(attack(by="Bryn"), *DUSK)) == 5
    seat.say(attack(by="Bryn", target="thug", damage=9, on_hit=(rattled,)), 9, 9)
    seat.say(close())
    assert conditions(seat, "thug") == ["dead"]


def test_a_miss_gives_no_condition() -> None:
    seat = new_seat()
    seat.say(attack(on_hit=(Effect("rattled"),)), *DUSK)
    seat.say(close())
    assert conditions(seat, "captain") == []


def test_a_condition_with_a_text_records_a_ruling() -> None:
    """DB-SPEC-6."""
    record = new_seat().say(sets("deaf", text="nothing is heard until the ringing stops"))
    (ruled,) = of_kind(record, Ruled)
    assert (ruled.text, ruled.because, ruled.about) == ("nothing is heard until the ringing stops", "deaf", "Ash")


def test_setting_a_condition_off_ends_it_if_it_holds() -> None:
    seat = new_seat()
    seat.say(sets("blind"))
    seat.say(sets("blind", off=True))
    assert conditions(seat) == []
    assert len(seat.say(sets("blind", off=True)).facts) == 1


def test_an_unspoken_poison_hinders_no_resistance() -> None:
    """DB-SPEC-3."""
    seat = new_seat()
    seat.say(sets("poisoned"))
    said = Defence(by="Ash", difficulty=4, stat="might", damage=1)
    assert final_difficulty(seat.say(said, *DUSK)) == 4


@pytest.mark.parametrize(
    "said",
    [
        sets("failed"),
        sets("dead"),
        sets(""),
        sets(target="Nobody"),
        sets(target="ash"),
        sets(whose="Nobody"),
        sets(rounds=1, whose="Bryn"),
        sets(rounds=0),
        sets(lasts=0),
        sets(rounds=1, lasts=6),
        sets(rounds=1, until="ruled"),
        SetCondition(by="Ash", target="Ash", name="dazed"),
        attack(on_hit=(Effect("failed"),)),
        attack(on_hit=(Effect("rattled", rounds=-1),)),
    ],
)
def test_a_malformed_condition_is_refused(said: Any) -> None:
    """DB-PLAY-9."""
    seat = new_seat()
    assert seat.code(said, *(DAWN if isinstance(said, Attack) else ())) == "VALUE"


def test_a_retry_is_not_hindered_by_an_ended_condition() -> None:
    """DB-MOD-2: modifiers of the first attempt are gone."""
    seat = new_seat()
    seat.say(sets("dazed", until="ruled"))
    seat.say(Attempt(by="Ash", stat="might", difficulty=5), *DUSK)
    seat.say(sets("dazed", off=True))
    assert final_difficulty(seat.say(Retry(by="Ash", effort=1), *DUSK)) == 4
    seat.say(doom(1))


def test_condition_that_ends_while_taking_20_does_not_count() -> None:
    """DB-GAP-80: the wait comes before the roll."""
    seat = new_seat()
    seat.say(sets(tasks=-2, lasts=600))
    record = seat.say(Attempt(by="Ash", stat="might", difficulty=6, take20=True, duration=60), *DAWN)
    assert (conditions(seat), final_difficulty(record)) == ([], 6)


@pytest.mark.parametrize(("lasts", "rounds"), [(6, 1), (7, 2), (59, 10)])
def test_short_duration_from_before_a_fight_ends_in_it(lasts: int, rounds: int) -> None:
    """DB-GAP-79: one round for each 6 seconds that are left."""
    seat = new_seat()
    seat.say(sets(lasts=lasts))
    seat.say(StartEncounter(by=GM))
    (condition,) = (each for each in seat.state.conditions.values() if each.name == "rattled")
    assert Ends(at="round", due=rounds) in condition.ends


def test_duration_of_a_minute_or_more_stays_on_the_clock() -> None:
    seat = new_seat()
    seat.say(sets(lasts=60))
    seat.say(StartEncounter(by=GM))
    (condition,) = (each for each in seat.state.conditions.values() if each.name == "rattled")
    assert [end.at for end in condition.ends] == ["seconds"]
