"""`tutorial`: each book's steps are taken as they stand, and any other line is answered in between."""

from __future__ import annotations

import pytest
from click.testing import CliRunner

from cli.main import campaign
from cli.play.tutorial import load_tutorial
from rulebooks import load_game

GAMES = ("dusk-bastards", "mars", "momentum", "monolith", "open-game", "semiautomagic")


def told(folder, *arguments: str, said: str = "") -> str:
    result = CliRunner().invoke(campaign, ["tutorial", str(folder), *arguments], input=said)
    assert result.exit_code == 0, result.output
    return result.output


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_tutorial_steps_are_taken_as_they_stand(tmp_path, game):
    output = told(tmp_path / "evening", "--game", game)
    steps = load_tutorial(load_game(game)).steps
    assert all(f"says: {step.line}" in output for step in steps if step.line)
    for refusal in ("-E-", "column ", "is nobody", "Nothing to do", "may mean"):
        assert refusal not in output


@pytest.mark.parametrize("game", GAMES)
def test_tutorial_rules_are_of_the_book(game):
    book = load_game(game)
    assert all(step.rule in book.texts().rules for step in load_tutorial(book).steps if step.rule)


@pytest.mark.slow
def test_tutorial_answers_other_lines_and_goes_on(tmp_path):
    output = told(tmp_path / "evening", said="? show kess\nquit\n")
    assert "might 9/9" in output
    assert "Kess sneak" not in output
    assert "Play on: campaign -C" in output
