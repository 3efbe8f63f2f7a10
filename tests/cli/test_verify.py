"""Test `verify` on files that somebody changed with care, with and without a kept head."""

from __future__ import annotations

import json
import re
import sqlite3
from contextlib import closing

import msgspec
import pytest

from ledger import processes, read_model_check, sqlite_connection
from tests.cli.conftest import Folder, one_error
from tests.ledger.strategies import Forger, changing
from tests.ledger.test_sqlite_check import hide_from_index


def head_of(folder: Folder) -> str:
    """Return the head of a ledger, as `verify` prints it."""
    return folder.run("verify").splitlines()[-1].rpartition("head ")[2]


def verify_findings(folder: Folder, *more: str) -> list[str]:
    """Return the findings of `verify`, which must have some."""
    done = folder.invoke("verify", *more)
    assert done.exit_code == 1, done.output
    return re.split(r"^\d+ findings?$", done.stdout, flags=re.MULTILINE)[0].splitlines()


@pytest.mark.slow
def test_hidden_amendment_is_found_with_the_kept_head(played):
    played.run("amend", "1.1", "k sneak v2", "--retcon", "--because", "the wrong number")
    kept = head_of(played)
    takes = [msgspec.json.decode(line) for line in played.run("log", "--takes", "--json").splitlines()]
    position = next(take["position"] for take in takes if take["number"] == 1 and take["take"] == 2)
    hide_from_index(played.ledger, position)
    hidden = f"position {position}: its record is hidden from the index; keep the file and restore a backup"
    assert hidden in verify_findings(played, "--head", kept)


@pytest.mark.slow
def test_line_written_during_verify_is_no_finding(folder, monkeypatch):
    build = read_model_check.build_read_models

    def build_beside_writer(*arguments):
        models = list(build(*arguments))
        folder.run("do", "k sneak v5 e1")
        return models

    monkeypatch.setattr(read_model_check, "build_read_models", build_beside_writer)
    head = head_of(folder)
    assert head.split()[0] == str(int(head_of(folder).split()[0]) - 1)


@pytest.mark.slow
def test_verify_waits_for_no_lock_for_ever(folder, monkeypatch):
    monkeypatch.setattr(sqlite_connection, "BUSY_SECONDS", 0.1)
    writer = sqlite3.connect(folder.ledger, isolation_level=None)
    writer.execute("BEGIN EXCLUSIVE")
    assert "another program" in one_error(folder.invoke("verify"), 3)
    writer.close()


@pytest.mark.slow
def test_verify_without_kept_head_says_what_is_not_excluded(played):
    done = played.invoke("verify")
    assert done.stderr == (
        "No kept head was given (--head): a ledger that was rewritten as a whole or cut off at its end passes too.\n"
    )
    assert played.invoke("verify", "--head", head_of(played)).stderr == ""


@pytest.mark.slow
@pytest.mark.parametrize("position", ["0", "99", "999999999999"])
def test_head_beyond_the_ledger_is_said(played, position):
    count = head_of(played).split()[0]
    expected = [f"position {position}: a head was kept there, but the ledger ends at {count}"]
    assert verify_findings(played, "--head", f"{position} {'ab' * 32}") == expected


@pytest.mark.slow
@pytest.mark.parametrize(
    ("line", "named"),
    [
        ("k sneak v6 e1", "entry 1.1@1: its line 'k sneak v6 e1' reads as another declaration than was recorded"),
        ("k sneak v5 e1 => kess.might 9", "entry 1.1@1: its line 'k sneak v5 e1 => kess.might 9' has other claims"),
        ("; nothing", "entry 1.1@1: its line '; nothing' is empty"),
    ],
)
def test_line_that_reads_as_something_else_is_found(played, line, named):
    Forger(played.ledger).rewrite(changing("1.1", fact=(0, {"line": line})), chained=True)
    played.run("rebuild")
    found = verify_findings(played)
    assert len(found) == 1
    assert found[0].startswith(named)


@pytest.mark.slow
def test_line_in_words_that_is_heard_otherwise_now_is_told(played):
    """A later version may hear a sentence otherwise than it was shown and taken on the evening: that is no error."""
    Forger(played.ledger).rewrite(changing("1.1", fact=(0, {"line": "nobody sneaks at all"})), chained=True)
    played.run("rebuild")
    told = played.run("verify")
    assert told.startswith("all is well")
    assert "entry 1.1@1: its line 'nobody sneaks at all' was said in words, and is heard otherwise now" in told
    (notice,) = json.loads(played.run("verify", "--json"))["notices"]
    assert notice["where"] == "entry 1.1@1"


@pytest.mark.slow
def test_inserted_texts_with_open_quotation_marks_are_well(folder):
    folder.run("do", "k sneak v5 e1")
    folder.run("do", "close")
    folder.run("do", "# The lamp room")
    quotes = ("--insert", "1.2", '" k: we see you', "--insert", "1.2", '" k: and you')
    mixed = ("1.1", "v6", "--insert", "1.2", '> two  spaces, 5" wide', "--insert", "1.2", "# x")
    for change, how in ((quotes, "--stand"), (quotes, "--retcon"), (mixed, "--stand"), (mixed, "--retcon")):
        folder.run("amend", *change, "--because", "it was so", how)
    assert folder.run("verify", "--jobs", "1").startswith("all is well")


@pytest.mark.slow
def test_several_processes_find_what_one_finds(played, monkeypatch):
    monkeypatch.setattr(processes, "TAKES_OF_A_PART", 1)
    Forger(played.ledger).rewrite(changing("1.1", fact=(0, {"line": "k sneak v6 e1"})), chained=True)
    alone = played.invoke("verify", "--jobs", "1", "--json")
    assert (alone.exit_code, "reads as another declaration" in alone.stdout) == (1, True)
    assert played.invoke("verify", "--jobs", "2", "--json").stdout == alone.stdout
    assert played.run("replay", "--jobs", "2", "--json") == played.run("replay", "--jobs", "1", "--json")


@pytest.mark.parametrize("size", [100, 5_000, 40_000])
def test_cut_off_file_is_named_with_what_to_do(played, size):
    whole = len(played.bytes)
    played.ledger.write_bytes(played.bytes[:size])
    error = one_error(played.invoke("verify"), 3)
    assert f"the file is cut off: it has {size} of {whole} bytes. Keep it as it is, restore a backup" in error
    assert "campaign verify" not in error


def test_verify_names_what_somebody_added_to_the_file(folder):
    with closing(sqlite3.connect(folder.ledger)) as db:
        db.execute("CREATE VIEW mine AS SELECT * FROM entries")
        db.execute("ANALYZE")
    folder.run("do", "k climb v4")
    folder.run("rebuild")
    for quick in ([], ["--quick"]):
        printed = folder.run("verify", *quick)
        assert "all is well\n" in printed
        assert "schema: the view 'mine' is not of the ledger; it goes with: DROP VIEW \"mine\"\n" in printed
        assert "sqlite_stat" not in printed
