"""What a failure cost, who stepped in for whom, and how a fight ended, where a story says them."""

from __future__ import annotations

from pathlib import Path

import pytest

from cli.phrases.patterns import mark_name
from cli.story.clauses import Clause, Stroke
from cli.story.costs import costs_of
from cli.story.results import owned_target
from ledger.facts import GM, Judged, TokensMoved
from projections.recap.episodes import Episode
from rulebooks import load_game
from tests.cli.test_recap_story import played

LEANS = 'wren "lean on the door" m v9 /1.2'
OPENS = '! ruling "The door comes off, and everybody in the yard turns round" "she leans"'
COSTS = load_game("dusk-bastards").texts().narration.costs
FIGHT = '! encounter "the yard"'


def is_failure(result: Judged) -> bool:
    return result.result == "failure"


def test_ruling_behind_a_failure_stands_with_it(tmp_path: Path) -> None:
    folder = played("dusk-bastards", tmp_path, LEANS, "close", OPENS, '" wren: It was open.', FIGHT)
    told = "could not lean on the door. The door came off, and everybody in the yard turned round."
    assert told in folder.run("recap")
    post = folder.run("recap", "--post")
    assert told in post
    assert "Decided" not in post


def test_ruling_that_leaves_more_to_come_stands_apart(tmp_path: Path) -> None:
    folder = played(
        "dusk-bastards", tmp_path, LEANS, "close", '! ruling "The door stays shut until dawn" "it is locked"', FIGHT
    )
    assert "> The door stays shut until dawn." in folder.run("recap")


@pytest.mark.slow
def test_doom_says_why_and_on_what_it_was_spent(tmp_path: Path) -> None:
    lines = ('wren "lift the bar" m v2 /3.10', '! doom 1 "the lamp goes out" because="the wind is up"', "close")
    assert "The wind was up, and Doom took a hand: the lamp went out." in played("dusk-bastards", tmp_path, *lines).run(
        "recap"
    )


@pytest.mark.parametrize(
    ("who", "told"), [(GM, "once Doom had bent the odds"), ("Wren", "once Destiny had bent the odds")]
)
def test_odds_are_bent_by_who_paid_for_it(who: str, told: str) -> None:
    paid = TokensMoved(who=who, token="x", change=-1, now=0, most=9, because="change target")
    episode = Episode(entries=["1.1"], by="gm", line="", said={}, facts=[paid])
    clause = Clause("", blow=Stroke(what="attack", pattern="", fields={}, who="Wren"))
    assert [*costs_of(episode, clause, COSTS, is_failure)] == [told]


@pytest.mark.parametrize(
    ("reason", "was", "now", "told"),
    [
        ("reroll", "failure", "failure", ["despite Destiny's second chance"]),
        ("reroll", "failure", "success", ["thanks to Destiny's second chance"]),
        ("reroll", "success", "failure", []),
        ("reroll", "success", "success", []),
        ("change target", "success", "failure", ["once Destiny had bent the odds"]),
        ("change target", "failure", "failure", []),
    ],
)
def test_what_was_paid_is_told_where_it_did_so(reason: str, was: str, now: str, told: list[str]) -> None:
    first, last = (
        Judged(who="Wren", what="attack", against="Gorse", result=result, window="open roll", final=is_last)
        for result, is_last in ((was, False), (now, True))
    )
    paid = TokensMoved(who="Wren", token="x", change=-1, now=0, most=9, because=reason)
    episode = Episode(entries=["1.1"], by="Wren", line="", said={}, facts=[first, paid, last])
    blow = Stroke(what="attack", pattern="", fields={}, who="Wren", failed=now == "failure")
    clause = Clause(f"{mark_name('Wren')} <miss> Gorse", blow=blow)
    assert [*costs_of(episode, clause, COSTS, is_failure)] == told


@pytest.mark.parametrize(
    ("thrown", "told"), [("Crake's pistol", "Crake's pistol"), ("Crake", ""), ("Rosalind's rifle", "")]
)
def test_blow_at_a_thing_is_none_at_its_holder(thrown: str, told: str) -> None:
    blow = Judged(who="Rosalind", what="attack", against="Crake", result="hit", final=True)
    held = Judged(who=thrown, what="item", against="Rosalind", result="destroyed", final=True)
    assert owned_target(blow, Episode(entries=["1.1"], by="Rosalind", line="", said={}, facts=[blow, held])) == told


@pytest.mark.slow
def test_who_steps_in_is_told_with_the_blow(tmp_path: Path) -> None:
    lines = (
        '! fight "the weir" paths=bank:weir,weir:mill pcs=bank foes=weir',
        "v momentum /9.9",
        "o momentum /2.1",
        "v move weir",
        "v end",
        "o move weir",
        "! r1 attack vel ^osric:interpose /10.10.3.3",
    )
    told = played("momentum", tmp_path, *lines).run("recap")
    assert "stepped in for Vel, and the first raider " in told
    assert "Osric was slow off the mark and lost an action" in told
