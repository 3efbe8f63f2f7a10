"""`campaign do`."""

from __future__ import annotations

import pytest

from tests.cli.commands import RECORD, heads, records, run
from tests.cli.conftest import CLOCK, Folder, one_error


def test_do_prints_the_entry_to_standard_output(folder):
    done = folder.invoke("do", "k sneak v5 e1")
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
def test_do_exits_1_if_refused_and_2_if_unreadable(folder, line, code, said):
    before = folder.bytes
    done = folder.invoke("do", line)
    assert said in one_error(done, code)
    assert (done.stdout, folder.bytes) == ("", before)


def test_do_without_quotes_shows_how_to_quote(folder):
    error = one_error(folder.invoke("do", "k", "sneak", "v5"), 2)
    assert "campaign do 'k sneak v5'" in error


@pytest.mark.parametrize("line", ["", "   ", "; only a comment"])
def test_do_with_an_empty_line_writes_nothing(folder, line):
    before = folder.bytes
    done = folder.invoke("do", line)
    assert (done.exit_code, done.stdout, folder.bytes) == (0, "", before)
    assert "nothing is written" in done.stderr


def test_do_json_is_the_stored_record(folder):
    (record,) = records(folder.run("do", "k sneak v5", "--json"))
    assert set(record) == RECORD
    assert (record["session"], record["number"], record["take"], record["at"]) == (1, 1, 1, CLOCK)
    assert all("rules" in fact for fact in record["facts"])
    assert records(folder.run("log", "--json"))[-1] == record


def test_request_counts_once(folder):
    first = folder.run("do", "k sneak v5", "--request", "r1")
    after = folder.bytes
    assert folder.run("do", "k sneak v5", "--request", "r1") == first
    assert folder.run("do", "  k sneak v5 ", "--request", "r1") == first
    assert one_error(folder.invoke("do", "k sneak v6", "--request", "r1"), 1).startswith("L-REQUEST")
    assert folder.bytes == after
    assert heads(folder.run("do", "k sneak v5", "--request", "r2")) == ["1.2"]


@pytest.mark.parametrize("key", ["\x1b]0;x\x07", "\ud800", "k" * 300])
def test_request_key_is_checked_like_any_text(folder, key):
    before = folder.bytes
    assert "--request" in one_error(folder.invoke("do", "k sneak v5", "--request", key), 2)
    assert folder.bytes == before


def test_adjustment_of_a_value_before_the_first_cast(tmp_path):
    """A number with its sign adjusts, also a value of the book that the ledger does not have yet."""
    folder = Folder(tmp_path)
    run("new", "Salt Ward", str(tmp_path))
    folder.run("open", "one")
    assert "doom 0>3" in folder.run("do", '! doom +3 "an omen"')
