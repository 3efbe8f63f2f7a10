"""Test the whole lines that errors of the shell propose: each is typed, and is taken."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import count

import pytest

from tests.cli.conftest import Folder, copied
from tests.cli.evenings import GAMES, lines_of, prepare
from tests.cli.test_questions import asked

pytestmark = pytest.mark.slow  # run with --long

PROPOSED = re.compile(r"Did you mean: (.*) \?|Type: (.*)\.$", re.MULTILINE)


def misspelt(line: str) -> Iterator[str]:
    """Yield a line with two letters of one of its first words exchanged, for each of them that is long enough."""
    words = line.split()
    for index, word in enumerate(words[:4]):
        if len(word) > 3 and word.isalpha():
            yield " ".join([*words[:index], f"{word[0]}{word[2]}{word[1]}{word[3:]}", *words[index + 1 :]])


def proposals(folder: Folder, line: str) -> list[str]:
    """Return the lines that the errors of a line propose."""
    return ["".join(found) for found in PROPOSED.findall(asked(folder, line).stderr)]


@pytest.mark.parametrize("game", GAMES)
def test_every_proposed_line_is_taken(game, tmp_path):
    prepare(game, tmp_path / "evening")
    evening, copies = Folder(tmp_path / "evening"), count()
    typed = 0
    for line in lines_of(game)[2:12]:
        for wrong in misspelt(line) if line[:1] not in ("?", "~", ">", "#") else ():
            for proposed in proposals(copied(evening, tmp_path / f"asked-{next(copies)}"), wrong):
                done = asked(copied(evening, tmp_path / f"typed-{next(copies)}"), proposed)
                assert done.stderr == "", (wrong, proposed)
                typed += 1
        asked(evening, line or "close")
    assert typed


@pytest.mark.parametrize(
    ("wrong", "proposed"),
    [
        ("kess sneak v5 hepl=orrin", "kess sneak v5 helpers=orrin"),
        ("kses sneak v4", "Kess sneak v4"),
        ('! dooom +1 "x"', '! doom +1 "x"'),
        ("kess rset ten_hours", "kess rest ten_hours"),
    ],
)
def test_error_proposes_the_whole_line(folder, wrong, proposed):
    assert proposals(folder, wrong) == [proposed]


def test_refused_correction_proposes_the_whole_line(folder):
    asked(folder, "kess sneak v5 /7.6", "close", "kess climb v4 /7.6", "close", "# The quay")
    (proposed,) = proposals(folder, "~ 1 v6")
    assert proposed == "~ 1 v6 retcon"
    assert asked(folder, proposed).stderr == ""


def test_word_without_a_line_that_is_taken_is_only_named(folder):
    assert "Did you mean" not in asked(folder, "kess sneak v5 hepl=nobody").stderr
