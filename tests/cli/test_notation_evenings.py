"""Random evenings of every game, written as session files: each replays to the same facts."""

from __future__ import annotations

import shutil
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import Phase, given, settings

from cli.play.declare import declare_line
from cli.questions.ledger_file import find_game
from cli.questions.session_notation import session_notation
from ledger.builtin import BUILTIN
from ledger.dice import fixed_seed
from ledger.game import decoder
from ledger.memory_store import MemorySeeds, MemoryStore
from ledger.service import Ledger
from ledger.sqlite_store import open_store
from projections.projection import StateProjection
from tests.cli.conftest import Folder
from tests.cli.test_export import AT, declare_plainly, played_facts
from tests.cli.test_view_evenings import EXAMPLES, TABLES, evening, foe_sheet, prepared

assert prepared  # the fixture


@pytest.mark.slow
@pytest.mark.parametrize("game", TABLES)
def test_evening_written_as_lines_replays(game: str, prepared: dict[str, Folder], tmp_path: Path) -> None:
    @settings(max_examples=EXAMPLES, phases=[phase for phase in Phase if phase is not Phase.shrink])
    @given(evening(game))
    def check(played: tuple[tuple[int, int], list[str]]) -> None:
        numbers, lines = played
        folder = Folder(tmp_path / game)
        shutil.rmtree(folder.path, ignore_errors=True)
        shutil.copytree(prepared[game].path, folder.path)
        folder.run("cast", str(folder.file("foe.toml", foe_sheet(game, numbers))))
        folder.run("open", "One", "--seed", "one")
        for line in lines:
            folder.invoke("do", line)
        with closing(open_store(folder.ledger, write=False)) as store:
            book = find_game(store)
            again = Ledger(MemoryStore(), book, StateProjection(), MemorySeeds())
            declare_plainly(again, store, 0, decoder(book, BUILTIN).decode)
            again.open_session("One", at=AT, seed=fixed_seed("two"))
            written = [*session_notation(store, book, 1)]
            for line in written:
                declare_line(again, book, line, at=AT)
            assert played_facts(again.store, 1) == played_facts(store, 1), written

    check()
