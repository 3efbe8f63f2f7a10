"""Test `why`: the recorded arithmetic of an entry, to the letter."""

from __future__ import annotations

import json
import re

import pytest

from tests.cli.conftest import CLOCK, Folder, numbered_facts, one_error


def test_why_prints_steps_rules_and_dice(demo):
    told = demo.run("why", "1.5")
    assert told.splitlines()[:23] == [
        "1.5 k sneak v5 e1",
        f"      by Kess at {CLOCK}, from a file, position 11",
        "",
        "1.5.4  destined effect of Kess: dusk",
        "  by DB-DEST-1, DB-ROLL-2, DB-DEST-9",
        "",
        "1.5.6  task of Kess: failure (4 against 9, 5 short), not final yet",
        "  difficulty                 5",
        "    trained in sneak     -1  4  DB-SKILL-1",
        "    Effort 1             -1  3  DB-EFFORT-1",
        "  cost                       0",
        "    Effort 1 from speed  +3  3  DB-EFFORT-2",
        "  target number              3",
        "    three for each step  *3  9  DB-DIFF-1",
        "  total",
        "    Dawn die                 1",
        "    Dusk die             +3  4  DB-ROLL-1",
        "  by DB-ROLL-1, DB-DIFF-1, DB-DEST-4, DB-MOD-1, DB-DIFF-2, DB-MOD-2",
        "",
        "dice",
        '  Dawn d12 1, Dusk d12 3: drawn from a fixed seed as "task Kess"',
        "",
        "other facts",
    ]
    assert re.search(r"  1\.5\.2  speed 14>11 \(Effort 1\) +DB-EFFORT-2, DB-EFFORT-3, DB-EFFORT-8, DB-COST-3\n", told)
    assert "rules (texts: campaign why 1.5 --rules)\n" in told
    assert re.search(r"\n  Skills +DB-SKILL-1\n", told)
    assert "Trained eases by 1 step." not in told


def test_why_prints_texts_of_rules_on_demand(demo):
    assert "\nrules\n" in (told := demo.run("why", "1.5", "--rules"))
    assert "  DB-SKILL-1   Trained eases by 1 step." in told


@pytest.mark.slow
def test_why_says_first_that_an_entry_was_amended(folder):
    folder.run("do", "k climb v4 /7.6")
    folder.run("do", "o climb v4 /7.6")
    folder.run("amend", "1.1", "v5", "--retcon", "--because", "miscounted")
    folder.run("amend", "--insert", "1.1", "# The lamp room", "--retcon", "--because", "forgotten")
    assert folder.run("why", "1.1").splitlines()[0] == '1.1 Kess "climb" v5 /7.6 (amended by 1.3, was: k climb v4 /7.6)'
    assert folder.run("why", "1.1@1").splitlines()[0] == "1.1@1 k climb v4 /7.6"
    assert folder.run("why", "1.2").splitlines()[0] == "1.2 o climb v4 /7.6 (decided again by 1.4)"
    assert folder.run("why", "1.1+1").splitlines()[0] == "1.1+1 # The lamp room (inserted by 1.4)"


def test_why_names_a_first_die_without_a_label(played_samples):
    told = Folder(played_samples["choir-of-glass"]).run("why", "1.22")
    assert "  total\n    d6         2\n    armor  -2  0  ML-ATK-1\n" in told


def test_why_names_only_counted_situations_as_taken_into_account(demo):
    ranged, melee = demo.run("why", "2.17"), demo.run("why", "2.21")
    assert "known situations, taken into account\n  Watchman 2 has moved: immediate [DB-MTGT-1]\n" in ranged
    assert "also known" not in ranged
    assert "also known\n  Orrin has moved: short [DB-MTGT-4]\n  Dovel has moved: immediate" in melee
    assert "taken into account" not in melee


@pytest.mark.slow
def test_why_names_the_entry_that_a_result_repeats(demo):
    assert "1.8.2  task of Kess: failure (4 against 9, 5 short)\n  unchanged since: campaign why 1.5\n" in demo.run(
        "why", "1.8"
    )
    whole = demo.run("why", "1.8.2")
    assert "    trained in sneak     -1  4  DB-SKILL-1\n" in whole
    assert 'drawn from a fixed seed in 1.5 as "task Kess"' not in whole  # thrown again since, in 1.8
    assert "typed in from the table in 1.19" in demo.run("why", "1.20")


def test_why_marks_typed_faces(demo):
    assert "Dawn d12 6, Dusk d12 6: typed in from the table" in demo.run("why", "1.16")


def test_why_shows_steps_left_out(folder):
    folder.run("do", 'k sneak v6 +a2"rope" +help=orrin')
    assert "(-1)" in folder.run("why", "1.1")
    assert "not counted" in folder.run("why", "1.1")


def test_why_names_chosen_readings(demo):
    chosen = "light_wound_cost per_use, by default per_level"
    assert chosen not in demo.run("why", "1.14")
    assert chosen not in demo.run("why", "1.15")  # this entry chose it; it holds for what comes after
    assert f"readings that the table chose\n  {chosen}\n" in demo.run("why", "1.16")


def test_why_lists_earlier_takes_with_their_correction(demo):
    assert "other takes\n  1.31@1  k hide v4 /5.5  (taken back by 1.32 (undo); campaign why 1.31@1)\n" in demo.run(
        "why", "1.31"
    )
    told = demo.run("why", "1.31@1").splitlines()
    assert told[0] == "1.31@1 k hide v4 /5.5"
    assert told[2] == "      does not count: taken back by 1.32 (undo)"
    assert told[-1].endswith("(it counts; campaign why 1.31@3)")


@pytest.mark.slow
def test_why_of_undone_entry_shows_its_last_take(folder):
    folder.run("do", "o climb v3 /7.6")
    folder.run("undo")
    assert folder.run("why", "1.1").splitlines()[0] == "1.1@1 o climb v3 /7.6"


def test_why_of_one_fact_prints_it_with_its_rules(demo):
    told = demo.run("why", "1.5.2").splitlines()
    rules = ["DB-EFFORT-2", "DB-EFFORT-3", "DB-EFFORT-8", "DB-COST-3"]
    assert told[3:5] == ["other facts", f"  1.5.2  speed 14>11 (Effort 1)  {', '.join(rules)}"]
    assert [line.split("  ")[-1].strip() for line in told[7:-1]] == [", ".join(rules[:3]), rules[3]]
    assert "said by Kess" in demo.run("why", "1.5.1")


def test_why_names_facts_without_words_by_number(demo):
    assert "(and recorded only: 1.8.3 condition-began, 1.8.4 window-closed)" in demo.run("why", "1.8")
    assert "condition-began: id failed Kess 1.5, who Kess" in demo.run("why", "1.8.3")


@pytest.mark.slow
def test_why_explains_every_entry_and_fact(rested, demo):
    for folder in (rested, demo):
        for entry, number, _ in numbered_facts(folder):
            if number == 1:
                folder.run("why", str(entry))
            assert json.loads(folder.run("why", f"{entry}.{number}", "--json"))["facts"][0]["number"] == number


def test_why_json_has_everything(demo):
    told = json.loads(demo.run("why", "1.31@1", "--json"))
    assert set(told) == {
        "entry", "take", "counts", "because", "position", "by", "holder", "door", "at", "line", "facts", "dice", "same",
        "rules", "revision",
        "options", "rulings", "known", "followed",
        "implies", "takes",
    }  # fmt: skip
    assert (told["entry"], told["take"], told["counts"]) == ("1.31", 1, False)
    assert [take["take"] for take in told["takes"]] == [3]
    assert told["facts"][0]["fact"]["fact"] == "declared"
    assert told["dice"][0]["roll"]["source"] == "table"
    assert {"id", "heading", "text"} == set(told["rules"][0])
    assert all(rule["text"] != "not in the installed book" for rule in told["rules"])


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ("1.99", "there is no entry 1.99. The entry before it is 1."),
        ("9.1", "there is no entry 9.1"),
        ("1.5.99", "1.5 has no fact 99. It has facts 1 to 7."),
        ("1.5.0", "1.5 has no fact 0"),
        ("1.5@2", "there is no take 1.5@2. There is: 1.5@1."),
        ("1.31@2", "There is: 1.31@1, 1.31@3."),
        ("kess", "'kess' is not an entry"),
        ("1.5@1.2@1", "is not an entry"),
        ("1.5.2.3", "is not an entry"),
    ],
)
def test_why_of_unknown_entry_names_the_known_ones(demo, asked, said):
    assert said in one_error(demo.invoke("why", asked), 2)


def test_why_accepts_take_before_or_after_the_fact(demo):
    assert demo.run("why", "1.31@1.2") == demo.run("why", "1.31.2@1")


@pytest.mark.parametrize("command", [["why", "1.1"], ["who", "doom"], ["rules"], ["show", "encounter"]])
def test_questions_without_ledger_say_how_to_name_one(tmp_path, command):
    assert "no ledger here or above" in one_error(Folder(tmp_path).invoke(*command), 3)


@pytest.mark.slow
def test_questions_write_nothing(fight_folder):
    before, files = fight_folder.bytes, sorted(fight_folder.path.rglob("*"))
    for command in (["why", "1.13"], ["who", "ash.health"], ["rules"], ["show", "encounter"], ["show", "doom"]):
        fight_folder.run(*command)
    assert (fight_folder.bytes, sorted(fight_folder.path.rglob("*"))) == (before, files)
