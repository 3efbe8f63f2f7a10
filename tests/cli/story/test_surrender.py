"""Who gave up: said by rulings and reasons, and named at the end with how they are."""

from __future__ import annotations

import msgspec
import pytest

from cli.story.post import open_line_parts
from cli.story.style import STYLES
from cli.story.surrender import who_gave_up
from ledger.facts import ConditionBegan, EncounterEnded, Fact, Judged, Ruled
from projections.recap.episodes import Episode
from projections.recap.threads import Thread
from tests.cli.test_recap_post import page_of

OTHERS = ("Captain Vorr", "Gorse", "Thug 1", "Thug 2")
STAND = [["gm", ["Captain Vorr", "Thug 2"]], ["players", ["Kess"]]]


def ended(because: str) -> Fact:
    fields = {"rules": [], "encounter": "the yard", "because": because, "stand": STAND, "out": []}
    return msgspec.convert(fields, EncounterEnded)


def ruled(text: str) -> Fact:
    return Ruled(rules=(), name="ruling", text=text, because="")


def given(*facts: Fact, **said: str) -> set[str]:
    episode = Episode(entries=["1.1"], by="gm", line="", said=said, facts=[*facts])
    return who_gave_up([episode], OTHERS, {"Thug 1": "the first thug", "Thug 2": "the second thug"})


@pytest.mark.parametrize(
    ("fact", "who"),
    [
        (ruled("Gorse lays down the boathook and asks for terms"), {"Gorse"}),
        (ruled("The first thug gives himself up"), {"Thug 1"}),
        (ruled("Gorse asks who lays down the law here"), set[str]()),
        (ruled("Gorse won't yield"), set[str]()),
        (ended("the captain drops his sword into the river"), {"Captain Vorr"}),
        (ended("they yield"), {"Captain Vorr", "Thug 2"}),
        (ended("the last of them falls"), set[str]()),
    ],
)
def test_who_gave_up_is_read_from_rulings_and_ends(fact: Fact, who: set[str]) -> None:
    assert given(fact) == who


def test_who_leaves_to_give_up_did_not_get_away() -> None:
    left = msgspec.convert({"rules": [], "who": "Thug 2", "name": "absent", "id": "x"}, ConditionBegan)
    assert given(left, say="leave-encounter", reason="throws the club away and sits down") == {"Thug 2"}


def test_who_strikes_again_has_not_given_up() -> None:
    blow = Judged(
        rules=(), what="attack", who="Gorse", against="Kess", result="hit", rolls=("attack Gorse",), final=True
    )
    first = Episode(entries=["1.1"], by="gm", line="", said={}, facts=[ruled("Gorse yields")])
    then = Episode(entries=["1.2"], by="gm", line="", said={}, facts=[blow])
    assert who_gave_up([first], OTHERS, {}) == {"Gorse"}
    assert who_gave_up([first, then], OTHERS, {}) == set()


def test_end_names_who_gave_up_and_how_they_are() -> None:
    about = (
        Thread(kind="at large", who="Gorse", names=("badly hurt",), fight="the yard", gave_up=True),
        Thread(kind="at large", who="Vorr", names=("hurt",), fight="the yard"),
        Thread(kind="at large", who="Thug 2", names=("fled",), fight="the yard", out="fled"),
    )
    page = msgspec.structs.replace(page_of(), threads=about)
    assert open_line_parts(page, STYLES["text"], 400) == [
        "Still about: Vorr (hurt)", "got away: Thug 2", "gave up: Gorse (badly hurt)",
    ]  # fmt: skip
