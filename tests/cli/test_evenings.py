"""Evenings in the shell: what a person sees at a terminal, for each game, and a ledger that agrees with it."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from cli.main import campaign
from tests.cli.evenings import EVENINGS, GAMES, SHOWN, excerpt, picture, play, prepare, screen_text
from tests.readme import README


def kept(game: str, name: str) -> str:
    """Return a golden file of an evening."""
    return (EVENINGS / game / name).read_text(encoding="utf-8")


@pytest.mark.parametrize("game", GAMES)
def test_evening_at_a_terminal_looks_the_same(game: str, tmp_path: Path) -> None:
    folder = tmp_path / "evening"
    prepare(game, folder)
    terminal = play(game, folder)
    assert screen_text(terminal) == kept(game, "screen.txt"), "python -m tests.rewrite rewrites it; read the difference"
    done = CliRunner().invoke(campaign, ["-C", str(folder), "replay"])
    assert (done.exit_code, "the replay agrees" in done.output) == (0, True)
    if game == SHOWN:
        assert picture(terminal) == kept(game, "screen.svg")
        assert excerpt(terminal) in README.read_text(encoding="utf-8")
