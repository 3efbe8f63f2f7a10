"""The rulebook of Monolith against its catalogue: rules, options, codes."""

from __future__ import annotations

import pytest

from rulebooks.common.option_texts import Option
from rulebooks.monolith.texts import TEXTS
from tests.rulebooks import chosen_readings
from tests.rulebooks.monolith.seat import cases

CONTENT = TEXTS.content

# The catalogue's chapters in its order, and how many rules each has: 34 in all.
CHAPTERS = {
    **{"ROUND": 1, "ACT": 5, "TURN": 2, "SAVE": 2, "ATK": 3, "MOD": 2, "DUAL": 1, "GANG": 3, "DIR": 2, "CRIT": 4},
    **{"BODY": 1, "MOR": 5, "TAG": 3},
}
OPTIONS = {
    "save_auto": ("on", "off"),
    "body_save_score": ("reduced", "before"),
    "unarmed_enhanced": ("d12", "d4"),
    "both_modifiers": ("cancel", "impaired", "enhanced"),
    "modifier_dual": ("one_die", "each_die"),
    "gang_scope": ("round", "phase"),
    "blast_dice": ("per_target", "shared"),
    "morale_both": ("one", "two"),
    "morale_roll": ("group", "each"),
    "lone_last": ("no", "yes"),
    "half_counts_fled": ("no", "yes"),
}
# "When several apply: declared intents, target, able, order, action, weapon, area, dice; then Saves"; length of a move
# comes between order and action.
ORDER = "DECL TARGET OUT ORDER MOVE ACTION WEAPON AREA SCORE PC RULING DICE"


def test_every_rule_of_the_catalogue_is_there_in_order() -> None:
    every = [f"ML-{chapter}-{number}" for chapter, most in CHAPTERS.items() for number in range(1, most + 1)]
    assert [rule.id for rule in CONTENT.rules] == every
    assert len(every) == 34


def test_options_are_those_of_the_catalogue() -> None:
    assert {option.name: option.values for option in CONTENT.options} == OPTIONS


@pytest.mark.parametrize("option", CONTENT.options, ids=lambda option: option.name)
def test_every_reading_of_an_option_has_a_case(option: Option) -> None:
    chosen = chosen_readings(cases())
    assert option.default == OPTIONS[option.name][0]
    for value in option.values[1:]:
        assert (option.name, value) in chosen
    assert not option.allows("any")


def test_errors_are_in_the_catalogues_order() -> None:
    assert [error.code.removeprefix("ML-E-") for error in CONTENT.errors] == ORDER.split()
