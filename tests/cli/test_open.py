"""`campaign open` and `campaign close`."""

from __future__ import annotations

import re

import pytest

from ledger.errors import LedgerError
from ledger.sqlite_store import SqliteStore
from tests.cli.conftest import copied, one_error


def test_open_prints_the_commitment_and_remarks_the_head(closed):
    done = closed.invoke("open", "Rooftops", "--seed", "the door's own")
    assert done.exit_code == 0
    assert re.fullmatch(r"1\.0   session 1 opens: Rooftops\n +commitment [0-9a-f]{64} .*a fixed seed\)\n", done.stdout)
    assert re.fullmatch(r"head 4 [0-9a-f]{64}\nwords 4( [a-z]+){4}\n", done.stderr)
    assert closed.run("open", "--help")
    assert one_error(closed.invoke("open", "Again"), 1).startswith("L-OPEN")


def test_session_needs_no_title(closed):
    assert closed.run("open").splitlines()[0] == "1.0   session 1 opens"


def test_close_prints_the_seed_and_the_head(folder):
    folder.run("do", "k sneak v5")
    told = folder.run("close")
    assert re.search(
        r"^      seed [0-9a-f]{64}\nsession 1: .+\nhead \d+ [0-9a-f]{64}\nwords( [\da-z]+){5}\n\Z", told, re.MULTILINE
    )
    assert folder.seeds == []
    assert one_error(folder.invoke("close"), 1).startswith("L-CLOSED")


def test_close_asks_at_a_terminal_while_something_is_open(folder, monkeypatch):
    monkeypatch.setattr("cli.commands.close.at_terminal", lambda: True)
    folder.run("do", "k sneak v5")
    refused = folder.invoke("close", input="n\n")
    assert refused.exit_code == 1
    assert "open roll: Kess (since 1.1)\n" in refused.stderr
    assert "Close the session all the same?" in refused.stderr
    assert "The session stays open." in refused.stderr
    assert folder.invoke("close", input="y\n").exit_code == 0


def test_close_asks_in_the_middle_of_a_fight(fight_folder, tmp_path, monkeypatch):
    folder = copied(fight_folder, tmp_path)
    monkeypatch.setattr("cli.commands.close.at_terminal", lambda: True)
    assert "round 1, action phase: Ash's turn is not over\n" in folder.invoke("close", input="n\n").stderr
    assert "all the same" not in folder.invoke("close", "--yes").stderr


def test_close_asks_nothing_elsewhere(folder, monkeypatch):
    folder.run("do", "k sneak v5")
    assert "all the same" not in folder.invoke("close").stderr
    folder.run("open")
    monkeypatch.setattr("cli.commands.close.at_terminal", lambda: True)
    assert "all the same" not in folder.invoke("close").stderr


@pytest.mark.parametrize("command", ["open", "close"])
def test_error_after_an_append_says_that_it_is_kept(closed, monkeypatch, command):
    if command == "close":
        closed.run("open")
    head = SqliteStore.head

    def fail_once_appended(store):
        if store.appended:
            raise LedgerError("SQLite says: disk I/O error")
        return head(store)

    with monkeypatch.context() as patch:
        patch.setattr(SqliteStore, "head", fail_once_appended)
        said = one_error(closed.invoke(command), 3)
    assert (
        said == "SQLite says: disk I/O error. What was taken is kept: look with campaign log before you say it again."
    )
    assert one_error(closed.invoke(command), 1).startswith("L-")
