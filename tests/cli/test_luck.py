"""Test `luck`: groups of dice, what was at stake, typed faces apart, and nothing of secret rolls for the players."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path

import pytest

from cli.render.luck import histogram, sentence
from projections.luck import Luck
from tests.cli.conftest import Folder, one_error
from tests.golden import samples


def luck(worse: Fraction, better: Fraction) -> Luck:
    return Luck(dice=9, sum=1, expected=Fraction(1), worse=worse, same=1 - worse - better, better=better)


@pytest.mark.parametrize(
    ("worse", "better", "said"),
    [
        (Fraction(1, 3), Fraction(1, 2), "one group in three sees worse"),
        (Fraction(3, 4), Fraction(1, 10), "one group in ten sees better"),
        (Fraction(2, 5), Fraction(1, 2), "about half of all groups see worse"),
        (Fraction(1, 13), Fraction(1, 2), "one group in 13 sees worse"),
        (Fraction(1, 5000), Fraction(1, 2), "one group in 5,000 sees worse"),
        (Fraction(1, 10**6), Fraction(1, 2), "one group in 1,000,000 sees worse"),
        (Fraction(1, 10**6 + 1), Fraction(1, 2), "fewer than one group in a million see worse"),
        (Fraction(0), Fraction(5, 6), "no group sees worse"),
        (Fraction(1, 2), Fraction(0), "no group sees better"),
    ],
)
def test_sentence_says_the_smaller_share(worse: Fraction, better: Fraction, said: str) -> None:
    assert sentence(luck(worse, better)) == said


def test_histogram_has_a_bar_for_each_face() -> None:
    assert list(histogram(3, [1, 0, 2])) == [
        "d3: 3 thrown, 1.0 of each face expected",
        "  1  #   1",
        "  2      0",
        "  3  ##  2",
    ]
    assert max(map(len, histogram(2, [900, 450]))) < 60


def test_luck_of_the_sample_is_by_player_die_and_situation(demo: Folder) -> None:
    lines = demo.run("luck").splitlines()
    assert lines[0] == "81 seeded dice: about half of all groups see worse"
    assert any(line.startswith("Ana") and "one group in 13 sees worse" in line for line in lines)
    assert any(line.startswith("6 typed dice: ") and "(few dice" in line for line in lines)
    assert not any(line.startswith("wound Dovel") for line in lines)


def test_typed_faces_count_apart(folder: Folder) -> None:
    folder.run("do", "k sneak v5 /12.11")
    folder.run("do", "close")
    folder.run("do", "o climb v3")
    seeded, typed = json.loads(folder.run("luck", "--json"))
    assert (seeded["source"], seeded["all"]["unweighted"]["dice"]) == ("seeded", 2)
    assert typed["all"]["unweighted"] == {
        "dice": 2, "sum": 23, "expected_twice": 26, "worse": 979167, "same": 13889, "better": 6944,
    }  # fmt: skip
    assert [group["name"] for group in typed["players"]] == ["Kess"]
    assert typed["faces"] == {"d12": [0] * 10 + [1, 1]}


def test_low_faces_are_good_where_results_say_so(played_samples: dict[str, Path]) -> None:
    seeded = json.loads(Folder(played_samples["choir-of-glass"]).run("luck", "--json"))[0]
    assert seeded["low"] == ["Body Save", "morale", "reflex Save"]
    assert seeded["stakes"]["attack"] == 2


@pytest.mark.parametrize("sample", samples())
def test_groups_hold_all_dice_of_every_sample(sample: str, played_samples: dict[str, Path]) -> None:
    for report in json.loads(Folder(played_samples[sample]).run("luck", "--json")):
        for groups in (report["players"], report["dice"], report["situations"]):
            assert sum(group["unweighted"]["dice"] for group in groups) == report["all"]["unweighted"]["dice"]
        assert sum(map(sum, report["faces"].values())) == report["all"]["unweighted"]["dice"]


def test_session_without_dice_is_said(folder: Folder) -> None:
    assert "no die was thrown in session 1" in one_error(folder.invoke("luck", "1"), 2)


def test_dice_of_secret_lines_are_not_for_players(folder: Folder) -> None:
    folder.run("do", "k sneak v5")
    folder.run("do", "close")
    before = folder.run("luck", "--as", "players")
    folder.run("do", "!! kess sneak v6 e1")
    assert folder.run("luck", "--as", "players") == before
    assert folder.run("luck") != before
