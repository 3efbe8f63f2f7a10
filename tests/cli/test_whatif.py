"""`campaign whatif`: changes, inserts, drops, readings, and what follows from them."""

from __future__ import annotations

import json
import re

import pytest
from click.testing import CliRunner

from cli.main import campaign
from tests.cli.conftest import Folder, one_error
from tests.cli.disputes import BECAUSE, LAMP, WHATIF_KEYS, outcomes, unchanged, values


@pytest.mark.slow
@pytest.mark.parametrize(
    ("change", "line"),
    [
        (["v4"], 'k "sneak" v4 e1'),
        (["e2", "v7"], 'k "sneak" v7 e2'),
        (["no", "e1"], 'k "sneak" v5'),
        (["no", "effort"], 'k "sneak" v5'),
        (['+1"in cover"'], 'k "sneak" v5 +1"in cover" e1'),
        (["+1in cover"], 'k "sneak" v5 +1"in cover" e1'),  # as a shell hands it over
        (["-1ice", "on", "the slates"], None),
        (['-1"hail"'], 'k "sneak" v5 -1"hail" e1'),
        (["-1ice on the slates", "+a2a rope"], 'k "sneak" v5 +a2"a rope" -1"ice on the slates" e1'),
        (["/7.6"], 'k "sneak" v5 e1 /7.6'),
        (["k", "sneak", "v6"], "k sneak v6"),
        (["o climb v3"], "o climb v3"),
        (["# nothing of the kind"], "# nothing of the kind"),
        (["= k M9"], "= k M9"),
        (['! damage kess 2 "a slate"'], '! damage kess 2 "a slate"'),
        (["banana"], None),
        (["no", "rope"], None),
        (["no"], None),
        (["+1"], 'k "sneak" v5 +1 e1'),
    ],
)
def test_change_is_tokens_or_a_whole_line(demo, change, line):
    done = demo.invoke("whatif", "1.5", *change)
    if line is None:
        assert one_error(done, 2).startswith("column ")
    else:
        assert done.exit_code == 0, done.output
        _, amended, was, *_ = done.stdout.splitlines()
        said = amended.removeprefix("1.5   amended: ").replace("Kess ", "k ", 1)
        assert (said, was) == (line, "      it was: k sneak v5 e1")


@pytest.mark.slow
@pytest.mark.parametrize(
    "change", [["no", "rope"], ["no", "knotted rope"], ['no "knotted rope"'], ["no", '+a1"knotted rope"']]
)
def test_no_names_an_item_by_word_text_or_token(demo, change):
    assert 'Orrin "climb" v4 +help:Kess\n' in demo.run("whatif", "1.10", *change)


def test_no_of_an_unknown_item_lists_the_known_ones(demo):
    assert unchanged(demo, "whatif", "1.10", "no", "banana", code=2).endswith(
        "'banana' is not in that entry. There is: knotted rope, Kess, task, difficulty, assets, helpers."
    )
    assert "Did you mean 'knotted rope'?" in unchanged(demo, "whatif", "1.10", "no", "knotted-ropes", code=2)


@pytest.mark.slow
def test_text_and_claims_are_replaced_by_whole_lines_only(demo):
    for entry in ("1.4", "1.7", "1.38"):
        assert "only a whole line can replace this one" in unchanged(demo, "whatif", entry, "v4", code=2)
        assert outcomes(demo.run("whatif", entry, "> Another evening.")) == {entry: "amended"}
        assert outcomes(demo.run("whatif", entry, "= k M8")) == {entry: "amended"}
        assert "rolls no dice" in unchanged(demo, "whatif", "--faces", entry, "/7.6", code=2)
        assert outcomes(demo.run("whatif", "--drop", entry)) == {entry: "removed"}


@pytest.mark.slow
def test_same_line_changes_nothing(demo):
    before = demo.bytes
    result = json.loads(demo.run("whatif", "1.5", "v5", "--json"))
    assert [entry["outcome"] for entry in result["entries"][:2]] == ["amended", "unchanged"]
    assert {entry["outcome"] for entry in result["entries"][1:]} == {"unchanged"}
    assert result["values"] == []
    assert demo.bytes == before


@pytest.mark.slow
def test_every_later_entry_gets_an_outcome(demo):
    printed = demo.run("whatif", *LAMP)
    assert outcomes(printed) == {
        "2.39": "removed",
        "2.40": "no longer possible",
        "2.41+1": "changed",
        "2.54": "changed",
        "2.54+1": "new turn",
        "2.54+2": "new turn",
        "2.60": "changed",
        "2.64": "changed",
        "3.5": "changed",
        "3.14": "changed",
        "3.15": "changed",
        "3.20": "changed",
        "3.21": "no longer possible",
        "3.30": "changed",
        "3.37": "changed",
    }
    assert printed.startswith(
        "would change: Tamsin's moderate wound never happens; Tamsin destiny ends at 2 instead of 3. "
        "10 later entries change, 2 fall away, 2 turns open, 61 stay as they are.\n"
    )
    assert "3.37 claims Tamsin destiny 3, the ledger would say 2\n" in printed
    assert printed.endswith("at the end      on record  instead\nTamsin destiny  3          2\n")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["1.5", "v5"], "would change no value: all end the same. No later entry changes, 159 stay as they are."),
        (["1.5", "+1"], "would change no value: all end the same. 2 later entries change, 157 stay as they are."),
        (
            ["1.5", "v6"],
            "would change: Kess's sneak: failure, not success. 3 later",
        ),
        (
            ["--option", "encounter_recovery=up_to_half"],
            "would change no value: all end the same. 5 later entries change",
        ),
        (
            ["2.44", "no", "e2"],
            "would change: Kess's attack: failure, not success; Dovel's winded wound never happens; ",
        ),
    ],
)
def test_whatif_says_first_what_it_comes_to(demo, words, says):
    assert demo.run("whatif", *words).startswith(says)


@pytest.mark.slow
def test_whatif_tells_ties_and_conditions_in_words(played_samples):
    powder = Folder(played_samples["powder-tithe"])
    drawn = powder.run("log", "--oneline").splitlines()
    entry = next(line.split()[0] for line in drawn if 'draw "boot knife"' in line)
    printed = powder.run("whatif", "--drop", entry)
    assert (
        "would change: at the end Ise carries the boot knife; at the end Ise no longer holds the boot knife" in printed
    )
    entry = next(line.split()[0] for line in drawn if "Orsk fortitude" in line)
    assert "Orsk holds the slow match in the second hand" in powder.run("whatif", "--drop", entry)


@pytest.mark.slow
def test_whatif_prints_no_internal_names(demo):
    for words in (["2.17", "+1"], ["--drop", "2.21"], ["--drop", "2.31"]):
        printed = demo.run("whatif", *words)
        assert not [name for name in ("judged", "data", "tamsin.", "dovel.", "watchman-", "melee") if name in printed]


@pytest.mark.slow
def test_whatif_shows_the_lines_that_differ(demo):
    printed = demo.run("whatif", "2.17", '+1"in cover"')
    assert (
        "2.18+1 changed: Tamsin pass\n"
        "      was: Tamsin's attack: success is final (21 against 9)\n"
        "      now: Tamsin's attack: success is final (21 against 6)\n"
    ) in printed


@pytest.mark.slow
def test_whatif_json(demo):
    result = json.loads(demo.run("whatif", *LAMP, "--json"))
    assert set(result) == WHATIF_KEYS
    assert result["position"] == 172
    entry = {"entry", "outcome", "by", "line", "before", "after", "difference", "refusal", "keep"}
    assert {frozenset(each) for each in result["entries"]} == {frozenset(entry)}
    by_id = {each["entry"]: each for each in result["entries"]}
    assert (by_id["2.39"]["line"], by_id["2.39"]["after"]) == ("", [])
    assert by_id["2.40"]["refusal"] == "DB-E-NO-WOUND: No wound roll is due for Tamsin"
    assert by_id["2.40"]["after"][1]["fact"] == "invalidated"
    assert set(by_id["2.41+1"]["difference"]) == {"entry", "fact", "kind", "field", "recorded", "derived", "rules"}
    assert (by_id["2.54+1"]["by"], by_id["2.54+1"]["before"]) == ("Tamsin", [])
    assert result["values"] == [{"value": "tamsin.destiny", "before": 3, "after": 2}]
    assert (result["need"], result["rule_difference"]) == (None, None)


@pytest.mark.slow
def test_several_edits_at_once(demo):
    printed = demo.run(
        "whatif", "2.44", "no", "e2", "--drop", "2.36", "--insert", "2.37", "# a remark", "--drop", "2.41"
    )
    edited = {entry: name for entry, name in outcomes(printed).items() if name in ("amended", "removed", "inserted")}
    assert edited == {
        "2.36": "removed", "2.37+1": "inserted", "2.41": "removed", "2.44": "amended",
    }  # fmt: skip


@pytest.mark.slow
def test_inserted_lines_keep_the_order_of_their_options(demo):
    printed = demo.run("whatif", "--insert", "1.4", "# one", "--insert", "1.4", "# two", "--insert", "1.3", "# none")
    assert "1.3+1 inserted: # none\n1.4+1 inserted: # one\n1.4+2 inserted: # two\n" in printed


@pytest.mark.slow
def test_replay_option_equals_whatif_option_in_one_session(demo):
    done = demo.invoke("replay", "2", "--option", "encounter_recovery=up_to_half")
    assert done.exit_code == 1
    assert outcomes(done.stdout) == {"2.60": "changed", "2.63": "changed", "2.64": "changed"}
    assert "option encounter recovery  by default  up_to_half\n" in done.stdout
    result = json.loads(demo.invoke("replay", "2", "--option", "encounter_recovery=up_to_half", "--json").stdout)
    assert {each["entry"].split(".")[0] for each in result["entries"]} == {"2"}
    whole = json.loads(demo.run("whatif", "--session", "2", "--option", "encounter_recovery=up_to_half", "--json"))
    assert whole["entries"][: len(result["entries"])] == result["entries"]
    assert demo.invoke("replay", "2", "--option", "target_change_per_point=1").exit_code == 0


@pytest.mark.slow
def test_change_and_reading_at_once(demo):
    printed = demo.run("whatif", "2.36", "no reroll", "regain:might", "--option", "encounter_recovery=up_to_half")
    assert {"2.36": "amended", "2.60": "changed"}.items() <= outcomes(printed).items()


@pytest.mark.slow
def test_whatif_and_amend_before_the_first_session(closed, tmp_path):
    assert "there is no entry 1.1. The entry before it is 0.2." in unchanged(closed, "whatif", "1.1", "v4", code=2)
    assert outcomes(closed.run("whatif", "--drop", "0.1")) == {"0.1": "removed", "0.2": "changed"}
    assert unchanged(closed, "amend", "--drop", "0.0", *BECAUSE, code=1).startswith("L-AMEND: entry 0.0 cannot")
    assert closed.run("rulings") == "no ruling is in force\n"
    assert closed.run("rulings", "--all") == "no ruling was made\n"
    assert json.loads(closed.run("rulings", "--json")) == []
    assert outcomes(closed.run("amend", "--drop", "0.2", *BECAUSE, "--retcon")) == {"0.2": "removed"}
    assert "orrin.might" not in values(closed)
    nowhere = Folder(tmp_path / "nowhere")
    nowhere.path.mkdir()
    for command in (["whatif", "1.1", "v4"], ["amend", "1.1", "v4", *BECAUSE], ["undo"], ["rulings"], ["replay"]):
        assert "there is no ledger here or above" in one_error(nowhere.invoke(*command), 3)
    assert list(nowhere.path.iterdir()) == []


def test_help_shows_each_way_to_write_a_change():
    for name in ("whatif", "amend", "undo", "rulings"):
        text = CliRunner().invoke(campaign, [name, "--help"]).stdout
        assert "Example" in text
        assert CliRunner().invoke(campaign, [name, "-h"]).stdout == text


@pytest.mark.slow
def test_preview_has_no_row_whose_sides_read_the_same(night):
    """An encounter without a turn has an empty phase, and none at all has no phase: both print as none."""
    night.run("do", '! encounter "the lamp room" kess dovel')
    night.run("undo")
    _, rows = night.run("do", "redo").split("at the end")
    table = [re.split(r"  +", row) for row in rows.splitlines() if re.match(r"[a-z]+  ", row)]
    assert ["round", "none", "0"] in table
    assert [row for row in table if row[1:2] == row[2:3]] == []


@pytest.mark.slow
def test_condition_without_words_is_no_difference(folder):
    """The game notes that an attempt has failed, so that a retry costs Effort; nobody reads of it."""
    folder.run("do", "k climb v5 /1.2")
    folder.run("do", "close")
    told = folder.run("whatif", "1.1", "v1").splitlines()[0]
    assert told.startswith("would change: Kess's climb: success, not failure. ")
