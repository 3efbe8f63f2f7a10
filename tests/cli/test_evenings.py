"""Evenings in the shell: what a person sees at a terminal, for each game, and a ledger that agrees with it."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from cli.main import campaign
from tests.cli.evenings import EVENINGS, GAMES, SHOWN, picture, play, prepare, screen_text
from tests.readme import README


def kept(game: str, name: str) -> str:
    """Return a golden file of an evening."""
    return (EVENINGS / game / name).read_text(encoding="utf-8")


EACH = [game if game == SHOWN else pytest.param(game, marks=pytest.mark.slow) for game in GAMES]


@pytest.mark.slow
@pytest.mark.parametrize("game", EACH)
def test_evening_at_a_terminal_looks_the_same(game: str, tmp_path: Path) -> None:
    folder = tmp_path / "evening"
    prepare(game, folder)
    terminal = play(game, folder)
    assert screen_text(terminal) == kept(game, "screen.txt"), "python -m tests.rewrite rewrites it; read the difference"
    done = CliRunner().invoke(campaign, ["-C", str(folder), "replay"])
    assert (done.exit_code, "the replay agrees" in done.output) == (0, True)
    if game == SHOWN:
        assert picture(terminal) == kept(game, "screen.svg")
        assert "(tests/cli/evenings/dusk-bastards/screen.svg)" in README.read_text(encoding="utf-8")


TABLE_DICE = {
    "dusk-bastards": ["w sneak v4", "7 6"],
    "mars": ['b check perception v10 "a third?"', "7.3"],
    "momentum": ['o check agi "the wet stones"', "7 6"],
    "monolith": ['v save reflex "the cable goes"', "7"],
    "semiautomagic": ['! fight "the kiln" kit brand brute 1', "kit attack brute 1", "4", "5"],
}


@pytest.mark.quick_rows(2)
@pytest.mark.parametrize("game", GAMES)
def test_every_game_takes_dice_of_the_table(game: str, tmp_path: Path) -> None:
    folder = tmp_path / "evening"
    prepare(game, folder)
    typed = "\n".join(['! option dice table "a vote"', *TABLE_DICE[game], ""])
    done = CliRunner().invoke(campaign, ["-C", str(folder), "play"], input=typed)
    assert (done.exit_code, done.stderr) == (0, "")
    assert "[table dice]" in done.stdout
    assert CliRunner().invoke(campaign, ["-C", str(folder), "replay"]).exit_code == 0
