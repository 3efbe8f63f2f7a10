"""Rests, treatment, healing and the end of a day."""

from __future__ import annotations

from typing import Any

import pytest

from ledger.facts import GM, Counted, PointsRegained, Rested
from rulebooks.mars.declarations import harm
from rulebooks.mars.declarations.turns import Move
from rulebooks.testing.seat import of_kind
from tests.rulebooks.mars.seat import FIGHT, Seat, judged

EMPTY = {"Bram.health": 3, "Bram.endurance": 0, "Bram.stamina": 0, "Bram.focus": 0}


def bram(*others: str, **given: Any) -> Seat:
    return Seat(present=["Bram", *others], **{"pools": EMPTY, **given})


def resources(seat: Seat) -> list[int]:
    return [seat.points("Bram", name) for name in ("health", "endurance", "stamina", "focus")]


def effect(name: str, **more: Any) -> harm.ApplyEffect:
    return harm.ApplyEffect(by=GM, target="Bram", effect=name, **more)


@pytest.mark.parametrize(
    ("minutes", "activity", "allowed"),
    [
        (29, None, False),
        (30, None, True),
        (60, None, True),
        (61, None, False),
        (61, 5, True),
        (120, 5, True),
        (120, 0, True),
        (121, 5, False),
        (29, 5, False),
        (100, 6, False),
        (45, 6, False),
    ],
)
def test_length_of_a_short_rest(minutes: int, activity: int | None, allowed: bool) -> None:
    seat, said = bram(), harm.ShortRest(by="Bram", minutes=minutes, activity=activity)
    if allowed:
        seat.say(said)
        assert resources(seat) == [3, 2, 2, 3]
    else:
        assert seat.code(said) == "REST-LENGTH"


@pytest.mark.parametrize(("short", "gained"), [(0, [4, 12, 10, 12]), (1, [4, 12, 10, 12]), (2, [4, 11, 10, 12])])
def test_long_rest_has_the_short_rests_not_taken(short: int, gained: list[int]) -> None:
    seat = bram()
    for _ in range(short):
        seat.say(harm.ShortRest(by="Bram"))
    seat.set_pools(EMPTY)
    record = seat.say(harm.LongRest(by="Bram"))
    assert resources(seat) == gained
    assert [(fact.rest, fact.whole) for fact in of_kind(record, Rested)] == [("long rest", True)]


def test_gain_beyond_the_maximum_is_over() -> None:
    seat = bram(pools={"Bram.stamina": 9})
    record = seat.say(harm.ShortRest(by="Bram"))
    assert [(fact.pool, fact.points, fact.over) for fact in of_kind(record, PointsRegained)] == [("stamina", 1, 1)]


@pytest.mark.parametrize(
    ("given", "said", "code"),
    [
        ((harm.ShortRest(by="Bram"), harm.ShortRest(by="Bram")), harm.ShortRest(by="Bram"), "REST-LIMIT"),
        ((harm.LongRest(by="Bram"),), harm.LongRest(by="Bram"), "REST-LIMIT"),
        ((harm.LongRest(by="Bram"),), harm.ShortRest(by="Bram"), "REST-LIMIT"),
        ((harm.LongRest(by="Bram", begin=True),), harm.ShortRest(by="Bram"), "REST-LIMIT"),
        ((harm.LongRest(by="Bram", begin=True),), harm.LongRest(by="Bram", begin=True), "REST-LIMIT"),
        ((harm.LongRest(by="Bram", interrupted=True),), harm.LongRest(by="Bram"), "REST-LIMIT"),
        ((harm.LongRest(by="Bram", begin=True),), harm.ResumeLongRest(by="Bram"), "REST-LIMIT"),
        ((), harm.ResumeLongRest(by="Bram"), "REST-LIMIT"),
        ((effect("dying"),), harm.LongRest(by="Bram"), "DYING"),
        ((effect("dying"),), harm.ResumeLongRest(by="Bram"), "DYING"),
        ((effect("dying"),), harm.Wake(by=GM, who="Bram", reason="a bell"), "DYING"),
        ((effect("unconscious"),), harm.Wake(by=GM, who="Bram"), "REASON"),
        ((), harm.Restore(by=GM, who="Bram", resource="health", amount=0, reason="a draught"), "VALUE"),
        ((), harm.Restore(by=GM, who="Bram", resource="health", amount=1), "REASON"),
        ((), harm.Deprive(by=GM, who="Bram", need="water"), "VALUE"),
    ],
)
def test_refusals(given: tuple[Any, ...], said: Any, code: str) -> None:
    seat = bram()
    for each in given:
        seat.say(each)
    assert seat.code(said) == code


@pytest.mark.parametrize(
    "said", [harm.ShortRest(by="Asha"), harm.LongRest(by="Asha"), harm.ResumeLongRest(by="Asha"), harm.EndDay(by=GM)]
)
def test_no_rest_in_an_encounter(said: Any) -> None:
    assert Seat(teams=FIGHT, turn="Asha").code(said) == "ENCOUNTER"


def test_unconscious_can_rest() -> None:
    seat = bram()
    seat.say(effect("unconscious"))
    seat.say(harm.LongRest(by="Bram"))
    assert seat.holds("Bram") == ["prone", "unconscious"]
    seat.say(harm.Wake(by=GM, who="Bram", reason="morning"))
    assert seat.holds("Bram") == ["prone"]


@pytest.mark.parametrize("late", [False, True])
@pytest.mark.parametrize(("faces", "health"), [((8, 4), 5), ((1, 1), 4)])
def test_treatment_counts_whenever_it_comes(late: bool, faces: tuple[int, ...], health: int) -> None:
    """GR-RES-5, GR-GAP-46: before the interruption or after it."""
    seat = bram("Archer")
    seat.say(harm.LongRest(by="Bram", begin=True))
    treat = harm.Treat(by="Archer", patient="Bram")
    if not late:
        seat.say(treat, *faces)
    seat.say(harm.LongRest(by="Bram", interrupted=True))
    if late:
        seat.say(treat, *faces)
    assert seat.code(treat) == "TREATED"
    seat.say(harm.ResumeLongRest(by="Bram"))
    assert seat.points("Bram", "health") == health


def test_treated_rest_without_interruption() -> None:
    seat = bram("Archer")
    seat.say(harm.LongRest(by="Bram", begin=True))
    seat.say(harm.Treat(by="Archer", patient="Bram"), 8, 4)
    seat.say(harm.LongRest(by="Bram"))
    assert seat.points("Bram", "health") == 5


def test_end_of_day_drops_what_was_not_resumed() -> None:
    seat = bram()
    seat.say(harm.LongRest(by="Bram", interrupted=True))
    record = seat.say(harm.EndDay(by=GM))
    assert seat.holds("Bram") == []
    assert [fact.result for fact in judged(record, "notice")] == ["Bram had no long rest"]
    assert seat.code(harm.ResumeLongRest(by="Bram")) == "REST-LIMIT"
    seat.say(harm.LongRest(by="Bram"))


def test_complete_rest_gives_abilities_back() -> None:
    seat = bram()
    spent = Counted(who="Bram", name="second wind", change=1, now=1, of=1, until="rest")
    seat.add_facts((spent,))
    seat.say(harm.LongRest(by="Bram", interrupted=True))
    assert seat.state.count("Bram", "second wind") == 1
    seat.say(harm.ResumeLongRest(by="Bram"))
    assert seat.state.count("Bram", "second wind") == 0


@pytest.mark.parametrize(("degree", "gained"), [(1, [3, 1, 1, 2]), (3, [3, 1, 1, 1]), (9, [3, 1, 1, 1])])
def test_sick_recover_less(degree: int, gained: list[int]) -> None:
    seat = bram()
    seat.say(effect("sickness", degree=degree))
    seat.say(harm.ShortRest(by="Bram"))
    assert resources(seat) == gained


def test_sickness_of_nothing_stays_nothing() -> None:
    """GR-GAP-34, GR-GAP-50: a minimum of 0 or less gives nothing, sick or not."""
    seat = bram(sheets={"Bram": {"derived": {"fortitude": "r4-5"}}})
    seat.say(effect("sickness"))
    seat.say(harm.ShortRest(by="Bram"))
    assert seat.points("Bram", "endurance") == 0


@pytest.mark.parametrize(("amount", "health", "holds"), [(3, -1, ["dying"]), (4, 0, []), (99, 10, [])])
def test_healing_ends_dying_at_0(amount: int, health: int, holds: list[str]) -> None:
    seat = bram()
    seat.say(effect("dying"))
    seat.set_pools({"Bram.health": -4})
    seat.say(harm.Restore(by=GM, who="Bram", resource="health", amount=amount, reason="a draught"))
    assert (seat.points("Bram", "health"), seat.holds("Bram")) == (health, [*holds, "prone", "unconscious"])


FATIGUE = {"options": {"fatigue": "on"}}


@pytest.mark.parametrize(
    ("needs", "fatigue"),
    [
        (("meals", "meals"), 0),
        (("meals", "meals", "meals"), 1),
        (("meals",) * 6, 2),
        (("water",), 2),
        (("sleep",), 1),
        (("water", "sleep"), 3),
        (("water", "water", "+water"), 2),
        (("meals", "meals", "+meals", "meals"), 0),
        (("sleep", "+sleep"), 0),
    ],
)
def test_degrees_of_fatigue(needs: tuple[str, ...], fatigue: int) -> None:
    seat = bram(**FATIGUE)
    for need in needs:
        seat.say(harm.Deprive(by=GM, who="Bram", need=need.removeprefix("+"), met=need.startswith("+")))  # type: ignore[arg-type]
    degrees = sum(seat.state.count("Bram", name) for name in ("starvation", "dehydration", "sleeplessness"))
    assert degrees == fatigue


def test_fatigue_takes_from_rest_movement_and_health() -> None:
    seat = bram("Gil", **FATIGUE)
    for need in ("water", "sleep"):
        seat.say(harm.Deprive(by=GM, who="Bram", need=need))
    assert seat.code(Move(by="Bram", metres=4)) == "TOO-FAR"
    seat.say(harm.ShortRest(by="Bram"))
    assert resources(seat) == [3, 0, 0, 1]
    seat.say(harm.EndDay(by=GM))
    assert (seat.points("Bram", "health"), seat.points("Gil", "health")) == (1, 9)
    assert seat.state.count("Bram", "sleeplessness") == 2


@pytest.mark.parametrize(("nights", "left"), [(1, 0), (2, 0), (3, 1)])
def test_long_rest_makes_up_for_lost_sleep(nights: int, left: int) -> None:
    """GR-OUT-14: it meets the need, and takes off up to 2 degrees as the day ends."""
    seat = Seat(present=("Asha",), options={"fatigue": "on"})
    for _ in range(nights):
        seat.say(harm.EndDay(by=GM))
    seat.say(harm.LongRest(by="Asha"))
    seat.say(harm.EndDay(by=GM))
    assert seat.state.count("Asha", "sleeplessness") == left
