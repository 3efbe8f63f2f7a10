"""Test whose line it is where its first word may mean several: the one who alone may say it."""

from __future__ import annotations

import pytest

from tests.cli.conftest import Folder

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
    assert "'k' may be 'Kess' or 'Kraken'" in done.stderr


def test_who_is_in_turn_is_meant(sea):
    for line in ('! encounter "sea" participants=Kess,Kraken', "kess init /1.1", "close"):
        sea.run("do", line)
    assert "  Kess move\n" in sea.run("do", "k move")
