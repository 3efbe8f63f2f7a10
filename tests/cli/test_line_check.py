"""Test the check of lines in parts of the log: each line is read in the state in which it was said."""

from __future__ import annotations

import pytest

from cli.questions import line_check
from cli.questions.ledger_file import find_game
from cli.questions.line_check import check_lines, check_lines_between
from ledger import processes, take_check
from ledger.sqlite_store import open_store
from ledger.writing_order import Log
from projections.projection import StateProjection
from tests.cli.conftest import Folder

BECAUSE = ("--because", "so it was")


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
    monkeypatch.setattr(line_check, "_difference", lambda declared, said, state, book: state.pack().decode())
    monkeypatch.setattr(take_check, "LET_GO_AT", 10)
    monkeypatch.setattr(processes, "_opened", [(store, book, projection)])
    parts = [(after, after + size) for after in range(0, store.head().position, size)]
    whole = list(check_lines(Log.of(store), book, projection))
    assert len(whole) > 100
    assert [finding for part in parts for finding in check_lines_between(*part)] == whole
    store.close()
