"""Test `luck`: groups of dice, what was at stake, typed faces apart, and nothing of secret rolls for the players."""

from __future__ import annotations

import json
from contextlib import closing
from fractions import Fraction
from pathlib import Path

import pytest

from cli.phrases.luck import sentence
from cli.questions.ledger_file import find_game
from cli.questions.luck import (
    CHARACTERS_MOST,
    LuckReport,
    Situations,
    ThrownDice,
    hidden_results,
    luck_of_facts,
    thrown_facts,
)
from cli.questions.players_ledger import PlayersLedger
from cli.render.luck import histogram, luck_lines
from ledger.facts import Die, EntryId, Joined, Rolled
from ledger.ledger_state import load_state
from ledger.records import latest_takes, shown_records
from ledger.session_proof import stored_proofs
from ledger.sqlite_store import open_store
from projections.luck import Luck
from projections.projection import StateProjection
from projections.state import State
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
    assert lines[0] == "54 dice, of a fixed seed: about half of all groups see worse"
    assert any(line.startswith("Ana") and "one group in 63 sees worse" in line for line in lines)
    assert any(line == "33 dice, typed in: one group in five sees better" for line in lines)
    assert not any(line.startswith("wound Dovel") for line in lines)


def test_short_luck_has_the_players_the_luckiest_first(demo: Folder) -> None:
    assert demo.run("luck", "--short").splitlines() == [
        "54 dice, of a fixed seed: about half of all groups see worse",
        "  Cem, 17 dice: one group in seven sees better",
        "  Bo, 19 dice: one group in four sees better",
        "  Ana, 18 dice: one group in 63 sees worse",
        "33 dice, typed in: one group in five sees better",
        "  Cem, 8 dice: one group in 35 sees better",
        "  Ana, 17 dice: about half of all groups see better",
        "  Bo, 8 dice: one group in three sees worse",
        "by die, situation and face: ? luck all",
    ]


def test_question_about_luck_is_answered_in_short(demo: Folder) -> None:
    whole, tonight, every = (
        demo.invoke("play", input=f"{line}\n").output
        for line in ("who is luckiest", "who rolled worst tonight", "? luck all")
    )
    assert "  Ana, 18 dice: one group in 63 sees worse" in whole
    assert "expected" not in whole
    assert "expected" in every
    assert "  Ana, 4 dice: one group in 86 sees worse" in tonight  # the last session alone


def test_typed_faces_count_apart(folder: Folder) -> None:
    folder.run("do", "k sneak v5 /12.11")
    folder.run("do", "close")
    folder.run("do", "o climb v3")
    fixed, typed = json.loads(folder.run("luck", "--json"))
    assert (fixed["source"], fixed["all"]["unweighted"]["dice"]) == ("fixed", 2)
    assert typed["all"]["unweighted"] == {
        "dice": 2, "sum": 23, "expected_twice": 26, "worse": 979167, "same": 13889, "better": 6944, "exact": True,
    }  # fmt: skip
    assert [group["name"] for group in typed["players"]] == ["Kess"]
    assert typed["faces"] == {"d12": [0] * 10 + [1, 1]}


def test_low_faces_are_good_where_results_say_so(played_samples: dict[str, Path]) -> None:
    seeded = json.loads(Folder(played_samples["choir-of-glass"]).run("luck", "--json"))[0]
    assert seeded["low"] == ["Body Save", "reflex Save"]
    assert seeded["stakes"]["attack"] == 2


@pytest.mark.quick_rows(2)
@pytest.mark.parametrize("sample", samples())
def test_groups_hold_all_dice_of_every_sample(sample: str, played_samples: dict[str, Path]) -> None:
    for report in json.loads(Folder(played_samples[sample]).run("luck", "--json")):
        for groups in (report["players"], report["dice"], report["situations"]):
            assert sum(group["unweighted"]["dice"] for group in groups) == report["all"]["unweighted"]["dice"]
        assert sum(map(sum, report["faces"].values())) == report["all"]["unweighted"]["dice"]


@pytest.mark.parametrize(
    ("purpose", "situation"),
    [
        ("attack Dovel 1 with a bow", "attack"),
        ("wound Dovel 1's arm", "wound"),
        ("wound Dovel 12", "wound Dovel 12"),
        ("save of Ash Ashe", "save of"),
        ("Dovel 1", "Dovel 1"),
        ("table of fates", "table of fates"),
    ],
)
def test_situation_ends_before_the_first_name(purpose: str, situation: str) -> None:
    assert Situations(("Dovel 1", "Ash")).of(purpose) == situation


def luck_of_characters(number: int, most: int | None = CHARACTERS_MOST) -> LuckReport:
    """Return the luck of so many characters without a player and one with; the first has one die, and so on."""
    projection = StateProjection()
    state: State = projection.empty()
    names = [f"Ash {each:02}" for each in range(1, number + 1)]
    for who, sheet in [*((name, ()) for name in names), ("Kess", (("player", "Ana"),))]:
        projection.step(state, EntryId(0, 1), Joined(who=who, kind="pc", side="pc", sheet=sheet, seen="table"))
    throws = [(name, count) for count, name in enumerate(names, start=1)]
    facts = [
        Rolled(who=who, purpose=f"task {who}", source="seed", dice=(Die(ordinal=0, sides=6, face=2),) * count)
        for who, count in [*throws, ("Kess", 1)]
    ]
    return luck_of_facts([(1, facts)], {}, state, most)[0]


def test_many_characters_without_a_player_are_grouped() -> None:
    report = luck_of_characters(CHARACTERS_MOST + 2)
    *alone, last = report.players
    named = [f"Ash {number:02}" for number in range(3, CHARACTERS_MOST + 3)]
    assert [group.name for group in alone] == ["Ana", *named]
    assert (last.name, last.plain.dice, report.grouped) == ("2 characters", 1 + 2, 2)
    assert any(line.startswith("2 characters: with few dice") for line in luck_lines(report))


@pytest.mark.parametrize(("number", "most"), [(CHARACTERS_MOST + 1, CHARACTERS_MOST), (40, None)])
def test_few_characters_are_told_one_by_one(number: int, most: int | None) -> None:
    report = luck_of_characters(number, most)
    assert (len(report.players), report.grouped) == (number + 1, 0)


def test_session_without_dice_is_said(folder: Folder) -> None:
    assert "no die was thrown in session 1" in one_error(folder.invoke("luck", "1"), 2)


def check_dice(folder: Folder) -> None:
    """Compare the dice read without anything else with those of whole records as they are seen.

    Which faces are good in a situation is learned from all results, also from those whose difficulty is hidden.
    """
    with closing(open_store(folder.ledger, write=False)) as store:
        state = load_state(store, StateProjection()).state
        for seen in (store, PlayersLedger(store, find_game(store))):
            proofs = stored_proofs(store)
            alone, whole = ThrownDice(state, proofs), ThrownDice(state, proofs)
            for session, facts in thrown_facts(seen, None):
                alone.add(session, facts)
            for result in hidden_results(seen, None):
                alone.add_result(result)
            for record in shown_records(latest_takes(seen.takes())):
                whole.add(record.session, record.facts)
            assert (alone.dice, alone.stakes()) == (whole.dice, whole.stakes())
            assert alone.low() >= whole.low()


@pytest.mark.quick_rows(2)
@pytest.mark.parametrize("sample", samples())
def test_dice_alone_have_the_luck_of_whole_records(sample: str, played_samples: dict[str, Path]) -> None:
    check_dice(Folder(played_samples[sample]))


@pytest.mark.slow
def test_dice_alone_of_secret_rolls_are_left_out(folder: Folder) -> None:
    said = ["k sneak v5", "close", "!! kess sneak v6 e1", "kess destiny reroll", "close", "!! o climb v3", "close"]
    for line in [*said, "!! k sneak v4", "close", "! reveal 1.7", "k sneak v5 hidden"]:
        folder.invoke("do", line)
        check_dice(folder)
    assert folder.run("luck") != folder.run("luck", "--as", "players")


def test_dice_of_secret_lines_are_not_for_players(folder: Folder) -> None:
    folder.run("do", "k sneak v5")
    folder.run("do", "close")
    before = folder.run("luck", "--as", "players")
    folder.run("do", "!! kess sneak v6 e1")
    assert folder.run("luck", "--as", "players") == before
    assert folder.run("luck") != before
