"""Rulings that apply for the session or the campaign without being repeated."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from ledger.declarations import Ruling, Setting
from ledger.facts import GM, Judged, PointsSpent, Ruled
from rulebooks.dusk_bastards.declarations.harm import Disease, Poison
from rulebooks.dusk_bastards.declarations.tasks import Attempt, Retry, SpendDoom
from tests.rulebooks.dusk_bastards.seat import AT, BOOK, Seat, sum_of

FACES = (7, 6)


def law(*sets: tuple[str, int | str], scope: Any = "campaign", **more: Any) -> Ruling:
    changes = tuple(Setting(name, to) for name, to in sets)
    return Ruling(by=GM, text="the sea wall is slick", reason="it rains", scope=scope, changes=changes, **more)


def climb(seat: Seat, **more: Any) -> tuple[Judged, list[PointsSpent]]:
    facts = seat.say(
        Attempt(by="Ash", task="climb", stat="might", difficulty=4, new="another wall", **more), *FACES
    ).facts
    judged = next(fact for fact in facts if isinstance(fact, Judged) and fact.what == "task")
    return judged, [fact for fact in facts if isinstance(fact, PointsSpent)]


def final_difficulty(judged: Judged) -> int:
    return sum_of(judged, "difficulty").total


def test_ruled_initial_cost_is_added_each_time() -> None:
    seat = Seat("Ash")
    seat.say(law(("task.climb.cost", 2)))
    assert [fact.points for fact in climb(seat)[1]] == [2]
    assert [fact.points for fact in climb(seat, initial_cost=1)[1]] == [3]
    assert not seat.say(Attempt(by="Ash", task="swim", stat="might", difficulty=4), *FACES).has(PointsSpent)


@pytest.mark.parametrize(("field", "difficulty"), [("hinder", 6), ("ease", 2)])
def test_ruled_steps_modify_the_task_with_their_reason(field: str, difficulty: int) -> None:
    seat = Seat("Ash")
    ruled = seat.say(law((f"task.climb.{field}", 2)))
    judged, _ = climb(seat)
    assert final_difficulty(judged) == difficulty
    reasons = [step.because for sum_ in judged.sums for step in sum_.steps]
    assert f"the sea wall is slick (ruled in {ruled.id})" in reasons
    seat.check_replay()


def test_latest_law_counts_until_repealed() -> None:
    seat = Seat("Ash")
    seat.say(law(("task.climb.hinder", 1)))
    second = seat.say(law(("task.climb.hinder", 3)))
    assert final_difficulty(climb(seat)[0]) == 7
    seat.say(Ruling(by=GM, text="it has dried", reason="the sun", repeals=str(second.id)))
    assert final_difficulty(climb(seat)[0]) == 5


def test_session_law_ends_with_the_session() -> None:
    seat = Seat("Ash")
    seat.say(law(("task.climb.hinder", 1), scope="session"))
    assert final_difficulty(climb(seat)[0]) == 5
    seat.ledger.close_session(at=AT)
    seat.ledger.open_session("two", at=AT, seed=bytes(32))
    assert final_difficulty(climb(seat)[0]) == 4
    seat.check_replay()


def test_ruled_task_cannot_be_retried() -> None:
    seat = Seat("Ash")
    seat.say(Attempt(by="Ash", task="climb", stat="might", difficulty=9), 1, 2)
    seat.say(law(("task.climb.retry", "no")))
    refusal = seat.refusal(Retry(by="Ash", effort=1))
    assert refusal.code == "DB-E-RETRY-FORBIDDEN"
    assert "the sea wall is slick" in refusal.what


def test_retry_pays_the_ruled_initial_cost() -> None:
    seat = Seat("Ash")
    seat.say(Attempt(by="Ash", task="climb", stat="might", difficulty=9), 1, 2)
    seat.say(law(("task.climb.cost", 1)))
    again = seat.say(Retry(by="Ash", effort=1), *FACES)
    assert sorted(fact.points for fact in again.facts if isinstance(fact, PointsSpent)) == [1, 3]


def test_use_of_doom_takes_cost_and_reason_from_the_ruling() -> None:
    seat = Seat("Ash", doom=5)
    seat.say(law(("doom.reinforcements", 2)))
    assert seat.code(SpendDoom(by=GM, points=1, use="other", purpose="reinforcements")) == "VALUE"
    said = seat.say(SpendDoom(by=GM, points=2, use="other", purpose="reinforcements"))
    assert [fact.because for fact in said.facts if isinstance(fact, Ruled)] == ["the sea wall is slick (ruled in 1.1)"]
    assert seat.doom == 3


def test_known_poison_needs_only_its_name() -> None:
    seat = Seat("Ash")
    assert seat.code(Poison(by=GM, target="Ash", source="the wine")) == "VALUE"
    seat.say(law(("poison.the-wine.difficulty", 5), ("poison.the-wine.damage", 3), ("poison.the-wine.lasting", "yes")))
    said = seat.say(Poison(by=GM, target="Ash", source="The Wine"))
    (stakes,) = [fact.text for fact in said.facts if isinstance(fact, Ruled)]
    assert stakes == "Ash resists it with Might against 5, or suffers 3 lasting damage"
    assert seat.code(Disease(by=GM, target="Ash", source="the wine")) == "VALUE"
    said = seat.say(Poison(by=GM, target="Ash", source="the wine", difficulty=2))
    assert "against 2" in next(fact.text for fact in said.facts if isinstance(fact, Ruled))


@pytest.mark.parametrize(
    "sets",
    [
        ("task.climb.cost", 0),
        ("task.climb.cost", 21),
        ("task.climb.cost", "two"),
        ("task.climb.luck", 1),
        ("task.climb", 1),
        ("task.climb.retry", "yes"),
        ("doom.", 1),
        ("poison.the-wine.wound", "no"),
        ("poison.the-wine", 3),
    ],
)
def test_law_outside_its_domain_is_refused(sets: tuple[str, int | str]) -> None:
    assert Seat("Ash").code(law(sets)) == "VALUE"


def test_law_needs_a_scope() -> None:
    assert Seat("Ash").refusal(law(("task.climb.cost", 2), scope="once")).code == "L-RULING"


def test_law_names_each_value_once() -> None:
    assert Seat("Ash").say(law(("task.climb.cost", 2), ("task.climb.hinder", 1))).has(Ruled)
    assert Seat("Ash").code(law(("task.climb.cost", 2), ("task.climb.cost", 1))) == "VALUE"
    assert Seat("Ash").code(law(("task.the-wall.cost", 2), ("task.The Wall.cost", 1))) == "VALUE"


def test_ruling_cites_known_rules_and_repeals_laws() -> None:
    seat = Seat("Ash")
    assert seat.refusal(law(cites=("DB-NONE-1",))).code == "L-RULING"
    assert seat.refusal(law(repeals="1.7")).code == "L-RULING"
    seat.say(law(cites=("DB-COST-1",)))
    assert [ruling.cites for ruling in seat.state.rulings.values()] == [("DB-COST-1",)]


def test_applied_rulings_are_shown_as_situations() -> None:
    seat = Seat("Ash")
    ruled = seat.say(law(("task.climb.cost", 2), ("doom.reinforcements", 2), ("poison.the-wine.damage", 3)))
    climb = Attempt(by="Ash", task="climb", stat="might", difficulty=4)
    wine = Poison(by=GM, target="Ash", difficulty=5, source="the wine")
    doom = SpendDoom(by=GM, points=2, purpose="reinforcements")
    for said, name in (
        (climb, "task.climb.cost=2"),
        (wine, "poison.the-wine.damage=3"),
        (doom, "doom.reinforcements=2"),
    ):
        situations = [each for each in BOOK.guide.unclaimed(said, seat.state) if each.known]
        assert [(each.name, each.text) for each in situations] == [
            (str(ruled.id), f"the sea wall is slick (ruled in {ruled.id}): {name}")
        ]
    swim = Attempt(by="Ash", task="swim", stat="might", difficulty=4)
    known = msgspec.structs.replace(wine, damage=1)
    assert not [each for said in (swim, known) for each in BOOK.guide.unclaimed(said, seat.state) if each.known]


def test_possible_effort_leaves_the_ruled_cost() -> None:
    seat = Seat("Ash")
    climb = Attempt(by="Ash", task="climb", stat="might", difficulty=4)
    before = [each.text for each in BOOK.guide.unclaimed(climb, seat.state) if each.name == "effort"]
    seat.say(law(("task.climb.cost", seat.state.points("Ash", "might") - 3)))
    after = [each.text for each in BOOK.guide.unclaimed(climb, seat.state) if each.name == "effort"]
    assert (before, after) == (["Effort up to 2, for 5 might"], ["Effort up to 1, for 3 might"])
