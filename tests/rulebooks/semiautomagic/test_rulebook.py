"""The rulebook of Semiautomagic against its catalogue: rules, options, codes."""

from __future__ import annotations

import pytest

from ledger.facts import GM
from rulebooks.common.option_texts import Option
from rulebooks.common.options import SetOption
from rulebooks.semiautomagic.texts import TEXTS
from rulebooks.testing.seat import cited
from tests.rulebooks import chosen_readings
from tests.rulebooks.semiautomagic.seat import Seat, cases

CONTENT = TEXTS.content

# The catalogue's chapters in its order, and how many rules each has: 44 of the page, and 14 from outside it.
CHAPTERS = {
    **{"SUM": 1, "FLK": 3, "STN": 3, "COV": 5, "HIT": 6, "CON": 2, "LIT": 1, "INV": 3, "SPD": 3, "SUR": 3},
    **{"CAL": 4, "ITM": 6, "MNT": 4, "OUT": 14},
}
OPTIONS = {
    "attack_die": ("d6", "d10"),
    "min_toughness": ("meet", "exceed"),
    "toughness": ("meet", "exceed"),
    "cover_tie": ("hits_cover", "misses_both"),
    "durability_on_wound": ("off", "on"),
    "flat_footed": ("penalty", "no_defence"),
    "circumstance_stacks": ("on", "off"),
    "called_min_wound": ("as_written", "always"),
    "small_items": ("off", "on"),
    "dying_adds_wound": ("off", "on"),
    "hidden_needs_cover": ("off", "on"),
}
# "unknown or unable creature, turn, possibility, seconds, dice"
ORDER = """
UNKNOWN DEAD DYING NOT-TURN VALUE REASON STANCE NO-HIDING AWARE NOT-LOCATED LOCATION NO-NUMBERS DESTROYED JAMMED HAND
FLAT-FOOTED EVASION NOT-DUE NOT-MOUNTED MOUNTED HANDS NO-CONTROL NO-SECONDS DICE
"""


def test_every_rule_of_the_catalogue_is_there_in_order() -> None:
    every = [f"TT-{chapter}-{number}" for chapter, most in CHAPTERS.items() for number in range(1, most + 1)]
    assert [rule.id for rule in CONTENT.rules] == every
    assert len(every) == 44 + 14


def test_options_are_those_of_the_catalogue() -> None:
    assert {option.name: option.values for option in CONTENT.options} == OPTIONS


def test_errors_are_in_the_order_in_which_they_are_shown() -> None:
    assert [error.code.removeprefix("TT-E-") for error in CONTENT.errors] == ORDER.split()


@pytest.mark.parametrize("option", CONTENT.options, ids=lambda option: option.name)
def test_every_reading_of_an_option_has_a_case(option: Option) -> None:
    chosen = chosen_readings(cases())
    assert option.default == OPTIONS[option.name][0]
    assert {(option.name, value) for value in option.values[1:]} <= chosen
    assert not option.allows("any")


@pytest.mark.parametrize("option", CONTENT.options, ids=lambda option: option.name)
def test_option_cites_its_gap_with_its_rules(option: Option) -> None:
    seat = Seat(present=())
    for value in option.values[::-1]:
        record = seat.say(SetOption(by=GM, name=option.name, value=value, reason="the table"))
        assert seat.state.options[option.name] == value
        assert {option.gap, *option.rules} <= cited(record.facts)
