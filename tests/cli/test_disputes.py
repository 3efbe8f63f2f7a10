"""`whatif`, `amend`, `undo`, `rulings`, `replay --option` and lines with `~`: every flag, refusals, damaged input."""

from __future__ import annotations

import json
import os
import pty
import re
import subprocess
from pathlib import Path

import pytest
from click.testing import CliRunner

from cli.main import campaign
from tests.cli.conftest import PROGRAM, Folder, copied, environment, one_error
from tests.golden import played

OPENED = ("open", "The Tide Returns", "--seed", "gutter saints 4")
LAMP = ("--drop", "2.39")
BECAUSE = ("--because", "the wall")
FORESIGHT = {"position", "entries", "values", "need", "otherwise"}
SETTLED = FORESIGHT | {"age", "outcome", "left", "written"}
RECORD = {"v", "position", "session", "number", "insert", "take", "cause", "request", "by", "at", "seen", "facts"}


@pytest.fixture(scope="session")
def told(tmp_path_factory: pytest.TempPathFactory) -> Folder:
    """The sample campaign, between its sessions. Do not write to it."""
    folder = Folder(tmp_path_factory.mktemp("told") / "gutter-saints")
    played("gutter-saints", folder.path)
    return folder


@pytest.fixture
def saints(told: Folder, tmp_path: Path) -> Folder:
    """The sample campaign, of one's own."""
    return copied(told, tmp_path)


@pytest.fixture(scope="session")
def begun_again(told: Folder, tmp_path_factory: pytest.TempPathFactory) -> Folder:
    """The same with session 4 open after a few lines. Do not write to it."""
    folder = copied(told, tmp_path_factory.mktemp("again"))
    folder.fine(*OPENED)
    for line in ("k sneak v5", "# a scene", "= k M9", "t read v2", "o climb v4 /7.6", "close"):
        folder.fine("do", line)
    return folder


@pytest.fixture
def night(begun_again: Folder, tmp_path: Path) -> Folder:
    """The same, of one's own."""
    return copied(begun_again, tmp_path)


def unchanged(folder: Folder, *command: str, code: int) -> str:
    """The error of a command that writes nothing."""
    before = folder.bytes
    error = one_error(folder.say(*command), code)
    assert folder.bytes == before
    return error


def fates(printed: str) -> dict[str, str]:
    """The fate of each entry that is told."""
    found = re.finditer(r"^(\d+\.\d+(?:\+\d+)?) +([a-z][a-z ]+): ", printed, re.MULTILINE)
    return {match[1]: match[2] for match in found}


def values(folder: Folder, *more: str) -> dict[str, object]:
    """All values."""
    found: dict[str, object] = json.loads(folder.fine("show", "--json", *more))["values"]
    return found


# What a change may be


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
def test_a_change_is_tokens_or_a_whole_line(told, change, line):
    done = told.say("whatif", "1.5", *change)
    if line is None:
        assert one_error(done, 2).startswith("column ")
    else:
        assert done.exit_code == 0, done.output
        said = done.stdout.splitlines()[0].removeprefix("1.5   amended: ").replace("Kess ", "k ", 1)
        assert (said, done.stdout.splitlines()[1]) == (line, "      it was: k sneak v5 e1")


@pytest.mark.parametrize(
    "change", [["no", "rope"], ["no", "knotted rope"], ['no "knotted rope"'], ["no", '+a1"knotted rope"']]
)
def test_what_is_taken_away_is_named_by_a_word_by_all_of_it_or_as_it_was_said(told, change):
    assert 'Orrin "climb" v4 +help:Kess\n' in told.fine("whatif", "1.10", *change)


def test_what_was_not_said_is_not_taken_away_and_what_was_said_is_named(told):
    assert unchanged(told, "whatif", "1.10", "no", "banana", code=2).endswith(
        "'banana' was not said there. There is: knotted rope, Kess, task, difficulty, assets, helpers."
    )
    assert "Did you mean 'knotted rope'?" in unchanged(told, "whatif", "1.10", "no", "knotted-ropes", code=2)


def test_text_and_claims_are_changed_as_whole_lines_only(told):
    for entry in ("1.4", "1.7", "1.38"):
        assert "only a whole line can replace this one" in unchanged(told, "whatif", entry, "v4", code=2)
        assert fates(told.fine("whatif", entry, "> Another evening.")) == {entry: "amended"}
        assert fates(told.fine("whatif", entry, "= k M8")) == {entry: "amended"}
        assert "throws no dice" in unchanged(told, "whatif", "--faces", entry, "/7.6", code=2)
        assert fates(told.fine("whatif", "--drop", entry)) == {entry: "left out"}


# What would be


def test_a_change_of_nothing_is_nothing_and_whatif_writes_nothing(told):
    before = told.bytes
    sight = json.loads(told.fine("whatif", "1.5", "v5", "--json"))
    assert [entry["fate"] for entry in sight["entries"][:2]] == ["amended", "unchanged"]
    assert {entry["fate"] for entry in sight["entries"][1:]} == {"unchanged"}
    assert sight["values"] == []
    assert told.bytes == before


def test_a_cascade_over_sessions_sorts_every_later_entry(told):
    printed = told.fine("whatif", *LAMP)
    assert fates(printed) == {
        "2.39": "left out",
        "2.40": "no longer possible",
        "2.42": "changed",
        "2.54": "changed",
        "2.54+1": "newly open",
        "2.54+2": "newly open",
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
    assert "1 left out, 2 no longer possible, 55 unchanged, 10 changed, 2 newly open, 1 carried\n" in printed
    assert "3.37 claims tamsin.destiny 3, the ledger would say 2\n" in printed
    assert printed.endswith("at the end      on record  instead\ntamsin.destiny  3          2\n")


def test_whatif_as_json(told):
    sight = json.loads(told.fine("whatif", *LAMP, "--json"))
    assert set(sight) == FORESIGHT
    assert sight["position"] == 161
    entry = {"entry", "fate", "by", "line", "before", "after", "difference", "refusal"}
    assert {frozenset(found) for found in sight["entries"]} == {frozenset(entry)}
    by_id = {found["entry"]: found for found in sight["entries"]}
    assert (by_id["2.39"]["line"], by_id["2.39"]["after"]) == ("", [])
    assert by_id["2.40"]["refusal"] == "DB-E-NO-WOUND: No wound roll is due for Tamsin"
    assert by_id["2.40"]["after"][1]["fact"] == "invalidated"
    assert set(by_id["2.42"]["difference"]) == {"entry", "fact", "kind", "field", "recorded", "derived", "rules"}
    assert (by_id["2.54+1"]["by"], by_id["2.54+1"]["before"]) == ("Tamsin", [])
    assert sight["values"] == [{"value": "tamsin.destiny", "before": 3, "after": 2}]
    assert (sight["need"], sight["otherwise"]) == (None, None)


def test_several_edits_at_once(told):
    printed = told.fine(
        "whatif", "2.44", "no", "e2", "--drop", "2.36", "--insert", "2.37", "# a remark", "--drop", "2.41"
    )
    assert {entry: fate for entry, fate in fates(printed).items() if fate in ("amended", "left out", "put in")} == {
        "2.36": "left out", "2.37+1": "put in", "2.41": "left out", "2.44": "amended",
    }  # fmt: skip


def test_several_lines_put_in_behind_one_entry_stand_in_the_order_in_which_they_are_said(told):
    printed = told.fine("whatif", "--insert", "1.4", "# one", "--insert", "1.4", "# two", "--insert", "1.3", "# none")
    assert "1.3+1 put in: # none\n1.4+1 put in: # one\n1.4+2 put in: # two\n" in printed


def test_replay_under_another_reading_is_whatif_for_one_evening(told):
    done = told.say("replay", "2", "--option", "encounter_recovery=up_to_half")
    assert done.exit_code == 1
    assert fates(done.stdout) == {"2.60": "changed", "2.63": "changed", "2.64": "changed"}
    assert "option.encounter_recovery  by default  up_to_half\n" in done.stdout
    sight = json.loads(told.say("replay", "2", "--option", "encounter_recovery=up_to_half", "--json").stdout)
    assert {found["entry"].split(".")[0] for found in sight["entries"]} == {"2"}
    whole = json.loads(told.fine("whatif", "--session", "2", "--option", "encounter_recovery=up_to_half", "--json"))
    assert whole["entries"][: len(sight["entries"])] == sight["entries"]
    assert told.say("replay", "2", "--option", "target_change_per_point=1").exit_code == 0


def test_a_change_and_a_reading_at_once(told):
    printed = told.fine("whatif", "2.36", "no reroll", "regain:might", "--option", "encounter_recovery=up_to_half")
    assert {"2.36": "amended", "2.60": "changed"}.items() <= fates(printed).items()


# Wrong usage, and what is not there


@pytest.mark.parametrize(
    ("command", "says"),
    [
        (["whatif"], "Nothing is changed. Give ENTRY CHANGE, --drop, --insert or --option."),
        (["whatif", "1.5"], "nothing is changed. Write what is different, as in: 1.5 v4. --drop, --insert and"),
        (["whatif", "1.5", ""], "nothing is changed"),
        (["whatif", "", "v4"], "'' is not an entry id. Write it as 3.42"),
        (["whatif", "99999999.1", "v4"], "'99999999.1' is not an entry id"),
        (["whatif", "1.4.5", "v4"], "'1.4.5' is not an entry id"),
        (["whatif", "1.4@2", "v4"], "'1.4@2' is not an entry id"),
        (["whatif", "٣.٥", "v4"], "is not an entry id"),
        (["whatif", "1.5+99999", "v4"], "is not an entry id"),
        (["whatif", "1.999999", "v4"], "there is no entry 1.999999. The entry before it is 1.45."),
        (["whatif", "1.5+1", "v4"], "there is no entry 1.5+1. The entry before it is 1.5."),
        (["whatif", "9.1", "v4"], "there is no entry 9.1. The entry before it is 3.39."),
        (["whatif", "1.5\x1b[31m", "v4"], "'1.5\\x1b[31m' is not an entry id"),
        (["whatif", "1.5", "v4\x1b[31m"], "column 3: '\\x1b' is an invisible or control character"),
        (["whatif", "1.5", "v4\x00"], "column 3: '\\x00'"),
        (["whatif", "1.5", "x" * 100_000], "column 2001: 100000 characters are too many"),
        (["whatif", "1.5", "v" + "9" * 1000], "is not a whole number"),
        (["whatif", "1.5", "/" + "1." * 50_000 + "1"], "characters are too many"),
        (["whatif", "1.5", '+1"in cover'], "a quotation mark is not closed"),
        (["whatif", "1.5", "/7.6", "/7.6"], "faces are given twice"),
        (["whatif", "1.5", "/seven"], "'/seven' are no faces. Write them as in /7.6."),
        (["whatif", "1.5", "v4", "--drop", "1.5"], "entry 1.5 is changed twice. Put the whole change into one."),
        (["whatif", "--drop", "1.5", "--drop", "1.5"], "entry 1.5 is changed twice"),
        (["whatif", "--drop", "9.9"], "there is no entry 9.9"),
        (["whatif", "--drop", "x"], "'x' is not an entry id"),
        (["whatif", "--banana"], "No such option '--banana'."),
        (["whatif", "1.5", "v4", "--dorp=1.6"], "No such option '--dorp'."),
        (["whatif", "--faces", "1.5", ""], "are no faces"),
        (["whatif", "--faces", "1.5", "k sneak"], "are no faces"),
        (["whatif", "--faces", "9.5", "/7.6"], "there is no entry 9.5"),
        (["whatif", "--insert", "1.5", ""], "--insert: the inserted line is empty. Write a line."),
        (["whatif", "--insert", "1.5", "; a comment"], "--insert: the inserted line is empty"),
        (["whatif", "--insert", "1.5", "banana split"], "'banana' is nobody in play"),
        (["whatif", "--insert", "1.5", "k sneak v"], "column "),
        (["whatif", "--insert", "1.5", "~ 1 v4"], "'~' is nobody in play"),
        (["whatif", "--insert", "1.5", "undo"], "'undo' is a line of its own"),
        (["whatif", "--insert", "1.99", "# x"], "there is no entry 1.99"),
        (["whatif", "--insert", "0.0", "k sneak v4"], "'k' is nobody in play. There is none yet."),
        (["whatif", "--option", "banana=1"], "'banana' is no option of this book. There is: situational_ease_is_asset"),
        (["whatif", "--option", "light_wound_costs=per_use"], "The nearest: light_wound_cost"),
        (["whatif", "--option", "light_wound_cost"], "'' is no reading of light_wound_cost. There is: per_level"),
        (["whatif", "--option", "target_change_per_point=13"], "'13' is no reading of target_change_per_point"),
        (["whatif", "--option", "x" * 100_000], "--option: 100000 characters are too many"),
        (["whatif", "--option", "\x1b[31m=1"], "--option: '\\x1b'"),
        (["whatif", "--session", "2"], "--session goes with --option."),
        (["whatif", "--session", "9", "--option", "light_wound_cost=per_use"], "--session: there is no session 9"),
        (["amend", "1.5", "v4"], "Missing option '--because'."),
        (["amend", "1.5", "v4", "--because", " "], "--because is empty. Say why it is corrected."),
        (["amend", "1.5", "v4", "--because", "\x1b[31m"], "--because: '\\x1b'"),
        (["amend", "1.5", "v4", "--because", "x" * 100_000], "--because: 100000 characters are too many"),
        (["amend", "1.5", "v4", *BECAUSE, "--by", "\x07"], "--by: '\\x07'"),
        (["amend", "1.5", "v4", *BECAUSE, "--agreed", "Ana,\x07"], "agreed: '\\x07'"),
        (["amend", "1.5", "v4", *BECAUSE, "--retcon", "--stand"], "Choose one outcome: --retcon or"),
        (["amend", *BECAUSE], "Nothing is corrected. Give ENTRY CHANGE, --drop or --insert."),
        (["undo", "x"], "'x' is not an entry id"),
        (["undo", ""], "'' is not an entry id"),
        (["undo", "1.4@1"], "'1.4@1' is not an entry id"),
        (["undo", "--because", "\x1b"], "--because: '\\x1b'"),
        (["replay", "9"], "there is no session 9. Leave it out to replay all."),
        (["replay", "1", "--session", "1"], "Name the session once."),
        (["replay", "--option", "banana=1"], "'banana' is no option of this book"),
        (["rulings", "--at", "x"], "'x' is not an entry id"),
        (["rulings", "--as-of", "999999"], "the ledger ends at position 161."),
    ],
    ids=lambda part: " ".join(part)[:50] if isinstance(part, list) else "",
)  # fmt: skip
def test_what_cannot_be_read_or_is_not_there_is_wrong_usage(told, command, says):
    assert says in unchanged(told, *command, code=2)


@pytest.mark.parametrize(
    ("command", "says"),
    [
        (["whatif", "1.5", "v13"], "DB-E-DIFFICULTY: entry 1.5: Difficulty must be"),
        (["whatif", "1.5", "/13.1"], "DB-E-DIE: entry 1.5: A die must show 1 to 12"),
        (["whatif", "1.5", "/7"], "DB-E-DIE: entry 1.5: "),
        (["whatif", "--faces", "1.5", "/7.6.5"], "DB-E-DIE: entry 1.5: "),
        (["whatif", "--faces", "1.16", "/0.1"], "DB-E-DIE: entry 1.16: "),
        (["whatif", "--insert", "1.5", "k destiny reroll"], "DB-E-DESTINY-NONE: entry 1.5+1: "),
        (
            ["whatif", "--drop", "0.0"],
            "L-AMEND: entry 0.0 cannot be amended. Openings, closings and words for the dice",
        ),
        (["whatif", "--drop", "1.0"], "L-AMEND: entry 1.0 cannot be amended"),
        (["whatif", "--drop", "1.1"], "L-AMEND: entry 1.1 cannot be amended"),
        (["whatif", "--drop", "1.42"], "L-AMEND: entry 1.42 cannot be amended"),
        (["whatif", "1.1", 'Ana words "tin drum"'], "L-AMEND: entry 1.1 cannot be amended"),
        (["whatif", "1.5", 'Ana words "tin drum"'], "L-AMEND: this cannot be said at 1.5 any more"),
        (["whatif", "--insert", "1.0", 'Ana words "tin drum"'], "L-AMEND: this cannot be said at 1.0+1 any more"),
        (["whatif", "--drop", "1.32"], "L-AMEND: entry 1.32 is a correction itself. Take it back: campaign undo 1.32."),
        (["amend", "--drop", "1.42", *BECAUSE, "--retcon"], "L-AMEND: entry 1.42 cannot be amended"),
        (["amend", "--drop", "1.32", *BECAUSE], "L-AMEND: entry 1.32 is a correction itself"),
        (
            ["undo", "1.5"],
            "L-UNDO: entry 1.5 corrects nothing. Only the last line is taken back so; else: campaign amend",
        ),
        (["undo", "9.9"], "L-UNDO: there is no entry 9.9. Look at the log"),
        (["undo", "1.32"], "L-UNDO: entry 1.31 has been said anew since"),
        (["undo"], "L-UNDO: there is no line to take back. Openings and closings of a session stay."),
    ],
    ids=lambda part: " ".join(part)[:50] if isinstance(part, list) else "",
)
def test_what_the_rules_do_not_allow_is_refused_and_writes_nothing(told, command, says):
    assert unchanged(told, *command, code=1).startswith(says)


def test_sheets_of_session_0_can_be_left_out_or_stand_but_are_no_lines(told):
    assert "only a whole line" in unchanged(told, "whatif", "0.1", "might=10", code=2)
    printed = told.fine("whatif", "--drop", "0.3")  # the strongbox
    assert fates(printed)["0.3"] == "left out"
    assert "strongbox.state       1          none\n" in printed
    told_so = json.loads(told.fine("whatif", "--drop", "0.1", "--json"))  # without Kess hardly anything is possible
    assert sum(entry["fate"] == "no longer possible" for entry in told_so["entries"]) > 40


# Amending


def test_a_retcon_is_written_as_it_was_foreseen(saints):
    saints.fine(*OPENED)
    sight = json.loads(saints.fine("whatif", *LAMP, "--json"))
    done = json.loads(saints.fine("amend", *LAMP, *BECAUSE, "--agreed", "Ana,Bo", "--retcon", "--pass", "--json"))
    assert set(done) == SETTLED
    assert {name: done[name] for name in FORESIGHT} == sight
    assert (done["outcome"], done["age"], done["left"]) == ("retcon", "earlier_session", [])
    own, *takes = done["written"]
    assert {frozenset(record) for record in done["written"]} == {frozenset(RECORD)}
    assert (own["session"], own["number"], own["cause"]) == (4, 1, None)
    assert own["facts"][1] == {
        "fact": "amended", "rules": [], "entry": "2.39@1", "outcome": "drop", "because": "the wall",
        "agreed": ["Ana", "Bo"],
    }  # fmt: skip
    assert {take["cause"] for take in takes} == {"4.1"}
    written = {
        f"{take['session']}.{take['number']}" + (f"+{take['insert']}" if take["insert"] else "") for take in takes
    }
    assert written == {entry["entry"] for entry in sight["entries"] if entry["fate"] != "unchanged"}
    assert values(saints)["tamsin.destiny"] == 2
    saints.fine("verify")
    saints.fine("replay")


def test_what_show_gave_before_a_correction_it_gives_as_of_then(saints):
    before, said = saints.fine("show"), values(saints)
    saints.fine("amend", *LAMP, *BECAUSE, "--retcon", "--pass")
    assert saints.fine("show", "--as-of", "161") == before
    assert values(saints, "--as-of", "161") == said != values(saints)


def test_the_error_of_an_earlier_session_is_made_good_by_custom(saints):
    printed = saints.fine("amend", "1.36", '! ruling "storm damage" "a lie" doom=1', *BECAUSE)
    assert "notes an error and makes it good: 1.36@1 (the wall)\n" in printed
    assert '3.41  ! adjust "doom" change=-2 "the wall"\n' in printed
    assert values(saints)["doom"] == 15
    assert "1.36@2" not in saints.fine("log", "--takes")


def test_compensation_can_be_of_one_value_and_names_what_no_adjustment_sets(saints):
    error = unchanged_after_preview(saints, "amend", "--drop", "2.33", *BECAUSE, "--compensate", "--only", "kess.speed")
    assert error == (
        "L-AMEND: 'kess.speed' is no value that ends differently. "
        "Different at the end: clock.seconds, doom, watchman-2.dead, watchman-2.health."
    )
    printed = saints.fine("amend", "--drop", "2.33", *BECAUSE, "--compensate", "--only", "watchman-2.health")
    assert "Watchman 2 health 0>2\n" in printed
    assert values(saints)["doom"] == 17
    refusal = saints.say("amend", "--drop", "2.33", *BECAUSE, "--compensate")
    assert refusal.exit_code == 1
    assert "was made good in 3.40" in refusal.output
    saints.fine("undo")
    done = json.loads(saints.fine("amend", "--drop", "2.33", *BECAUSE, "--compensate", "--json"))
    assert (done["outcome"], done["left"]) == ("compensate", ["clock.seconds", "watchman-2.dead"])
    assert [record["cause"] for record in done["written"]] == [None, "3.43", "3.43"]
    assert values(saints)["doom"] == 15
    assert unchanged_after_preview(saints, "amend", "1.14", "e1", *BECAUSE, "--compensate", "--only", "doom").endswith(
        "All values end the same: use --stand."
    )


def unchanged_after_preview(folder: Folder, *command: str) -> str:
    """The error of a command that previews, and then writes nothing."""
    before = folder.bytes
    done = folder.say(*command)
    assert (done.exit_code, folder.bytes) == (1, before), done.output
    return done.stderr.splitlines()[-1].removeprefix("Error: ")


def test_an_error_that_stands_changes_nothing_but_its_note(saints):
    before = values(saints)
    done = json.loads(saints.fine("amend", "2.55", "no e1", *BECAUSE, "--by", "Bo", "--stand", "--json"))
    (own,) = done["written"]
    assert (done["outcome"], own["by"], own["facts"][1]["outcome"]) == ("stand", "Bo", "stand")
    assert values(saints) == before
    assert "other takes" not in saints.fine("why", "2.55")


def test_where_the_custom_is_to_ask_nothing_is_written_and_the_code_is_1(night):
    before = night.bytes
    done = night.say("amend", "4.1", "v6", *BECAUSE)
    assert (done.exit_code, night.bytes) == (1, before)
    assert done.stderr == "Nothing is written. The error is of this session: add --retcon, --stand or --compensate.\n"
    told = night.say("amend", "4.1", "v6", *BECAUSE, "--json")
    assert (told.exit_code, night.bytes) == (1, before)
    assert {name: json.loads(told.stdout)[name] for name in ("outcome", "age", "written")} == {
        "outcome": "", "age": "same_session", "written": [],
    }  # fmt: skip


def test_the_custom_of_the_table_decides_and_can_be_changed(night):
    night.fine("do", '! corrections same_session stand "we never look back"')
    assert "lets it stand" in night.fine("amend", "4.1", "v6", *BECAUSE)
    night.fine("do", '! corrections same_session retcon "after all"')
    assert "amends 4.1@1" in night.fine("amend", "4.1", "v6", *BECAUSE)
    night.fine("do", '! corrections earlier_session ask "we talk"')
    assert night.say("amend", "1.14", "e1", *BECAUSE).exit_code == 1


@pytest.mark.parametrize(
    ("answer", "outcome"), [("stand\n", "stand"), ("retcon\n", "retcon"), ("nothing\n", None), ("\n", None)]
)
def test_at_a_terminal_the_table_is_asked(night, answer, outcome):
    ours, theirs = pty.openpty()
    os.write(ours, answer.encode())
    command = [str(PROGRAM), "-C", str(night.path), "amend", "4.1", "v6", *BECAUSE]
    done = subprocess.run(
        command, stdin=theirs, capture_output=True, text=True, env=environment(), timeout=60, check=False
    )
    os.close(ours)
    os.close(theirs)
    assert "The error is of this session. Settle it by (retcon, stand, compensate, nothing) [nothing]: " in done.stderr
    assert done.returncode == (0 if outcome else 1)
    records = [json.loads(line) for line in night.fine("log", "4", "--takes", "--json").splitlines()]
    said = [fact["outcome"] for record in records for fact in record["facts"] if fact["fact"] == "amended"]
    assert said == ([] if outcome is None else [outcome])


# What the table is asked


def test_a_place_that_newly_opens_is_passed_or_filled(saints):
    for command in (["amend", *LAMP], ["amend", *LAMP, "--insert", "2.54", "t move"]):
        error = unchanged_after_preview(saints, *command, *BECAUSE, "--retcon")
        assert error.startswith("L-OPENED: the change gives Tamsin a turn at 2.54+")
        assert error.endswith("Add --pass to skip it, or --insert 2.54 'LINE' to play it.")
    filled = ("--insert", "2.54", "t move", "--insert", "2.54", "t pass")
    printed = saints.fine("amend", *LAMP, *filled, *BECAUSE, "--retcon")
    assert {"2.54+1": "put in", "2.54+2": "put in"}.items() <= fates(printed).items()
    saints.fine("verify")


WOUND = ("--insert", "4.0", '! ruling "the wound opens" "the damp" tamsin.wound=4')


def test_a_face_that_was_never_drawn_is_asked_for_typed_or_done_without(night):
    sight = json.loads(night.fine("whatif", *WOUND, "--json"))
    need = sight["need"]
    assert set(need) == {"entry", "line", "purpose", "sides", "why", "odds"}
    assert (need["entry"], need["purpose"], need["sides"]) == ("4.4", "task Tamsin", [12, 12])
    assert {chance["of"] for chance in need["odds"]} == {144}
    assert sight["entries"][-1]["entry"] == "4.3"
    for outcome in ("--retcon", "--compensate"):
        error = unchanged_after_preview(night, "amend", *WOUND, *BECAUSE, outcome)
        assert error.startswith("L-NEEDS: entry 4.4 needs faces that were never drawn")
        assert error.endswith("Type them (--faces 4.4 /7.6), or leave it out (--drop 4.4).")
    voided = night.fine("whatif", *WOUND, "--drop", "4.4")
    assert fates(voided)["4.4"] == "left out"
    printed = night.fine("amend", *WOUND, "--faces", "4.4", "7.6", *BECAUSE, "--retcon")
    assert "4.4   amended: t read v2 /7.6\n" in printed
    assert "typed in from the table" in night.fine("why", "4.4")
    assert "answers 4.4@1" in night.fine("log", "4")
    night.fine("close")
    night.fine("verify")
    night.fine("replay")


def test_what_is_said_anew_has_its_faces_with_it(night):
    for change in (["--insert", "4.6", "k leap v6"], ["4.4", "v5"]):
        error = unchanged_after_preview(night, "amend", *change, *BECAUSE, "--retcon")
        assert "add them to the change, as in: " in error
        assert error.endswith(" /6.6.")
    night.fine("amend", "--insert", "4.6", "k leap v6 /6.6", "4.4", "v5", "/6.6", *BECAUSE, "--retcon")
    night.fine("verify")


def test_an_error_may_stand_though_a_face_is_missing(night):
    assert "lets it stand" in night.fine("amend", *WOUND, *BECAUSE, "--stand")
    assert "notes an error and lets it stand: " in night.fine("recap", "4").partition("## Corrections")[2]


def test_between_sessions_no_die_is_drawn(told):
    for entry in ("1.42", "3.39"):
        assert (
            json.loads(told.fine("whatif", "--insert", entry, "k sneak v4", "--json"))["need"]["entry"] == f"{entry}+1"
        )
    assert json.loads(told.fine("whatif", "--insert", "1.42", "k sneak v4 /7.6", "--json"))["need"] is None


def test_rules_that_decide_otherwise_today_do_not_slip_in_with_a_correction(saints, monkeypatch):
    from rulebooks.dusk_bastards.tasks import effort

    monkeypatch.setattr(effort, "effort_cost", lambda levels: 4 * levels)
    printed = saints.fine("whatif", "3.14", "+1")
    assert "\ntoday's rules decide 3.14" in printed
    assert json.loads(saints.fine("whatif", "3.14", "+1", "--json"))["otherwise"]["entry"] == "3.14"
    error = unchanged_after_preview(saints, "amend", "3.14", "+1", *BECAUSE, "--retcon")
    assert error.startswith("L-RULES: today's rules decide entry 3.14 otherwise without any change")
    assert error.endswith("Let it stand or compensate, or amend it with the rulebook that it was played with.")
    assert "otherwise" not in saints.fine("whatif", "3.35", "= k M9")  # nothing behind it pays for Effort
    saints.fine("amend", "3.14", "+1", *BECAUSE, "--stand")


# Lines with ~


def test_tilde_amends_the_last_line_and_says_what_comes_of_it(night):
    night.fine("do", "k leap v6 /9.3")
    printed = night.fine("do", '~ +1"a running start"')
    assert printed.splitlines()[0] == '4.7   amended: Kess "leap" v6 +1"a running start" /9.3'
    assert "new takes: 4.7@2" in printed
    assert "amends 4.7@2 (it was low, agreed by Ana)" in night.fine("do", '~ v5 because="it was low" agreed=Ana')


@pytest.mark.parametrize("written", ["~ 1 v6", "~ 4.1 v6", "~4.1 v6", "~   1   v6"])
def test_tilde_names_an_entry_of_this_session_or_of_any_and_asks_how(night, written):
    error = unchanged(night, "do", written, code=1)
    assert error == (
        "L-ASK: entry 4.1 is of this session, and the line does not say how to settle it. "
        "Look first (campaign whatif 4.1 ...), then end it with retcon, stand or compensate."
    )
    assert night.say("do", f"{written} stand").exit_code == 0


def test_tilde_of_an_earlier_session_wants_a_reason(night):
    assert unchanged(night, "do", "~ 1.14 e1", code=1) == (
        'L-AMEND: entry 1.14 is of an earlier session. Say why: because="...".'
    )
    assert "makes it good: 1.14@1 (one was meant, agreed by Cem)" in night.fine(
        "do", '~ 1.14 e1 because="one was meant" agreed=Cem'
    )


def test_tilde_that_needs_more_than_a_line_can_say_names_the_command(night):
    error = unchanged(
        night, "do", '~ 3.38 ! ruling "the wound opens" "the damp" tamsin.wound=4 because=so retcon', code=1
    )
    assert error.startswith("L-NEEDS: entry 4.4 needs faces")
    assert error.endswith("(--drop 4.4). Both are options of: campaign amend 3.38 ...")


def test_tilde_that_needs_faces_takes_them_behind_the_line(night):
    night.fine("do", '! encounter "the quay" participants=Kess,Dovel')
    for line in ("k initiative /6.5", "close", "k move"):
        night.fine("do", line)
    error = unchanged(night, "do", "~ k move short", code=1)
    assert error == (
        "L-NEEDS: entry 4.10 needs faces that were never drawn, for 'move Kess'. "
        "Throw them at the table and add them to the change, as in: k move short /6.6."
    )
    night.fine("do", "~ k move short /9.9")


@pytest.mark.parametrize(
    "line",
    ["~", "~ ", "~ 1", "~ retcon", "~ 1 stand", "~ ~", "~ 99 v4", "~ 1.4.5 v4", "~ 1@2 v4", "~ 99999999.1 v4",
     "~ 1 \x1b[31m", "~ " + "x" * 100_000, '~ 1 v4 because="', "~ 1 v4 agreed=\"\x07\"", "~ 2 v4"],
    ids=lambda line: line[:16],
)  # fmt: skip
def test_tilde_that_cannot_be_read_is_wrong_usage(night, line):
    unchanged(night, "do", line, code=2)


def test_tilde_in_a_file_is_said_once(night):
    path = str(night.file("more.session", 'k leap v6 /9.3\n~ v5\n~ 1 v6 because="so" stand\nundo\n'))
    first = night.fine("run", path)
    assert first.count("amends 4.7@1") == 1
    assert night.fine("run", path) == ""
    assert night.fine("verify")


# Undo


def test_undo_of_an_amendment_leaves_everything_as_if_neither_had_been(saints):
    before = values(saints)
    saints.fine("amend", *LAMP, *BECAUSE, "--retcon", "--pass")
    after = values(saints)
    saints.fine("undo", "3.40")
    assert values(saints) == before
    saints.fine("undo", "3.41")
    assert values(saints) == after
    assert unchanged(saints, "undo", "3.41", code=1).startswith("L-UNDO: entry 3.41 is taken back already")
    done = json.loads(saints.fine("undo", "3.42", "--json"))
    assert set(done) == SETTLED
    assert (done["outcome"], done["age"]) == ("undo", "")
    assert values(saints) == before
    saints.fine("verify")
    saints.fine("replay")


def test_undo_says_what_it_takes_along(night):
    night.fine("do", "k leap v6 /9.3")
    assert night.fine("undo", "--because", "a slip").splitlines() == [
        "4.8   undo", "      takes back 4.7@1 (a slip)", "      it was: k leap v6 /9.3",
    ]  # fmt: skip
    night.fine("do", "k leap v6 /9.3")
    night.fine("amend", "4.7", "v5", "--insert", "4.6", "# before", *BECAUSE, "--retcon")
    lines = night.fine("undo", "4.9").splitlines()
    assert [line.strip() for line in lines[-6:]] == [
        "takes back the correction 4.9@1",
        "restores what was said before 4.6+1@1",
        "restores what was said before 4.7@4",
        "it was: ~ 4.7 v5 --insert 4.6 # before",
        "it was: # before",
        'it was: Kess "leap" v5 /9.3',
    ]


def test_undo_as_a_line_says_as_much_as_the_command(night):
    night.fine("do", "k leap v6 /9.3")
    night.fine("do", "~ v5")
    spoken = copied(night, night.path / "spoken")
    assert spoken.fine("do", "undo 4.8") == night.fine("undo", "4.8")
    assert spoken.fine("do", "undo") == night.fine("undo")
    assert unchanged(spoken, "do", "undo 4.8", code=1) == unchanged(night, "undo", "4.8", code=1)
    record = json.loads(spoken.fine("do", "undo", "--json"))
    assert record["facts"][1]["outcome"] == "undo"


def test_a_line_said_in_place_of_one_taken_back_bars_its_return(night):
    night.fine("do", "k leap v6")
    night.fine("undo")
    night.fine("do", "k leap v5")
    assert unchanged(night, "undo", "4.8", code=1).startswith("L-UNDO: entry 4.7 has been said anew since")


# Odds


def test_odds_of_what_needs_no_dice_say_what_changes_or_that_nothing_does(night):
    assert night.fine("odds", "# the tide") == "# the tide\nno result depends on dice, and no value changes\n"
    printed = night.fine("odds", '! damage kess 3 "a slate"').splitlines()
    assert [line.rstrip() for line in printed if "damage" in line] == [printed[0], "damage hurt  1 of 1 (100%)"]
    assert "kess.health" in printed[-1]


# Case law


def test_rulings_are_listed_shown_by_why_and_repealed(night):
    cited = night.fine("do", '! rule DB-SKILL-1 "no light needed" "we voted" campaign agreed=Ana,Bo')
    assert "ruling: no light needed (we voted)" in cited
    night.fine("do", '! rule "nobody dies" "it is late" session')
    night.fine("do", "k sneak v4 /7.6")
    assert [line[:5] for line in night.fine("rulings").splitlines() if line[0] != " "] == ["4.7  ", "4.8  "]
    decisions = json.loads(night.fine("rulings", "--json"))
    assert decisions[0] == {
        "entry": "4.7", "text": "no light needed", "because": "we voted", "cites": ["DB-SKILL-1"], "scope": "campaign",
        "agreed": ["Ana", "Bo"], "about": "", "repeals": "", "sets": [], "in_force": True,
        "rules": ["DB-PLAY-7", "DB-SKILL-1"],
    }  # fmt: skip
    shown = "rulings in force\n  4.7 no light needed (campaign: we voted, agreed by Ana, Bo)\n\n"
    assert shown in night.fine("why", "4.9")
    assert "rulings in force" not in night.fine("why", "4.1")
    night.fine("do", '! rule "light is needed" "we tried it" campaign repeals=4.7')
    assert unchanged(night, "do", '! rule "x" "y" repeals=4.7', code=1) == (
        "L-RULING: no ruling of 4.7 is in force. There is: 4.8, 4.10."
    )
    assert unchanged(night, "do", '! rule DB-NONE-1 "x" "y"', code=1) == (
        "L-RULING: DB-NONE-1 is no rule of this book. Look: campaign rules."
    )
    assert night.fine("rulings", "--at", "4.9").count("(campaign)") == 1
    assert "no light needed" not in night.fine("rulings")
    assert "no light needed (campaign, no longer in force)" in night.fine("rulings", "--all")
    night.fine("close")
    night.fine("open", "Five", "--seed", "five")
    assert "nobody dies" not in night.fine("rulings")
    assert shown in night.fine("why", "4.9")
    night.fine("verify")


def test_a_ruling_that_sets_something_says_what_and_why_names_it_where_it_was_applied(night):
    night.fine("do", '! rule "mail tires" "wet ropes" campaign task.climb.cost=1')
    night.fine("do", "o climb v4 /7.6")
    night.fine("do", "k sneak v4 /7.6")
    assert "      because  wet ropes\n      sets     task.climb.cost=1\n" in night.fine("rulings")
    assert json.loads(night.fine("rulings", "--json"))[0]["sets"] == [["task.climb.cost", 1]]
    why = night.fine("why", "4.8")
    assert "rulings in force\n  4.7 mail tires (campaign: wet ropes)\n" in why
    assert "taken into account\n  mail tires (ruled in 4.7): task.climb.cost=1 [DB-PLAY-7]\n" in why
    assert "mail tires" not in night.fine("why", "4.9")
    told = json.loads(night.fine("why", "4.9", "--json"))["rulings"][0]
    assert (told["sets"], told["bears"]) == ([["task.climb.cost", 1]], False)
    instead = night.fine("whatif", "4.7", "task.climb.cost=3")
    assert "campaign task.climb.cost=3\n" in instead
    assert fates(instead)["4.8"] == "changed"
    night.fine("do", "close")
    assert "judged sums: not the same\n" in night.fine("whatif", "--drop", "4.7")


def test_a_ruling_that_is_taken_back_is_no_law(night):
    night.fine("do", '! rule "crates are cover" "a vote" campaign')
    night.fine("undo")
    assert night.fine("rulings") == "no ruling is in force\n"
    assert "crates" not in night.fine("rulings", "--all")


# Claims


def test_claims_behind_a_line_are_compared_and_change_nothing(night):
    night.fine("do", "k leap v4 /7.6 => success 13, kess.destiny 4, k 15")
    printed = night.fine("do", "k climb v4 /7.6 => failure, k 14")
    assert "kess.health 14: the ledger says 15" in printed
    assert "or adjust it:  campaign do 'kess health -1 \"...\"'" in printed
    night.fine("do", 'kess health -1 "a slate"')
    report = json.loads(night.fine("replay", "--json"))
    assert report["differences"] == []
    assert {claim["value"] for claim in report["claims"]} == {"outcome.failure", "kess.health"}
    assert set(report["claims"][0]) == {"entry", "value", "claimed", "actual"}


@pytest.mark.parametrize("claim", ["=>", "=> ,", "=> 3", "=> banana split", "=> hit 2,,", '=> "', "=> \x07"])
def test_claims_that_say_nothing_are_wrong_usage(night, claim):
    unchanged(night, "do", f"k climb v4 {claim}", code=2)


# Where there is nothing to dispute


def test_before_the_first_session_and_without_a_ledger(closed, tmp_path):
    assert "there is no entry 1.1. The entry before it is 0.2." in unchanged(closed, "whatif", "1.1", "v4", code=2)
    assert fates(closed.fine("whatif", "--drop", "0.1")) == {"0.1": "left out", "0.2": "changed"}
    assert unchanged(closed, "amend", "--drop", "0.0", *BECAUSE, code=1).startswith("L-AMEND: entry 0.0 cannot")
    assert closed.fine("rulings") == "no ruling is in force\n"
    assert closed.fine("rulings", "--all") == "nothing was ruled\n"
    assert json.loads(closed.fine("rulings", "--json")) == []
    assert fates(closed.fine("amend", "--drop", "0.2", *BECAUSE, "--retcon")) == {"0.2": "left out"}
    assert "orrin.might" not in values(closed)
    nowhere = Folder(tmp_path / "nowhere")
    nowhere.path.mkdir()
    for command in (["whatif", "1.1", "v4"], ["amend", "1.1", "v4", *BECAUSE], ["undo"], ["rulings"], ["replay"]):
        assert "there is no ledger here or above" in one_error(nowhere.say(*command), 3)
    assert list(nowhere.path.iterdir()) == []


def test_a_ledger_that_cannot_be_written_is_looked_at_all_the_same(told, tmp_path):
    folder = copied(told, tmp_path)
    folder.ledger.chmod(0o400)
    assert fates(folder.fine("whatif", "1.5", "v4"))["1.5"] == "amended"
    folder.fine("rulings")


def test_a_ledger_that_is_none_is_damaged(tmp_path):
    folder = Folder(tmp_path)
    folder.file("ledger.db", b"nothing of the kind" * 100)
    for command in (["whatif", "1.1", "v4"], ["amend", "1.1", "v4", *BECAUSE], ["undo", "1.1"], ["rulings"]):
        assert folder.say(*command).exit_code == 3


def test_help_has_an_example_of_each_way_to_say_a_change():
    for name in ("whatif", "amend", "undo", "rulings"):
        told = CliRunner().invoke(campaign, [name, "--help"]).stdout
        assert "Example" in told
        assert CliRunner().invoke(campaign, [name, "-h"]).stdout == told
