"""Test whose line it is where its first word may mean several, also in a session file."""

from __future__ import annotations

import pytest

from tests.cli.commands import evening
from tests.cli.conftest import CAST, Folder

FOE = 'sheet = "npc"\nname = "Kraken"\ndifficulty = 4\nhealth = 8\ndamage = 3\n'


@pytest.fixture
def sea(folder: Folder) -> Folder:
    """Kess and a foe whose name begins with the same letter, before their fight."""
    folder.run("cast", str(folder.file("kraken.toml", FOE)))
    return folder


def test_who_alone_may_say_it_is_meant(sea):
    assert "  Kess sneak v5 /7.6\n" in sea.run("do", "k sneak v5 /7.6")
    assert "the replay agrees" in sea.run("replay")
    sea.run("verify")


def test_nobody_is_guessed_among_several(sea):
    done = sea.invoke("do", 'k hp -1 "stairs"')
    assert "may mean several things. Meant? 1: Kess hp -1" in done.stderr


def test_who_is_in_turn_is_meant(sea):
    for line in ('! encounter "sea" participants=Kess,Kraken', "kess init /1.1", "close"):
        sea.run("do", line)
    assert "  Kess move\n" in sea.run("do", "k move")


@pytest.fixture
def fight(sea: Folder) -> Folder:
    """The same in the movement phase, on the turn of the foe; Kess has a knife."""
    knife = CAST["kess.toml"] + '\n[weapons.knife]\nstat = "speed"\ndamage = 2\n'
    sea.run("cast", str(sea.file("kess.toml", knife)), "--because", "found")
    for line in ('! encounter "sea" participants=Kess,Kraken', "kess init /6.6", "close"):
        sea.run("do", line)
    return sea


@pytest.mark.parametrize("line", ["k sneak v4", "k attack kraken m", "k attack kraken knife"])
def test_who_can_never_say_it_does_not_count(fight, line):
    done = fight.invoke("do", line)
    assert "Error: DB-E-PHASE: That belongs to the action phase." in done.stderr


def test_turn_decides_between_two_who_can_say_it(fight):
    assert "  Kraken move\n" in fight.run("do", "k move")
    assert "  Kess move\n" in fight.run("do", "k move")


FILE = [
    '! encounter "sea" participants=Kess,Kraken',
    "kess init /6.6",
    "close",
    "k move",
    "k move",
    "! end",
    "k climb v4 /7.6 => success",
]


def test_file_has_the_same_speakers_as_the_shell(sea):
    path = evening(sea, *FILE)
    told = sea.run("run", path)
    assert "  Kraken move\n" in told
    assert "  Kess move\n" in told
    assert "  Kess climb v4 /7.6 => success\n" in told
    sea.run("verify")
    again = sea.invoke("run", path)
    assert (again.exit_code, again.stdout) == (0, "")
    assert again.stderr.endswith(": skipped 7 lines, already taken in session 1.\n")


def test_file_edit_keeps_the_speaker(sea):
    sea.run("run", evening(sea, *FILE[:4]))
    sea.run("run", "--yes", evening(sea, *FILE[:3], "k move short"))
    assert "  Kraken move short\n" in sea.run("log")
    sea.run("verify")


def test_file_takes_redo_once(folder):
    path = evening(folder, "k sneak v4 /7.6", "close", "undo", "redo")
    folder.run("run", path)
    assert folder.run("run", path) == ""
    assert "Kess sneak v4" in folder.run("log")
    folder.run("verify")
