"""How a recap tells lives that hang by a roll, falls and deaths, and how everybody is at the end."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from cli.story.clause_list import place_of
from cli.story.party_words import fates
from cli.story.sentences import storytellers
from ledger.facts import ConditionEnded, Fact, Judged, PointsLost
from projections.recap.episodes import Episode
from projections.recap.threads import Thread
from projections.state import State
from rulebooks import load_game
from tests.cli.test_recap_post import page_of, text_of
from tests.cli.test_recap_story import played
from tests.cli.test_recap_truth import BRAM_STABBED
from tests.cli.test_telling import began, state_of, story

PASSES = ("! guard-2 end", "asha end", "! guard-1 end")
BRAM_DEAD = (
    *BRAM_STABBED, "! guard-1 end", "bram begin /1.1", *PASSES, "bram begin /1.1", *PASSES, "bram begin /1.1", "! over",
)  # fmt: skip


@pytest.mark.slow
def test_death_stands_in_the_sentence_of_its_fall(tmp_path: Path) -> None:
    post = played("mars", tmp_path, *BRAM_DEAD).run("recap", "--post")
    assert post.splitlines()[2].startswith(
        "The first guard struck Bram down, and the fight broke off with two guards still standing. Bram died."
    )


def judged(what: str, result: str, **more: object) -> Judged:
    """Return a result of Vesna, or of these fields."""
    fields = {"what": what, "who": "Vesna", "result": result, "final": True, "against": "", "rolls": (), **more}
    return msgspec.convert(fields, Judged, strict=False)


@pytest.mark.parametrize(
    ("game", "result", "total", "told"),
    [
        ("mars", "hit", 6, "Vesna held on to life, by a hair"),
        ("mars", "fail", 4, "Vesna was slipping away, a point short"),
        ("mars", "hit", 9, "Vesna held on to life"),
        ("semiautomagic", "passed", 5, "Vesna clung to life, by a hair"),
    ],
)
def test_life_that_a_point_decides_says_so(game: str, result: str, total: int, told: str) -> None:
    fact = judged("dying check", result, total=total, target=5, margin=total - 5, rolls=("dying Vesna",))
    assert story(game, fact) == told


def test_stabilised_are_told_in_few_words() -> None:
    ended = ConditionEnded(id="dying Vesna", who="Vesna", name="dying", because="stabilised")
    check = judged("dying check", "hit", total=9, target=5, margin=4, rolls=("dying Vesna",))
    assert story("mars", check, ended) == "Vesna held on to life and was no longer dying"
    assert story("semiautomagic", judged("stabilise", "stable")) == "Vesna stopped bleeding"


@pytest.mark.parametrize(
    ("facts", "told"),
    [
        ((judged("resist", "hit", against="Rat", rolls=("push Vesna", "resist Rat")),), "Vesna pushed Rat back"),
        ((judged("resist", "hit", against="Rat", rolls=("knock-down Vesna",)),), "Vesna knocked Rat down"),
        (
            (
                judged("attack", "hit", who="Rat", against="Vesna"),
                judged("block", "blocked", who="Rat", against="Vesna"),
                PointsLost(who="Vesna", pool="shield", points=2, now=8, because="slashing", by="Rat"),
            ),
            "Rat hit Vesna, but Vesna's shield took it",
        ),
    ],
)
def test_maneuver_is_told_with_its_verb(facts: tuple[Fact, ...], told: str) -> None:
    assert story("mars", *facts) == told


def test_vigil_of_a_foe_is_untold_while_nothing_changes() -> None:
    """A check of which the players see no news is none, but for one of the characters."""
    for who, told in (("Rat", None), ("Vesna", "Vesna was slipping away")):
        teller = storytellers(load_game("semiautomagic"))(State(), state_of("Vesna"))
        check = judged("dying check", "failed", who=who, total=1, target=9, margin=-8, rolls=(f"dying {who}",))
        dying = msgspec.structs.replace(began("dying"), id=f"dying {who}", who=who)
        facts = [[dying], [check, dying]]
        _, sentence = [
            teller.sentence(Episode(entries=["1.1"], by="gm", line="", said={}, facts=[*each])) for each in facts
        ]
        assert (sentence.text if sentence else None) == told


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ('"Between the pews":', "Between the pews"),
        ('"the front door":', "at the front door"),
        ('"Who moves first":', ""),
        ('"the bomb goes off":', ""),
    ],
)
def test_place_of_a_blow_is_no_quotation(text: str, place: str) -> None:
    assert place_of(text) == place


def test_end_of_a_post_leaves_out_what_passes_with_a_fight() -> None:
    assert fates(["concealed", "unconscious"]) == ([], ["unconscious"])
    assert fates(["2 wounds", "absent"]) == (["got away"], ["2 wounds"])


def test_those_who_lie_are_named_with_the_gravest_condition() -> None:
    about = (
        Thread(kind="at large", who="Dog", names=("dying", "unconscious"), down=True),
        Thread(kind="at large", who="Cat", names=("unhurt",)),
        Thread(kind="at large", who="Rat", names=("badly hurt",)),
    )
    page = msgspec.structs.replace(page_of(), threads=about)
    assert "**Open:** Still about: Cat, Rat (badly hurt); left lying: Dog (dying)." in text_of(page)


@pytest.mark.slow
def test_roll_of_the_night_is_none_that_was_corrected(tmp_path: Path) -> None:
    """Nobody cheered at a die that was read anew."""
    lines = ("w climb m v3 /9.8", "close", 'w "force the grate" m v3 /5.1', '~ /12.11 because="cocked"', "close")
    page = played("dusk-bastards", tmp_path, *lines).run("recap")
    assert "\n## Roll of the night\n\nWren made the climb." in page


def test_others_who_get_up_stand_behind_a_blow(tmp_path: Path) -> None:
    """They had no part in it."""
    ended = ConditionEnded(id="stunned Vesna", who="Vesna", name="stunned", because="due")
    facts = (judged("attack", "success", who="Rat", against="Cat", using=[("Rat", "sword")]), ended)
    assert story("dusk-bastards", facts[0], facts[1]) == "Rat cut Cat with the sword. Vesna came round"
