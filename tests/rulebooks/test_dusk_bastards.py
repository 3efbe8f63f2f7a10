"""The chapters that are built, beyond the worked cases: other numbers and other combinations, from the rules."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import pytest

from ledger.errors import Refused, Unreadable
from ledger.facts import GM, ConditionBegan, Judged, PointsRegained, Ruled, TimePassed, TokensMoved, Wounded
from ledger.game import Declaration
from rulebooks.dusk_bastards.book import TEXTS
from rulebooks.dusk_bastards.declarations import (
    Armor,
    Attempt,
    Change,
    Close,
    Cost,
    CreateCharacter,
    CreateNpc,
    CreateObject,
    ForbidRetry,
    Modifier,
    Retry,
    Ruling,
    SetOption,
    SpendDestiny,
    SpendDoom,
)
from rulebooks.dusk_bastards.rolling import open_roll
from tests.rulebooks.dusk import (
    AT,
    BOOK,
    Seat,
    cases,
    faces,
    final_difficulty,
    of_kind,
    points,
    refunded,
    spent,
    task,
    tries,
    uses,
)

DAWN, DUSK, ECLIPSE = (5, 4), (4, 5), (4, 4)
LIGHT = {"value": 2, "in_force": True}


def destiny(*words: str, who: str = "Ash", **more: Any) -> SpendDestiny:
    return SpendDestiny(by=who, uses=uses(*words), **more)


def doom(points: int, use: Any = "change-target", **more: Any) -> SpendDoom:
    return SpendDoom(by=GM, points=points, use=use, **more)


def eased(steps: int) -> tuple[Modifier, ...]:
    return (Modifier(steps=steps),) if steps else ()


def close() -> Close:
    return Close(by=GM)


# Difficulty, target number, total


@pytest.mark.parametrize("difficulty", range(1, 13))
def test_the_target_number_is_three_times_the_difficulty_and_the_least_total_that_succeeds(difficulty: int) -> None:
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
        ({"difficulty": 6, "helpers": ("Bryn", "Ash", "bryn")}, 4),  # helpers inside the cap of assets
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
def test_each_kind_of_ease_is_cut_to_its_cap_and_then_all_is_summed_once(modifiers: dict[str, Any], final: int) -> None:
    """DB-MOD-1, DB-MOD-4, DB-MOD-5, DB-SKILL-2, DB-ASSET-2, DB-EFFORT-5."""
    record = Seat("Ash", "Bryn").say(tries(**modifiers), 1, 2)
    assert final_difficulty(record) == final
    assert task(record).target == 3 * final


def test_what_is_above_a_cap_is_shown_as_left_out() -> None:
    said = tries(difficulty=12, trained=("a", "b", "c"), assets=(3,), free_effort=8)
    (sum_,) = (found for found in task(Seat("Ash").say(said, 1, 2)).sums if found.name == "difficulty")
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
        ({"task": "climb", "stat": None, "trained": ("climb",)}, 5),  # what is said counts, not the sheet
        ({"task": "climb", "stat": None, "trained": ("ropes",)}, 4),  # one step is above the cap of two
        ({"task": "dance", "stat": None}, 6),
        ({"task": "", "stat": "speed"}, 6),
    ],
)
def test_a_skill_on_the_sheet_needs_not_be_said(said: dict[str, Any], final: int) -> None:
    """DB-SKILL-1."""
    skills = [{"task": "sneak", "level": "trained", "stat": "intellect"}, {"task": "climb", "level": "specialized"}]
    seat = Seat("Ash", Ash={"sheet": {"skills": skills}})
    assert final_difficulty(seat.say(tries(difficulty=6, **said), 1, 2)) == final


@pytest.mark.parametrize(
    ("said", "stat"),
    [
        ({"task": "sneak", "stat": None}, "intellect"),  # the sheet says so
        ({"task": "sneak", "stat": "might"}, "might"),  # whoever names one wins
        ({"task": "climb", "stat": None}, "might"),  # in common use
        ({"task": "dance", "stat": None}, "speed"),
        ({"task": "persuade", "stat": None}, "intellect"),
    ],
)
def test_the_stat_of_the_task_pays_for_effort(said: dict[str, Any], stat: str) -> None:
    """DB-STAT-2, DB-EFFORT-3."""
    skills = [{"task": "sneak", "level": "trained", "stat": "intellect"}]
    seat = Seat("Ash", Ash={"sheet": {"skills": skills}})
    assert spent(seat.say(tries(effort=2, **said), 1, 2)) == {stat: 5}


# What Effort costs


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
def test_the_price_of_effort(wounds: list[dict[str, Any]], options: dict[str, Any], prices: list[int]) -> None:
    """DB-EFFORT-2, DB-EFFORT-7, DB-WOUND-6."""
    for levels, price in enumerate(prices, start=1):
        seat = Seat("Dov", options=options, Dov={"sheet": {"might": 50}, "wounds": wounds})
        said = tries("Dov", difficulty=12, effort=levels, free_effort=2, initial_cost=4)
        assert spent(seat.say(said, *DUSK)) == {"might": price + 4}
        assert seat.points("Dov", "might") == 50 - price - 4


def test_free_levels_and_other_costs_do_not_rise_with_a_wound() -> None:
    """DB-EFFORT-7."""
    seat = Seat("Ash", Ash={"wounds": [LIGHT]})
    said = tries(free_effort=2, initial_cost=2, ability_cost=points(intellect=3))
    assert spent(seat.say(said, *DUSK)) == {"might": 2, "intellect": 3}


@pytest.mark.parametrize(
    ("given", "said", "sentence"),
    [
        ({"might": 4}, {"effort": 2}, "Needs 5 might points, Ash has 4; at most 1 levels"),
        ({"might": 2}, {"effort": 1}, "Needs 3 might points, Ash has 2; at most 0 levels"),
        ({"might": 7}, {"effort": 2, "initial_cost": 4}, "Needs 9 might points, Ash has 7; at most 1 levels"),
        ({"might": 7}, {"effort": 2, "ability_cost": points(might=5)}, "Needs 10 might points, Ash has 7; at most 0"),
        ({"might": 6, "wounds": [LIGHT]}, {"effort": 2}, "Needs 7 might points, Ash has 6; at most 1 levels"),
    ],
)
def test_effort_beyond_the_pool_is_refused_with_the_most_that_can_be_paid(
    given: dict[str, Any], said: dict[str, Any], sentence: str
) -> None:
    """DB-COST-5."""
    refusal = Seat("Ash", Ash=given).refused(tries(**said), *DAWN)
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
def test_who_cannot_pay_the_minimum_fails_and_pays_nothing(given: dict[str, Any], said: dict[str, Any]) -> None:
    """DB-COST-4, DB-ACT-4: and that is a failed attempt (DB-RETRY-4)."""
    seat = Seat("Ash", Ash=given)
    before = seat.pools("Ash")
    record = seat.say(tries(task="lift the beam", **said), 12, 12)
    assert task(record).result == "automatic failure"
    assert task(record).final
    assert (seat.pools("Ash"), seat.destiny("Ash"), seat.doom, faces(record)) == (before, 0, 0, {})
    assert seat.code(Retry(by="Ash"), *DAWN) == "RETRY-EFFORT"


def test_a_pool_at_zero_only_cannot_pay() -> None:
    seat = Seat("Ash", Ash={"might": 0})
    assert task(seat.say(tries(), *DAWN)).result == "failure"


def test_routine_costs_are_paid_and_nothing_is_rolled() -> None:
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
def test_an_eclipse_gives_half_back_to_the_pool_that_paid_most(
    stat: str, said: dict[str, Any], back: dict[str, int]
) -> None:
    """DB-DEST-12, DB-DEST-13."""
    seat = Seat("Dov")
    assert refunded(seat.say(tries("Dov", stat, **said), *ECLIPSE)) == back


def test_later_eclipses_give_half_of_what_is_still_out() -> None:
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


def test_the_player_may_name_another_split() -> None:
    seat = Seat("Dov")
    split = points(might=2, speed=2, intellect=3)
    assert refunded(seat.say(tries("Dov", "speed", refund=split, **THREE_POOLS), *ECLIPSE)) == {
        "might": 2,
        "speed": 2,
        "intellect": 3,
    }


def test_the_player_may_name_another_split_for_a_reroll() -> None:
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
def test_a_split_outside_the_limits_is_refused(split: tuple[Cost, ...]) -> None:
    """DB-DEST-13."""
    seat = Seat("Dov", Dov={"destiny": 4})
    assert seat.code(tries("Dov", "speed", refund=split, **THREE_POOLS), *ECLIPSE) == "VALUE"
    seat.say(tries("Dov", "speed", **THREE_POOLS), *DUSK)
    assert seat.code(destiny("reroll", who="Dov", refund=split), *ECLIPSE) == "VALUE"


def test_a_split_with_a_pool_that_paid_nothing_is_refused() -> None:
    assert Seat("Ash").code(tries(effort=2, refund=points(might=2, speed=1)), *ECLIPSE) == "VALUE"
    assert Seat("Ash").code(tries(refund=points(might=1)), *ECLIPSE) == "VALUE"  # nothing paid, nothing back


def test_a_refund_never_fills_a_pool_above_its_maximum() -> None:
    """DB-DEST-13: 3 paid, 2 regained by Destiny, so 1 has room."""
    seat = Seat("Dov", Dov={"destiny": 4})
    seat.say(tries("Dov", "speed", effort=1), *DUSK)
    seat.say(destiny("regain:speed", "regain:speed", who="Dov"))
    assert refunded(seat.say(destiny("reroll", who="Dov"), *ECLIPSE)) == {"speed": 1}
    assert seat.pools("Dov") == (18, 12, 12)


def test_a_regained_point_that_the_refund_left_no_room_for_is_lost() -> None:
    """All uses are paid before the die falls; no refusal tells afterwards what it showed."""
    seat = Seat("Dov", Dov={"destiny": 5})
    seat.say(tries("Dov", "speed", effort=1), *DUSK)
    seat.say(destiny("regain:speed", "regain:speed", who="Dov"))
    record = seat.say(destiny("reroll", "regain:speed", who="Dov"), *ECLIPSE)
    assert [(fact.points, fact.over) for fact in of_kind(record, PointsRegained)] == [(1, 0), (0, 1)]
    assert (seat.points("Dov", "speed"), seat.destiny("Dov")) == (12, 0)


# Destiny


def test_destiny_before_the_roll_comes_before_costs() -> None:
    """DB-DEST-5, DB-DEST-7."""
    seat = Seat("Bryn", Bryn={"might": 1, "destiny": 3})
    said = tries("Bryn", initial_cost=3, destiny_first=uses("regain:might", "regain:m", "activate:Night Eyes"))
    record = seat.say(said, *DAWN)
    assert seat.pools("Bryn")[0] == 0
    assert seat.destiny("Bryn") == 1
    assert [fact.text for fact in of_kind(record, Ruled)] == ["Night Eyes"]


def test_destiny_before_the_roll_is_gone_with_an_automatic_failure() -> None:
    seat = Seat("Ash", Ash={"might": 1, "destiny": 1})
    record = seat.say(tries(initial_cost=3, destiny_first=uses("regain:might")), *DAWN)
    assert (task(record).result, seat.pools("Ash")[0], seat.destiny("Ash")) == ("automatic failure", 2, 0)


def test_two_points_into_a_pool_with_room_for_one_are_refused() -> None:
    """DB-DEST-7."""
    seat = Seat("Ash", Ash={"might": 11, "destiny": 2})
    twice = uses("regain:might", "regain:might")
    assert seat.code(tries(destiny_first=twice), *DAWN) == "POOL-FULL"
    seat.say(tries(), *DUSK)
    assert seat.code(SpendDestiny(by="Ash", uses=twice)) == "POOL-FULL"
    seat.say(destiny("regain:might"))
    assert seat.points("Ash", "might") == 12


@pytest.mark.parametrize("of", ["health", "luck", "", "mights"])
def test_only_a_stat_pool_regains_a_point(of: str) -> None:
    """DB-DEST-7: health is not one."""
    seat = Seat("Ash", Ash={"destiny": 2})
    assert seat.code(tries(destiny_first=uses(f"regain:{of}")), *DAWN) == "VALUE"
    seat.say(tries(), *DUSK)
    assert seat.code(destiny(f"regain:{of}")) == "VALUE"


def test_what_is_not_spent_in_time_is_cut_to_the_level() -> None:
    """DB-DEST-3: also when another declaration closes the roll."""
    seat = Seat("Ash", Ash={"destiny": 2})
    seat.say(tries(), *DAWN)
    assert seat.destiny("Ash") == 3
    record = seat.say(tries(), *DUSK)
    assert [fact.change for fact in of_kind(record, TokensMoved) if fact.how == "overflow"] == [-1]
    assert seat.destiny("Ash") == 2


def test_several_overflow_points_are_cut_at_once() -> None:
    seat = Seat("Cole", Cole={"destiny": 1})
    seat.say(tries("Cole"), *DAWN)
    seat.say(destiny("reroll", who="Cole"), *DAWN)
    assert seat.destiny("Cole") == 2
    record = seat.say(close())
    assert [fact.change for fact in of_kind(record, TokensMoved)] == [-1]


def test_a_reroll_may_be_for_the_worse_and_costs_nothing_more() -> None:
    """DB-DEST-6."""
    seat = Seat("Ash", Ash={"destiny": 1})
    first = seat.say(tries(effort=1), 12, 11)
    record = seat.say(destiny("reroll"), 1, 2)
    assert (task(first).result, task(record).result) == ("success", "failure")
    assert spent(record) == {}
    assert task(record).target == task(first).target == 12
    assert seat.ended() == ["failure"]


def test_two_rerolls_in_one_breath_are_two_rolls() -> None:
    seat = Seat("Bryn", Bryn={"destiny": 2})
    seat.say(tries("Bryn"), *DUSK)
    record = seat.say(destiny("reroll", "reroll", who="Bryn"), 3, 2, 2, 3)
    assert faces(record) == {"reroll Bryn": (3, 2), "reroll Bryn 2": (2, 3)}
    assert (seat.destiny("Bryn"), seat.doom) == (1, 4)


@pytest.mark.parametrize("second", ["reroll", "regain:speed", "activate:Night Eyes"])
def test_all_uses_are_paid_before_an_eclipse_can_take_a_point(second: str) -> None:
    """DB-DEST-5: Destiny spent, then per use (Effects of spend_destiny)."""
    seat = Seat("Ash", Ash={"destiny": 2, "speed": 5})
    seat.say(tries(), *DUSK)
    seat.say(destiny("reroll", second), *ECLIPSE, *(DUSK if second == "reroll" else ()))
    assert seat.destiny("Ash") == 0


def test_what_a_reroll_may_yet_give_cannot_be_spent_with_it() -> None:
    """DB-DEST-10: only gained points; the refusal must not tell whether the reroll is a Dawn."""
    seat = Seat("Ash", Ash={"destiny": 2})
    seat.say(tries(), *DUSK)
    assert seat.code(destiny("reroll", "change-target"), *DAWN) == "DESTINY-USE"
    seat.say(destiny("reroll"), *DAWN)
    assert task(seat.say(destiny("change-target"))).target == 12


def test_another_roll_closes_the_window_of_the_first() -> None:
    """DB-DEST-4, DB-DEST-5."""
    seat = Seat("Ash", "Bryn", Ash={"destiny": 1})
    seat.say(tries(), *DUSK)
    seat.say(tries("Bryn"), *DUSK)
    assert seat.code(destiny("activate:Night Eyes")) == "DESTINY-WINDOW"
    assert open_roll(seat.state) is not None


# Changing the target number


def test_a_destiny_just_gained_lowers_the_target_number_once() -> None:
    """DB-DEST-10, DB-PLAY-6."""
    seat = Seat("Bryn", Bryn={"destiny": 3})
    seat.say(tries("Bryn"), *DAWN)
    assert seat.code(destiny("change-target", "change-target", who="Bryn")) == "DESTINY-USE"
    assert task(seat.say(destiny("change-target", who="Bryn"))).target == 12
    assert seat.code(destiny("change-target", who="Bryn")) == "DESTINY-USE"
    assert seat.destiny("Bryn") == 3


def test_two_dawns_of_one_task_lower_it_twice() -> None:
    """DB-DEST-10: the held point pays for the reroll."""
    seat = Seat("Cole", Cole={"destiny": 1})
    seat.say(tries("Cole"), *DAWN)
    seat.say(destiny("reroll", who="Cole"), *DAWN)
    record = seat.say(destiny("change-target", "change-target", who="Cole"))
    assert [fact.target for fact in of_kind(record, Judged)] == [12, 9]
    assert (task(record).result, seat.destiny("Cole")) == ("success", 0)


def test_a_changed_target_number_stays_after_a_reroll() -> None:
    seat = Seat("Ash", Ash={"destiny": 1})
    seat.say(tries(), *DAWN)
    seat.say(destiny("change-target"))
    assert task(seat.say(destiny("reroll"), *DUSK)).target == 12
    assert task(seat.say(doom(2))).target == 18


@pytest.mark.parametrize(("held", "left", "code"), [(2, 1, None), (1, 0, "DESTINY-NONE")])
def test_an_eclipse_takes_a_held_point_before_one_just_gained(held: int, left: int, code: str | None) -> None:
    """DB-DEST-12, DB-DEST-3: a held point may go instead and the new one be kept."""
    seat = Seat("Ash", Ash={"destiny": held})
    seat.say(tries(), *DAWN)
    seat.say(destiny("reroll"), *ECLIPSE)
    assert seat.destiny("Ash") == left
    if code:
        assert seat.code(destiny("change-target")) == code
    else:
        assert task(seat.say(destiny("change-target"))).target == 12


@pytest.mark.parametrize(("held", "good", "bad"), [(0, 1, "DOOM-NONE"), (1, 2, "DOOM-NONE"), (5, 2, "DOOM-USE")])
def test_doom_raises_a_target_number_as_far_as_this_task_gave_it(held: int, good: int, bad: str) -> None:
    """DB-DEST-10: two from the Dusk; the Eclipse of the reroll takes a held one first."""
    seat = Seat("Ash", doom=held, Ash={"destiny": 1})
    seat.say(tries(), *DUSK)
    seat.say(destiny("reroll"), *ECLIPSE)
    assert seat.doom == held + 1
    assert seat.code(doom(good + 1)) == bad
    assert task(seat.say(doom(good))).target == 15 + 3 * good
    assert seat.doom == held + 1 - good


def test_doom_spent_on_something_else_leaves_the_roll_open() -> None:
    """DB-DEST-11, DB-DEST-4: of three, two go; of the two just gained only one is left."""
    seat = Seat("Ash", doom=1)
    seat.say(tries(), *DUSK)
    record = seat.say(doom(2, "other", purpose="the lamp goes out", effect="dark", because="too quiet"))
    (ruled,) = of_kind(record, Ruled)
    assert (ruled.text, ruled.about, ruled.because) == ("the lamp goes out", "dark", "too quiet")
    assert seat.code(doom(2)) == "DOOM-NONE"
    assert task(seat.say(doom(1))).target == 18
    assert seat.doom == 0


def test_nobody_changes_a_target_number_when_nothing_is_open() -> None:
    seat = Seat("Ash", doom=4, Ash={"destiny": 2})
    assert seat.code(doom(1)) == "DOOM-USE"
    seat.say(tries(), *DUSK)
    seat.say(close())
    assert seat.code(doom(1)) == "DOOM-USE"
    assert seat.code(destiny("change-target")) == "DESTINY-WINDOW"


def test_a_routine_action_opens_no_window() -> None:
    seat = Seat("Ash", doom=4, Ash={"destiny": 2})
    seat.say(tries(difficulty=0))
    assert seat.code(doom(1)) == "DOOM-USE"
    assert seat.code(destiny("reroll"), *DAWN) == "DESTINY-WINDOW"
    assert seat.code(close()) == "NO-ROLL"


@pytest.mark.parametrize("amount", [1, 2, 3, 12])
def test_the_table_may_choose_how_far_a_point_moves_the_target_number(amount: int) -> None:
    """DB-DEST-10, option target_change_per_point."""
    seat = Seat("Ash", options={"target_change_per_point": amount})
    seat.say(tries(), *DAWN)
    assert task(seat.say(destiny("change-target"))).target == 15 - amount
    seat.say(tries(), *DUSK)
    assert task(seat.say(doom(2))).target == 15 + 2 * amount


def test_points_that_may_not_change_a_target_number_have_their_other_uses() -> None:
    """Option points_change_target off."""
    seat = Seat("Ash", options={"points_change_target": "off"}, Ash={"speed": 3})
    seat.say(tries(), *DAWN)
    assert seat.code(destiny("change-target")) == "DESTINY-USE"
    seat.say(destiny("regain:speed"))
    seat.say(tries(), *DUSK)
    assert seat.code(doom(1)) == "DOOM-USE"
    seat.say(doom(2, "other", purpose="rain"))
    assert (seat.destiny("Ash"), seat.doom) == (0, 0)


def test_an_option_holds_for_later_declarations_only() -> None:
    """DB-PLAY-7: and setting one closes the open roll first."""
    seat = Seat("Ash")
    seat.say(tries(), *DAWN)
    record = seat.say(SetOption(by="table", name="points_change_target", value="off", reason="too swingy"))
    assert task(record).final
    assert seat.code(destiny("change-target")) == "DESTINY-WINDOW"
    seat.say(SetOption(by="table", name="points_change_target", value="on", reason="back"))
    seat.say(tries(), *DAWN)
    assert task(seat.say(destiny("change-target"))).target == 12
    assert seat.ended() == ["failure", "failure"]


# Taking 20


@pytest.mark.parametrize(
    ("dice", "total", "result", "destined"),
    [((1, 2), 20, "success", "dusk"), ((9, 9), 20, "success", "eclipse"), ((12, 10), 22, "success", "dawn")],
)
def test_taking_20_lifts_the_total_and_not_the_faces(
    dice: tuple[int, int], total: int, result: str, destined: str
) -> None:
    """DB-T20-1, DB-T20-2."""
    record = Seat("Ash").say(tries(difficulty=6, take20=True, duration=90), *dice)
    assert (task(record).total, task(record).result) == (total, result)
    assert [fact.result for fact in of_kind(record, Judged) if fact.what == "destined effect"] == [destined]
    assert [fact.seconds for fact in of_kind(record, TimePassed)] == [1800]


def test_the_floor_of_20_also_holds_for_rerolls() -> None:
    """DB-T20-3."""
    seat = Seat("Ash", Ash={"destiny": 1})
    seat.say(tries(difficulty=7, take20=True), *DUSK)
    assert task(seat.say(destiny("reroll"), 2, 1)).total == 20
    assert task(seat.say(destiny("change-target"))).target == 18
    assert seat.ended() == ["success"]


def test_taking_20_never_makes_a_roll_needless() -> None:
    record = Seat("Ash").say(tries(difficulty=1, take20=True), 1, 1)
    assert faces(record) == {"task Ash": (1, 1)}


# Retries


def failing(seat: Seat, who: str = "Ash", **more: Any) -> str:
    """A failed attempt, closed; its entry."""
    entry = str(seat.say(tries(who, **more), *DUSK).id)
    seat.say(close())
    return entry


def again(who: str = "Ash", of: str | None = None, effort: int = 1, **more: Any) -> Retry:
    return Retry(by=who, of=of, effort=effort, **more)


def retried(seat: Seat, said: Declaration) -> tuple[int, int | None]:
    """Base difficulty of the retry, and its target number: by these the attempts of these tests are told apart."""
    record = seat.say(said, *DUSK)
    (base,) = (found.start for found in task(record).sums if found.name == "difficulty")
    return base, task(record).target


def test_a_retry_takes_up_the_last_failure_or_the_one_that_is_named() -> None:
    """DB-RETRY-2, DB-RETRY-4."""
    seat = Seat("Ash", Ash={"might": 12, "sheet": {"might": 60}})
    first, second, third = (failing(seat, task=word, difficulty=base) for word, base in [("a", 5), ("b", 6), ("", 7)])
    assert retried(seat, again(of=first)) == (5, 12)
    assert retried(seat, again(of=second)) == (6, 15)
    assert retried(seat, again(of=third)) == (7, 18)


def test_a_retry_takes_up_what_failed_last() -> None:
    seat = Seat("Ash", Ash={"sheet": {"might": 60}})
    for word, base in [("a", 5), ("b", 6), ("", 7)]:
        failing(seat, task=word, difficulty=base)
    assert retried(seat, again()) == (7, 18)


def test_a_retry_may_name_the_task() -> None:
    seat = Seat("Ash", Ash={"sheet": {"might": 60}})
    for word, base in [("a", 5), ("b", 6), ("", 7)]:
        failing(seat, task=word, difficulty=base)
    assert retried(seat, again(task="a")) == (5, 12)
    assert seat.code(again(task="c"), *DAWN) == "RETRY-TARGET"


def test_an_attempt_without_a_difficulty_is_a_retry_of_that_task() -> None:
    seat = Seat("Ash", Ash={"sheet": {"might": 60}})
    failing(seat, task="a", difficulty=6)
    failing(seat, task="b", difficulty=7)
    said = Attempt(by="Ash", task="a", effort=1)
    assert retried(seat, said) == (6, 15)
    assert seat.code(Attempt(by="Ash", task="b"), *DAWN) == "RETRY-EFFORT"
    assert seat.code(Attempt(by="Ash", task="c", effort=1), *DAWN) == "DIFFICULTY"
    assert seat.code(Attempt(by="Ash", stat="might", effort=1), *DAWN) == "DIFFICULTY"


def test_a_retry_inherits_stat_difficulty_and_duration_and_no_modifiers() -> None:
    """DB-RETRY-2, DB-MOD-2."""
    seat = Seat("Ash")
    seat.say(tries(stat="intellect", difficulty=9, assets=(2,), ease=eased(1), initial_cost=1, duration=60), *DUSK)
    record = seat.say(again(), *DUSK)
    assert (spent(record), final_difficulty(record)) == ({"intellect": 3}, 8)
    assert [fact.seconds for fact in of_kind(record, TimePassed)] == [60]


def test_a_retry_may_say_otherwise() -> None:
    seat = Seat("Ash")
    failing(seat, difficulty=9, duration=60)
    record = seat.say(again(stat="speed", difficulty=6, duration=30), *DUSK)
    assert (spent(record), final_difficulty(record)) == ({"speed": 3}, 5)
    assert [fact.seconds for fact in of_kind(record, TimePassed)] == [30]


def test_a_retry_that_fails_may_be_retried_again_with_effort() -> None:
    """DB-RETRY-2."""
    seat = Seat("Ash")
    failing(seat, task="a")
    failed = str(seat.say(again(), *DUSK).id)
    seat.say(close())
    assert seat.code(Retry(by="Ash"), *DAWN) == "RETRY-EFFORT"
    assert task(seat.say(again(of=failed), 11, 12)).result == "success"
    seat.say(close())
    assert seat.code(again(), *DAWN) == "RETRY-TARGET"


@pytest.mark.parametrize("word", ["", "a"])
def test_what_has_succeeded_at_last_is_not_retried(word: str) -> None:
    """DB-RETRY-4: whether the task has a name or not."""
    seat = Seat("Ash")
    failing(seat, task=word)
    seat.say(again(), 11, 12)
    seat.say(close())
    assert seat.code(again(), *DAWN) == "RETRY-TARGET"


@pytest.mark.parametrize("word", ["", "a"])
def test_what_became_routine_at_last_is_not_retried(word: str) -> None:
    seat = Seat("Ash")
    failing(seat, task=word)
    record = seat.say(again(trained=("x", "y"), ease=eased(3)), *DAWN)
    assert task(record).result == "routine"
    assert seat.code(again(), *DAWN) == "RETRY-TARGET"


@pytest.mark.parametrize("word", ["", "a"])
def test_an_automatic_failure_can_be_retried(word: str) -> None:
    """DB-RETRY-4: also a retry that failed so; there is one thing to retry then, not two."""
    seat = Seat("Ash", Ash={"might": 4})
    failed = failing(seat, task=word)
    assert task(seat.say(again(initial_cost=5), *DAWN)).result == "automatic failure"
    assert seat.code(again(of=failed), *DAWN) == "RETRY-TARGET"
    assert task(seat.say(again(), 11, 12)).result == "success"
    seat.say(close())
    assert seat.code(again(), *DAWN) == "RETRY-TARGET"


def test_nobody_retries_for_another() -> None:
    """DB-RETRY-4."""
    seat = Seat("Ash", "Bryn")
    failed = failing(seat, "Bryn", task="a")
    assert seat.code(again("Ash"), *DAWN) == "RETRY-TARGET"
    assert seat.code(again("Ash", of=failed), *DAWN) == "RETRY-TARGET"
    assert seat.code(again("Ash", task="a"), *DAWN) == "RETRY-TARGET"
    assert seat.code(again("Bryn", of="9.9"), *DAWN) == "RETRY-TARGET"
    assert retried(seat, again("Bryn", of=failed)) == (5, 12)


def test_an_open_roll_that_fails_can_be_retried_at_once() -> None:
    """DB-DEST-4: the retry closes it, and is read against the state after."""
    seat = Seat("Ash")
    entry = str(seat.say(tries(), *DUSK).id)
    assert retried(seat, again(of=entry)) == (5, 12)
    seat.say(tries(difficulty=2), 5, 7)
    assert seat.code(again(of=entry), *DAWN) == "RETRY-TARGET"


def test_a_forbidden_retry_is_refused_however_it_is_named() -> None:
    """DB-RETRY-3."""
    seat = Seat("Ash")
    entry = failing(seat, task="talk")
    seat.say(ForbidRetry(by=GM, of=entry, reason="no more talk"))
    for said in (again(), again(of=entry), again(task="talk"), Attempt(by="Ash", task="talk", effort=1)):
        assert seat.code(said, *DAWN) == "RETRY-FORBIDDEN"
    assert task(seat.say(tries(task="talk", difficulty=4), 11, 12)).result == "success"  # named anew by the GM


def test_forbidding_one_retry_leaves_the_others() -> None:
    seat = Seat("Ash")
    first = failing(seat, task="talk", difficulty=5)
    failing(seat, task="climb", difficulty=6)
    seat.say(ForbidRetry(by=GM, of=first, reason="no more talk"))
    assert retried(seat, again()) == (6, 15)
    assert seat.code(again(of=first), *DAWN) == "RETRY-FORBIDDEN"


def test_an_automatic_failure_can_be_forbidden() -> None:
    seat = Seat("Ash", Ash={"might": 2})
    entry = str(seat.say(tries(initial_cost=3), *DAWN).id)
    seat.say(ForbidRetry(by=GM, of=entry, reason="too heavy"))
    assert "too heavy" in str(seat.refused(again(), *DAWN))


def test_only_a_failed_attempt_can_be_forbidden() -> None:
    seat = Seat("Ash")
    entry = str(seat.say(tries(), 12, 11).id)
    seat.say(close())
    assert seat.code(ForbidRetry(by=GM, of=entry, reason="x")) == "RETRY-TARGET"
    assert seat.code(ForbidRetry(by=GM, of="7.7", reason="x")) == "RETRY-TARGET"


def test_the_last_eight_failures_of_a_character_are_kept() -> None:
    """A rule of the program, said in retrying.py."""
    seat = Seat("Ash", "Bryn")
    other = failing(seat, "Bryn")
    entries = [failing(seat, task=f"task {number}") for number in range(9)]
    kept = [entry for entry in entries if _retriable(seat, entry)]
    assert kept == entries[1:]
    assert _retriable(seat, other, "Bryn")


def _retriable(seat: Seat, entry: str, who: str = "Ash") -> bool:
    """Without Effort a retry is refused: for that reason, or because there is nothing to retry."""
    return seat.code(Retry(by=who, of=entry), *DAWN) == "RETRY-EFFORT"


# What comes first when several things are wrong


BROKEN: dict[str, dict[str, Any]] = {
    "VALUE": {"assets": (0,)},
    "DIE": {"faces": (13, 5)},
    "DIFFICULTY": {"difficulty": 13},
    "RETRY-TARGET": {"of": "9.9"},
    "RETRY-FORBIDDEN": {"of": "forbidden"},
    "DESTINY-NONE": {"destiny_first": uses("activate:a", "activate:b", "activate:c")},
    "DESTINY-USE": {"destiny_first": uses("reroll")},
    "POOL-FULL": {"destiny_first": uses("regain:intellect")},
    "EFFORT-POOL": {"effort_pool": "speed"},
    "EFFORT-SIX": {"effort": 7},
    "EFFORT-LIMIT": {"effort": 3},
    "RETRY-EFFORT": {"effort": 0},
    "automatic failure": {"initial_cost": 13},
    "POINTS": {"effort": 2, "initial_cost": 8},
}
APART = {
    frozenset(pair)
    for pair in [
        ("RETRY-TARGET", "RETRY-FORBIDDEN"),
        ("RETRY-EFFORT", "EFFORT-SIX"),
        ("RETRY-EFFORT", "EFFORT-LIMIT"),
        ("RETRY-EFFORT", "POINTS"),
        ("automatic failure", "POINTS"),
    ]
}
PAIRS = [pair for pair in itertools.combinations(BROKEN, 2) if frozenset(pair) not in APART]


def both(first: dict[str, Any], second: dict[str, Any]) -> dict[str, Any]:
    """Everything that is wrong in either: uses one behind the other, of numbers the greater."""
    merged = {**first, **second}
    for field in first.keys() & second.keys():
        one, other = first[field], second[field]
        merged[field] = other + one if isinstance(one, tuple) else max(one, other)
    return merged


@pytest.mark.parametrize(("earlier", "later"), PAIRS)
def test_of_two_errors_of_a_retry_the_earlier_is_reported(earlier: str, later: str) -> None:
    """The order of the catalogue's Declarations: `BROKEN` lists it."""
    seat = Seat("Ash", Ash={"destiny": 2})
    forbidden = failing(seat, task="talk")
    kept = failing(seat, task="climb")
    seat.say(ForbidRetry(by=GM, of=forbidden, reason="no"))
    said = {"effort": 1, **both(BROKEN[earlier], BROKEN[later])}
    said["of"] = {"forbidden": forbidden}.get(said.get("of", ""), said.get("of", kept))
    refuses(seat, Retry, earlier, said)


@pytest.mark.parametrize(
    ("earlier", "later"), [pair for pair in PAIRS if not any(name.startswith("RETRY") for name in pair)]
)
def test_of_two_errors_of_an_attempt_the_earlier_is_reported(earlier: str, later: str) -> None:
    said = {"stat": "might", "difficulty": 5, "effort": 1, **both(BROKEN[earlier], BROKEN[later])}
    refuses(Seat("Ash", Ash={"destiny": 2}), Attempt, earlier, said)


def refuses(seat: Seat, kind: type[Attempt] | type[Retry], expected: str, fields: dict[str, Any]) -> None:
    """Automatic failure is no error: it is what happens instead of a later one."""
    fields = dict(fields)
    dice = fields.pop("faces", DAWN)
    said = kind(by="Ash", **{**fields, "assets": tries(assets=fields.get("assets", ())).assets})
    if expected == "automatic failure":
        assert task(seat.say(said, *dice)).result == expected
    else:
        assert seat.code(said, *dice) == expected


@pytest.mark.parametrize(
    "fields",
    [
        {"stat": None, "difficulty": 13},
        {"stat": None},
        {"destiny_first": uses("regain:luck", "reroll", "reroll"), "difficulty": 13},
        {"refund": (Cost("might", -1),), "difficulty": -1},
        {"effort": -1},
        {"free_effort": -1},
        {"initial_cost": -1},
        {"initial_cost": 10**9 + 1},
        {"ability_cost": (Cost("might", -1),)},
        {"helpers": ("Nobody",)},
        {"duration": -1},
        {"ease": eased(-1)},
        {"hinder": (Modifier(steps=0),)},
    ],
)
def test_the_form_of_an_attempt_comes_before_faces_and_difficulty(fields: dict[str, Any]) -> None:
    """DB-PLAY-9."""
    assert Seat("Ash").code(tries(**fields), 13, 5) == "VALUE"


@pytest.mark.parametrize("who", ["Nobody", "ash", "gm", "Door", "Thug"])
def test_only_a_players_character_in_play_rolls(who: str) -> None:
    """DB-ROLL-3; a name is said as it stands on the sheet."""
    seat = Seat("Ash")
    seat.say(CreateObject(by=GM, name="Door"))
    seat.say(CreateNpc(by=GM, name="Thug", kind="minion", difficulty=4, health=6))
    assert seat.code(tries(who), *DAWN) == "VALUE"
    assert seat.code(again(who), *DAWN) == "VALUE"


SPENDS: dict[str, dict[str, Any]] = {
    "VALUE": {"uses": ("regain:luck",)},
    "DIE": {"uses": ("reroll",), "faces": (13, 5)},
    "DESTINY-WINDOW": {"who": "Bryn"},
    "DESTINY-NONE": {"uses": ("activate:a", "activate:b", "activate:c")},
    "DESTINY-USE": {"uses": ("change-target",)},
    "POOL-FULL": {"uses": ("regain:intellect",)},
}


@pytest.mark.parametrize(("earlier", "later"), list(itertools.combinations(SPENDS, 2)))
def test_of_two_errors_of_a_spend_the_earlier_is_reported(earlier: str, later: str) -> None:
    seat = Seat("Ash", "Bryn", Ash={"destiny": 2}, Bryn={"destiny": 2})
    seat.say(tries(), *DUSK)
    said = {"uses": (), **both(SPENDS[earlier], SPENDS[later])}
    words = said["uses"] or ("activate:Night Eyes",)
    assert seat.code(destiny(*words, who=said.get("who", "Ash")), *said.get("faces", ())) == earlier


def test_a_bad_split_of_a_reroll_comes_last() -> None:
    seat = Seat("Ash", Ash={"destiny": 2})
    seat.say(tries(), *DUSK)
    bad = points(might=1)
    assert seat.code(destiny("reroll", "regain:speed", refund=bad), *DAWN) == "POOL-FULL"
    assert seat.code(destiny("reroll", refund=bad), *DAWN) == "VALUE"


@pytest.mark.parametrize(
    ("said", "code"),
    [
        (doom(0), "VALUE"),
        (doom(-1, "other", purpose="rain"), "VALUE"),
        (doom(99, "other"), "VALUE"),  # no purpose
        (doom(99, "other", purpose="rain"), "DOOM-NONE"),
        (doom(99), "DOOM-NONE"),
        (doom(1), "DOOM-USE"),
    ],
)
def test_of_the_errors_of_doom_the_earlier_is_reported(said: SpendDoom, code: str) -> None:
    assert Seat("Ash", doom=3).code(said) == code


# An open roll and what is said next


REFUSED_NEXT: list[Declaration] = [
    tries(difficulty=13),
    tries(effort=7),
    tries(effort=1, effort_pool="speed"),
    tries(assets=(0,)),
    tries("Bryn", effort=2, initial_cost=6),
    again("Bryn"),
    again(of="9.9"),
    Retry(by="Ash"),
    ForbidRetry(by=GM, of="9.9", reason="x"),
    SetOption(by="table", name="luck", value="on", reason="x"),
    SetOption(by="table", name="light_wound_cost", value="never", reason="x"),
    Ruling(by=GM, text="", reason="x"),
    Ruling(by=GM, text="x", reason="y", changes=(Change("doom", 2), Change("Ash.might", 99))),
    CreateCharacter(by=GM, name="ASH", might=1, speed=1, intellect=1),
    CreateNpc(by=GM, name="Thug", kind="elite", difficulty=4, health=3),
    CreateObject(by=GM, name="Ash"),
    destiny("change-target"),
    destiny("reroll", who="Bryn"),
    doom(9),
]


@pytest.mark.parametrize("said", REFUSED_NEXT, ids=lambda said: f"{type(said).__name__}")
def test_a_refused_declaration_leaves_the_roll_open(said: Declaration) -> None:
    """DB-DEST-4, DB-PLAY-9."""
    seat = Seat("Ash", "Bryn", Ash={"destiny": 2})
    seat.say(tries(), *DUSK)
    before = seat.state.windows["open roll"]
    seat.refused(said, *(DAWN if isinstance(said, Attempt | Retry) else ()))
    assert seat.state.windows == {"open roll": before}
    assert task(seat.say(destiny("reroll"), 11, 12)).result == "success"  # and it can still be spent on
    assert seat.ended() == ["success"]


CLOSES: list[Declaration] = [
    close(),
    tries("Bryn"),
    tries(difficulty=0),
    again(),
    ForbidRetry(by=GM, of="1.1", reason="x"),
    SetOption(by="table", name="light_wound_cost", value="per_use", reason="x"),
    Ruling(by=GM, text="x", reason="y"),
    CreateCharacter(by=GM, name="Eve", might=1, speed=1, intellect=1),
    CreateNpc(by=GM, name="Thug", kind="minion", difficulty=4, health=3),
    CreateObject(by=GM, name="Door"),
]


@pytest.mark.parametrize("said", CLOSES, ids=lambda said: f"{type(said).__name__}")
def test_the_next_declaration_closes_the_open_roll_first(said: Declaration) -> None:
    """DB-DEST-4: overflow is lost, the result is final."""
    seat = Seat("Ash", "Bryn", Ash={"destiny": 2})
    seat.say(tries(), *DAWN)
    assert seat.destiny("Ash") == 3
    record = seat.say(said, *(DUSK if isinstance(said, Attempt | Retry) else ()))
    closed = [fact for fact in of_kind(record, Judged) if fact.window and fact.final]
    assert [fact.result for fact in closed] == ["failure"]
    assert seat.destiny("Ash") == 2
    seat.ended()


def test_a_session_does_not_close_over_an_open_roll() -> None:
    seat = Seat("Cole", Cole={"destiny": 1})
    seat.say(tries("Cole"), *DAWN)
    assert seat.ended() == ["failure"]
    assert (seat.destiny("Cole"), seat.state.windows) == (1, {})


# The hidden target number


def test_a_hidden_target_number_stays_with_the_game_master() -> None:
    """DB-PLAY-4: provisional, rerolled, changed and final; and it is in the ledger all the same."""
    seat = Seat("Ash", Ash={"destiny": 1})
    records = [
        seat.say(tries(hidden=True), *DAWN),
        seat.say(destiny("change-target")),
        seat.say(destiny("reroll"), *DUSK),
        seat.say(doom(1)),
        seat.say(close()),
    ]
    shown = [task(record) for record in records]
    assert {fact.seen for fact in shown} == {"gm"}
    assert [fact.target for fact in shown] == [15, 12, 12, 15, 15]
    assert task(seat.say(tries(), *DUSK)).seen == "table"
    assert task(seat.say(tries(difficulty=0, hidden=True))).seen == "gm"


# Options and rulings


@pytest.mark.parametrize(
    ("name", "value", "good"),
    [
        ("situational_ease_is_asset", "on", True),
        ("situational_ease_is_asset", "maybe", False),
        ("situational_ease_is_asset", 1, False),
        ("light_wound_cost", "per_use", True),
        ("points_change_target", "off", True),
        ("target_change_per_point", 1, True),
        ("target_change_per_point", 12, True),
        ("target_change_per_point", 0, False),
        ("target_change_per_point", 13, False),
        ("target_change_per_point", "3", False),
        ("wound_penalties_stack", "yes", True),
        ("luck", "on", False),
        ("", "on", False),
    ],
)
def test_an_option_takes_its_readings_and_no_others(name: str, value: int | str, good: bool) -> None:
    """DB-PLAY-7."""
    seat = Seat("Ash")
    said = SetOption(by="table", name=name, value=value, reason="table vote", agreed=("Ana",))
    if good:
        seat.say(said)
        assert seat.state.options == {name: value}
    else:
        assert seat.code(said) == "VALUE"


def test_an_option_needs_a_reason() -> None:
    assert Seat("Ash").code(SetOption(by="table", name="light_wound_cost", value="per_use", reason="")) == "VALUE"


def rules(*changes: tuple[str, int], **more: Any) -> Ruling:
    return Ruling(**{"by": GM, "text": "so be it", "reason": "the tide", "changes": changed(*changes), **more})


def changed(*changes: tuple[str, int]) -> tuple[Change, ...]:
    return tuple(Change(value, to) for value, to in changes)


@pytest.mark.parametrize(
    ("value", "to", "read"),
    [
        ("Ash.might", 0, lambda seat: seat.points("Ash", "might")),
        ("ash.speed", 10, lambda seat: seat.points("Ash", "speed")),
        ("ASH.intellect", 4, lambda seat: seat.points("Ash", "intellect")),
        ("ash.health", 0, lambda seat: seat.points("Ash", "health")),
        ("ash.destiny", 2, lambda seat: seat.destiny("Ash")),
        ("ash.destiny", 0, lambda seat: seat.destiny("Ash")),
        ("doom", 40, lambda seat: seat.doom),
        ("doom", 0, lambda seat: seat.doom),
        ("thug.health", 1, lambda seat: seat.points("Thug", "health")),
        ("old-door.state", 1, lambda seat: seat.points("Old Door", "state")),
        ("ash.dazed", 1, lambda seat: sum(found.name == "dazed" for found in seat.state.conditions.values())),
        ("ash.prone", 0, lambda seat: sum(found.name == "prone" for found in seat.state.conditions.values())),
    ],
)
def test_a_ruling_sets_a_value(value: str, to: int, read: Callable[[Seat], int]) -> None:
    """DB-PLAY-7."""
    seat = populated()
    record = seat.say(rules((value, to)))
    assert read(seat) == to
    assert of_kind(record, Ruled)[0].text == "so be it"


def populated() -> Seat:
    seat = Seat("Ash", doom=3, Ash={"destiny": 1})
    seat.say(CreateNpc(by=GM, name="Thug", kind="minion", difficulty=4, health=6))
    seat.say(CreateObject(by=GM, name="Old Door"))
    seat.say(rules(("ash.prone", 1)))
    return seat


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        (1, "winded"),
        (2, "light"),
        (3, "moderate"),
        (4, "moderate"),
        (5, "severe"),
        (6, "severe"),
        (7, "critical"),
        (8, "critical"),
    ],
)
def test_a_ruling_gives_a_wound_that_is_in_force(value: int, kind: str) -> None:
    """DB-WOUND-2, DB-HEAL-6: the lowest category whose value is still at least this one."""
    seat = Seat("Ash")
    (wound,) = of_kind(seat.say(rules(("ash.wound", value))), Wounded)
    assert (wound.kind, wound.value, wound.in_force) == (kind, value, True)
    (other,) = of_kind(seat.say(rules(("ash.wound", value))), Wounded)
    assert other.wound != wound.wound


def test_a_light_wound_by_ruling_makes_effort_dearer() -> None:
    seat = Seat("Ash")
    seat.say(rules(("ash.wound", 2)))
    assert spent(seat.say(tries(effort=2), *DUSK)) == {"might": 7}


@pytest.mark.parametrize(
    ("value", "to"),
    [
        ("ash.might", -1),
        ("ash.might", 13),
        ("ash.health", 11),
        ("ash.destiny", -1),
        ("ash.destiny", 3),
        ("doom", -1),
        ("doom", 10**9 + 1),
        ("ash.wound", 0),
        ("ash.wound", 9),
        ("ash.dazed", 2),
        ("ash.dazed", -1),
        ("old-door.state", 3),
        ("thug.health", 7),
        ("ash.level", 3),
        ("ash.luck", 1),
        ("ash", 1),
        ("ash.", 1),
        ("", 1),
        (".might", 1),
        ("nobody.might", 1),
        ("thug.might", 1),
        ("gm.doom", 1),
    ],
)
def test_a_ruling_outside_a_domain_is_refused_whole(value: str, to: int) -> None:
    """DB-PLAY-7, DB-PLAY-9: what it set before is taken back."""
    assert populated().code(rules(("ash.might", 3), (value, to))) == "VALUE"


@pytest.mark.parametrize("missing", ["text", "reason"])
def test_a_ruling_says_what_and_why(missing: str) -> None:
    assert Seat("Ash").code(rules(**{missing: ""})) == "VALUE"


def test_a_ruling_that_changes_nothing_is_kept() -> None:
    seat = Seat("Ash")
    record = seat.say(rules(("ash.dazed", 0), cites=("DB-MOD-4",), scope="campaign", agreed=("Ana", "Ben")))
    (ruled,) = of_kind(record, Ruled)
    assert (ruled.cites, ruled.scope, ruled.agreed) == (("DB-MOD-4",), "campaign", ("Ana", "Ben"))
    seat.say(rules(("ash.dazed", 1)))
    assert of_kind(seat.say(rules(("ash.dazed", 1))), ConditionBegan) == []


# Joining


def test_a_character_joins_fresh() -> None:
    seat = Seat("Ash")
    assert (seat.pools("Ash"), seat.points("Ash", "health"), seat.destiny("Ash")) == ((12, 10, 9), 10, 0)
    assert {pool.most for (who, name), pool in seat.state.pools.items() if name == "health"} == {10}


@pytest.mark.parametrize("called", ["Ash", "ash", "ASH", "GM", "gm", "Table", "book"])
def test_nobody_joins_twice_or_under_the_name_of_a_side(called: str) -> None:
    seat = Seat("Ash")
    assert seat.code(CreateCharacter(by=GM, name=called, might=1, speed=1, intellect=1)) == "VALUE"
    assert seat.code(CreateNpc(by=GM, name=called, kind="minion", difficulty=4, health=1)) == "VALUE"
    assert seat.code(CreateObject(by=GM, name=called)) == "VALUE"


def test_names_are_one_when_they_fold_together() -> None:
    seat = Seat()
    seat.say(CreateObject(by=GM, name="Straße"))
    assert seat.code(CreateObject(by=GM, name="STRASSE")) == "VALUE"
    seat.say(CreateObject(by=GM, name="Old Tom"))
    assert seat.code(CreateObject(by=GM, name="old-tom")) == "VALUE"


def character(**fields: Any) -> Declaration:
    return CreateCharacter(**{"by": GM, "name": "Kess", "might": 9, "speed": 9, "intellect": 9, **fields})


def npc(**fields: Any) -> Declaration:
    return CreateNpc(**{"by": GM, "name": "Thug", "kind": "minion", "difficulty": 4, "health": 6, **fields})


@pytest.mark.parametrize(
    "said",
    [
        character(might=0),
        character(speed=-1),
        character(intellect=0),
        character(might=10**9 + 1),
        character(level=0),
        character(effort_limit=-1),
        character(destiny=-1),
        character(destiny=2),
        character(level=3, destiny=4),
        character(armor=(Armor("magic", -1),)),
        npc(difficulty=0),
        npc(difficulty=13),
        npc(difficulty=None),
        npc(difficulty=None, target_number=14),
        npc(difficulty=None, target_number=0),
        npc(difficulty=None, target_number=39),
        npc(health=0),
        npc(damage=-1),
        npc(initiative=-1),
        npc(armor=(Armor("physical", -1),)),
        npc(kind="elite"),
        npc(kind="elite", wound_limit=0),
    ],
)
def test_a_sheet_outside_its_domain_is_refused(said: Declaration) -> None:
    """DB-GAP-3, DB-GAP-60."""
    assert Seat().code(said) == "VALUE"


@pytest.mark.parametrize(
    ("said", "sheet"),
    [
        (npc(), {"difficulty": 4, "initiative": 12, "damage": 0, "grade": "minion"}),
        (npc(difficulty=None, target_number=18, damage=5), {"difficulty": 6, "initiative": 18, "damage": 5}),
        (npc(initiative=7), {"initiative": 7}),
        (npc(kind="elite", wound_limit=2), {"grade": "elite", "wound_limit": 2}),
        (npc(armor=(Armor("physical", 2), Armor("physical", 1), Armor("magic", 1))), {"armor.physical": 2}),
    ],
)
def test_the_game_masters_people_stand_as_their_sheets_say(said: CreateNpc, sheet: dict[str, int | str]) -> None:
    """DB-GAP-60, DB-ENC-3, DB-ARMOR-2."""
    seat = Seat()
    seat.say(said)
    assert sheet.items() <= seat.state.sheet_of("Thug").items()
    assert seat.points("Thug", "health") == 6


@pytest.mark.parametrize(("state", "points"), [("whole", 2), ("damaged", 1), ("broken", 0)])
def test_a_thing_joins_in_its_state(state: Any, points: int) -> None:
    """DB-DMG-7."""
    seat = Seat()
    seat.say(CreateObject(by=GM, name="Door", state=state))
    assert seat.points("Door", "state") == points


SHEET: dict[str, Any] = {"name": "Kess", "might": 9, "speed": 14, "intellect": 17}


@pytest.mark.parametrize(
    ("changes", "where"),
    [
        ({"name": ""}, "kess.toml, name"),
        ({"name": None}, "kess.toml, name"),
        ({"name": 7}, "kess.toml, name"),
        ({"name": True}, "kess.toml, name"),
        ({"name": float("nan")}, "kess.toml, name"),
        ({"name": ["Kess"]}, "kess.toml, name"),
        ({"name": "K\u202ess"}, "kess.toml, name"),
        ({"name": "K\nss"}, "kess.toml, name"),
        ({"name": "K\x1b[2Jss"}, "kess.toml, name"),
        ({"name": "7ess"}, "kess.toml, name"),
        ({"name": "Kess; drop"}, "kess.toml, name"),
        ({"name": "K" * 61}, "kess.toml, name"),
        ({"name": "../kess"}, "kess.toml, name"),
        ({"might": None}, "kess.toml"),
        ({"might": "nine"}, "kess.toml"),
        ({"might": 9.5}, "kess.toml"),
        ({"might": 9.0}, "kess.toml"),
        ({"might": float("nan")}, "kess.toml"),
        ({"might": float("inf")}, "kess.toml"),
        ({"might": True}, "kess.toml"),
        ({"might": [9]}, "kess.toml"),
        ({"might": 10**9 + 1}, "kess.toml, might"),
        ({"might": -(10**30)}, "kess.toml, might"),
        ({"level": 10**100}, "kess.toml, level"),
        ({"edge": 1}, "kess.toml"),
        ({"say": "create-npc"}, "kess.toml"),
        ({"sheet": "hero"}, "kess.toml"),
        ({"sheet": 1}, "kess.toml"),
        ({"skills": {"sneak": "traind"}}, "kess.toml, skills"),
        ({"skills": {"sneak": "trained luck"}}, "kess.toml, skills"),
        ({"skills": {"sneak": ""}}, "kess.toml, skills"),
        ({"skills": {"sneak": 2}}, "kess.toml, skills"),
        ({"skills": {"sn\u200beak": "trained"}}, "kess.toml, skills"),
        ({"skills": "sneak"}, "kess.toml"),
        ({"skills": [{"task": "sneak", "lvl": "trained"}]}, "kess.toml"),
        ({"skills": [{"task": "sneak", "level": "trained", "stats": "might"}]}, "kess.toml"),
        ({"skills": [{"task": "sn\u200beak", "level": "trained"}]}, "kess.toml, skills"),
        ({"armor": {"chain": 2}}, "kess.toml"),
        ({"armor": {"physical": "2"}}, "kess.toml"),
        ({"armor": {"physical": 10**18}}, "kess.toml, armor"),
        ({"armor": [{"kind": "physical", "value": 10**18}]}, "kess.toml, armor"),
        ({"armor": 2}, "kess.toml"),
        ({"player": "A\tna"}, "kess.toml, player"),
        ({"player": 1}, "kess.toml"),
        ({"aquatic": "yes"}, "kess.toml"),
    ],
)
def test_a_sheet_file_that_cannot_be_read_names_the_place(changes: dict[str, Any], where: str) -> None:
    content = {key: value for key, value in {**SHEET, **changes}.items() if value is not None}
    with pytest.raises(Unreadable) as raised:
        BOOK.sheet(content, "kess.toml")
    assert raised.value.where == where or raised.value.where.startswith(f"{where},")
    assert "\u202e" not in str(raised.value)
    assert "\x1b" not in str(raised.value)


def test_a_sheet_file_says_as_little_as_it_can() -> None:
    skills = {"sneak": "trained speed", "lie": "specialized"}
    content = {**SHEET, "name": "  Kess  O'Dal ", "skills": skills, "armor": {"physical": 1}, "by": "Mallory"}
    said = BOOK.sheet(content, "kess.toml")
    assert isinstance(said, CreateCharacter)
    assert (said.by, said.name, said.level, said.effort_limit) == (GM, "Kess O'Dal", 1, 1)
    assert [(skill.task, skill.level, skill.stat) for skill in said.skills] == [
        ("sneak", "trained", "speed"),
        ("lie", "specialized", None),
    ]
    assert said.armor == (Armor("physical", 1),)


def test_the_armor_of_the_game_masters_people_may_be_one_number() -> None:
    """DB-ARMOR-5."""
    content = {"sheet": "npc", "name": "Captain", "kind": "elite", "difficulty": 6, "health": 10, "wound_limit": 2}
    said = BOOK.sheet({**content, "armor": 1}, "captain.toml")
    assert isinstance(said, CreateNpc)
    assert said.armor == (Armor("physical", 1),)


def test_a_sheet_with_a_nameless_skill_is_refused() -> None:
    assert Seat().code(BOOK.sheet({**SHEET, "skills": {"": "trained"}}, "kess.toml")) == "VALUE"


# Every refusal of the chapters that are built, with its whole sentence


SENTENCES: dict[str, tuple[Callable[[], tuple[Seat, Declaration, tuple[int, ...]]], str]] = {
    "VALUE": (
        lambda: (Seat("Ash"), tries(assets=(0,)), DAWN),
        "steps must be a whole number of 1 or more; got 0. Give steps as a whole number of 1 or more",
    ),
    "DIE": (
        lambda: (Seat("Ash"), tries(), (0, 5)),
        "A die must show 1 to 12; enter Dawn first, then Dusk. Read both dice again and give two numbers from 1 to 12",
    ),
    "DIFFICULTY": (
        lambda: (Seat("Ash"), tries(difficulty=13), DAWN),
        "Difficulty must be a whole number from 0 to 12. Name a difficulty from 1 to 12, or 0 for routine",
    ),
    "RETRY-TARGET": (
        lambda: (Seat("Ash"), again(), DAWN),
        "There is no failed attempt of Ash to retry. Name a failed attempt of Ash, or declare a new attempt",
    ),
    "RETRY-FORBIDDEN": (
        lambda: (forbidding("no more talk"), again(), DAWN),
        "The GM has ruled that this cannot be retried: no more talk. "
        "Try something else, or ask the game master to take the ruling back",
    ),
    "NO-ROLL": (lambda: (Seat("Ash"), close(), ()), "No roll is open. Nothing to close; go on with the next"),
    "DESTINY-WINDOW": (
        lambda: (Seat("Ash"), destiny("reroll"), DAWN),
        "Destiny can be spent only while Ash attempts a task. Wait for a roll of Ash",
    ),
    "DESTINY-NONE": (
        lambda: (Seat("Ash"), tries(destiny_first=uses("regain:might")), DAWN),
        "Ash has 0 Destiny. Spend 0 at most",
    ),
    "DESTINY-USE": (
        lambda: (Seat("Ash", Ash={"destiny": 1}), tries(destiny_first=uses("reroll")), DAWN),
        "Destiny cannot be used that way here. Choose another use, or keep the point",
    ),
    "POOL-FULL": (
        lambda: (Seat("Ash", Ash={"destiny": 1}), tries(destiny_first=uses("regain:might")), DAWN),
        "Ash's might pool is already full. Choose a stat pool that is not full",
    ),
    "DOOM-NONE": (lambda: (Seat("Ash", doom=2), doom(3), ()), "The GM has 2 Doom. Spend 2 at most"),
    "DOOM-USE": (
        lambda: (Seat("Ash", doom=2), doom(1), ()),
        "Doom cannot be used that way here. Spend only what this open roll has given, or name another purpose",
    ),
    "EFFORT-POOL": (
        lambda: (Seat("Ash"), tries(effort=1, effort_pool="speed"), DAWN),
        "Effort on a might task must come from the might pool. Pay the Effort from might",
    ),
    "EFFORT-SIX": (
        lambda: (Seat("Ash"), tries(effort=7), DAWN),
        "Effort can ease a task by six steps at most. Pay for six levels of Effort at most",
    ),
    "EFFORT-LIMIT": (
        lambda: (Seat("Ash"), tries(effort=3), DAWN),
        "Ash can pay for at most 2 levels of Effort. Choose 2 levels of Effort at most",
    ),
    "RETRY-EFFORT": (
        lambda: (failed_once(), Retry(by="Ash"), DAWN),
        "A retry needs at least one level of Effort. Add one level of Effort, paid or free",
    ),
    "POINTS": (
        lambda: (Seat("Ash", Ash={"might": 4}), tries(effort=2), DAWN),
        "Needs 5 might points, Ash has 4; at most 1 levels of Effort are possible. Choose 1 levels of Effort at most",
    ),
}


def failed_once() -> Seat:
    seat = Seat("Ash")
    failing(seat)
    return seat


def forbidding(reason: str) -> Seat:
    seat = Seat("Ash")
    seat.say(ForbidRetry(by=GM, of=failing(seat), reason=reason))
    return seat


@pytest.mark.parametrize("code", SENTENCES)
def test_a_refusal_says_what_is_wrong_and_the_mend(code: str) -> None:
    """DB-PLAY-9."""
    build, sentence = SENTENCES[code]
    seat, said, dice = build()
    refusal = seat.refused(said, *dice)
    assert refusal.code == f"DB-E-{code}"
    assert str(refusal).startswith(f"DB-E-{code}: {sentence}")


def test_a_reason_with_braces_in_it_stands_as_it_was_said() -> None:
    seat = forbidding("no {more} talk")
    with pytest.raises(Refused) as raised:
        seat.table.declare(again(), at=AT)
    assert "no {more} talk" in str(raised.value)


def test_the_sheets_of_the_cases_are_the_catalogues() -> None:
    """So that a slip in copying does not go round as a rule."""
    sheets = cases()["sheets"]
    health = {who: Seat(who).points(who, "health") for who in sheets}
    assert health == {"Ash": 10, "Bryn": 14, "Cole": 16, "Dov": 12}


def test_options_are_those_that_the_built_chapters_read() -> None:
    assert list(TEXTS.options) == [
        "situational_ease_is_asset",
        "light_wound_cost",
        "points_change_target",
        "target_change_per_point",
        "wound_penalties_stack",
    ]
