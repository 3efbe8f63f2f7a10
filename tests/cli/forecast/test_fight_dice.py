"""Test the dice of forecasts: fair, the same for the same run, and others for all else."""

from __future__ import annotations

from collections import Counter

import pytest

from cli.forecast.fight_dice import FightDice
from cli.forecast.runs import key_of_run
from ledger.errors import BadFaces


def faces_of_runs(runs, *sides, purpose="hit"):
    return [FightDice(key_of_run("dice", run)).throw(purpose, *sides) for run in range(runs)]


@pytest.mark.parametrize("sides", [2, 6, 10, 20])
def test_faces_come_equally_often(sides):
    count = Counter(face for faces in faces_of_runs(600, *[sides] * 9) for face in faces)
    assert set(count) == set(range(1, sides + 1))
    expected = 5400 / sides
    chi_square = sum((number - expected) ** 2 / expected for number in count.values())
    assert chi_square < 4 * sides + 12  # of so many degrees of freedom less than once in 10,000; the runs are fixed


def test_dice_of_one_throw_are_independent():
    pairs = Counter((faces[first], faces[9]) for faces in faces_of_runs(900, *[6] * 10) for first in (0, 1))
    assert len(pairs) == 36
    assert sum((number - 50) ** 2 / 50 for number in pairs.values()) < 90


def test_throw_is_the_same_until_the_next_declaration():
    dice = FightDice(key_of_run("dice", 0))
    first = dice.throw("hit", *[1000] * 12)
    assert dice.throw("hit", *[1000] * 12) == first
    dice.begin_declaration()
    assert dice.throw("hit", *[1000] * 12) != first
    assert len({first, *faces_of_runs(3, *[1000] * 12, purpose="harm"), *faces_of_runs(3, *[1000] * 12)}) == 6


def test_higher_die_shows_a_face_at_the_same_place():
    """So a plan with a better die is compared over the same luck."""
    small, large = faces_of_runs(1, *[6] * 8)[0], faces_of_runs(1, *[12] * 8)[0]
    assert all((face + 1) // 2 == less for less, face in zip(small, large, strict=True))


def test_die_without_a_side_is_refused():
    with pytest.raises(BadFaces, match="no die has 0 sides"):
        FightDice(b"key").throw("hit", 6, 0)
