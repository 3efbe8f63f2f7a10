"""`campaign run`."""

from __future__ import annotations

import pytest

from tests.cli.commands import evening, heads, records
from tests.cli.conftest import Folder, one_error

EVENING = ["# The lamp room", "k sneak v5 e1", "close", "", "; nobody sees her", "o climb v3 /7.6", "close"]


def test_run_declares_every_line_of_a_file(table):
    done = table.say("run", evening(table, *EVENING))
    assert (done.exit_code, done.stderr) == (0, "")
    assert heads(done.stdout) == ["1.1", "1.2", "1.3", "1.4", "1.5"]


def test_run_equals_do_for_each_line(table, begun, tmp_path):
    table.fine("run", evening(table, *EVENING))
    other = Folder(tmp_path / "other")
    other.path.mkdir()
    for file in begun.path.glob("*.*"):
        other.file(file.name, file.read_bytes())
    for line in EVENING:
        other.fine("do", line)
    assert table.fine("log") == other.fine("log")


def test_run_stops_at_the_first_refused_line(table):
    path = evening(table, "# One", "k sneak v5", "k sneak v99", "# Four")
    done = table.say("run", path)
    assert one_error(done, 1).startswith(f"DB-E-DIFFICULTY: {path}:3: ")
    assert heads(done.stdout) == ["1.1", "1.2"]
    assert "Four" not in table.fine("log")


def test_second_run_takes_nothing_twice(table):
    table.say("run", evening(table, "# One", "k sneak v5", "k sneak v99", "# Four"))
    path = evening(table, "# One", "k sneak v5", "k sneak v9", "# Four")
    assert heads(table.fine("run", path)) == ["1.3", "1.4"]
    after = table.bytes
    assert table.fine("run", path) == ""
    assert table.bytes == after


def test_second_run_takes_added_lines(table):
    table.fine("run", evening(table, "# One"))
    assert heads(table.fine("run", evening(table, "# One", "# Two"))) == ["1.2"]


def test_run_refuses_a_changed_line(table):
    table.fine("run", evening(table, "# One", "k sneak v5"))
    after = table.bytes
    error = one_error(table.say("run", evening(table, "# One", "k sneak v6")), 1)
    assert error.startswith("L-REQUEST")
    assert "evening.session:2" in error
    assert "k sneak v5" in error
    assert table.bytes == after


def test_undo_in_a_file_is_declared_once(table):
    path = evening(table, "# One", "# Two", "undo", "# Three")
    table.fine("run", path)
    printed = table.fine("log")
    assert "Two" not in printed
    assert "Three" in printed
    assert table.fine("run", path) == ""


def test_run_error_names_file_line_and_column(table):
    path = evening(table, "# One", "x climb v4")
    assert one_error(table.say("run", path), 3).startswith(f"{path}:2, column 1: ")


def test_run_accepts_cr_lf(table):
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


def test_run_json_prints_records_before_a_bad_line(table):
    done = table.say("run", "--json", evening(table, "# One", "k sneak v99"))
    assert (done.exit_code, [record["number"] for record in records(done.stdout)]) == (1, [1])
