"""Values that the table sets: by ruling, and by adjustment."""

from __future__ import annotations

import pytest

from ledger.declarations import Ruling, Setting
from ledger.facts import GM, Scalar
from rulebooks.common.adjustments import Adjust
from tests.rulebooks.mars.seat import Seat

HELPLESS = ["prone", "unconscious"]


def rule(name: str, to: Scalar) -> Ruling:
    return Ruling(by=GM, text="given", reason="given", changes=(Setting(value=name, to=to),))


@pytest.mark.parametrize(("name", "to"), [("health", -3), ("endurance", 4), ("focus", 0), ("shield", 5)])
def test_ruling_sets_a_pool(name: str, to: int) -> None:
    seat = Seat(present=("Asha",))
    seat.say(rule(f"asha.{name}", to))
    assert seat.points("Asha", name) == to


@pytest.mark.parametrize(
    ("name", "to"),
    [("health", 13), ("endurance", -1), ("shield", 13), ("prone", 2), ("ar", -1), ("grade", "weak"), ("luck", 3)],
)
def test_value_outside_its_domain_is_refused(name: str, to: Scalar) -> None:
    assert Seat(present=("Asha",)).code(rule(f"asha.{name}", to)) == "VALUE"


@pytest.mark.parametrize("name", ["asha", "nobody.health", "asha.strength.x"])
def test_value_of_nobody_is_refused(name: str) -> None:
    assert Seat(present=("Asha",)).code(rule(name, 1)) == "VALUE"


@pytest.mark.parametrize(
    ("name", "holds"),
    [
        ("prone", ["prone"]),
        ("blind", ["blind"]),
        ("encumbered", ["encumbered"]),
        ("surprised", ["surprised"]),
        ("defeated", ["defeated"]),
        ("unconscious", HELPLESS),
        ("dying", ["dying", *HELPLESS]),
    ],
)
def test_ruling_begins_and_ends_a_condition(name: str, holds: list[str]) -> None:
    seat = Seat(present=("Asha",))
    seat.say(rule(f"asha.{name}", 1))
    assert seat.holds("Asha") == holds
    seat.say(rule(f"asha.{name}", 1))
    seat.say(rule(f"asha.{name}", 0))
    assert name not in seat.holds("Asha")


def test_dead_have_no_other_condition_by_ruling() -> None:
    seat = Seat(present=("Asha",))
    seat.say(rule("asha.dead", 1))
    assert "dead" in seat.holds("Asha")
    assert seat.code(rule("asha.dying", 1)) == "VALUE"
    seat.say(rule("asha.dead", 0))
    assert "dead" not in seat.holds("Asha")


def test_ruling_sets_entries_of_the_sheet() -> None:
    seat = Seat(present=("Asha",))
    entries: dict[str, Scalar] = {
        "ar": 4,
        "strength": "r14",
        "skill.martial": "r10",
        "grade": "elite",
        "held": "shield",
        "team": "rebels",
    }
    for entry, to in entries.items():
        seat.say(rule(f"asha.{entry}", to))
        assert seat.state.sheet("Asha", entry) == to
    assert seat.code(rule("asha.strength", "strong")) == "VALUE"
    assert seat.code(rule("asha.strength", "r13")) == "VALUE"
    assert seat.code(rule("asha.held", "axe")) == "NOT-WIELDED"


def test_adjusted_health_has_its_consequences() -> None:
    seat = Seat(present=("Asha",), pools={"Asha.endurance": 0})
    seat.say(Adjust(by="Asha", value="health", change=-12, reason="the stairs"))
    assert seat.holds("Asha") == HELPLESS
    seat.say(Adjust(by="Asha", value="health", change=-1, reason="the cellar"))
    assert seat.holds("Asha") == ["dying", *HELPLESS]
    seat.say(Adjust(by="Asha", value="health", change=1, reason="a miracle"))
    assert seat.holds("Asha") == HELPLESS


def test_adjustment_changes_numbers_and_conditions() -> None:
    seat = Seat(present=("Asha",))
    seat.say(Adjust(by="Asha", value="dr", change=-1, reason="a torn strap"))
    seat.say(Adjust(by="Asha", value="blind", change=1, reason="sand"))
    assert (seat.state.sheet("Asha", "dr"), seat.holds("Asha")) == (2, ["blind"])
    assert seat.code(Adjust(by="Asha", value="strength", change=1, reason="a potion")) == "VALUE"
    assert seat.code(Adjust(by="Asha", value="dr", change=1, reason=" ")) == "REASON"
