"""`search`, and the read models as `verify` and `rebuild` see them."""

from __future__ import annotations

import json
import re
import sqlite3

import pytest


def raw(folder, statement: str) -> None:
    db = sqlite3.connect(folder.ledger, isolation_level=None)
    db.execute(statement)
    db.close()


def test_search_lists_matching_entries(played):
    assert played.run("search", "lamp") == "1.2   # The lamp room\n"
    assert re.fullmatch(r"1\.\d   k sneak v5 e1\n1\.\d   k sneak v6\n", played.run("search", "SNEA"))


def test_search_finds_undone_entries_only_with_takes(played):
    assert "7.6" not in played.run("search", "climb")
    assert "@1 o climb v3 /7.6" in played.run("search", "climb", "--takes")


def test_search_json_prints_records_as_log_does(played):
    (found,) = played.run("search", "lamp", "--json").splitlines()
    assert found in played.run("log", "--json").splitlines()
    assert json.loads(found)["facts"][1]["text"] == "The lamp room"


def test_search_without_match_is_a_remark(played):
    done = played.invoke("search", "dragon")
    assert (done.exit_code, done.stdout, done.stderr) == (0, "", "No entry contains these words.\n")


@pytest.mark.parametrize("text", ['"', "lamp OR", "*", "NEAR(", "line:lamp", "\x1b[31m", "-- ", "'", "\udcff", ""])
def test_search_accepts_any_text(played, text):
    assert played.invoke("search", "--", text).exit_code == 0


def test_search_writes_nothing(played):
    before = played.bytes
    played.run("search", "lamp")
    assert played.bytes == before


@pytest.mark.slow
def test_verify_names_a_changed_row_that_rebuild_mends(played):
    raw(played, "UPDATE pools SET points = 99 WHERE name = 'Kess' AND pool = 'might'")
    done = played.invoke("verify")
    assert done.exit_code == 1
    assert (
        "table pools: row Kess, might: points is 99, the records say 9; make it again with: campaign rebuild"
        in done.stdout
    )
    assert "read models" in played.invoke("rebuild").stderr
    assert played.run("verify").startswith("all is well")


@pytest.mark.slow
def test_rebuild_mends_missing_read_models(folder):
    raw(folder, "DROP TABLE entries")
    done = folder.invoke("do", "# The lamp room")
    assert done.exit_code == 3
    assert "campaign rebuild" in done.stderr
    assert "'entries' is missing" in folder.invoke("verify").stdout
    folder.run("rebuild")
    folder.run("do", "# The lamp room")
    assert "The lamp room" in folder.run("search", "lamp")
    assert folder.run("verify").startswith("all is well")
