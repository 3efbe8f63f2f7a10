"""Lines of MARS as a table types them: what is taken, what a refusal says instead, and what is told."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.conftest import Folder
from tests.cli.evenings import prepare
from tests.cli.test_questions import asked

FIGHT = ('! encounter "the gate"', "asha initiative /10.10.4", "bram initiative", "! initiative")
CHALLENGE = ('! encounter challenge "the brawl"',)
HEAVY = "asha maneuver heavy-strike guard-1 /1.1.8"
ROUND = 'set asha items."round shield" { block = 3, durability = 8, parry = "r4" } "found"'
DYING = "! damage asha 40 void"
TURN_OVER = ("asha end", "! guard-1 end", "bram end", "! guard-2 end")


@pytest.fixture(scope="module")
def empty(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the campaign of an evening of MARS with nothing played. Copy it; do not write to it."""
    folder = tmp_path_factory.mktemp("lines") / "mars"
    prepare("mars", folder)
    return folder


def last_answer(empty: Path, tmp_path: Path, *lines: str) -> str:
    """Return what the shell says to the last of these lines, in one line of single spaces."""
    from shutil import copytree

    folder = Folder(copytree(empty, tmp_path / "mars"))
    asked(folder, *lines[:-1])
    return " ".join(asked(folder, lines[-1]).output.split())


@pytest.mark.quick_rows(5)
@pytest.mark.parametrize(
    ("before", "line", "words"),
    [
        # nothing that is counted in rounds outlives the minutes of a challenge
        ((*CHALLENGE, HEAVY, "! challenge minutes=asha:4"), HEAVY, "against 12: fail"),
        ((*CHALLENGE, HEAVY), HEAVY, "GR-E-MANEUVER-USED"),
        ((*CHALLENGE, "! effect guard-1 blind rounds=2"), "! challenge minutes=asha:1", "Guard 1 is no longer blind"),
        (CHALLENGE, "asha initiative /1.1.1", "initiative 3"),
        (CHALLENGE, 'asha start 5 "the lock"', "Asha is at a long action (the lock)"),
        # when something ends
        ((*FIGHT, 'asha cover "a cart"'), "show asha", "in cover (a cart) since 1.5, until Asha's turn begins"),
        ((*FIGHT, "! effect asha blind rounds=2"), "show asha", "for so many rounds from the next turn on: 2"),
        # what is lost, ends or changes its degree
        ((*FIGHT, 'asha concentrate "the ward"'), "! effect asha stunned", "check to make to keep concentrating: keep"),
        (
            (*FIGHT, 'asha concentrate "the ward"', "! effect asha stunned"),
            "asha keep decline",
            "Asha no longer concentrates (declined)",
        ),
        (
            (*FIGHT, 'asha ready attack guard-1 "he moves"'),
            "! effect asha stunned",
            "Asha has lost the readied action (stunned)",
        ),
        ((*FIGHT, 'asha concentrate "the ward"'), "! damage asha 25 void", "Asha no longer concentrates (unconscious)"),
        ((*FIGHT, "! damage asha 25 void"), '! restore asha health 9 "x"', "Asha is no longer dying"),
        ((*FIGHT, "! effect guard-1 burning 2"), "asha douse guard-1", "the fire on Guard 1 is out"),
        ((*FIGHT, "asha drop"), "asha rise", "Asha is up again"),
        ((*FIGHT, 'asha start 4 "the lock"', *TURN_OVER), "asha continue", "Asha completes the long action"),
        (("! effect bram burning 3",), "! effect bram burning 2", "Bram is burning (degree 5)"),
        ((), "! effect bram sickness 2", "Bram is sick (degree 2)"),
        ((), "! effect bram change strength amount=2 rounds=3", "Bram has +2 to strength"),
        ((), "! effect bram debilitation strength", "Bram has a debilitated strength"),
        # why and the sums
        ((*FIGHT, "asha attack guard-1 /1.1.8", *TURN_OVER), "asha attack guard-1 /1.1.8", "= 2 against 12: fail"),
        (FIGHT, "asha maneuver heavy-strike guard-1 /9.6.1.5.5", "heavy-strike +2, critical +6 = 18"),
        # a true reason, and the way on
        (("asha begin",), "asha short 20", "A short rest does not take 20 minutes."),
        (FIGHT, "asha douse bram", "there is no fire to put out"),
        (FIGHT, "asha stabilise bram", "The option medicine_stabilise is off."),
        (FIGHT, "! damage asha,bram 3 fire", "'damage' is for one. Write a line for each of them."),
        (FIGHT, "asha concentrate light", "Asha concentrates on light"),
        (
            ('! encounter "x" participants=asha,guard-1', "asha initiative /10.10.4", "! initiative", "! join bram"),
            "bram initiative",
            "Bram cannot roll initiative any more",
        ),
        (
            ("! encounter participants=asha,guard-1", "asha initiative /1.1.1", "! guard-1 initiative /1.2"),
            '! order guards players "x"',
            "initiative: first guards, then players",
        ),
        ((*FIGHT, "asha end"), "bram end", "The slot is that of Guard 1 or Guard 2"),
        (
            (*FIGHT, "! damage asha 25 void", "! effect asha burning 2", "asha begin /1.1.6"),
            "recap",
            "They held on to life by a thread and were burning.[^2]",
        ),
        ((*FIGHT, "asha end", "! guard-1 attack asha ...", "^ asha evade prone"), "log", "1.7 ^ Asha evade prone"),
        ((*FIGHT, "asha end"), "! guard-1 attack asha ^asha:evade:reaction /1.1.1.1", "= 2 against"),
        ((*FIGHT, "asha end"), "! guard-1 attack asha ^asha:block:behind", "NO-SHIELD"),
        (FIGHT, "why", "1.4 ! initiative initiative of Guard 1"),
        # words of the book
        (FIGHT, "asha maneuver heavy strike guard-1 /1.1.8", "maneuver: heavy-strike"),
        (FIGHT, 'asha maneuver "Heavy Strike" guard-1 /1.1.8', "maneuver: heavy-strike"),
        (FIGHT, "asha trip guard-1", "trip has not been learned. Improvise it"),
        (FIGHT, 'asha brandish "sword"', "brandish: sword in hand"),
        ((*FIGHT, "asha end", "! guard-1 attack asha ..."), "^ asha evade reaction", "1.7"),
        ((*FIGHT, "! damage asha 11 void"), '! restore asha hp 1 "x"', "Asha health 11>12 (x)"),
        (FIGHT, "asha drop prone", "Asha is prone"),
        ((*FIGHT, "asha drop"), "asha stand up", "Asha is up again"),
        (FIGHT, 'asha seek cover "the cart"', "Asha is in cover (the cart)"),
        (FIGHT, "asha move 3m", "move: 3 m"),
        ((), "asha short rest", "Asha takes a short rest"),
        # items with a space in their name
        ((ROUND,), 'asha "round shield" -6 "a ram"', "round shield 8>2"),
        ((ROUND,), 'asha round shield -6 "a ram"', "round shield 8>2"),
        ((ROUND,), '! ruling "x" "y" asha."round shield"=6', "round shield 8>6"),
        ((ROUND,), 'asha "tall shield" -6 "a ram"', 'asha."round shield"'),
        ((*FIGHT, ROUND, "asha end", "! guard-1 attack asha ..."), '^ asha block "round shield"', "1.8"),
        (
            (*FIGHT, "asha end", "! guard-1 attack asha ..."),
            '^ asha block "round shield"',
            "GR-E-NO-SHIELD: Asha has no shield in hand",
        ),
        (
            (*FIGHT, ROUND),
            'asha attack guard-1 with "round shield"',
            "has round shield in hand, but it deals no damage",
        ),
        # a text too many is no word of another field
        ((), '! damage bram "a fall" 3 "x"', "one text too many"),
        ((), '! restore bram shield 2 "x"', "'shield' does not fit here. There is: endurance, focus, health, stamina."),
        # a check that was rolled at the table, and what was computed
        ((*FIGHT, DYING, *TURN_OVER[1:]), "asha begin total=30", "dying check: 30 against"),
        ((*FIGHT, DYING, *TURN_OVER[1:]), 'asha begin +2"a hand"', "a hand +2"),
        (FIGHT, "asha begin total=30", "left out, since Asha is not dying"),
        (FIGHT, "show asha", "deflection r10+2, evasion r14+2"),
        (FIGHT, "what is Asha's deflection?", "Asha: deflection r10+2."),
    ],
)
def test_line_of_a_table_is_answered(
    before: tuple[str, ...], line: str, words: str, empty: Path, tmp_path: Path
) -> None:
    """Each of these lines was once refused, taken in silence or answered with something else."""
    assert words in last_answer(empty, tmp_path, *before, line)
