"""The arithmetic of an attempt, beyond the worked cases: difficulty, Effort, costs, refunds, taking 20."""

from __future__ import annotations

from typing import Any

import pytest

from ledger.facts import GM, Judged, PointsRegained, TimePassed
from rulebooks.dusk_bastards.declarations.combat import Defence
from rulebooks.dusk_bastards.declarations.harm import Damage
from rulebooks.dusk_bastards.declarations.parts import Cost, Modifier
from rulebooks.dusk_bastards.declarations.tasks import Retry
from rulebooks.dusk_bastards.declarations.turns import Initiative, StartEncounter
from tests.rulebooks.dusk_bastards.seat import (
    DAWN,
    DUSK,
    ECLIPSE,
    Seat,
    destiny,
    eased,
    faces,
    final_difficulty,
    of_kind,
    points,
    refunded,
    spent,
    sum_of,
    task,
    tries,
)

LIGHT = {"value": 2, "in_force": True}


# Difficulty, target number, total


@pytest.mark.quick_rows(4)
@pytest.mark.parametrize("difficulty", range(1, 13))
def test_target_number_is_three_times_the_difficulty(difficulty: int) -> None:
    """DB-DIFF-1 and DB-ROLL-1: no face succeeds or fails by itself."""
    for total in range(2, 25):
        dawn = max(1, total - 12)
        shown = task(Seat("Ash").say(tries(difficulty=difficulty), dawn, total - dawn))
        assert (shown.target, shown.total) == (3 * difficulty, total)
        assert shown.result == ("success" if total >= 3 * difficulty else "failure")
        assert shown.margin == total - 3 * difficulty


@pytest.mark.parametrize(
    ("modifiers", "final"),
    [
        ({"difficulty": 5, "trained": ("a",)}, 4),
        ({"difficulty": 5, "trained": ("a", "b")}, 3),
        ({"difficulty": 5, "trained": ("a", "b", "c")}, 3),  # skills: two steps in all
        ({"difficulty": 5, "specialized": ("a", "b")}, 3),
        ({"difficulty": 5, "trained": ("a",), "specialized": ("b",)}, 3),
        ({"difficulty": 6, "assets": (1,)}, 5),
        ({"difficulty": 6, "assets": (3,)}, 4),  # assets: two steps in all
        ({"difficulty": 6, "assets": (1, 2)}, 4),
        ({"difficulty": 6, "helpers": ("Bryn",)}, 5),
        ({"difficulty": 6, "helpers": ("Bryn", "bryn")}, 5),  # one helper, named twice
        ({"difficulty": 6, "helpers": ("Bryn", "Cole", "bryn")}, 4),  # helpers inside the cap of assets
        ({"difficulty": 6, "assets": (2,), "helpers": ("Bryn",)}, 4),
        ({"difficulty": 9, "ease": eased(3)}, 6),  # circumstances have no cap
        ({"difficulty": 9, "ease": (*eased(3), *eased(2)), "assets": (2,)}, 2),
        ({"difficulty": 9, "hinder": (*eased(3), *eased(2))}, 14),
        ({"difficulty": 2, "ease": eased(4), "hinder": eased(3)}, 1),  # no clamp in between
        ({"difficulty": 2, "assets": (5,), "hinder": eased(1)}, 1),  # the cap first, then the sum
        ({"difficulty": 12, "free_effort": 6}, 6),
        ({"difficulty": 12, "free_effort": 9}, 6),  # Effort: six steps in all
        ({"difficulty": 12, "effort": 2, "free_effort": 5}, 6),
        ({"difficulty": 12, "effort": 2, "free_effort": 3, "specialized": ("a",), "assets": (2,), "ease": eased(2)}, 1),
        ({"difficulty": 12, "free_effort": 8, "trained": ("a", "b", "c"), "assets": (9,), "hinder": eased(3)}, 5),
    ],
)
def test_eases_are_capped_by_kind_before_the_sum(modifiers: dict[str, Any], final: int) -> None:
    """DB-MOD-1, DB-MOD-4, DB-MOD-5, DB-SKILL-2, DB-ASSET-2, DB-EFFORT-5."""
    record = Seat("Ash", "Bryn", "Cole").say(tries(**modifiers), 1, 2)
    assert final_difficulty(record) == final
    assert task(record).target == 3 * final


def test_steps_above_a_cap_are_shown_as_not_counted() -> None:
    said = tries(difficulty=12, trained=("a", "b", "c"), assets=(3,), free_effort=8)
    sum_ = sum_of(task(Seat("Ash").say(said, 1, 2)), "difficulty")
    left = [(step.rule, step.value) for step in sum_.steps if not step.counted]
    assert left == [("DB-SKILL-2", 1), ("DB-ASSET-2", 1), ("DB-EFFORT-5", 2)]


@pytest.mark.parametrize(
    ("option", "modifiers", "final"),
    [
        ("off", {"assets": (1,), "ease": eased(3)}, 2),
        ("on", {"assets": (1,), "ease": eased(3)}, 4),
        ("on", {"ease": eased(1)}, 5),
        ("on", {"ease": eased(3), "hinder": eased(2)}, 6),  # hindering is never an asset
        ("on", {"trained": ("a",), "free_effort": 1, "ease": eased(3)}, 2),  # skills and Effort keep their own caps
    ],
)
def test_circumstances_may_count_as_assets(option: str, modifiers: dict[str, Any], final: int) -> None:
    """DB-MOD-4, option situational_ease_is_asset."""
    seat = Seat("Ash", options={"situational_ease_is_asset": option})
    assert final_difficulty(seat.say(tries(difficulty=6, **modifiers), 1, 2)) == final


@pytest.mark.parametrize(
    ("said", "final"),
    [
        ({"task": "sneak", "stat": None}, 5),
        ({"task": "sneak", "stat": None, "unskilled": True}, 6),
        ({"task": "climb", "stat": None}, 4),
        ({"task": "climb", "stat": None, "trained": ("climb",)}, 5),  # the line counts, not the sheet
        ({"task": "climb", "stat": None, "trained": ("ropes",)}, 4),  # one step is above the cap of two
        ({"task": "dance", "stat": None}, 6),
        ({"task": "", "stat": "speed"}, 6),
    ],
)
def test_skill_on_the_sheet_applies_unsaid(said: dict[str, Any], final: int) -> None:
    """DB-SKILL-1."""
    skills = [{"task": "sneak", "level": "trained", "stat": "intellect"}, {"task": "climb", "level": "specialized"}]
    seat = Seat("Ash", Ash={"sheet": {"skills": skills}})
    assert final_difficulty(seat.say(tries(difficulty=6, **said), 1, 2)) == final


@pytest.mark.parametrize(
    ("said", "stat"),
    [
        ({"task": "sneak", "stat": None}, "intellect"),  # the sheet says so
        ({"task": "sneak", "stat": "might"}, "might"),  # the one named in the line counts
        ({"task": "climb", "stat": None}, "might"),  # in common use
        ({"task": "dance", "stat": None}, "speed"),
        ({"task": "persuade", "stat": None}, "intellect"),
    ],
)
def test_effort_is_paid_from_the_stat_of_the_task(said: dict[str, Any], stat: str) -> None:
    """DB-STAT-2, DB-EFFORT-3."""
    skills = [{"task": "sneak", "level": "trained", "stat": "intellect"}]
    seat = Seat("Ash", Ash={"sheet": {"skills": skills}})
    assert spent(seat.say(tries(effort=2, **said), 1, 2)) == {stat: 5}


# What Effort costs


@pytest.mark.quick_rows(7)
@pytest.mark.parametrize(
    ("wounds", "options", "prices"),
    [
        ([], {}, [3, 5, 7, 9, 11, 13]),
        ([LIGHT], {}, [4, 7, 10, 13, 16, 19]),
        ([LIGHT], {"light_wound_cost": "per_use"}, [4, 6, 8, 10, 12, 14]),
        ([LIGHT, LIGHT], {}, [4, 7, 10, 13, 16, 19]),
        ([LIGHT, LIGHT], {"light_wound_cost": "per_use"}, [4, 6, 8, 10, 12, 14]),
        ([LIGHT, LIGHT], {"wound_penalties_stack": "yes"}, [5, 9, 13, 17, 21, 25]),
        ([LIGHT] * 3, {"wound_penalties_stack": "yes"}, [6, 11, 16, 21, 26, 31]),
        ([LIGHT, LIGHT], {"wound_penalties_stack": "yes", "light_wound_cost": "per_use"}, [5, 7, 9, 11, 13, 15]),
        ([LIGHT], {"wound_penalties_stack": "yes"}, [4, 7, 10, 13, 16, 19]),
        ([{"value": 2, "in_force": False}], {}, [3, 5, 7, 9, 11, 13]),
        ([{"value": 1, "in_force": True}], {}, [3, 5, 7, 9, 11, 13]),  # winded costs nothing
        ([{"value": 4, "in_force": True}], {}, [3, 5, 7, 9, 11, 13]),  # only its own row's penalty
    ],
)
def test_effort_price_by_level(wounds: list[dict[str, Any]], options: dict[str, Any], prices: list[int]) -> None:
    """DB-EFFORT-2, DB-EFFORT-7, DB-WOUND-6."""
    for levels, price in enumerate(prices, start=1):
        seat = Seat("Dov", options=options, Dov={"sheet": {"might": 50}, "wounds": wounds})
        said = tries("Dov", difficulty=12, effort=levels, free_effort=2, initial_cost=4)
        assert spent(seat.say(said, *DUSK)) == {"might": price + 4}
        assert seat.points("Dov", "might") == 50 - price - 4


def test_light_wound_raises_paid_levels_only() -> None:
    """DB-EFFORT-7."""
    seat = Seat("Ash", Ash={"wounds": [LIGHT]})
    said = tries(free_effort=2, initial_cost=2, ability_cost=points(intellect=3))
    assert spent(seat.say(said, *DUSK)) == {"might": 2, "intellect": 3}


@pytest.mark.parametrize(
    ("given", "said", "sentence"),
    [
        ({"might": 4}, {"effort": 2}, "Needs 5 might points, Ash has 4; at most 1 level of"),
        ({"might": 2}, {"effort": 1}, "Needs 3 might points, Ash has 2; they pay for no Effort"),
        ({"might": 7}, {"effort": 2, "initial_cost": 4}, "Needs 9 might points, Ash has 7; at most 1 level of"),
        (
            {"might": 7},
            {"effort": 2, "ability_cost": points(might=5)},
            "Needs 10 might points, Ash has 7; they pay for no Effort",
        ),
        ({"might": 6, "wounds": [LIGHT]}, {"effort": 2}, "Needs 7 might points, Ash has 6; at most 1 level of"),
    ],
)
def test_effort_beyond_the_pool_is_refused_with_the_most_levels(
    given: dict[str, Any], said: dict[str, Any], sentence: str
) -> None:
    """DB-COST-5."""
    refusal = Seat("Ash", Ash=given).refusal(tries(**said), *DAWN)
    assert refusal.code == "DB-E-POINTS"
    assert sentence in str(refusal)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"might": 2}, {"initial_cost": 3}),
        ({"speed": 2}, {"initial_cost": 3, "initial_stat": "speed"}),
        ({"intellect": 1}, {"ability_cost": points(intellect=2)}),
        ({"intellect": 3}, {"ability_cost": (Cost("intellect", 2), Cost("intellect", 2))}),  # per pool
        ({"might": 4}, {"initial_cost": 3, "ability_cost": points(might=2)}),
        ({"might": 2}, {"initial_cost": 3, "effort": 1}),  # not the Effort is lacking: automatic failure, no refusal
        ({"might": 2}, {"initial_cost": 3, "difficulty": 0}),  # a routine action is paid too
    ],
)
def test_unpaid_minimum_fails_without_payment(given: dict[str, Any], said: dict[str, Any]) -> None:
    """DB-COST-4, DB-ACT-4: and that is a failed attempt (DB-RETRY-4)."""
    seat = Seat("Ash", Ash=given)
    before = seat.pools("Ash")
    record = seat.say(tries(task="lift the beam", **said), 12, 12)
    assert task(record).result == "automatic failure"
    assert task(record).final
    assert (seat.pools("Ash"), seat.destiny("Ash"), seat.doom, faces(record)) == (before, 0, 0, {})
    assert seat.code(Retry(by="Ash"), *DAWN) == "RETRY-EFFORT"


def test_empty_pool_hinders_nothing_but_payment() -> None:
    seat = Seat("Ash", Ash={"might": 0})
    assert task(seat.say(tries(), *DAWN)).result == "failure"


def test_routine_task_pays_costs_without_a_roll() -> None:
    """DB-PLAY-1, DB-MOD-3: hindering does not lift a routine action."""
    seat = Seat("Ash")
    record = seat.say(tries(difficulty=0, hinder=eased(5), initial_cost=2, effort=1), 12, 12)
    assert (task(record).result, spent(record), faces(record)) == ("routine", {"might": 5}, {})
    assert record.declared is not None
    assert record.declared.faces is None
    assert seat.state.windows == {}


# Refunds


THREE_POOLS = {"initial_cost": 4, "initial_stat": "might", "effort": 2, "ability_cost": points(intellect=4)}


@pytest.mark.parametrize(
    ("stat", "said", "back"),
    [
        ("might", {"effort": 1}, {"might": 2}),
        ("might", {"effort": 2}, {"might": 3}),
        ("might", {"initial_cost": 1}, {"might": 1}),
        ("might", {}, {}),
        ("speed", THREE_POOLS, {"speed": 5, "might": 2}),  # 13 paid, 7 back: Speed paid most; Might before Intellect
        ("intellect", {"effort": 1, "initial_cost": 3, "initial_stat": "might"}, {"intellect": 3}),  # the task's stat
        ("speed", {"effort": 1, "ability_cost": points(might=3, intellect=3)}, {"speed": 3, "might": 2}),
        ("speed", {"ability_cost": points(intellect=2, might=2)}, {"might": 2}),  # might before intellect
        ("speed", {"effort": 1, "ability_cost": points(intellect=4)}, {"intellect": 4}),  # 7 paid, 4 back
        ("might", {"effort": 1, "initial_cost": 2, "ability_cost": points(might=2)}, {"might": 4}),  # one rounding
        ("speed", {"initial_cost": 1, "ability_cost": points(might=1, intellect=1)}, {"speed": 1, "might": 1}),
    ],
)
def test_eclipse_refunds_half_to_the_pool_that_paid_most(stat: str, said: dict[str, Any], back: dict[str, int]) -> None:
    """DB-DEST-12, DB-DEST-13."""
    seat = Seat("Dov")
    assert refunded(seat.say(tries("Dov", stat, **said), *ECLIPSE)) == back


def test_later_eclipse_refunds_half_of_the_rest() -> None:
    """DB-DEST-13: 13 paid: 7 back; 6 out: 3 back; 3 out: 2 back; 1 out: 1 back; then nothing is left to come."""
    seat = Seat("Dov", Dov={"destiny": 6, "sheet": {"level": 9}})
    seat.say(tries("Dov", "speed", **THREE_POOLS), *ECLIPSE)
    back = [refunded(seat.say(destiny("reroll", who="Dov"), *ECLIPSE)) for _ in range(2)]
    assert back == [{"might": 2, "intellect": 1}, {"intellect": 2}]
    assert seat.destiny("Dov") == 6 - 1 - 2 * 2
    seat = Seat("Dov", Dov={"destiny": 8, "sheet": {"level": 9}})
    seat.say(tries("Dov", "speed", **THREE_POOLS), *ECLIPSE)
    for _ in range(3):
        seat.say(destiny("reroll", who="Dov"), *ECLIPSE)
    assert seat.pools("Dov") == (18, 12, 12)


def test_refund_split_may_be_named() -> None:
    seat = Seat("Dov")
    split = points(might=2, speed=2, intellect=3)
    assert refunded(seat.say(tries("Dov", "speed", refund=split, **THREE_POOLS), *ECLIPSE)) == {
        "might": 2,
        "speed": 2,
        "intellect": 3,
    }


def test_refund_split_of_a_reroll_may_be_named() -> None:
    seat = Seat("Dov", Dov={"destiny": 4})
    seat.say(tries("Dov", "speed", **THREE_POOLS), *DUSK)
    split = points(might=1, speed=3, intellect=3)
    assert refunded(seat.say(destiny("reroll", who="Dov", refund=split), *ECLIPSE)) == {
        "might": 1,
        "speed": 3,
        "intellect": 3,
    }


BAD_SPLITS = [
    points(speed=5, might=1),  # 7 flow back
    points(speed=5, might=3),
    points(speed=6, might=1),  # more than it paid
    points(might=5, speed=2),
    (Cost("might", 3), Cost("might", 3), Cost("speed", 1)),  # one pool twice
    (Cost("speed", 4), Cost("speed", 3)),
    points(speed=5, might=3, intellect=-1),  # less than nothing
]


@pytest.mark.parametrize("split", BAD_SPLITS)
def test_split_outside_the_limits_is_refused(split: tuple[Cost, ...]) -> None:
    """DB-DEST-13."""
    seat = Seat("Dov", Dov={"destiny": 4})
    assert seat.code(tries("Dov", "speed", refund=split, **THREE_POOLS), *ECLIPSE) == "VALUE"
    seat.say(tries("Dov", "speed", **THREE_POOLS), *DUSK)
    assert seat.code(destiny("reroll", who="Dov", refund=split), *ECLIPSE) == "VALUE"


def test_split_for_a_pool_that_paid_nothing_is_refused() -> None:
    assert Seat("Ash").code(tries(effort=2, refund=points(might=2, speed=1)), *ECLIPSE) == "VALUE"
    assert Seat("Ash").code(tries(refund=points(might=1)), *ECLIPSE) == "VALUE"  # nothing paid, nothing back


def test_refund_stops_at_the_maximum_of_the_pool() -> None:
    """DB-DEST-13: 3 paid, 2 regained by Destiny, so 1 has room."""
    seat = Seat("Dov", Dov={"destiny": 4})
    seat.say(tries("Dov", "speed", effort=1), *DUSK)
    seat.say(destiny("regain:speed", "regain:speed", who="Dov"))
    assert refunded(seat.say(destiny("reroll", who="Dov"), *ECLIPSE)) == {"speed": 1}
    assert seat.pools("Dov") == (18, 12, 12)


def test_regained_point_for_a_refunded_full_pool_is_lost() -> None:
    """All uses are paid before the dice are thrown, so no refusal depends on their faces."""
    seat = Seat("Dov", Dov={"destiny": 5})
    seat.say(tries("Dov", "speed", effort=1), *DUSK)
    seat.say(destiny("regain:speed", "regain:speed", who="Dov"))
    record = seat.say(destiny("reroll", "regain:speed", who="Dov"), *ECLIPSE)
    assert [(fact.points, fact.over) for fact in of_kind(record, PointsRegained)] == [(1, 0), (0, 1)]
    assert (seat.points("Dov", "speed"), seat.destiny("Dov")) == (12, 0)


# Taking 20


@pytest.mark.parametrize(
    ("dice", "total", "result", "destined"),
    [((1, 2), 20, "success", "dusk"), ((9, 9), 20, "success", "eclipse"), ((12, 10), 22, "success", "dawn")],
)
def test_taking_20_raises_the_total_and_not_the_faces(
    dice: tuple[int, int], total: int, result: str, destined: str
) -> None:
    """DB-T20-1, DB-T20-2."""
    record = Seat("Ash").say(tries(difficulty=6, take20=True, duration=90), *dice)
    assert (task(record).total, task(record).result) == (total, result)
    assert [fact.result for fact in of_kind(record, Judged) if fact.what == "destined effect"] == [destined]
    assert [fact.seconds for fact in of_kind(record, TimePassed)] == [1800]


def test_taking_20_applies_to_rerolls() -> None:
    """DB-T20-3."""
    seat = Seat("Ash", Ash={"destiny": 1})
    seat.say(tries(difficulty=7, take20=True), *DUSK)
    assert task(seat.say(destiny("reroll"), 2, 1)).total == 20
    assert task(seat.say(destiny("change-target"))).target == 18
    assert seat.ended() == ["success"]


def test_taking_20_still_needs_a_roll() -> None:
    record = Seat("Ash").say(tries(difficulty=1, take20=True), 1, 1)
    assert faces(record) == {"task Ash": (1, 1)}


# Help


@pytest.mark.parametrize("helper", ["Ash", "ash", "nobody"])
def test_helper_cannot_be_the_actor(helper: str) -> None:
    """DB-MOD-5."""
    assert Seat("Ash").code(tries(helpers=(helper,)), *DUSK) == "VALUE"


def test_the_dead_help_nobody() -> None:
    """DB-MOD-5, DB-WOUND-5."""
    seat = Seat("Ash", "thug")
    seat.say(Damage(by=GM, target="thug", amount=6))
    assert "not dead" in str(seat.refusal(tries(helpers=("thug",)), *DUSK))


def test_same_circumstance_twice_counts_once() -> None:
    """DB-MOD-4."""
    ice, mud = Modifier(1, "ice"), Modifier(1, "mud")
    seat = Seat("Ash")
    assert final_difficulty(seat.say(tries(hinder=(ice, ice, mud)), *DUSK)) == 7
    assert final_difficulty(seat.say(tries(hinder=(Modifier(1), Modifier(1))), *DUSK)) == 7


def test_defence_does_not_take_20() -> None:
    """DB-T20-1: the attack does not wait."""
    seat = Seat("Ash", "captain")
    assert seat.code(Defence(by="Ash", source="captain", take20=True), *DUSK) == "VALUE"


def test_hindered_initiative_subtracts_from_the_score() -> None:
    """DB-ENC-2: every step is worth three, and is written as a subtraction."""
    seat = Seat("Ash", "captain")
    seat.say(StartEncounter(by=GM))
    judged = task(seat.say(Initiative(by="Ash", hinder=(Modifier(2, "mud"),)), *DUSK))
    step = sum_of(judged, "total").steps[-1]
    assert (step.op, step.value, step.now) == ("-", 6, 3)
