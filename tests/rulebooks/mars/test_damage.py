"""Damage: halves and doubles, types, shields, and what it does to endurance, health and consciousness."""

from __future__ import annotations

from typing import Any

import pytest

from ledger.facts import GM, Judged
from rulebooks.mars.declarations.harm import DealDamage, Repair
from rulebooks.mars.declarations.parts import Reaction
from rulebooks.mars.harm.damage import Impact, damage_taken
from rulebooks.testing.seat import of_kind
from tests.rulebooks.mars.seat import Seat, judged

BLOCK = Reaction("Asha", "block")


def hurt(target: str, amount: int, **more: Any) -> DealDamage:
    return DealDamage(by=GM, target=target, amount=amount, **more)


def taken(rolled: int, **more: Any) -> int:
    """Return what Gil, with DR 3, takes."""
    options = more.pop("options", {})
    return damage_taken(Impact(target="Gil", rolled=rolled, **more), Seat(present=["Gil"], options=options).state).total


@pytest.mark.parametrize(
    ("rolled", "more", "total"),
    [
        (10, {}, 7),
        (2, {}, 1),
        (-4, {}, 1),
        (10, {"bonus": 6}, 7),
        (10, {"outcome": "critical", "bonus": 6}, 16),
        (9, {"outcome": "graze"}, 4),
        (4, {"outcome": "graze"}, 1),
        (9, {"outcome": "graze", "bonus": 6}, 4),
        (10, {"halvings": 1}, 2),
        (11, {"halvings": 2}, 1),
        (10, {"doublings": 1}, 17),
        (11, {"doublings": 3}, 41),
        (11, {"halvings": 1, "doublings": 1}, 8),
        (10, {"outcome": "critical", "bonus": 6, "halvings": 1}, 8),
        (10, {"halvings": 1, "outcome": "graze"}, 3),
        (10, {"doublings": 1, "outcome": "graze"}, 10),
        (10, {"type": "fire"}, 10),
        (10, {"type": "fire", "dr": True}, 7),
        (10, {"type": "psychic", "dr": True}, 10),
        (7, {"type": "cold", "outcome": "graze"}, 3),
    ],
)
def test_damage_taken(rolled: int, more: dict[str, Any], total: int) -> None:
    assert taken(rolled, **more) == total


@pytest.mark.parametrize(
    ("options", "more", "totals"),
    [
        ({}, {}, [4, 1, 3]),
        ({"graze_damage": "dr_then_half"}, {}, [3, 1, 2]),
        ({"graze_rounding": "result_up"}, {}, [5, 1, 4]),
        ({"graze_damage": "dr_then_half"}, {"halvings": 1}, [1, 1, 1]),
    ],
)
def test_graze_readings(options: dict[str, str], more: dict[str, Any], totals: list[int]) -> None:
    assert [taken(rolled, outcome="graze", options=options, **more) for rolled in (9, 4, 7)] == totals


def test_damage_roll_is_recorded() -> None:
    record = Seat(present=["Gil"]).say(DealDamage(by=GM, target="Gil", roll="r16+2"), 7, 5)
    (damage,) = judged(record, "damage")
    assert (damage.total, [each.total for each in damage.sums]) == (11, [14, 11])
    assert damage.rolls == ("damage on Gil",)


def test_damage_roll_without_dice() -> None:
    record = Seat(present=["Gil"]).say(DealDamage(by=GM, target="Gil", roll="r0+5"))
    assert [(fact.total, fact.rolls) for fact in of_kind(record, Judged)] == [(2, ())]


@pytest.mark.parametrize(
    ("said", "code"),
    [
        (hurt("Gil", -1), "VALUE"),
        (DealDamage(by=GM, target="Gil"), "VALUE"),
        (DealDamage(by=GM, target="Gil", amount=3, roll="r4"), "VALUE"),
        (DealDamage(by=GM, target="Gil", roll="r13"), "VALUE"),
        (hurt("Gil", 3, halvings=-1), "VALUE"),
        (hurt("Gil", 3, defences=(Reaction("Gil", "evade"),)), "VALUE"),
        (hurt("Gil", 3, defences=(Reaction("Asha", "block"),)), "VALUE"),
        (hurt("Nobody", 3), "UNKNOWN"),
    ],
)
def test_refusals(said: DealDamage, code: str) -> None:
    assert Seat(present=["Gil", "Asha"]).refusal(said).code == f"GR-E-{code}"


@pytest.mark.parametrize(
    ("amount", "more", "durability", "endurance"),
    [
        (11, {}, 5, 10),
        (3, {}, 11, 10),
        (16, {}, 0, 10),
        (20, {}, 0, 9),
        (25, {}, 0, 4),
        (11, {"outcome": "graze"}, 11, 10),
        (13, {"outcome": "critical", "bonus": 7}, 0, 10),
        (10, {"type": "fire"}, 6, 10),
        (10, {"type": "psychic"}, 2, 10),
        (15, {"type": "psychic"}, 0, 7),
        (20, {"halvings": 1}, 6, 10),
        (21, {"halvings": 1, "outcome": "graze"}, 9, 10),
    ],
)
def test_shield_takes_the_damage(amount: int, more: dict[str, Any], durability: int, endurance: int) -> None:
    seat = Seat(present=["Asha"])
    seat.say(hurt("Asha", amount, defences=(BLOCK,), **more))
    assert (seat.points("Asha", "shield"), seat.points("Asha", "endurance")) == (durability, endurance)
    assert seat.points("Asha", "stamina") == 13


@pytest.mark.parametrize(
    ("option", "amount", "more", "durability", "endurance"),
    [
        ({"block_minimum": 0}, 3, {}, 12, 10),
        ({"blocked_graze": "larger"}, 11, {"outcome": "graze"}, 7, 10),
        ({"blocked_graze": "larger"}, 5, {"outcome": "graze"}, 11, 10),
        ({"graze_rounding": "result_up"}, 13, {"outcome": "graze"}, 9, 10),
        ({"graze_rounding": "result_up", "blocked_graze": "larger"}, 13, {"outcome": "graze"}, 5, 10),
        ({"critical_ignores_block": "on"}, 7, {"outcome": "critical", "bonus": 6}, 2, 10),
        ({"typeless_vs_block": "reduced"}, 10, {"type": "psychic"}, 6, 10),
        ({"typeless_vs_block": "reduced"}, 22, {"type": "psychic"}, 0, 7),
    ],
)
def test_shield_readings(
    option: dict[str, Any], amount: int, more: dict[str, Any], durability: int, endurance: int
) -> None:
    seat = Seat(present=["Asha"], options=option)
    seat.say(hurt("Asha", amount, defences=(BLOCK,), **more))
    assert (seat.points("Asha", "shield"), seat.points("Asha", "endurance")) == (durability, endurance)


def test_broken_shield_is_repaired() -> None:
    seat = Seat(present=["Asha"])
    seat.say(hurt("Asha", 16, defences=(BLOCK,)))
    assert seat.refusal(hurt("Asha", 1, defences=(BLOCK,))).code == "GR-E-SHIELD-BROKEN"
    assert seat.refusal(Repair(by=GM, who="Asha", item="shield", durability=13, reason="forge")).code == "GR-E-VALUE"
    assert seat.refusal(Repair(by=GM, who="Asha", item="longsword", durability=1, reason="forge")).code == "GR-E-VALUE"
    seat.say(Repair(by=GM, who="Asha", item="shield", durability=5, reason="an evening at the forge"))
    worse = Repair(by=GM, who="Asha", item="shield", durability=4, reason="the smith")
    assert seat.refusal(worse).hint == "Expected: 5 to 12, what the shield has after it"
    seat.say(hurt("Asha", 6, defences=(BLOCK,)))
    assert seat.points("Asha", "shield") == 3


@pytest.mark.parametrize(
    ("pools", "amount", "more", "holds"),
    [
        ((8, 10), 22, {}, ["dying", "prone", "unconscious"]),
        ((0, 3), 6, {}, ["prone", "unconscious"]),
        ((1, 3), 6, {}, []),
        ((0, 3), 7, {"nonlethal": True}, ["prone", "unconscious"]),
        ((0, 3), 15, {"nonlethal": True}, ["prone", "unconscious"]),
        ((0, 3), 16, {"nonlethal": True}, ["dying", "prone", "unconscious"]),
        ((9, -5), 5, {}, []),
    ],
)
def test_condition_after_damage(pools: tuple[int, int], amount: int, more: dict[str, Any], holds: list[str]) -> None:
    endurance, health = pools
    seat = Seat(present=["Gil"], pools={"Gil.endurance": min(endurance, 8), "Gil.health": health})
    seat.say(hurt("Gil", amount, **more))
    assert seat.holds("Gil") == holds


def test_dying_lose_no_counter_by_damage() -> None:
    seat = Seat(
        present=["Gil"],
        pools={"Gil.endurance": 0, "Gil.health": -3},
        conditions={"Gil": ["dying", "unconscious", "prone"]},
        counts={"Gil.dying successes": 2},
    )
    seat.say(hurt("Gil", 7))
    assert (seat.points("Gil", "health"), seat.state.count("Gil", "dying successes")) == (-7, 2)
