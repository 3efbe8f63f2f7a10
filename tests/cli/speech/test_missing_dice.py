"""Faces that a line lacked, said alone behind it: they complete it, and whose die is next has to be whose is named."""

from __future__ import annotations

import pytest

from cli.play.declare import declare_line
from cli.speech.missing_dice import missing_die, with_missing_dice
from cli.speech.readings import Reader
from tests.cli.speech.table import AT, Listener, load_table

BLOW = "! guard1 attack dov with pistol /6"


def reader() -> Reader:
    """Return who reads in a fight in which Dov has one hit point left."""
    table = load_table("monolith")
    (scene,) = [each for each in table.scenes if each.name == "they act"]
    heard = Listener(table, scene)
    declare_line(heard.ledger, heard.book, '! dov hp -3 "x"', at=AT)
    return Reader(heard.ledger.state, heard.book, heard.scope())


@pytest.mark.parametrize("said", ["14", "/14", "fourteen", "a fourteen", "Dov rolled a fourteen", "his save is a 14"])
def test_missing_face_is_said_alone(said: str) -> None:
    assert with_missing_dice(BLOW, said, reader()) == f"{BLOW}.14"


def test_all_faces_stand_in_place_of_some() -> None:
    assert with_missing_dice(BLOW, "/3.2", reader()) == BLOW.replace("/6", "/3.2")


@pytest.mark.parametrize(
    "said", ["Mara rolled a fourteen", "Dov shoots guard 1, a four", "14 feet to the left", "hello"]
)
def test_other_words_are_no_missing_face(said: str) -> None:
    assert not with_missing_dice(BLOW, said, reader())


@pytest.mark.parametrize(
    "line", ["! guard1 attack dov with pistol", "! guard1 attack dov with pistol /1", "mara move 30"]
)
def test_line_with_all_its_faces_or_none_lacks_no_die(line: str) -> None:
    assert missing_die(line, reader()) == ""


def test_face_that_its_die_has_not_is_left_to_the_refusal() -> None:
    assert with_missing_dice(BLOW, "25", reader()) == f"{BLOW}.25"
