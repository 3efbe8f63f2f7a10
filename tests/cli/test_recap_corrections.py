"""Recaps of corrected sessions: nothing from a take that no longer counts, and what the correction changed."""

from __future__ import annotations

import re

import pytest

from tests.cli.conftest import FIGHT, PARTY, Folder

EVERY_SIZE = (
    ["1"], ["1", "--post"], ["1", "--log"], ["1", "--json"], ["1", "--format", "text"],
    ["--character", "kess"], ["--campaign"],
)  # fmt: skip


def play(folder: Folder, *lines: str) -> None:
    for line in lines:
        folder.run("do", line)


@pytest.mark.slow
@pytest.mark.parametrize("arguments", EVERY_SIZE, ids=" ".join)
def test_superseded_take_leaves_no_word(folder: Folder, arguments: list[str]) -> None:
    play(
        folder,
        'k "polish brass" s v3 /6.5',
        'k does "hum a xylophone tune"',
        '! ruling "a zither falls" "quince"',
        "undo",
        "undo",
    )
    play(folder, '~ 1.1 "task=polish copper" because="misheard" retcon', 'k does "whistle"')
    page = re.sub(r"""(?:; was: |"was":")Kess polished brass\b""", "", folder.run("recap", *arguments))
    for word in ("brass", "xylophone", "zither", "quince"):
        assert word not in page, arguments
    assert "copper" in page
    assert "whistle" in page


@pytest.mark.slow
def test_correction_tells_what_it_says_now_and_what_it_changed(folder: Folder) -> None:
    play(folder, "k sneak v5 e1 /6.5", "k climb v3 e1 /6.5", "close", '~ 1.1 v4 because="it was easier" retcon')
    page = folder.run("recap", "1")
    corrected = page.partition("## Corrected\n\n")[2].partition("\n\n")[0]
    now = "Kess moved without a sound (1.1: 11 against 6; Kess's speed 14 to 11; Kess's destiny 0 to 1)"
    was = "Kess moved without a sound (1.1: 11 against 9; Kess's speed 14 to 11; Kess's destiny 0 to 1)"
    assert corrected == f"- Amends 1.1 (it was easier): {now}; was: {was}; changes 1 entry: 1.2 (1.4)"


@pytest.mark.slow
def test_slip_is_told_in_the_log_alone(folder: Folder) -> None:
    play(folder, 'k does "wave"', "undo")
    assert "Corrected" not in folder.run("recap")
    assert "Corrected" not in folder.run("recap", "--post")
    assert "takes back 1.1" in folder.run("recap", "--log")


@pytest.fixture
def brawl(folder: Folder) -> Folder:
    """A fight in which a later line closes each roll."""
    for name, sheet in PARTY.items():
        folder.run("cast", str(folder.file(name, sheet)))
    return folder


@pytest.mark.slow
def test_effect_is_told_where_the_roll_is(brawl: Folder) -> None:
    play(brawl, '! encounter "the room" participants=Ash,Bryn,Thug,Captain', *FIGHT[1:])
    page = brawl.run("recap", "--as", "gm")
    assert "Bryn hit the thug, with a single point to spare, and left them barely standing." in page
    assert "1.17: attack 10 against 9" in page
    log = brawl.run("recap", "--log", "--as", "gm")
    (line,) = [line for line in log.splitlines() if "b attack thug" in line]
    assert "attack success" in line
    assert "Thug health 6>1" in line
    assert "b pass" not in log


def test_damage_behind_a_closed_roll_is_not_of_the_roll(brawl: Folder) -> None:
    play(brawl, "a climb v2 /6.6", '! damage ash 3 "a loose step"')
    page = brawl.run("recap")
    assert re.search(r"^Ash made the climb\.", page, re.MULTILINE)
    assert re.search(r"^(?:Ash|They) (?:was|were) hurt: a loose step\.", page, re.MULTILINE)


@pytest.mark.slow
def test_correction_of_an_earlier_session_tells_both(folder: Folder) -> None:
    play(folder, "k sneak v5 e1 /6.5", "close")
    folder.run("close")
    folder.run("open", "Two")
    play(folder, '~ 1.1 v4 because="it was easier" retcon')
    corrected = folder.run("recap", "2").partition("## Corrected\n\n")[2].partition("\n\n")[0]
    assert "Kess moved without a sound (1.1: 11 against 6;" in corrected
    assert "; was: Kess moved without a sound (1.1: 11 against 9;" in corrected


@pytest.mark.slow
def test_what_was_does_not_tell_the_end_of_the_roll_before(brawl: Folder) -> None:
    play(brawl, "a climb v2 /6.6", "b climb v2 /8.8", "close", '~ 1.6 v3 because="wet stones" retcon')
    corrected = brawl.run("recap").partition("## Corrected\n\n")[2].partition("\n\n")[0]
    assert "; was: Bryn " in corrected
    assert "Ash" not in corrected


@pytest.mark.slow
def test_amend_does_not_tell_the_end_of_the_roll_before(brawl: Folder) -> None:
    play(brawl, "a climb v2 /6.6", "b climb v2 /8.8", "close")
    shown = brawl.run("do", '~ 1.6 v3 because="wet stones" retcon')
    (was,) = re.findall("was: (success.*)", shown)
    assert was == "success (16 against 6), eclipse"
