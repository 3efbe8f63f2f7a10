"""`campaign run`."""

from __future__ import annotations

import re

import pytest

from cli.play import session_player
from cli.play.file_edits import EditPlanner
from tests.cli.commands import evening, heads, records
from tests.cli.conftest import Folder, one_error

EVENING = ["# The lamp room", "k sneak v5 e1", "close", "", "; nobody sees her", "o climb v3 /7.6", "close"]


@pytest.mark.slow
def test_run_declares_every_line_of_a_file(folder):
    done = folder.invoke("run", evening(folder, *EVENING))
    assert (done.exit_code, done.stderr) == (0, "")
    assert heads(done.stdout) == ["1.1", "1.2", "1.3", "1.4", "1.5"]


@pytest.mark.slow
def test_run_equals_do_for_each_line(folder, open_folder, tmp_path):
    folder.run("run", evening(folder, *EVENING))
    other = Folder(tmp_path / "other")
    other.path.mkdir()
    for file in open_folder.path.glob("*.*"):
        other.file(file.name, file.read_bytes())
    for line in EVENING:
        other.run("do", line)
    log, done = (re.sub("      head .+\n", "", each.run("log")) for each in (folder, other))
    assert log == done  # but for the heads: they come in by another door


@pytest.mark.slow
def test_run_stops_at_the_first_refused_line(folder):
    path = evening(folder, "# One", "k sneak v5", "k sneak v99", "# Four")
    done = folder.invoke("run", path)
    assert one_error(done, 1).startswith(f"DB-E-DIFFICULTY: {path}:3: ")
    assert heads(done.stdout) == ["1.1", "1.2"]
    assert "Four" not in folder.run("log")


@pytest.mark.slow
def test_second_run_takes_nothing_twice(folder):
    folder.invoke("run", evening(folder, "# One", "k sneak v5", "k sneak v99", "# Four"))
    path = evening(folder, "# One", "k sneak v5", "k sneak v9", "# Four")
    assert heads(folder.run("run", path)) == ["1.3", "1.4"]
    after = folder.bytes
    assert folder.run("run", path) == ""
    assert folder.bytes == after


@pytest.mark.slow
def test_skipped_lines_of_another_file_are_counted(folder):
    assert folder.invoke("run", evening(folder, "# One", "# Two")).stderr == ""
    other = folder.file("elsewhere/evening.session", "# One\n# Two\n# Three\n")
    done = folder.invoke("run", str(other))
    assert heads(done.stdout) == ["1.3"]
    assert done.stderr == f"{other}: skipped 2 lines, already taken in session 1.\n"


@pytest.mark.slow
def test_other_file_of_the_same_name_is_not_skipped(folder):
    folder.run("run", evening(folder, "# One", "# Two"))
    other = str(folder.file("elsewhere/evening.session", "# Three\n# Four\n"))
    done = folder.invoke("run", other)
    assert (heads(done.stdout), done.stderr) == (["1.3", "1.4"], "")
    assert heads(folder.run("run", evening(folder, "# One", "# Two", "# Five"))) == ["1.5"]
    assert folder.run("run", other) == ""
    folder.file("elsewhere/evening.session", "# Three\n# Four\n# Six\n")
    assert heads(folder.run("run", other)) == ["1.6"]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("changed", "printed"),
    [
        (["# One", "k sneak v6", "close", "# One"], "1.2   amended: k sneak v6"),
        (["# One", "close", "# One"], "1.2   removed: k sneak v5"),
        (["k sneak v5", "close", "# One"], "1.1   removed: # One"),
        (["# One", "k sneak v5", "close", 'o speed -1 "rain"', "# One"], "1.3+1 inserted: o speed -1"),
    ],
)
def test_edit_of_an_act_is_shown_and_waits_for_yes(folder, changed, printed):
    folder.run("run", evening(folder, "# One", "k sneak v5", "close", "# One"))
    path = evening(folder, *changed, "# More")
    done = folder.invoke("run", path)
    assert done.exit_code == 1
    assert printed in done.stdout
    assert f"not written. To write it: campaign run {path} --yes; to leave it: " in done.stderr
    assert "1.5   # More" in done.stdout
    before = folder.bytes
    assert folder.invoke("run", path).exit_code == 1
    assert folder.bytes == before
    assert printed in folder.run("run", path, "--yes")
    after = folder.bytes
    assert folder.run("run", path) == ""
    assert folder.bytes == after
    folder.run("verify")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("changed", "correction"),
    [
        (["# One", "k sneak v5", "close", "# Two, mended"], "~ 1.4 # Two, mended"),
        (["# One", "> It rains.", "k sneak v5", "close", "# Two"], "~ --insert 1.1 > It rains."),
        (["# First", "# One", "k sneak v5", "close", "# Two"], "~ --insert 1.0 # First"),
        (["# One", "k sneak v5", '" kess: "So', "close", "# Two"], ""),
    ],
)
def test_mended_text_is_amended_at_once(folder, changed, correction):
    folder.run("run", evening(folder, "# One", "k sneak v5", "close", "# Two"))
    assert correction in folder.run("run", evening(folder, *changed))
    printed = folder.run("log", "1", "--typed").splitlines()
    lines = [line[6:] for line in printed if line[:2] == "1." and "~" not in line]
    assert [line for line in lines if "opens" not in line and "edited" not in line][: len(changed)] == changed
    assert folder.run("run", evening(folder, *changed)) == ""
    folder.run("verify")


@pytest.mark.slow
def test_texts_are_inserted_in_any_order(folder):
    folder.run("run", evening(folder, "# One", "k sneak v5"))
    for texts in (["> d"], ["> c", "> d"], ["> a", "> c", "> d"], ["> a", "> b", "> c", "> d"]):
        done = folder.invoke("run", evening(folder, "# One", *texts, "k sneak v5"))
        assert (done.exit_code, "Error" in done.stderr) == (0, False)
        printed = folder.run("log", "1", "--typed").splitlines()
        assert [line[6:] for line in printed if line.startswith("1.1+")] == texts
    folder.run("verify")


@pytest.mark.slow
def test_recap_has_the_mended_words_only(folder):
    folder.run("run", evening(folder, "# One", "> Fog rols in."))
    folder.run("run", evening(folder, "# One", "> Fog rolls in."))
    recap = folder.run("recap")
    assert "Fog rolls in." in recap
    assert "rols" not in recap
    assert "1.2@1 > Fog rols in. (from a file)" in folder.run("log", "1", "--takes").splitlines()


@pytest.mark.slow
def test_secret_text_stays_secret_when_it_is_mended(folder):
    folder.run("run", evening(folder, "# One", "!! > The lamplihgter did it.", "> Fog."))
    folder.run("run", evening(folder, "# One", "!! > The lamplighter did it.", "!! > Orrin knows.", "> Fog."))
    assert "lamplighter did it" in folder.run("log", "1")
    for shown in (folder.run("log", "1", "--as", "players"), folder.run("recap")):
        assert "did it" not in shown
        assert "Orrin knows" not in shown
    folder.run("verify")


@pytest.mark.slow
def test_line_in_other_words_is_no_edit(folder):
    folder.run("run", evening(folder, "# One", "k sneak v5", "close"))
    before = folder.bytes
    done = folder.invoke("run", evening(folder, "# One", "Kess sneak v5", "close"))
    assert (done.exit_code, done.stdout) == (0, "")
    assert folder.bytes == before


@pytest.mark.slow
def test_edit_that_needs_dice_says_so(folder):
    folder.run("run", evening(folder, "# One", "k sneak v5", "close"))
    path = evening(folder, "# One", "o climb v3", "k sneak v5", "close")
    done = folder.invoke("run", path, "--yes")
    assert done.exit_code == 1
    assert f"L-NEEDS: {path}:2: entry 1.1+1 needs faces that were never drawn" in done.stderr
    assert "as in: o climb v3 /6.6" in done.stderr
    path = evening(folder, "# One", "o climb v3 /6.6", "k sneak v5", "close")
    folder.run("run", path, "--yes")
    assert folder.invoke("run", path).exit_code == 0


@pytest.mark.slow
def test_changed_last_line_is_undone_and_said_again(folder):
    folder.run("run", evening(folder, "# One", "k sneak v5"))
    path = evening(folder, "# One", "o climb v3")
    printed = folder.run("run", path, "--yes")
    assert "1.3   undo" in printed
    assert "1.2   o climb v3" in printed
    assert folder.invoke("run", path).exit_code == 0


def test_file_that_has_lost_most_lines_corrects_nothing(folder):
    folder.run("run", evening(folder, "# One", "> Two", "# Three", "k sneak v5", "close"))
    before = folder.bytes
    done = folder.invoke("run", evening(folder, "# One", "# Other", "# More"), "--yes")
    assert done.exit_code == 1
    assert "most of the lines that were taken are not in the file. If it is another file, give it" in done.stderr
    assert folder.bytes == before


@pytest.mark.slow
def test_correction_in_another_window_is_reported(folder):
    path = evening(folder, "# One", "k sneak v5", "close")
    folder.run("run", path)
    folder.run("do", "~ 2 v6 because=typo retcon")
    done = folder.invoke("run", path)
    assert done.exit_code == 0
    assert 'evening.session:2: entry 1.2 was corrected by 1.4 and reads: Kess "sneak" v6. The file' in done.stderr
    assert folder.invoke("run", evening(folder, "# One", "k sneak v6", "close")).stderr.count("\n") == 1


@pytest.mark.slow
def test_undo_in_another_window_is_reported(folder):
    path = evening(folder, "# One", "k sneak v5")
    folder.run("run", path)
    folder.run("undo")
    error = folder.invoke("run", path).stderr
    assert "evening.session:2: entry 1.2 was taken back by 1.3. Take the line out, or say it again" in error
    assert "skipped" not in folder.invoke("run", evening(folder, "# One", "undo")).stdout


@pytest.mark.slow
def test_edit_that_another_command_makes_first_is_made_once(folder, monkeypatch):
    folder.run("run", evening(folder, "# One", "> Two"))
    path = evening(folder, "# One", "> Two, mended")
    real = EditPlanner._amendment

    def late(planner, edits):
        monkeypatch.setattr(EditPlanner, "_amendment", real)
        assert folder.run_process("run", path).returncode == 0
        return real(planner, edits)

    monkeypatch.setattr(EditPlanner, "_amendment", late)
    folder.run("run", path)
    assert folder.run("log", "1").count("amends 1.2") == 1


@pytest.mark.slow
def test_edits_are_made_once_by_two_commands(folder):
    lines = ["# One", *(f"> fact {number}" for number in range(12)), "k sneak v5", "close"]
    folder.run("run", evening(folder, *lines))
    path = evening(folder, *(line.replace("fact", "fact, mended") for line in lines), "> new")
    processes = [folder.start_process("run", path) for _ in range(3)]
    assert [(process.communicate(timeout=60), process.returncode)[1] for process in processes] == [0, 0, 0]
    printed = folder.run("log", "1", "--typed")
    assert printed.count("> fact, mended") == 2 * printed.count("amends") == 24
    assert printed.count("> new") == 1
    folder.run("verify")


@pytest.mark.slow
def test_undone_amendment_is_not_made_again(folder):
    folder.run("run", evening(folder, "# One", "> Two"))
    path = evening(folder, "# One", "> Two, mended")
    folder.run("run", path)
    folder.run("undo", "1.3")
    before = folder.bytes
    assert "entry 1.2 was corrected by 1.4 and reads: > Two. The file still says" in folder.invoke("run", path).stderr
    assert folder.bytes == before


@pytest.mark.slow
def test_line_of_several_is_amended_for_all(folder):
    folder.run("run", evening(folder, "# One", 'k,o speed -1 "rain"', "# Two"))
    path = evening(folder, "# One", 'k,o speed -2 "rain"', "# Two")
    folder.run("run", path, "--yes")
    assert "speed 14>12" in folder.run("log", "1")
    assert "speed 10>8" in folder.run("log", "1")
    assert folder.invoke("run", path).exit_code == 0
    path = evening(folder, "# One", 'k speed -2 "rain"', "# Two")
    done = folder.invoke("run", path, "--yes")
    assert "1.2   removed: " in done.stdout
    assert "1.3+1 inserted: k speed -2" in done.stdout
    path = evening(folder, "# One", 'k,o speed -2 "rain"', "# Two")
    assert "the line is for Kess, Orrin. Write a line for each" in folder.invoke("run", path, "--yes").stderr
    folder.run("run", evening(folder, "# One", "# Two"), "--yes")
    assert "speed 14>" not in folder.run("log", "1")


@pytest.mark.slow
def test_wrong_claim_behind_a_taken_line_is_reported(folder):
    folder.run("run", evening(folder, "# One", "k sneak v5 /7.6", "close"))
    done = folder.invoke("run", evening(folder, "# One", "k sneak v5 /7.6 => failure, dawn", "close"))
    assert done.exit_code == 0
    assert "evening.session:2: entry 1.2 does not bear out => failure, dawn: failure is no." in done.stderr


@pytest.mark.slow
def test_comments_may_be_added_anywhere(folder):
    folder.run("run", evening(folder, "# One", "k sneak v5"))
    assert heads(folder.run("run", evening(folder, "; tonight", "", "# One", "; so", "k sneak v5", "close"))) == ["1.3"]


@pytest.mark.slow
def test_same_line_counts_as_often_as_it_stands(folder):
    folder.run("run", evening(folder, "# One", "> so", "> so"))
    assert heads(folder.run("run", evening(folder, "# One", "> so", "> so", "> so", "# One"))) == ["1.4", "1.5"]


@pytest.mark.slow
def test_undone_line_may_be_changed_or_left_out(folder):
    folder.run("run", evening(folder, "# One", "k sneak v5"))
    folder.run("undo")
    assert heads(folder.run("run", evening(folder, "# One", "k sneak v6"))) == ["1.2"]
    assert folder.run("run", evening(folder, "# One", "k sneak v6")) == ""
    folder.run("undo")
    assert heads(folder.run("run", evening(folder, "# One", "# Two"))) == ["1.2"]


@pytest.mark.slow
def test_remark_about_skipped_lines_comes_with_an_error(folder):
    folder.run("run", evening(folder, "# One", "# Two"))
    done = folder.invoke("run", evening(folder, "# One", "# Two", "k sneak v99"))
    assert [line.partition(":")[0] for line in done.stderr.splitlines()][1] == "Error"
    assert "skipped 2 lines, already taken" in done.stderr


@pytest.mark.slow
def test_file_of_an_earlier_session_is_refused(folder):
    path = evening(folder, "# One", "k sneak v5")
    folder.run("run", path)
    folder.run("close")
    folder.run("open")
    before = folder.bytes
    error = one_error(folder.invoke("run", path), 1)
    assert "the file was played in session 1" in error
    assert folder.bytes == before


@pytest.mark.slow
def test_second_run_takes_added_lines(folder):
    folder.run("run", evening(folder, "# One"))
    assert heads(folder.run("run", evening(folder, "# One", "# Two"))) == ["1.2"]


@pytest.mark.slow
def test_undo_in_a_file_is_declared_once(folder):
    path = evening(folder, "# One", "# Two", "undo", "# Three")
    folder.run("run", path)
    printed = folder.run("log")
    assert "Two" not in printed
    assert "Three" in printed
    assert folder.run("run", path) == ""


def test_run_error_names_file_line_and_column(folder):
    path = evening(folder, "# One", "x climb v4")
    assert one_error(folder.invoke("run", path), 3).startswith(f"{path}:2, column 1: ")


@pytest.mark.slow
def test_run_accepts_cr_lf(folder):
    path = folder.file("evening.session", b"# One\r\nk sneak v5\r\n\r\nclose\r\n")
    assert heads(folder.run("run", str(path))) == ["1.1", "1.2", "1.3"]
    assert [record["facts"][0]["line"] for record in records(folder.run("log", "1", "--json"))[1:]] == [
        "# One",
        "k sneak v5",
        "close",
    ]
    assert folder.run("run", evening(folder, "# One", "k sneak v5", "", "close")) == ""


@pytest.mark.parametrize("command", [["run"], ["watch", "--once"]])
def test_session_file_may_begin_with_a_byte_order_mark(folder, command):
    path = folder.file("evening.session", b"\xef\xbb\xbf# One\n# Two\n")
    assert heads(folder.run(*command, str(path))) == ["1.1", "1.2"]
    folder.file("evening.session", "# One\n# Two\n")
    assert folder.run("run", str(path)) == ""


@pytest.mark.slow
@pytest.mark.parametrize("mark", ["\x0b", "\x0c", "\x1c", "\x85", "\u2028"])
def test_only_a_line_feed_ends_a_line(folder, mark):
    path = folder.file("evening.session", f"# One\n# Two{mark}# Three\n".encode())
    assert "evening.session:2, column 6" in one_error(folder.invoke("run", str(path)), 3)


@pytest.mark.slow
@pytest.mark.parametrize("size", [1, 2, 3, 100])
def test_refused_line_leaves_all_lines_before_it(folder, monkeypatch, size):
    monkeypatch.setattr(session_player, "BATCH", size)
    done = folder.invoke("run", evening(folder, "# One", "# Two", "# Three", "k sneak v99", "# Four"))
    assert heads(done.stdout) == ["1.1", "1.2", "1.3"]
    assert "evening.session:4" in one_error(done, 1)
    assert heads(folder.run("log", "1"))[-3:] == ["1.1", "1.2", "1.3"]


@pytest.mark.slow
def test_run_json_prints_records_before_a_bad_line(folder):
    done = folder.invoke("run", "--json", evening(folder, "# One", "k sneak v99"))
    assert (done.exit_code, [record["number"] for record in records(done.stdout)]) == (1, [1])


@pytest.mark.slow
def test_run_reads_standard_input(folder):
    done = folder.invoke("run", "-", input="\ufeff# One\nk sneak v5 e1\n\n; a comment\nclose".encode())
    assert (done.exit_code, done.stderr) == (0, "")
    assert heads(done.stdout) == ["1.1", "1.2", "1.3"]
    assert heads(folder.invoke("run", "/dev/stdin", input="# One\n").stdout) == ["1.4"]


@pytest.mark.parametrize(
    ("given", "code", "error"),
    [
        (b"# One\nk sneak v99\n# Three\n", 1, "DB-E-DIFFICULTY: standard input:2: "),
        (b"# One\n\xff\n", 3, "standard input:2: it is not UTF-8 text"),
        (b"# One\n" + b"x" * (1 << 21), 3, "standard input:2: the line is longer than 1 MiB"),
    ],
)
def test_run_names_the_line_of_standard_input_that_is_wrong(folder, given, code, error):
    done = folder.invoke("run", "-", input=given)
    assert one_error(done, code).startswith(error)
    assert heads(done.stdout) == ["1.1"]
