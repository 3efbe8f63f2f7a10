"""Evenings in the shell: what a person sees at a terminal, for each game, and a ledger that agrees with it."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from cli.main import campaign
from tests.cli.evenings import EVENINGS, GAMES, play, prepare, screen_text


@pytest.mark.parametrize("game", GAMES)
def test_evening_at_a_terminal_looks_the_same(game: str, tmp_path: Path) -> None:
    folder = tmp_path / "evening"
    prepare(game, folder)
    kept = (EVENINGS / game / "screen.txt").read_text(encoding="utf-8")
    assert screen_text(play(game, folder)) == kept, "python -m tests.rewrite rewrites it; read the difference"
    done = CliRunner().invoke(campaign, ["-C", str(folder), "replay"])
    assert (done.exit_code, "the replay agrees" in done.output) == (0, True)
