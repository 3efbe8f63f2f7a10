"""What stands before, behind or within a deed is read: a zone, a posture, a measure, a call, and what is lost."""

from __future__ import annotations

import pytest

from cli.speech.hedges import without_hedges
from cli.speech.talk import is_asked
from cli.speech.words import without_last_question
from ledger.errors import Refused
from tests.cli.speech.test_states import lines_of, listen

ARCH = "! fight 'the arch' paths=archway:causeway,causeway:rubble pcs=causeway foes=archway"
FIGHT = (ARCH, "kael momentum /8.8", "brynn momentum /6.6", "sira momentum /7.8")
TURN = ("! encounter 'the quay'", "ada initiative /10.10.4", "bram initiative", "odile initiative", "! initiative")
SAID = [
    ("momentum", (*FIGHT, "kael move archway", "kael end"), "Sira runs in after him and stabs spearman 1", "Sira move"),
    ("mars", (*TURN, "ada end", "! guard1 end", "! effect bram prone"), "Bram gets up", "Bram rise"),
    ("mars", (*TURN, "ada end", "! effect bram prone"), "Bram gets up", "GR-E-NOT-TURN"),
    ("mars", (*TURN, "ada end", "! guard1 attack ada ..."), "Ada dodges it and hits the deck", "evade prone"),
    ("mars", (), "Ada opens the hatch and goes, anybody home?", 'interact "opens the hatch"'),
    ("mars", (), "Bram shouts, who goes there?", '" Bram: who goes there?'),
    ("semiautomagic", ("! fight 'the gate' ada guard1",), "Ada wallops guard 1 in the leg, six", "at=leg total=6"),
    ("momentum", (), "Kael's rapier is at the bottom of the river, cross it off", "Kael.weapons="),
    ("monolith", (), "Mara drinks the last of it, so that's gone", "does"),
]
MEASURES = [
    ("Bram legs it to the stairs, four metres or so", "Bram legs it to the stairs, four metres"),
    ("she backs off roughly twenty feet", "she backs off twenty feet"),
    ("it's call it thirty-ish feet", "it's thirty feet"),
    ("about four of them run", "about four of them run"),
]


@pytest.mark.parametrize(("table", "before", "sentence", "meant"), SAID)
def test_clause_is_read(table: str, before: tuple[str, ...], sentence: str, meant: str) -> None:
    try:
        lines = lines_of(listen(table, before), sentence)
    except Refused as error:
        lines = (error.code,)
    assert any(meant in line for line in lines)


@pytest.mark.parametrize(("said", "meant"), MEASURES)
def test_measure_is_read_as_if_exact(said: str, meant: str) -> None:
    assert without_hedges(said) == meant


def test_question_behind_dice_is_talk() -> None:
    assert without_last_question("Double threes for Ada! That's a pass, isn't it?") == "Double threes for Ada!"
    assert not is_asked("Ada opens the hatch and yells, anybody home?")
    assert is_asked("Ada asks, how hurt is Bram?")
