"""The order and the sentences of refusals of attempts, Destiny and Doom."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import pytest

from ledger.declarations import Declaration
from ledger.errors import Refused
from ledger.facts import GM
from rulebooks.dusk_bastards.declarations.parts import Cost, Modifier
from rulebooks.dusk_bastards.declarations.sheets import CreateNpc, CreateObject
from rulebooks.dusk_bastards.declarations.tasks import Attempt, ForbidRetry, Retry, SpendDoom
from tests.rulebooks.dusk_bastards.seat import (
    AT,
    DAWN,
    DUSK,
    Seat,
    again,
    close,
    destiny,
    doom,
    eased,
    failing,
    merge_faults,
    points,
    task,
    tries,
    uses,
)

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


@pytest.mark.quick_rows(15)
@pytest.mark.parametrize(("earlier", "later"), PAIRS)
def test_first_of_two_retry_errors_is_reported(earlier: str, later: str) -> None:
    """The order of the catalogue's Declarations: `BROKEN` lists it."""
    seat = Seat("Ash", Ash={"destiny": 2})
    forbidden = failing(seat, task="talk")
    kept = failing(seat, task="climb")
    seat.say(ForbidRetry(by=GM, of=forbidden, reason="no"))
    said = {"effort": 1, **merge_faults(BROKEN[earlier], BROKEN[later])}
    said["of"] = {"forbidden": forbidden}.get(said.get("of", ""), said.get("of", kept))
    check_refusal(seat, Retry, earlier, said)


@pytest.mark.quick_rows(15)
@pytest.mark.parametrize(
    ("earlier", "later"), [pair for pair in PAIRS if not any(name.startswith("RETRY") for name in pair)]
)
def test_first_of_two_attempt_errors_is_reported(earlier: str, later: str) -> None:
    said = {"stat": "might", "difficulty": 5, "effort": 1, **merge_faults(BROKEN[earlier], BROKEN[later])}
    check_refusal(Seat("Ash", Ash={"destiny": 2}), Attempt, earlier, said)


def check_refusal(seat: Seat, kind: type[Attempt] | type[Retry], expected: str, fields: dict[str, Any]) -> None:
    """Automatic failure is no error: it happens before later errors are looked for."""
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
def test_form_is_checked_before_faces_and_difficulty(fields: dict[str, Any]) -> None:
    """DB-PLAY-9."""
    assert Seat("Ash").code(tries(**fields), 13, 5) == "VALUE"


@pytest.mark.parametrize("who", ["Nobody", "ash", "gm", "Door", "Thug"])
def test_roller_must_be_a_character_in_play(who: str) -> None:
    """DB-ROLL-3; names are written as on the sheet."""
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
def test_first_of_two_destiny_errors_is_reported(earlier: str, later: str) -> None:
    seat = Seat("Ash", "Bryn", Ash={"destiny": 2}, Bryn={"destiny": 2})
    seat.say(tries(), *DUSK)
    said = {"uses": (), **merge_faults(SPENDS[earlier], SPENDS[later])}
    words = said["uses"] or ("activate:Night Eyes",)
    assert seat.code(destiny(*words, who=said.get("who", "Ash")), *said.get("faces", ())) == earlier


def test_bad_split_of_a_reroll_is_the_last_error() -> None:
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
def test_first_of_two_doom_errors_is_reported(said: SpendDoom, code: str) -> None:
    assert Seat("Ash", doom=3).code(said) == code


# Every refusal of tasks, with the sentence of the catalogue


SENTENCES: dict[str, tuple[Callable[[], tuple[Seat, Declaration, tuple[int, ...]]], str]] = {
    "VALUE": (lambda: (Seat("Ash"), tries(assets=(0,)), DAWN), "steps must be a whole number of 1 or more; got 0."),
    "DIE": (lambda: (Seat("Ash"), tries(), (0, 5)), "A die must show 1 to 12; enter Dawn first, then Dusk."),
    "DIFFICULTY": (
        lambda: (Seat("Ash"), tries(difficulty=13), DAWN),
        "Difficulty must be a whole number from 0 to 12.",
    ),
    "RETRY-TARGET": (lambda: (Seat("Ash"), again(), DAWN), "There is no failed attempt of Ash to retry."),
    "RETRY-FORBIDDEN": (
        lambda: (seat_with_ban("no more talk"), again(), DAWN),
        "The GM has ruled that this cannot be retried: no more talk.",
    ),
    "NO-ROLL": (lambda: (Seat("Ash"), close(), ()), "No roll is open."),
    "DESTINY-WINDOW": (
        lambda: (Seat("Ash"), destiny("reroll"), DAWN),
        "Destiny can be spent only while Ash attempts a task.",
    ),
    "DESTINY-NONE": (lambda: (Seat("Ash"), tries(destiny_first=uses("regain:might")), DAWN), "Ash has 0 Destiny."),
    "DESTINY-USE": (
        lambda: (Seat("Ash", Ash={"destiny": 1}), tries(destiny_first=uses("reroll")), DAWN),
        "Destiny cannot be used that way here.",
    ),
    "POOL-FULL": (
        lambda: (Seat("Ash", Ash={"destiny": 1}), tries(destiny_first=uses("regain:might")), DAWN),
        "Ash's might pool is already full.",
    ),
    "DOOM-NONE": (lambda: (Seat("Ash", doom=2), doom(3), ()), "The GM has 2 Doom."),
    "DOOM-USE": (lambda: (Seat("Ash", doom=2), doom(1), ()), "Doom cannot be used that way here."),
    "EFFORT-POOL": (
        lambda: (Seat("Ash"), tries(effort=1, effort_pool="speed"), DAWN),
        "Effort on a might task must come from the might pool.",
    ),
    "EFFORT-SIX": (lambda: (Seat("Ash"), tries(effort=7), DAWN), "Effort can ease a task by six steps at most."),
    "EFFORT-LIMIT": (lambda: (Seat("Ash"), tries(effort=3), DAWN), "Ash can pay for at most 2 levels of Effort."),
    "RETRY-EFFORT": (
        lambda: (seat_with_failure(), Retry(by="Ash"), DAWN),
        "A retry needs at least one level of Effort.",
    ),
    "POINTS": (
        lambda: (Seat("Ash", Ash={"might": 4}), tries(effort=2), DAWN),
        "Needs 5 might points, Ash has 4; at most 1 level of Effort are possible.",
    ),
}


def seat_with_failure() -> Seat:
    seat = Seat("Ash")
    failing(seat)
    return seat


def seat_with_ban(reason: str) -> Seat:
    seat = Seat("Ash")
    seat.say(ForbidRetry(by=GM, of=failing(seat), reason=reason))
    return seat


@pytest.mark.parametrize("code", SENTENCES)
def test_refusal_sentence_names_the_mistake(code: str) -> None:
    """DB-PLAY-9."""
    build, sentence = SENTENCES[code]
    seat, said, dice = build()
    refusal = seat.refusal(said, *dice)
    assert refusal.code == f"DB-E-{code}"
    assert str(refusal).startswith(f"DB-E-{code}: {sentence}")


@pytest.mark.parametrize(
    ("said", "sentence"),
    [
        (
            Attempt(by="Ash", task="hum", difficulty=3),
            "the stat of 'hum' must be might, speed or intellect (m, s or i)",
        ),
        (tries(destiny_first=uses("regain")), "regain must be might, speed or intellect"),
        (doom(1, "other"), "purpose must be a few words in quotes"),
    ],
)
def test_refusal_of_a_missing_value_says_that_none_is_given(said: Declaration, sentence: str) -> None:
    seat = Seat("Ash", doom=2, Ash={"destiny": 1})
    assert str(seat.refusal(said)) == f"DB-E-VALUE: {sentence}; none is given. Add it."


def test_refusal_of_an_unknown_task_names_the_nearest() -> None:
    refusal = Seat("Ash").refusal(Attempt(by="Ash", task="climm", difficulty=3))
    assert refusal.hint == "Add it, or say the nearest task that is known: climb"


def test_reason_with_braces_is_kept_verbatim() -> None:
    seat = seat_with_ban("no {more} talk")
    with pytest.raises(Refused) as raised:
        seat.ledger.declare(again(), at=AT)
    assert "no {more} talk" in str(raised.value)
