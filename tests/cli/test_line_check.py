"""Test the check of lines in parts of the log: each line is read in the state in which it was said."""

from __future__ import annotations

import json

import pytest

from cli.questions import line_check
from cli.questions.ledger_file import find_game
from cli.questions.line_check import check_lines, check_lines_between
from ledger import processes, take_check
from ledger.sqlite_store import open_store
from ledger.writing_order import Log
from projections.projection import StateProjection
from tests.cli.conftest import Folder
from tests.ledger.strategies import Forger, changing

BECAUSE = ("--because", "so it was")


@pytest.mark.quick_rows(1)
@pytest.mark.parametrize("size", [7, 1000, *(pytest.param(size, marks=pytest.mark.slow) for size in (3, 40))])
def test_parts_read_lines_in_the_states_of_the_whole(
    saints: Folder, monkeypatch: pytest.MonkeyPatch, size: int
) -> None:
    """Corrections reach back before the part in which they were written."""
    saints.run("open", "Once more")
    saints.run("amend", "1.14", "e1", *BECAUSE, "--retcon")
    saints.run("do", "k sneak v2")
    saints.run("amend", "2.55", "no e1", *BECAUSE, "--stand")
    saints.run("do", "close")
    store = open_store(saints.ledger, write=False)
    book, projection = find_game(store), StateProjection()
    monkeypatch.setattr(line_check, "_difference", lambda take, said, state, book, hear: state.pack().decode())
    monkeypatch.setattr(take_check, "LET_GO_AT", 10)
    monkeypatch.setattr(processes, "_opened", [(store, book, projection)])
    parts = [(after, after + size) for after in range(0, store.head().position, size)]
    whole = list(check_lines(Log.of(store), book, projection))
    assert len(whole) > 100
    assert [finding for part in parts for finding in check_lines_between(*part)] == whole
    store.close()


@pytest.mark.slow
def test_lines_said_in_words_are_heard_again(folder: Folder, monkeypatch: pytest.MonkeyPatch) -> None:
    said = "Kess climbs the wall, difficulty 5"
    more = ("Orrin tries to force the door with might, difficulty four", "Kess sneaks past the guards, difficulty 4")
    folder.run("do", said)
    folder.invoke("play", input=f"close\n{more[0]}\nclose\n")
    folder.invoke("play", "--as", "players", input=f"{more[1]}\nclose\n")
    lines = [json.loads(record)["facts"][0]["line"] for record in folder.run("log", "1", "--json").splitlines()]
    assert [line for line in lines if "difficulty" in line] == [said, *more]
    monkeypatch.setattr(processes, "TAKES_OF_A_PART", 1)
    for jobs in ("1", "2"):
        assert folder.run("verify", "--jobs", jobs).startswith("all is well")
    Forger(folder.ledger).rewrite(changing("1.1", fact=(0, {"line": said.replace("5", "6")})), chained=True)
    folder.run("rebuild")
    found = "entry 1.1@1: its line 'Kess climbs the wall, difficulty 6' reads as another declaration"
    assert folder.invoke("verify", "--jobs", "2").stdout.startswith(found)
