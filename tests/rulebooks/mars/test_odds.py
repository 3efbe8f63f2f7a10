"""Odds of attacks: exact, with the damage, and soon enough for four dice."""

from __future__ import annotations

import time
from fractions import Fraction
from itertools import product
from typing import Any

import pytest

from ledger.facts import EntryId
from ledger.odds import Odds, count_odds
from rulebooks.mars.declarations.combat import Attack
from rulebooks.mars.declarations.parts import Reaction
from tests.rulebooks.mars.seat import BOOK, FIGHT, Seat

GRADES = ("fail", "graze", "hit", "critical")
HERO = {"dexterity": "r20", "skills": {"martial": "r20"}, "strength": "r40", "held": ["maul"]}
MAUL = {"maul": {"damage": "=r40", "critical": 6, "type": "bludgeoning", "skill": "martial"}}
SECONDS = 3.0  # a tenth of that on an idle desk


def odds(said: Attack, **given: Any) -> Odds:
    seat = Seat(teams=FIGHT, turn="Asha", **given)
    state, before = seat.ledger.state, seat.snapshot()
    outlook = count_odds(BOOK, state, said, EntryId(1, state.last.number + 1))
    assert seat.snapshot() == before
    assert outlook.unexplored == 0
    return outlook


def grades(outlook: Odds) -> dict[str, Fraction]:
    return {each.result: Fraction(each.ways, each.of) for each in outlook.chances if each.what == "attack"}


def grade(margin: int, *, parried: bool) -> str:
    if margin >= 7:
        return "critical"
    return "hit" if margin >= 0 else "graze" if margin > -7 and not parried else "fail"


@pytest.mark.slow
@pytest.mark.parametrize(("defences", "evades"), [((), False), ((Reaction("Gil", "evade"),), True)])
def test_grades_are_those_of_all_faces(defences: tuple[Reaction, ...], evades: bool) -> None:
    """Asha rolls d12 and d10; Gil's deflection is d8 + 3, his evasion d10 + 3."""
    counts = dict.fromkeys(GRADES, 0)
    for one, other, guard in product(range(1, 13), range(1, 11), range(1, 11 if evades else 9)):
        counts[grade(one + other - guard - 3, parried=evades)] += 1
    every = sum(counts.values())
    expected = {name: Fraction(count, every) for name, count in counts.items() if count}
    assert grades(odds(Attack(by="Asha", target="Gil", defences=defences))) == expected


@pytest.mark.slow
def test_advantage_has_the_odds_of_all_faces() -> None:
    """GR-OUT-5: the die with the larger gap is rolled again, and the better face counts."""
    counts: dict[str, Fraction] = dict.fromkeys(GRADES, Fraction(0))
    for one, other, guard in product(range(1, 13), range(1, 11), range(1, 9)):
        first = 12 - one >= 10 - other
        sides = 12 if first else 10
        for again in range(1, sides + 1):
            total = max(one, again) + other if first else one + max(other, again)
            counts[grade(total - guard - 3, parried=False)] += Fraction(1, 960 * sides)
    expected = {name: chance for name, chance in counts.items() if chance}
    assert grades(odds(Attack(by="Asha", target="Gil", flanked=True))) == expected


def test_expected_endurance_is_the_mean_of_all_damage() -> None:
    """A hit of 1 to 8 on endurance 100: less DR 3, at least 1; the attack always hits and never is critical."""
    dart = {"dart": {"damage": "=r8", "skill": "martial"}}
    gil: dict[str, Any] = {"maxima": {"endurance": 100}, "derived": {"deflection": "r0+2"}}
    sheets = {"Asha": {"items": dart, "held": ["dart"]}, "Gil": gil}
    options = {"deflection": "passive", "critical_margin": 40, "graze_margin": 1}
    outlook = odds(Attack(by="Asha", target="Gil"), sheets=sheets, options=options)
    (endurance,) = [each for each in outlook.expected if each.value == "gil.endurance"]
    assert Fraction(endurance.total, endurance.of) == 100 - Fraction(sum(max(1, n - 3) for n in range(1, 9)), 8)


@pytest.mark.slow
def test_four_dice_answer_soon() -> None:
    begun = time.process_time()
    odds(Attack(by="Asha", target="Gil", flanked=True), sheets={"Asha": {**HERO, "items": MAUL}})
    assert time.process_time() - begun < SECONDS
