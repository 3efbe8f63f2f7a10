"""Waits: an action that takes time is decided on the state after it."""

from __future__ import annotations

from typing import Any

import pytest

from ledger.declarations import Declaration
from ledger.facts import GM, PointsSpent, TimePassed
from rulebooks.dusk_bastards.declarations.combat import AreaAttack, CastSpell, Defence
from rulebooks.dusk_bastards.declarations.harm import SetCondition
from rulebooks.dusk_bastards.declarations.parts import Spot
from rulebooks.dusk_bastards.declarations.turns import Initiative, StartEncounter
from rulebooks.testing.seat import of_kind
from tests.rulebooks.dusk_bastards.fight import attack
from tests.rulebooks.dusk_bastards.seat import DUSK, Seat, close, final_difficulty, spent, task, tries, uses

WAIT: dict[str, Any] = {"take20": True, "duration": 60}
STRIKES = [
    attack(**WAIT),
    attack(duration=1200),
    AreaAttack(by="Ash", stat="might", targets=(Spot("thug"), Spot("captain")), **WAIT),
    CastSpell(by="Ash", task="bolt", target="thug", stat="intellect", **WAIT),
]


def new_seat(**given: Any) -> Seat:
    return Seat("Ash", "Bryn", "thug", "captain", **given)


def condition(who: str, name: str = "rattled", **more: Any) -> SetCondition:
    return SetCondition(by=GM, target=who, name=name, lasts=600, **more)


@pytest.mark.parametrize("said", STRIKES)
@pytest.mark.parametrize("ends", [condition("Ash", tasks=-2), condition("thug", defence=3), condition("thug", "prone")])
def test_condition_that_ends_before_the_attack_does_not_count(said: Declaration, ends: SetCondition) -> None:
    """DB-GAP-80: neither one of the attacker nor one of the target."""
    plain, ended = new_seat(), new_seat()
    ended.say(ends)
    assert final_difficulty(ended.say(said, *DUSK)) == final_difficulty(plain.say(said, *DUSK))
    ended.check_replay()


@pytest.mark.parametrize("said", STRIKES)
@pytest.mark.parametrize("name", ["hidden", "invisible", "full_cover"])
def test_target_that_comes_out_during_the_wait_is_attacked(said: Declaration, name: str) -> None:
    seat = new_seat()
    seat.say(condition("thug", name))
    assert seat.say(said, *DUSK)


def test_condition_that_lasts_longer_than_the_wait_counts() -> None:
    seat = new_seat()
    seat.say(SetCondition(by=GM, target="thug", name="hidden", lasts=1201))
    assert seat.code(attack(**WAIT), *DUSK) == "HIDDEN"


def test_defence_meets_the_attack_after_its_wait() -> None:
    seat, plain = new_seat(), new_seat()
    seat.say(condition("thug", attacks=2))
    said = Defence(by="Ash", source="thug", duration=600)
    assert final_difficulty(seat.say(said, *DUSK)) == final_difficulty(plain.say(said, *DUSK))


def test_free_level_that_ends_during_the_wait_is_gone() -> None:
    """DB-EFFORT-6: a level that an ability grants for ten minutes does not help after twenty."""
    seat = new_seat()
    seat.say(condition("Ash", "inspired", effort=1))
    assert final_difficulty(seat.say(tries(difficulty=6, **WAIT), *DUSK)) == 6


def test_wait_comes_before_costs_in_the_record() -> None:
    record = new_seat().say(attack(effort=1, **WAIT), *DUSK)
    kinds = [type(fact) for fact in record.facts]
    assert kinds.index(TimePassed) < kinds.index(PointsSpent)


@pytest.mark.parametrize("said", [attack(initial_cost=13, **WAIT), tries(difficulty=5, initial_cost=13, **WAIT)])
def test_nobody_waits_who_cannot_pay(said: Declaration) -> None:
    """DB-COST-4: an automatic failure takes nothing."""
    record = new_seat().say(said)
    assert (task(record).result, of_kind(record, TimePassed)) == ("automatic failure", [])


def test_wait_for_what_destiny_pays() -> None:
    """DB-DEST-7: a point that comes back before the roll counts for the minimum."""
    seat = new_seat(Ash={"might": 4, "destiny": 1})
    record = seat.say(tries(initial_cost=5, duration=60, destiny_first=uses("regain:might")), *DUSK)
    assert (spent(record), [fact.seconds for fact in of_kind(record, TimePassed)]) == ({"might": 5}, [60])


def test_initiative_takes_the_time_that_is_said() -> None:
    """DB-GAP-80: and is not hindered by what ends in it."""
    seat = new_seat()
    seat.say(SetCondition(by=GM, target="Ash", name="slow", lasts=120, tasks=-2))
    seat.say(StartEncounter(by=GM))
    record = seat.say(Initiative(by="Ash", duration=120), *DUSK)
    assert [fact.seconds for fact in of_kind(record, TimePassed)] == [120]
    assert task(record).total == sum(DUSK)
    seat.say(close())
