"""The rulebook of MARS against its catalogue: rules, options, codes."""

from __future__ import annotations

import pytest

from rulebooks.common.option_texts import Option
from rulebooks.mars.texts import TEXTS

CONTENT = TEXTS.content

# The catalogue's chapters in its order, and how many rules each has: 127, and 17 from other chapters of the game.
CHAPTERS = {
    **{"ENC": 5, "INIT": 5, "RND": 4, "CHAL": 3, "ACT": 6, "ATK": 10, "BLK": 7, "BRA": 1, "DRP": 1, "EVD": 4, "INT": 1},
    **{"MOV": 5, "PAR": 2, "RDY": 4, "RIS": 1, "COV": 3, "SKL": 2, "DMG": 9, "TYP": 3, "EFF": 3, "BLI": 2, "BUR": 4},
    **{"DEB": 1, "ENH": 1, "DYI": 5, "ENB": 2, "PRO": 2, "SIC": 5, "STU": 5, "UNC": 3, "CON": 3, "MAN": 7, "RES": 8},
    "OUT": 17,
}
SWITCHED_ON = ("on", "off")
SWITCHED_OFF = ("off", "on")
OPTIONS: dict[str, tuple[str, ...] | tuple[int, int, int]] = {
    "critical_margin": (7, 1, 40),
    "graze_margin": (7, 1, 40),
    "odd_roll_values": SWITCHED_OFF,
    "deflection": ("rolled", "passive"),
    "surprised_no_reactions": SWITCHED_OFF,
    "team_internal_order": ("free", "initiative"),
    "round_window": ("own_turn", "encounter_round"),
    "duration_anchor": ("turn_owner", "source"),
    "graze_damage": ("larger", "dr_then_half"),
    "graze_rounding": ("reduction_up", "result_up"),
    "blocked_graze": ("half_then_block", "larger"),
    "critical_ignores_block": SWITCHED_OFF,
    "block_minimum": (1, 0, 1),
    "typeless_vs_block": ("bypass", "reduced"),
    "ready_lasts": ("next_turn", "encounter"),
    "health_loss_conditions": SWITCHED_OFF,
    "stat_effect_scope": ("derived", "named_only"),
    "stun_bars_free_reactions": SWITCHED_ON,
    "maneuver_limit": ("each", "one_total"),
    "graze_no_duration": ("failure", "applies"),
    "own_turn_defence": SWITCHED_ON,
    "blocked_maneuver": ("on_hit", "applies"),
    "object_cover": ("while_near", "until_turn"),
    "permanent_changes_add": ("no", "yes"),
    "shots_count": ("each", "one"),
    "fatigue": SWITCHED_OFF,
    "injuries": SWITCHED_OFF,
    "medicine_stabilise": SWITCHED_OFF,
}
# Whether the thing itself is possible
POSSIBLE = (
    *("TEAMS", "ROLLED", "NO-TIE"),
    *("NOT-WIELDED", "NO-PARRY", "NO-SHIELD", "SHIELD-BROKEN", "NOT-FRONT", "STEP-NEEDS-REACTION"),
    *("CANNOT-MOVE", "TOO-FAR", "PRONE", "NOT-PRONE", "READY-SPEED", "READIED", "NOT-READIED", "NO-COVER"),
    *("NOT-LONG", "NO-LONG", "UNTRAINED", "SKILL", "UNKNOWN-MANEUVER", "NO-SLOT", "IMPROVISE"),
    *("EFFECT", "CONCENTRATION", "DYING", "NOT-UNCONSCIOUS", "REST-LENGTH", "NOT-RESTING", "TREATED"),
    *("VALUE", "REASON"),
)
# Who, when, whether it is possible, once-only limits, stamina, action points, dice
ORDER = (
    ("UNKNOWN", "DEAD", "UNCONSCIOUS"),
    ("NOT-TURN", "OWN-TURN", "ENCOUNTER", "NO-ENCOUNTER", "STUNNED"),
    POSSIBLE,
    ("REACTION-USED", "MANEUVER-USED", "REST-LIMIT"),
    ("NO-STAMINA",),
    ("NO-AP",),
    ("DICE",),
)


def test_every_rule_of_the_catalogue_is_there_in_order() -> None:
    every = [f"GR-{chapter}-{number}" for chapter, most in CHAPTERS.items() for number in range(1, most + 1)]
    assert [rule.id for rule in CONTENT.rules] == every
    assert len(every) == 127 + 17


def test_options_are_those_of_the_catalogue() -> None:
    domains = {option.name: option.values or (option.default, option.least, option.most) for option in CONTENT.options}
    assert domains == OPTIONS


@pytest.mark.parametrize("option", CONTENT.options, ids=lambda option: option.name)
def test_default_of_an_option_is_the_first_of_its_domain(option: Option) -> None:
    assert option.default == OPTIONS[option.name][0]
    assert option.allows(option.default)
    assert not option.allows("any")


def test_errors_are_in_the_catalogues_order() -> None:
    every = [code for codes in ORDER for code in codes]
    assert [error.code.removeprefix("GR-E-") for error in CONTENT.errors] == every


def test_rules_name_the_codes_that_cite_them() -> None:
    named = {(rule.id, code) for rule in CONTENT.rules for code in rule.codes}
    cited = {(rule, error.code) for error in CONTENT.errors for rule in error.rules}
    assert cited - named == {("GR-ENC-1", "GR-E-UNKNOWN"), ("GR-DYI-4", "GR-E-DEAD")}
    assert named - cited == set()
