"""rulebook.toml of Dusk Bastards, compared with itself, with the catalogue and with the code."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from ledger.errors import Unreadable
from rulebooks.common import texts
from rulebooks.dusk_bastards.declarations.parts import STATS
from rulebooks.dusk_bastards.texts import TEXTS
from tests.rulebooks.dusk_bastards.test_refusals import SENTENCES
from tests.rulebooks.dusk_bastards.test_situations import AIMS
from tests.rulebooks.dusk_bastards.test_turns import TURNS

CONTENT = TEXTS.content

# The catalogue's chapters in its order, and how many rules each has.
CHAPTERS = {
    **{"PLAY": 9, "ACT": 4, "STAT": 2, "DIFF": 4, "MOD": 6, "SKILL": 2, "ASSET": 2, "EFFORT": 8, "ROLL": 5},
    **{"DEST": 15, "RETRY": 5, "T20": 3, "COST": 5, "DIST": 3, "TIME": 3, "ENC": 12, "DUR": 3, "ACTN": 5, "MOVE": 5},
    **{"STD": 5, "BONUS": 1, "REACT": 8, "DMG": 7, "ARMOR": 5, "AMB": 1, "HAZ": 3, "ZERO": 4, "WOUND": 11, "REC": 6},
    **{"HEAL": 8, "SPEC": 7, "NPC": 2, "COVER": 2, "POS": 2, "SURP": 2, "RANGE": 3, "LIGHT": 4, "VIS": 5, "WATER": 3},
    **{"MTGT": 4, "AREA": 3},
}

# "If several errors apply, the first in this order is reported."
ORDER = """
VALUE DIE DIFFICULTY DEAD PENDING-WOUND ENC NOACT STUNNED PARALYSED PHASE SLOT REACTION TURN
INTERRUPT T20-COMBAT RETRY-TARGET RETRY-FORBIDDEN CHARGE MOVE-DISTANCE SPELL OBJECT REST-USED REST-COMBAT NO-ROLL
NO-WOUND HIDDEN COVER REACH UNDERWATER MAXRANGE DESTINY-WINDOW DESTINY-NONE DESTINY-USE POOL-FULL DOOM-NONE DOOM-USE
EFFORT-POOL EFFORT-SIX EFFORT-LIMIT RETRY-EFFORT POINTS SPLIT
"""

# The catalogue's toggles: default and other readings.
TOGGLES: dict[str, tuple[Any, tuple[Any, ...]]] = {
    "situational_ease_is_asset": ("off", ("on",)),
    "light_wound_cost": ("per_level", ("per_use",)),
    "points_change_target": ("on", ("off",)),
    "target_change_per_point": (3, (1, 12)),
    "destiny_on_wound_rolls": ("off", ("on",)),
    "combat_attacks_are_retries": ("off", ("on",)),
    "initiative_ties": ("pc_first", ("npc_first",)),
    "failed_dash_moves": ("yes", ("no",)),
    "charge_distance": ("short", ("immediate",)),
    "take_cover_costs": ("next_phase", ("this_round_if_unused",)),
    "stat_damage_target": ("health", ("pool",)),
    "ambient_ignores": ("physical", ("all",)),
    "hits_at_zero": ("nothing", ("wound",)),
    "wound_penalties_stack": ("no", ("yes",)),
    "moderate_hinders_defence": ("yes", ("no",)),
    "encounter_recovery": ("half_amount", ("up_to_half",)),
    "wound_healing_trigger": ("ten_hour_rest", ("rest_day",)),
    "healing_category": ("reached", ("kept", "rounded_down")),
    "stunned_can_react": ("no", ("yes",)),
    "very_dim_immediate": ("hindered", ("clear",)),
    "sight_penalties_stack": ("no", ("yes",)),
    "moving_base": (1, (0,)),
    "halves_round": ("up", ("down",)),
}


def test_catalogue_rules_are_listed_once_in_order() -> None:
    every = [f"DB-{chapter}-{number}" for chapter, most in CHAPTERS.items() for number in range(1, most + 1)]
    assert [rule.id for rule in CONTENT.rules] == every


def test_names_and_codes_are_unique() -> None:
    options, codes = [option.name for option in CONTENT.options], [error.code for error in CONTENT.errors]
    assert len(set(options)) == len(options)
    assert len(set(codes)) == len(codes)


def test_options_are_those_of_the_catalogue() -> None:
    assert {option.name for option in CONTENT.options} == TOGGLES.keys()


@pytest.mark.parametrize("option", CONTENT.options, ids=lambda option: option.name)
def test_option_has_the_readings_of_the_catalogue(option: texts.Option) -> None:
    default, others = TOGGLES[option.name]
    assert option.default == default
    for value in (default, *others):
        assert option.allows(value)
    if option.values:
        assert set(option.values) == {default, *others}
    else:
        assert not option.allows(min(others) - 1)
        assert not option.allows(max(*others, default) + 1)
    assert not option.allows("any")
    assert option.domain


def test_errors_follow_the_precedence_of_the_catalogue() -> None:
    assert [error.code.removeprefix("DB-E-") for error in CONTENT.errors] == ORDER.split()


def test_every_code_has_a_refusal_in_a_test() -> None:
    codes = {error.code.removeprefix("DB-E-") for error in CONTENT.errors}
    assert SENTENCES.keys() | TURNS.keys() | AIMS.keys() == codes


def test_words_and_short_names_are_unambiguous() -> None:
    words = [word for group in TEXTS.lexicon.words.values() for word in group]
    assert TEXTS.lexicon.words.keys() == set(STATS)
    assert len(set(words)) == len(words)
    assert len(set(TEXTS.lexicon.short.values())) == len(TEXTS.lexicon.short)


@pytest.mark.parametrize("wrong", ["name = ", 'name = "x"', 'name = "x"\nfuture = 1'])
def test_invalid_rulebook_error_names_the_file(tmp_path: Path, wrong: str) -> None:
    path = tmp_path / "rulebook.toml"
    path.write_text(wrong, encoding="utf-8")
    with pytest.raises(Unreadable, match=re.escape(str(path))):
        assert texts.Texts(str(tmp_path / "book.py")).content


def test_code_without_a_sentence_is_named() -> None:
    with pytest.raises(Unreadable, match="a refusal has the code DB-E-LUCK"):
        TEXTS.refusal("LUCK")


def test_rule_with_a_code_without_a_sentence_is_refused(tmp_path: Path) -> None:
    text = (TEXTS.folder / "rulebook.toml").read_text("utf-8")
    (tmp_path / "rulebook.toml").write_text(text.replace('code = "DB-E-DEAD"', 'code = "DB-E-LUCK"'), "utf-8")
    with pytest.raises(Unreadable, match="has the code DB-E-DEAD"):
        assert texts.Texts(str(tmp_path / "texts.py"), "DB-E-").content


# The book's sentences


@pytest.mark.parametrize(
    ("rule", "part"),
    [
        ("DB-ROLL-4", "what hinders everything the foe does works on both rolls"),
        ("DB-MOVE-3", "in round 1: at any time in this encounter"),
        ("DB-MOVE-3", "whoever does not use the ease in it loses it"),
        ("DB-REACT-4", "before any other declaration"),
        ("DB-SPEC-7", "(DB-DUR-1)"),
        ("DB-SPEC-7", "(DB-TIME-2)"),
        ("DB-SPEC-7", "(DB-TIME-3)"),
        ("DB-NPC-1", "Foes that are human"),
    ],
)
def test_sentence_has_a_value_for_every_field(rule: str, part: str) -> None:
    assert part in TEXTS.rules[rule].text


def test_hit_at_zero_needs_damage() -> None:
    """DB-ZERO-2, DB-GAP-42."""
    assert "net damage is 1 or more" in TEXTS.options["hits_at_zero"].text
