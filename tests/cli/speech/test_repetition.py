"""What the last line has done already is asked, not done once more."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from cli.main import campaign
from tests.cli.conftest import Folder

SHEET = 'name = "{}"\nbody = 9\nresolve = 9\nhp = 3\nweapons = {{ pistol = "d6" }}\n'
BEFORE = ('! encounter "the wreck"', "! round", "! on", "petra attack sniper pistol /6.2.7")


@pytest.fixture
def shot(tmp_path: Path) -> Folder:
    """Return a campaign of Monolith whose last line is a shot, with the save that it threw."""
    CliRunner().invoke(campaign, ["new", "Wreck", str(tmp_path / "wreck"), "--game", "monolith"])
    folder = Folder(tmp_path / "wreck")
    for name, kind in (("Petra", ""), ("Sniper", 'sheet = "npc"\n')):
        file = tmp_path / f"{name}.toml"
        file.write_text(kind + SHEET.format(name), encoding="utf-8")
        folder.run("cast", str(file))
    folder.run("open", "--seed", "wreck")
    for line in BEFORE:
        folder.run("do", line)
    return folder


def said(folder: Folder, sentence: str) -> str:
    """Return what the shell answers."""
    return folder.invoke("play", input=f"{sentence}\n").output


def test_throw_that_the_last_line_made_is_asked(shot: Folder) -> None:
    answer = said(shot, "sniper's body save is 4, he's up")
    assert "  1  ~ 4 /6.4.7\n" in answer
    assert "Sniper save body /4" in answer


def test_harm_of_the_last_blow_is_asked(shot: Folder) -> None:
    assert "may be what the last line has done already" in said(shot, "sniper loses two body, the fall")


@pytest.mark.parametrize("sentence", ["petra loses two hp, broken glass", "Petra makes a body save, seven"])
def test_what_the_last_line_did_not_do_is_taken(shot: Folder, sentence: str) -> None:
    assert "already" not in said(shot, sentence)
