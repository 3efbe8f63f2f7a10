"""The rulebook of Momentum against its catalogue: rules, options, codes; and each option in each of its readings."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest

from ledger.declarations import Ruling, Setting
from ledger.facts import GM
from rulebooks.common import texts
from rulebooks.common.announcements import announcement
from rulebooks.common.encounters import EndTurn
from rulebooks.common.options import SetOption
from rulebooks.momentum.declarations import AbilityCheck
from rulebooks.momentum.texts import TEXTS
from rulebooks.momentum.turns import allowance
from rulebooks.testing.seat import cited
from tests.rulebooks.momentum.seat import Seat, attacks, cases, hits
from tests.rulebooks.momentum.test_cases import played

CONTENT = TEXTS.content

CHAPTERS = {
    "ZONE": 5,
    "ROUND": 8,
    "ACT": 5,
    "ATK": 3,
    "EXP": 3,
    "DBL": 3,
    "REACT": 3,
    "DEFEND": 2,
    "INTER": 2,
    "HELP": 2,
    "WPN": 3,
    "REQ": 2,
    "TAG": 5,
    "CHECK": 4,
    "DFN": 1,
    "HP": 3,
    "WND": 3,
    "CONV": 5,
}
CODES = """
MOMENTUM PHASE TURN ACTIONS NEIGHBOUR RANGE WEAPON HANDS RUSHED DOWN SELF PCONLY OWNTURN REACTED SHIELD NOT-TARGET ZONE
TIMING STACK HELP DICE RULING
"""
# The catalogue's options: default and other readings.
OPTIONS: dict[str, tuple[Any, tuple[Any, ...]]] = {
    "check_adv": ("two_checks", ("three_dice",)),
    "wounded_at": ("half_or_less", ("three_or_less", "off")),
    "foe_actions": (2, (1,)),
    "ranged_same_zone": ("allow", ("forbid",)),
    "reaction_cost": ("set_to_one", ("subtract_one",)),
    "help_timing": ("any", ("before_roll",)),
    "help_extra_dice": ("yes", ("no",)),
    "help_stacks": ("no", ("yes",)),
    "precise_repeat": ("repeat", ("once",)),
    "thrown_leaves_hand": ("no", ("yes",)),
    "foes_wounded": ("no", ("yes",)),
}


def test_every_rule_of_the_catalogue_is_there_in_order() -> None:
    every = {f"MO-{chapter}-{number}" for chapter, most in CHAPTERS.items() for number in range(1, most + 1)}
    assert {rule.id for rule in CONTENT.rules} == every
    assert len(CONTENT.rules) == len(every)


def test_errors_with_options_are_those_of_the_catalogue() -> None:
    assert [error.code.removeprefix("MO-E-") for error in CONTENT.errors] == CODES.split()
    assert {option.name for option in CONTENT.options} == OPTIONS.keys()


@pytest.mark.parametrize("option", CONTENT.options, ids=lambda option: option.name)
def test_option_has_the_catalogues_readings(option: texts.Option) -> None:
    default, others = OPTIONS[option.name]
    assert option.default == default
    assert all(option.allows(value) for value in (default, *others))
    assert not option.allows("any other")
    assert not option.values or set(option.values) == {default, *others}
    assert option.values or not (option.allows(0) or option.allows(3))


@cache
def cited_rules() -> set[str]:
    """Return all rules that the worked cases cite, by facts and by refusals."""
    return {rule for case in cases()["cases"] for rule in played(case).rules}


def test_every_computed_rule_is_cited_by_a_case() -> None:
    computed = {rule.id for rule in CONTENT.rules if rule.kind == "computed"}
    assert computed - cited_rules() == cases()["uncited"].keys()


# Each option in each of its readings, by what is otherwise


def wounded(value: str, hp: int) -> int:
    return allowance("Cole", Seat("foes", hp={"Cole": hp}, options={"wounded_at": value}).state).total


@pytest.mark.parametrize(
    ("value", "hp", "actions"),
    [
        ("half_or_less", 5, 1),
        ("half_or_less", 6, 2),
        ("three_or_less", 5, 2),
        ("three_or_less", 3, 1),
        ("off", 1, 2),
    ],
)
def test_wounded_at(value: str, hp: int, actions: int) -> None:
    """MO-GAP-4."""
    assert wounded(value, hp) == actions


@pytest.mark.parametrize(("value", "actions"), [("no", 2), ("yes", 1)])
def test_foes_wounded(value: str, actions: int) -> None:
    """MO-GAP-28."""
    assert allowance("Brute", Seat(hp={"Brute": 3}, options={"foes_wounded": value}).state).total == actions


@pytest.mark.parametrize("value", [1, 2])
def test_foe_actions(value: int) -> None:
    """MO-GAP-8."""
    seat = Seat("foes", options={"foe_actions": value})
    assert allowance("Brute", seat.state).total == value
    assert allowance("Cole", seat.state).total == 2


@pytest.mark.slow
@pytest.mark.parametrize(("value", "actions"), [("set_to_one", 1), ("subtract_one", 0)])
def test_reaction_cost(value: str, actions: int) -> None:
    """MO-GAP-14: of a Wounded PC."""
    seat = Seat("foes", hp={"Arlo": 3}, options={"reaction_cost": value})
    seat.say(attacks("Guard", "Arlo", ("Arlo", "defend")), 1, 1)
    assert allowance("Arlo", seat.state).total == actions


@pytest.mark.parametrize(
    ("value", "dice", "result"), [("two_checks", (12, 12, 1, 2), 4), ("three_dice", (12, 2, 1), 3)]
)
@pytest.mark.parametrize("edge", ["advantage", "disadvantage"])
def test_check_adv(value: str, dice: tuple[int, ...], result: int, edge: str) -> None:
    """MO-GAP-3: Cole's STR 10, so the TN is 10."""
    seat = Seat(options={"check_adv": value})
    said = AbilityCheck(by="Cole", ability="str", reason="the test", **{edge: True})
    record = seat.say(said, *dice)
    assert len(record.declared.faces or ()) == result
    assert next(fact.result for fact in record.facts if getattr(fact, "what", "") == "check") == (
        "success" if edge == "advantage" else "failure"
    )


@pytest.mark.parametrize("value", ["yes", "no"])
def test_thrown_leaves_hand(value: str) -> None:
    """MO-GAP-24: it is in the target's zone until it is picked up."""
    seat = Seat(at={"Arlo": "Yard"}, options={"thrown_leaves_hand": value})
    seat.say(attacks("Arlo", "Guard", weapon="dagger", thrown=True), 8)
    zone = seat.state.place("Arlo's dagger")
    assert (zone, seat.state.sheet("Arlo", "weapons")) == (
        ("Hall", "short sword") if value == "yes" else ("", "short sword, dagger")
    )
    up = Setting("arlo.weapons", "short sword, dagger")
    seat.say(Ruling(by=GM, text="he picks it up", reason="it is at his feet", changes=(up,)))
    assert seat.state.place("Arlo's dagger") == ""


@pytest.mark.parametrize(
    ("who", "more", "expected"),
    [
        ("Arlo", {"thrown": True}, "Damage 1d10 dagger"),  # the sword in front of it cannot be thrown
        ("Dara", {}, "Damage 2d12 hook"),  # the bow in front of it may not shoot so near
        ("Bex", {}, "Damage 2d12 rapier"),  # the first
    ],
)
def test_only_weapon_that_can_be_used_is_meant(who: str, more: dict[str, Any], expected: str) -> None:
    """MO-ATK-1: announced or not, with `go` as the weapon was when it was announced."""
    for said in (attacks(who, "Guard", **more), announcement(attacks(who, "Guard", **more))):
        seat = Seat(at={"Arlo": "Yard"}, hook="Dara", options={"ranged_same_zone": "forbid"})
        facts = seat.say(said).facts
        assert [fact.result for fact in facts if getattr(fact, "what", "") == "attack"] == [expected]


def test_weapon_is_not_chosen_where_none_can_be_used() -> None:
    assert Seat(at={"Arlo": "Yard"}).code(attacks("Arlo", "Guard")) == "RANGE"


@pytest.mark.parametrize(
    ("name", "values"), [(name, (default, *others)) for name, (default, others) in OPTIONS.items()]
)
def test_option_holds_from_its_entry_on(name: str, values: tuple[Any, ...]) -> None:
    """It is cited with its gap and its rules."""
    seat = Seat()
    for value in values[::-1]:
        record = seat.say(SetOption(by=GM, name=name, value=value, reason="the table"))
        assert seat.state.options[name] == value
        assert {TEXTS.options[name].gap, *TEXTS.options[name].rules} <= cited(record.facts)


def test_round_waits_for_a_living_foe_only() -> None:
    """MO-ROUND-6, MO-HP-2."""
    seat = Seat(present=("Cole", "Guard", "Slinger"))
    seat.say(attacks("Cole", "Slinger"), 9, 9, 9)
    seat.say(EndTurn(by="Cole"))
    seat.say(EndTurn(by="Guard"))
    assert seat.state.encounter
    assert (seat.state.encounter.round, seat.state.encounter.phase) == (3, "pc")


def test_cancelled_hit_is_recorded_beside_the_others() -> None:
    """MO-DEFEND-1."""
    seat = Seat("foes")
    (judged,) = hits(seat.say(attacks("Brute", "Arlo", ("Arlo", "defend")), 5, 6, 4))
    assert [(step.op, step.counted, step.now) for step in judged.sums[1].steps] == [
        ("+", True, 1),
        ("+", True, 2),
        ("+", False, 2),
        ("-", True, 1),
    ]
