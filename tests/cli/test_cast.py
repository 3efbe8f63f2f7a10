"""`campaign cast`."""

from __future__ import annotations

import re

from tests.cli.commands import heads
from tests.cli.conftest import one_error


def test_cast_reads_a_folder_in_order_of_names(closed):
    told = closed.run("log")
    assert re.findall(r"(\w+) joins \(pc\)", told) == ["Kess", "Orrin"]
    assert "might 9, speed 14, intellect 17, health 14, destiny 0" in told


def test_cast_of_foes_and_things(closed):
    foe = closed.file("dovel.toml", 'sheet = "npc"\nname = "Dovel"\nkind = "minion"\ndifficulty = 3\nhealth = 6\n')
    thing = closed.file("box.toml", 'sheet = "object"\nname = "Strongbox"\nstate = "whole"\n')
    assert heads(closed.run("cast", str(foe), str(thing))) == ["0.3", "0.4"]
    shown = closed.run("show")
    assert "Dovel" in shown
    assert "Strongbox" in shown


def test_cast_names_every_bad_sheet_and_adds_none(closed):
    before = closed.bytes
    good = closed.file("a.toml", 'name = "Ana"\nmight = 9\nspeed = 9\nintellect = 9\neffort_limit = 1\n')
    bad = [closed.file("b.toml", "name = 3\n"), closed.file("c.toml", "name = \n")]
    done = closed.invoke("cast", str(good), *map(str, bad))
    assert done.exit_code == 3
    assert [re.search(r"\w+\.toml", line)[0] for line in done.stderr.splitlines()] == ["b.toml", "c.toml"]
    assert closed.bytes == before


def test_cast_of_an_unchanged_sheet_appends_nothing(closed):
    before = closed.bytes
    done = closed.invoke("cast", str(closed.path / "cast"))
    assert (done.exit_code, done.stdout) == (0, "")
    assert "kess.toml: already in play, and the sheet has not changed" in done.stderr
    assert closed.bytes == before


def test_cast_of_an_edited_sheet_needs_a_reason(closed):
    before, sheet = closed.bytes, closed.path / "cast" / "kess.toml"
    sheet.write_text(sheet.read_text().replace("level = 2", "level = 3"))
    asked = closed.invoke("cast", str(sheet))
    assert asked.exit_code == 2
    assert "level 2>3" in asked.stderr
    assert "--because" in asked.stderr
    assert closed.bytes == before
    changed = closed.run("cast", str(sheet), "--because", "the lamp room")
    assert "  change sheet: Kess\n" in changed
    assert "level 2>3 (the lamp room)" in changed
    assert closed.run("show", "kess", "--json").count('"kess.level":3') == 1


def test_cast_of_copies_numbers_them(closed):
    closed.file("brute.toml", 'sheet = "npc"\nname = "Brute"\nkind = "minion"\ndifficulty = 4\nhealth = 6\n')
    told = closed.run("cast", f"{closed.path / 'brute.toml'}*3")
    assert [f"Brute {number} joins" in told for number in (1, 2, 3, 4)] == [True, True, True, False]
    assert "1 to 20" in one_error(closed.invoke("cast", f"{closed.path / 'brute.toml'}*21"), 3)


def test_cast_of_an_empty_folder_is_an_error(closed):
    closed.file("empty/readme.txt", "nothing")
    assert "no sheet in this folder" in one_error(closed.invoke("cast", str(closed.path / "empty")), 3)
