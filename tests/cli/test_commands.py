"""Every command: what it does, what it prints where, how it ends, and what it imports."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from click.testing import CliRunner

from cli.main import COMMANDS, campaign
from ledger.records import parse_head
from tests.cli.conftest import CLOCK, LEDGER, Folder, environment, one_error

RECORD = {
    "v", "position", "session", "number", "insert", "take", "cause", "request", "by", "at", "seen", "facts",
}  # fmt: skip
EVENING = ["# The lamp room", "k sneak v5 e1", "close", "", "; nobody sees her", "o climb v3 /7.6", "close"]
HEAVY = {"sqlite_utils", "watchfiles", "hypothesis"}
PROBE = """
import atexit, sys
atexit.register(lambda: print("\\n".join(["modules:", *sys.modules]), file=sys.stderr))
from cli.main import main
sys.argv = ["campaign", *sys.argv[1:]]
main()
"""


def run(*arguments: str):
    return CliRunner().invoke(campaign, ["--clock", CLOCK, *arguments])


def records(printed: str) -> list[dict]:
    return [json.loads(line) for line in printed.splitlines()]


def heads(printed: str) -> list[str]:
    """The ids of the entries that are told."""
    return re.findall(r"^(\d+\.\d+(?:@\d+)?) ", printed, re.MULTILINE)


def evening(folder: Folder, *lines: str, name: str = "evening.session") -> str:
    return str(folder.file(name, "".join(f"{line}\n" for line in lines)))


# new and cast


def test_new_founds_a_campaign_in_a_folder_of_its_name(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    done = run("new", "Salt Ward", "--id", LEDGER)
    assert (done.exit_code, done.stdout) == (0, "Created Salt Ward in salt-ward\n")
    assert done.stderr.startswith("Next: cd salt-ward")
    assert [path.name for path in (tmp_path / "salt-ward").iterdir()] == ["ledger.db"]
    assert LEDGER in Folder(tmp_path / "salt-ward").fine("log")


def test_new_founds_in_a_folder_that_is_named_and_never_twice(tmp_path):
    assert run("new", "Salt Ward", str(tmp_path / "a" / "b")).exit_code == 0
    before = (tmp_path / "a" / "b" / "ledger.db").read_bytes()
    assert "there is a ledger already" in one_error(run("new", "Salt Ward", str(tmp_path / "a" / "b")), 3)
    assert (tmp_path / "a" / "b" / "ledger.db").read_bytes() == before


def test_new_makes_a_different_ledger_each_time(tmp_path):
    run("new", "One", str(tmp_path / "one"))
    run("new", "One", str(tmp_path / "two"))
    assert (tmp_path / "one" / "ledger.db").read_bytes() != (tmp_path / "two" / "ledger.db").read_bytes()


@pytest.mark.parametrize(
    "arguments",
    [
        ["new"],
        ["new", ""],
        ["new", "Salt/Ward"],
        ["new", "12"],
        ["new", "Salt Ward", "--id", "12"],
        ["new", "Salt Ward", "--id", LEDGER.replace("1", "F")],
        ["new", "Salt Ward", "--game", "chess"],
        ["--clock", "\x1b[31m", "new", "Salt Ward"],
        ["--clock", "9" * 50, "new", "Salt Ward"],
    ],
)
def test_what_new_cannot_read_is_wrong_usage_and_makes_no_folder(tmp_path, monkeypatch, arguments):
    monkeypatch.chdir(tmp_path)
    one_error(run(*arguments), 2)
    assert list(tmp_path.iterdir()) == []


def test_cast_lets_every_sheet_of_a_folder_join_by_name(closed):
    told = closed.fine("log")
    assert re.findall(r"(\w+) joins \(pc\)", told) == ["Kess", "Orrin"]
    assert "might 9, speed 14, intellect 17, health 14, destiny 0" in told


def test_cast_knows_foes_and_things(closed):
    foe = closed.file("dovel.toml", 'sheet = "npc"\nname = "Dovel"\nkind = "minion"\ndifficulty = 3\nhealth = 6\n')
    thing = closed.file("box.toml", 'sheet = "object"\nname = "Strongbox"\nstate = "whole"\n')
    assert heads(closed.fine("cast", str(foe), str(thing))) == ["0.3", "0.4"]
    shown = closed.fine("show")
    assert "Dovel" in shown
    assert "Strongbox" in shown


def test_cast_reads_all_sheets_before_the_first_joins_and_names_every_bad_one(closed):
    before = closed.bytes
    good = closed.file("a.toml", 'name = "Ana"\nmight = 9\nspeed = 9\nintellect = 9\neffort_limit = 1\n')
    bad = [closed.file("b.toml", "name = 3\n"), closed.file("c.toml", "name = \n")]
    done = closed.say("cast", str(good), *map(str, bad))
    assert done.exit_code == 3
    assert [re.search(r"\w+\.toml", line)[0] for line in done.stderr.splitlines()] == ["b.toml", "c.toml"]
    assert closed.bytes == before


def test_cast_of_a_sheet_that_has_not_changed_appends_nothing(closed):
    before = closed.bytes
    done = closed.say("cast", str(closed.path / "cast"))
    assert (done.exit_code, done.stdout) == (0, "")
    assert "kess.toml: already in play, and the sheet has not changed" in done.stderr
    assert closed.bytes == before


def test_cast_of_an_edited_sheet_shows_what_would_change_and_asks_why(closed):
    before, sheet = closed.bytes, closed.path / "cast" / "kess.toml"
    sheet.write_text(sheet.read_text().replace("level = 2", "level = 3"))
    asked = closed.say("cast", str(sheet))
    assert asked.exit_code == 2
    assert "level 2>3" in asked.stderr
    assert "--because" in asked.stderr
    assert closed.bytes == before
    changed = closed.fine("cast", str(sheet), "--because", "the lamp room")
    assert "  change sheet: Kess\n" in changed
    assert "level 2>3 (the lamp room)" in changed
    assert closed.fine("show", "kess", "--json").count('"kess.level":3') == 1


def test_cast_of_copies_numbers_them(closed):
    closed.file("brute.toml", 'sheet = "npc"\nname = "Brute"\nkind = "minion"\ndifficulty = 4\nhealth = 6\n')
    told = closed.fine("cast", f"{closed.path / 'brute.toml'}*3")
    assert [f"Brute {number} joins" in told for number in (1, 2, 3, 4)] == [True, True, True, False]
    assert "1 to 20" in one_error(closed.say("cast", f"{closed.path / 'brute.toml'}*21"), 3)


def test_cast_of_a_folder_without_sheets_says_so(closed):
    closed.file("empty/readme.txt", "nothing")
    assert "no sheet in this folder" in one_error(closed.say("cast", str(closed.path / "empty")), 3)


# open, do, run, undo, close


def test_open_shows_the_commitment_and_the_head_goes_to_standard_error(closed):
    done = closed.say("open", "Rooftops", "--seed", "the door's own")
    assert done.exit_code == 0
    assert re.fullmatch(r"1\.0   session 1 opens: Rooftops\n +commitment [0-9a-f]{64} .*a fixed seed\)\n", done.stdout)
    assert re.fullmatch(r"head 4 [0-9a-f]{64}\n", done.stderr)
    assert closed.fine("open", "--help")
    assert one_error(closed.say("open", "Again"), 1).startswith("L-OPEN")


def test_a_session_needs_no_title(closed):
    assert closed.fine("open").splitlines()[0] == "1.0   session 1 opens"


def test_do_tells_the_entry_on_standard_output_alone(table):
    done = table.say("do", "k sneak v5 e1")
    assert (done.exit_code, done.stderr, heads(done.stdout)) == (0, "", ["1.1"])
    assert "Dawn" in done.stdout


@pytest.mark.parametrize(
    ("line", "code", "said"),
    [
        ("k climb v14", 1, "DB-E-DIFFICULTY"),  # the book refuses
        ("k climb v4 e3", 1, "DB-E-"),
        ("k destiny reroll", 1, "DB-E-DESTINY-WINDOW"),
        ("k climb v4 /13.2", 1, "DB-E-DIE"),  # no such face
        ("k climb v4 /5", 1, "DB-E-DIE"),  # too few faces
        ("x climb v4", 2, "nobody in play"),  # cannot be read
        ("k climb v4 nonsense", 2, "column 12"),
        ('k "climb v4', 2, "not closed"),
    ],
)
def test_do_ends_with_1_where_the_rules_refuse_and_with_2_where_it_cannot_read(table, line, code, said):
    before = table.bytes
    done = table.say("do", line)
    assert said in one_error(done, code)
    assert (done.stdout, table.bytes) == ("", before)


def test_do_without_quotes_says_how_to_quote(table):
    error = one_error(table.say("do", "k", "sneak", "v5"), 2)
    assert "campaign do 'k sneak v5'" in error


@pytest.mark.parametrize("line", ["", "   ", "; only a comment"])
def test_a_line_that_says_nothing_is_kept_nowhere_and_do_says_so(table, line):
    before = table.bytes
    done = table.say("do", line)
    assert (done.exit_code, done.stdout, table.bytes) == (0, "", before)
    assert "nothing is written" in done.stderr


def test_do_prints_the_record_as_it_is_stored(table):
    (record,) = records(table.fine("do", "k sneak v5", "--json"))
    assert set(record) == RECORD
    assert (record["session"], record["number"], record["take"], record["at"]) == (1, 1, 1, CLOCK)
    assert all("rules" in fact for fact in record["facts"])
    assert records(table.fine("log", "--json"))[-1] == record


def test_a_request_counts_once(table):
    first = table.fine("do", "k sneak v5", "--request", "r1")
    after = table.bytes
    assert table.fine("do", "k sneak v5", "--request", "r1") == first
    assert table.fine("do", "  k sneak v5 ", "--request", "r1") == first
    assert one_error(table.say("do", "k sneak v6", "--request", "r1"), 1).startswith("L-REQUEST")
    assert table.bytes == after
    assert heads(table.fine("do", "k sneak v5", "--request", "r2")) == ["1.2"]


@pytest.mark.parametrize("key", ["\x1b]0;x\x07", "\ud800", "k" * 300])
def test_a_request_key_is_checked_like_any_text(table, key):
    before = table.bytes
    assert "--request" in one_error(table.say("do", "k sneak v5", "--request", key), 2)
    assert table.bytes == before


def test_run_says_every_line_of_a_file(table):
    done = table.say("run", evening(table, *EVENING))
    assert (done.exit_code, done.stderr) == (0, "")
    assert heads(done.stdout) == ["1.1", "1.2", "1.3", "1.4", "1.5"]


def test_a_file_says_what_the_same_lines_say_one_by_one(table, begun, tmp_path):
    table.fine("run", evening(table, *EVENING))
    other = Folder(tmp_path / "other")
    other.path.mkdir()
    for file in begun.path.glob("*.*"):
        other.file(file.name, file.read_bytes())
    for line in EVENING:
        other.fine("do", line)
    assert table.fine("log") == other.fine("log")


def test_run_stops_at_the_first_bad_line_and_keeps_what_was_taken(table):
    path = evening(table, "# One", "k sneak v5", "k sneak v99", "# Four")
    done = table.say("run", path)
    assert one_error(done, 1).startswith(f"DB-E-DIFFICULTY: {path}:3: ")
    assert heads(done.stdout) == ["1.1", "1.2"]
    assert "Four" not in table.fine("log")


def test_run_again_after_mending_takes_nothing_twice(table):
    table.say("run", evening(table, "# One", "k sneak v5", "k sneak v99", "# Four"))
    path = evening(table, "# One", "k sneak v5", "k sneak v9", "# Four")
    assert heads(table.fine("run", path)) == ["1.3", "1.4"]
    after = table.bytes
    assert table.fine("run", path) == ""
    assert table.bytes == after


def test_run_goes_on_where_a_file_has_grown(table):
    table.fine("run", evening(table, "# One"))
    assert heads(table.fine("run", evening(table, "# One", "# Two"))) == ["1.2"]


def test_run_takes_no_changed_line_for_one_that_was_taken(table):
    table.fine("run", evening(table, "# One", "k sneak v5"))
    after = table.bytes
    error = one_error(table.say("run", evening(table, "# One", "k sneak v6")), 1)
    assert error.startswith("L-REQUEST")
    assert "evening.session:2" in error
    assert "k sneak v5" in error
    assert table.bytes == after


def test_run_says_an_undo_of_the_file_once(table):
    path = evening(table, "# One", "# Two", "undo", "# Three")
    table.fine("run", path)
    told = table.fine("log")
    assert "Two" not in told
    assert "Three" in told
    assert table.fine("run", path) == ""


def test_run_says_a_line_that_cannot_be_read_with_file_line_and_column(table):
    path = evening(table, "# One", "x climb v4")
    assert one_error(table.say("run", path), 3).startswith(f"{path}:2, column 1: ")


def test_run_reads_files_with_lines_that_end_in_cr_lf(table):
    path = table.file("evening.session", b"# One\r\nk sneak v5\r\n\r\nclose\r\n")
    assert heads(table.fine("run", str(path))) == ["1.1", "1.2", "1.3"]
    assert [record["facts"][0]["line"] for record in records(table.fine("log", "1", "--json"))[1:]] == [
        "# One",
        "k sneak v5",
        "close",
    ]
    assert table.fine("run", evening(table, "# One", "k sneak v5", "", "close")) == ""


@pytest.mark.parametrize("mark", ["\x0b", "\x0c", "\x1c", "\x85", "\u2028"])
def test_only_a_line_feed_ends_a_line(table, mark):
    path = table.file("evening.session", f"# One\n# Two{mark}# Three\n".encode())
    assert "evening.session:2, column 6" in one_error(table.say("run", str(path)), 3)


def test_run_prints_records_also_those_before_a_bad_line(table):
    done = table.say("run", "--json", evening(table, "# One", "k sneak v99"))
    assert (done.exit_code, [record["number"] for record in records(done.stdout)]) == (1, [1])


def test_fmt_writes_a_line_out_in_full_and_keeps_nothing(table):
    before = table.bytes
    full = table.fine("fmt", "k sneak v5 e1")
    assert full.startswith("Kess ")
    assert table.fine("fmt", full.rstrip("\n")) == full
    one_error(table.say("fmt", "nobody sneak v5"), 2)
    assert table.bytes == before


def test_undo_takes_the_last_line_back_and_the_dice_stay(table):
    first = table.fine("do", "k sneak v5")
    done = table.say("undo")
    assert (done.exit_code, done.stderr) == (0, "")
    assert done.stdout.startswith("1.2   undo\n      takes back 1.1@1\n")
    assert "k sneak v5" in done.stdout
    assert table.fine("do", "k sneak v5") == first
    assert heads(table.fine("log", "--takes"))[-4:] == ["1.1@1", "1.2@1", "1.1@2", "1.1@3"]


def test_undo_takes_back_no_opening(table):
    before = table.bytes
    assert one_error(table.say("undo"), 1).startswith("L-UNDO")
    assert table.bytes == before


def test_close_reveals_the_seed_and_shows_the_head(table):
    table.fine("do", "k sneak v5")
    told = table.fine("close")
    assert re.search(r"^      seed [0-9a-f]{64}\nhead \d+ [0-9a-f]{64}\n\Z", told, re.MULTILINE)
    assert table.seeds == []
    assert one_error(table.say("close"), 1).startswith("L-CLOSED")


# show and log


def test_show_shows_the_party_and_one_of_it_by_any_beginning_of_the_name(table):
    told = table.fine("show")
    assert [line.split()[0] for line in told.splitlines()] == ["Kess", "Orrin", "doom", "session"]
    assert table.fine("show", "k") == table.fine("show", "KESS") == table.fine("show", "Kess")
    assert table.fine("show", "kes").startswith("Kess (pc, players)\n")


def test_show_of_somebody_unknown_names_those_in_play(table):
    assert "In play: Kess, Orrin" in one_error(table.say("show", "nobody"), 2)


def test_a_beginning_that_two_names_share_is_no_name(table):
    sheet = 'name = "Kessel"\nmight = 9\nspeed = 9\nintellect = 9\neffort_limit = 1\n'
    table.fine("cast", str(table.file("k.toml", sheet)))
    assert "Kessel" in one_error(table.say("show", "k"), 2)
    assert table.fine("show", "kess").startswith("Kess (pc")


def test_show_prints_values_by_name(table):
    told = json.loads(table.fine("show", "--json"))
    assert set(told) == {"entry", "position", "values"}
    assert (told["entry"], told["position"], told["values"]["kess.might"]) == ("1.0", 4, 9)
    mine = json.loads(table.fine("show", "kess", "--json"))["values"]
    assert mine
    assert all(name.startswith("kess.") for name in mine)


def test_show_at_any_entry_and_as_of_any_position_says_what_it_said_then(table):
    """As long as nothing is taken back, both are the same; `as of` also sees what an undo has changed since."""
    lines = ["k sneak v5 e1", "o climb v3 /7.6", "close", "k sneak v6 e2 /1.1", "undo", "k sneak v6", "o lift v2"]
    seen = {4: table.fine("show", "--json")}
    for line in lines:
        table.fine("do", line)
        now = table.fine("show", "--json")
        seen[json.loads(now)["position"]] = now
    table.fine("rebuild")
    for position, then in seen.items():
        assert table.fine("show", "--json", "--as-of", str(position)) == then
    values = {json.loads(then)["entry"]: json.loads(then)["values"] for then in seen.values()}
    assert json.loads(table.fine("show", "--json", "--at", "1.2"))["values"] == values["1.2"]
    assert json.loads(table.fine("show", "--json", "--at", "0.2"))["entry"] == "0.2"
    assert "might 9/9" in table.fine("show", "k", "--at", "0.1")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["show", "--at", "nonsense"], "is not an entry id"),
        (["show", "--at", "1.99"], "there is no entry 1.99"),
        (["show", "--at", "7.0"], "there is no entry 7.0"),
        (["show", "--as-of", "99"], "ends at position 4"),
        (["show", "--as-of", "0"], "as-of"),
        (["show", "--as-of", "x"], "as-of"),
        (["show", "orrin", "--at", "0.1"], "In play: Kess"),
        (["log", "7"], "no session 7"),
        (["log", "-1"], "-1"),
        (["replay", "7"], "no session 7"),
        (["verify", "--head", "17"], "is not a head"),
        (["dance"], "dance"),
    ],
)
def test_a_time_or_a_session_that_there_is_not_is_wrong_usage(table, arguments, said):
    assert said in one_error(table.say(*arguments), 2)


def test_log_tells_all_sessions_or_one(played):
    assert heads(played.fine("log"))[:4] == ["0.0", "0.1", "0.2", "1.0"]
    assert heads(played.fine("log", "1"))[0] == "1.0"
    assert played.fine("log", "0") + played.fine("log", "1") == played.fine("log")


def test_log_with_all_takes_stands_in_order_of_writing(played):
    plain, takes = played.fine("log", "1"), played.fine("log", "1", "--takes")
    assert "o climb v3" not in plain
    assert "o climb v3" in takes
    positions = [record["position"] for record in records(played.fine("log", "--takes", "--json"))]
    assert positions == sorted(positions)
    assert len(positions) == len(set(positions))
    assert set(heads(takes)) >= {"1.5@1", "1.5@2", "1.5@3"}


def test_log_prints_records_as_they_are_stored(played):
    told = records(played.fine("log", "--json"))
    assert all(set(record) == RECORD for record in told)
    assert len(told) == len({(record["session"], record["number"], record["insert"]) for record in told})


def waited_for(text: str, file: Path) -> bool:
    """Whether this comes to stand in the file within ten seconds."""
    end = time.monotonic() + 10
    while text not in file.read_text(encoding="utf-8"):
        if time.monotonic() > end:
            return False
        time.sleep(0.02)
    return True


def test_log_follows_what_another_process_appends_until_it_is_interrupted(table, tmp_path, stopping):
    printed = tmp_path / "printed"
    with printed.open("w") as out:
        stopping.append(table.started("log", "-f", stdout=out))
    (process,) = stopping
    assert waited_for("commitment", printed)
    assert table.apart("do", "# Somebody knocks").returncode == 0
    assert waited_for("1.1   # Somebody knocks\n", printed)
    assert process.poll() is None
    os.kill(process.pid, signal.SIGINT)
    assert process.wait(timeout=10) == 130
    assert process.stderr.read().strip() == "interrupted"


# replay, verify, rebuild, demo


def test_replay_agrees_and_says_what_it_compared(played):
    told = played.fine("replay")
    assert re.match(r"\d+ entries, \d+ facts decided again; \d+ faces drawn again .* \d+ typed at the table\n", told)
    assert told.endswith("the replay agrees\n")
    assert played.fine("replay", "1").endswith("the replay agrees\n")


def test_replay_prints_its_report(played):
    told = json.loads(played.fine("replay", "--json"))
    keys = {"entries", "facts", "drawn", "typed", "sealed", "rulebooks", "differences"}
    assert keys <= set(told)
    assert (told["sealed"], told["differences"]) == (0, [])
    assert told["drawn"] > 0


def forged(folder: Folder) -> Folder:
    """Kess's Dawn die of 1.1 is another now, and the whole ledger is hashed anew."""
    from ledger.facts import Rolled
    from ledger.records import Record
    from tests.ledger.strategies import Forger, changing

    def edit(all_of_them: list[Record]) -> list[Record]:
        (old,) = (record for record in all_of_them if (str(record.id), record.take) == ("1.1", 1))
        place, rolled = next((n, fact) for n, fact in enumerate(old.facts) if isinstance(fact, Rolled))
        from msgspec.structs import replace

        dice = (replace(rolled.dice[0], face=rolled.dice[0].face % 12 + 1), *rolled.dice[1:])
        return changing("1.1", fact=(place, {"dice": dice}))(all_of_them)

    Forger(folder.ledger).rewrite(edit, chained=True)
    return folder


def test_a_die_that_was_changed_is_found_by_replay_and_by_verify(played):
    head = played.fine("close") if played.seeds else played.fine("verify").splitlines()[-1].partition("head ")[2]
    forged(played)
    done = played.say("replay")
    assert done.exit_code == 1
    assert "the replay differs" in done.stdout
    assert "1.1" in done.stdout
    difference = json.loads(played.say("replay", "--json").stdout)["differences"][0]
    assert set(difference) == {"entry", "fact", "kind", "field", "recorded", "derived", "rules"}
    verdict = played.say("verify")
    assert verdict.exit_code == 1
    assert "entry 1.1" in verdict.stdout
    kept = played.say("verify", "--head", head, "--json")
    found = json.loads(kept.stdout)
    assert kept.exit_code == 1
    assert set(found) == {"ok", "findings", "head", "replay"}
    assert found["ok"] is False
    assert all(set(finding) == {"where", "what"} for finding in found["findings"])
    assert any("head that was kept" in finding["what"] for finding in found["findings"])


def test_verify_is_well_with_and_without_a_kept_head(played):
    done = played.say("verify")
    assert done.exit_code == 0
    assert done.stdout.startswith("all is well\n")
    assert "No kept head was given" in done.stderr
    head = done.stdout.split("head ")[1].strip()
    assert parse_head(head)
    again = played.say("verify", "--head", head)
    assert (again.exit_code, again.stderr) == (0, "")
    assert json.loads(played.fine("verify", "--json"))["head"] == head


def test_verify_misses_what_a_kept_head_proves_was_cut_off(table):
    table.fine("do", "# One")
    before = table.bytes
    table.fine("do", "# Two")
    head = table.fine("verify").split("head ")[1].strip()
    table.ledger.write_bytes(before)
    assert table.say("verify").exit_code == 0
    done = table.say("verify", "--head", head)
    assert done.exit_code == 1
    assert "a head was kept there, but the ledger ends at 5" in done.stdout


def test_rebuild_makes_the_snapshots_again(played):
    shown = played.fine("show", "--json")
    done = played.fine("rebuild")
    assert re.fullmatch(r"\d+ snapshots made from \d+ records\n", done)
    assert played.fine("show", "--json") == shown
    played.fine("verify")
    after = played.bytes
    played.fine("rebuild")
    assert len(played.bytes) == len(after)
    played.fine("verify")


def test_demo_plays_into_a_folder_prints_its_log_and_agrees(tmp_path):
    done = run("demo", str(tmp_path / "demo"))
    assert done.exit_code == 0
    assert "the replay agrees" in done.stdout
    assert str(tmp_path / "demo") in done.stderr
    assert str(tmp_path) not in done.stdout
    folder = Folder(tmp_path / "demo")
    assert done.stdout.startswith(folder.fine("log"))
    folder.fine("verify")
    assert folder.seeds == []


def test_demo_of_no_sample_is_refused(tmp_path):
    one_error(run("demo", "--sample", "nothing", str(tmp_path / "demo")), 3)
    assert not (tmp_path / "demo").exists()


# The ledger is found


def test_the_ledger_is_found_by_walking_up(table, monkeypatch):
    deep = table.path / "notes" / "deep"
    deep.mkdir(parents=True)
    monkeypatch.chdir(deep)
    assert run("show").stdout == table.fine("show")


def test_the_ledger_is_named_by_option_or_by_environment(table, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("CAMPAIGN_DIR", str(table.path))
    assert run("show").stdout == table.fine("show")
    assert "no ledger here or above" in one_error(run("-C", str(tmp_path), "show"), 3)


def test_the_clock_is_named_by_option_or_by_environment(table, monkeypatch):
    monkeypatch.setenv("CAMPAIGN_CLOCK", "the third bell")
    done = CliRunner().invoke(campaign, ["-C", str(table.path), "do", "# One", "--json"])
    assert json.loads(done.stdout)["at"] == "the third bell"
    assert records(table.fine("do", "# Two", "--json"))[0]["at"] == CLOCK
    monkeypatch.delenv("CAMPAIGN_CLOCK")
    done = CliRunner().invoke(campaign, ["-C", str(table.path), "do", "# Three", "--json"])
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", json.loads(done.stdout)["at"])


@pytest.mark.parametrize("command", ["show", "log", "replay", "verify", "rebuild", "undo", "close", "open"])
def test_where_there_is_no_ledger_every_command_says_how_to_found_one(tmp_path, command):
    assert 'campaign new "' in one_error(Folder(tmp_path).say(command), 3)
    assert list(tmp_path.iterdir()) == []


def test_in_a_folder_that_is_gone_there_is_a_word_about_it(tmp_path):
    gone = tmp_path / "gone"
    gone.mkdir()
    done = subprocess.run(
        ["sh", "-c", f'rmdir ../gone && "{Path(sys.executable).parent}/campaign" show'],
        cwd=gone,
        env=environment(),
        capture_output=True,
        text=True,
        check=False,
    )
    assert "is gone" in one_error(done, 3)


def test_reading_commands_write_nothing(played):
    before, files = played.bytes, sorted(played.path.rglob("*"))
    for command in (["show"], ["show", "--at", "1.1"], ["log"], ["log", "--takes"], ["replay"], ["verify"]):
        played.fine(*command)
    assert (played.bytes, sorted(played.path.rglob("*"))) == (before, files)


# Help, and what is imported for what


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_help_with_an_example(name):
    done = run(name, "--help")
    assert done.exit_code == 0
    assert re.search(rf"Examples?: campaign {name}\b", done.stdout)


def test_help_lists_every_command_with_what_it_does():
    told = run("--help").stdout
    for name, text in COMMANDS.items():
        assert f"  {name} " in told
        assert text in re.sub(r"\s+", " ", told)
    assert run("-h").stdout == told


def test_the_program_says_its_version():
    assert re.fullmatch(r"campaign, version \S+\n", run("--version").stdout)


def imported(folder: Folder, *arguments: str, **more: str) -> set[str]:
    done = subprocess.run(
        [sys.executable, "-c", PROBE, *arguments],
        cwd=folder.path,
        env=environment(**more),
        capture_output=True,
        text=True,
        check=False,
    )
    _, modules = done.stderr.split("modules:\n")
    return set(modules.splitlines())


@pytest.mark.parametrize(
    ("arguments", "more"),
    [
        (["--help"], {}),
        (["--version"], {}),
        ([], {"_CAMPAIGN_COMPLETE": "bash_complete", "COMP_WORDS": "campaign re", "COMP_CWORD": "1"}),
        ([], {"_CAMPAIGN_COMPLETE": "bash_source"}),
    ],
)
def test_help_and_completion_import_no_command(table, arguments, more):
    seen = imported(table, *arguments, **more)
    assert "cli.main" in seen
    assert not any(name.startswith("cli.commands.") for name in seen)
    assert not {"ledger.service", "rulebooks", *HEAVY} & seen


def test_completion_offers_the_commands():
    done = subprocess.run(
        [Path(sys.executable).parent / "campaign"],
        env=environment(_CAMPAIGN_COMPLETE="bash_complete", COMP_WORDS="campaign re", COMP_CWORD="1"),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout.split() == ["plain,recap", "plain,replay", "plain,rebuild"]


@pytest.mark.parametrize("arguments", [["do", "k sneak v5 e1"], ["show"], ["show", "k", "--json"], ["log"], ["close"]])
def test_what_is_done_at_the_table_imports_nothing_heavy(table, arguments):
    assert not HEAVY & imported(table, *arguments)
