"""How a recap tells what happened: weapons, joint attacks, intents, departures, effects by their cause."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.conftest import Folder
from tests.cli.evenings import prepare

LOCK = ('! encounter "the lock"', "! round", 'v declare "shoot"', "o pass")


def played(game: str, tmp_path: Path, *lines: str) -> Folder:
    """Return a campaign with the characters and foes of an evening, after these lines."""
    prepare(game, tmp_path / game)
    folder = Folder(tmp_path / game)
    folder.file("story.session", "".join(f"{line}\n" for line in lines))
    folder.run("run", str(folder.path / "story.session"))
    return folder


def test_joint_attack_names_everybody_with_their_weapons(tmp_path: Path) -> None:
    folder = played("monolith", tmp_path, *LOCK, "v attack r1 bolt-pistol +with:okoro:shotgun /6.2.9.2")
    assert "Vega hurts Raider 1 with the bolt pistol, together with Okoro (shotgun)" in folder.run("recap")


def test_weapon_of_a_foe_is_told_where_its_line_says_it(tmp_path: Path) -> None:
    folder = played("monolith", tmp_path, *LOCK, "! r1 attack vega rifle /3", "! r2 attack vega /4")
    players = folder.run("recap")
    assert "Raider 1 hurts Vega with the rifle: hp 5 to 3" in players
    assert "Raider 2 hurts Vega: hp 3 to " in players
    assert "Raider 2 hurts Vega with the rifle" in folder.run("recap", "--as", "gm")


def test_intents_are_told_and_passes_are_not(tmp_path: Path) -> None:
    page = played("monolith", tmp_path, *LOCK).run("recap")
    assert "Vega declares: shoot (1.3)" in page
    assert "Okoro declares" not in page


def test_departure_is_told_where_it_happened(tmp_path: Path) -> None:
    folder = played("dusk-bastards", tmp_path, '! encounter "the ferry house"', "! leave ferryman", "! end")
    page = folder.run("recap")
    assert "The Ferryman leaves the fight (1.2)" in page
    assert page.count("Ferryman leaves") == 1


@pytest.mark.parametrize(("mark", "out"), [("", "The Ferryman (left)"), ("!! ", "")])
def test_end_of_a_fight_keeps_a_secret_departure(tmp_path: Path, mark: str, out: str) -> None:
    lines = ('! encounter "the ferry house"', f"{mark}! leave ferryman", "! end")
    log = played("dusk-bastards", tmp_path, *lines).run("log", "--as", "players")
    assert (f"; out: {out}" in log) if out else "out:" not in log
