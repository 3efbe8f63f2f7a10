"""Test `rules`: the book by heading, one rule, a search."""

from __future__ import annotations

import json

import pytest

from tests.cli.conftest import Folder, one_error


def test_rules_prints_the_book_by_heading(demo):
    told = demo.run("rules").splitlines()
    assert told[0] == "How you play"
    assert told[1].startswith("  DB-PLAY-1    A player says what the character does")
    assert "Effort" in told
    assert all(line.startswith("  DB-") for line in told if line.startswith(" "))


@pytest.mark.slow
def test_rules_prints_one_rule_in_full_with_its_reading(demo):
    assert demo.run("rules", "db-effort-7").splitlines() == [
        "DB-EFFORT-7  Effort",
        "  With a light wound in force every paid level costs 1 more: 4, 7, 10, 13, 16, 19. Free levels still cost "
        "nothing, and initial, ability and spell costs do not rise.",
        "  from              Wounds; Effort",
        "  kind              computed",
        "  open in the text  DB-GAP-12",
        "  option            light_wound_cost = per_use, by default per_level (What does a light wound add to the cost "
        "of Effort? per_level: 1 point for every paid level. per_use: 1 point in all whenever any level is paid.)",
    ]
    assert "refused with" in demo.run("rules", "DB-PLAY-2")


@pytest.mark.parametrize(
    ("words", "ids"),
    [
        (["Range"], {"DB-RANGE-1", "DB-RANGE-2", "DB-RANGE-3"}),  # a heading, not the other that begins with it
        (["taking", "20"], {"DB-T20-1", "DB-T20-2", "DB-T20-3"}),
        (["stunned", "defends"], {"DB-SPEC-2"}),
        (["DB-GAP-12"], {"DB-EFFORT-7"}),
        (["light_wound_cost"], {"DB-EFFORT-7"}),
        (["DB-E-DIFFICULTY"], {"DB-PLAY-2"}),
    ],
)
def test_rules_finds_heading_code_gap_option_or_words(demo, words, ids):
    told = json.loads(demo.run("rules", "--json", *words))
    assert {rule["id"] for rule in told["rules"]} >= ids
    assert len(told["rules"]) <= 3 or words == ["taking", "20"]


def test_rules_search_shows_the_matching_sentence(demo):
    told = demo.run("rules", "stunned", "turn").splitlines()
    assert "  DB-SPEC-2  Stunned: the character loses their turn (DB-ZERO-3) but defends as always." in told
    assert "The Effects of taking Damage" in told


def test_rules_json_has_the_reading_in_force(demo):
    told = json.loads(demo.run("rules", "DB-EFFORT-7", "--json"))
    assert set(told) == {"game", "version", "rules"}
    (rule,) = told["rules"]
    assert set(rule) == {"id", "heading", "cite", "text", "kind", "gap", "codes", "options"}
    assert (rule["options"][0]["value"], rule["options"][0]["default"]) == ("per_use", "per_level")


def test_rules_of_a_named_game_need_no_ledger(tmp_path):
    nowhere = Folder(tmp_path)
    assert "light_wound_cost = per_level (" in nowhere.run("rules", "--game", "dusk-bastards", "DB-EFFORT-7")
    assert "--game dusk-bastards" in one_error(nowhere.invoke("rules"), 3)
    assert "monopoly" in one_error(nowhere.invoke("rules", "--game", "monopoly"), 2)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["efort"], "no rule contains 'efort'. The nearest: Effort"),
        (["DB-EFORT-7"], "The nearest: DB-EFFORT-7"),
        (["xqzw"], "See all headings: campaign rules."),
    ],
)
def test_rules_of_unknown_words_name_the_nearest(demo, words, said):
    assert said in one_error(demo.invoke("rules", *words), 2)


def test_rules_of_an_error_code_shows_its_text(demo):
    """The sentence of the error first, then the rules that it comes from."""
    told = demo.run("rules", "DB-E-VALUE").splitlines()
    assert told[0].startswith("DB-E-VALUE: {field} must be {domain}; got {value}")
    assert any("DB-PLAY-9" in line for line in told)
    told = demo.run("rules", "db-e-no-roll")
    assert told.startswith("DB-E-NO-ROLL: No roll is open\n  what to do  ")


@pytest.mark.slow
@pytest.mark.parametrize("name", ["DB-E-CHARGE", "DB-CHARGE-1", "db-charge"])
def test_code_of_a_refusal_leads_to_its_rule(folder, name):
    assert "DB-MOVE-3" in folder.run("rules", name)


def test_ruling_on_the_code_of_a_refusal_names_the_rule(folder):
    error = one_error(folder.invoke("do", '! ruling "no charge" "too wet" DB-CHARGE-1'), 1)
    assert error == (
        "L-RULING: DB-CHARGE-1 is not a rule of this book. The refusal of that name is by DB-MOVE-3: cite that."
    )
