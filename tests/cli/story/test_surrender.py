"""Who gave up: what rulings and reasons say of them stands as how they are at the end."""

from __future__ import annotations

import msgspec
import pytest

from cli.story.last_words import LastWords, last_words, with_last_words
from cli.story.open_ends import said_lines
from cli.story.parts import thread_lines
from cli.story.post import open_line_parts
from cli.story.style import STYLES
from cli.story.surrender import who_gave_up
from ledger.facts import ConditionBegan, EncounterEnded, Fact, Judged, Ruled
from projections.recap.episodes import Episode
from projections.recap.threads import Thread
from tests.cli.test_recap_post import page_of

OTHERS = ("Captain Vorr", "Gorse", "Thug 1", "Thug 2", "The Toll Warden")
CALLED = {"Thug 1": "the first thug", "Thug 2": "the second thug"}
STAND = [["gm", ["Captain Vorr", "Thug 2"]], ["players", ["Kess"]]]
PLAIN = STYLES["text"]


def ended(because: str, *stand: str) -> Fact:
    sides = [["gm", [*stand]]] if stand else STAND
    fields = {"rules": [], "encounter": "the yard", "because": because, "stand": sides, "out": []}
    return msgspec.convert(fields, EncounterEnded)


def ruled(text: str) -> Fact:
    return Ruled(rules=(), name="ruling", text=text, because="")


def episode_of(entry: str, *facts: Fact, **said: str) -> Episode:
    return Episode(entries=[entry], by="gm", line="", said=said, facts=[*facts])


def said_of(*facts: Fact) -> dict[str, str]:
    return {who: words.text for who, words in last_words([episode_of("1.1", *facts)], OTHERS, CALLED).items()}


@pytest.mark.parametrize(
    ("fact", "told"),
    [
        (ruled("Gorse lays down the hook and asks for terms"), {"Gorse": "laid down the hook and asked for terms"}),
        (ended("Gorse lets go of the flail"), {"Gorse": "let go of the flail"}),
        (ended("Gorse holds up the rapier by the wrong end"), {"Gorse": "held up the rapier by the wrong end"}),
        (ruled("The first thug is let go"), {"Thug 1": "was let go"}),
        (ended("the lamp goes out, and Gorse sits on the bench"), {"Gorse": "sat on the bench"}),
        (ruled("Gorse won't yield"), {"Gorse": "wouldn't yield"}),
        (ruled("Gorse hangs tomorrow"), {"Gorse": "hangs tomorrow"}),
        (ended("the captain drops his sword into the river"), {"Captain Vorr": "dropped his sword into the river"}),
        (ruled("The Toll Warden sits on the bench"), {"The Toll Warden": "sat on the bench"}),
        (ended("the Warden has had enough"), {"The Toll Warden": "had had enough"}),
        (ended("they yield"), {"Captain Vorr": "yielded", "Thug 2": "yielded"}),
        (ended("the last thug puts the club down", "Thug 1"), {"Thug 1": "put the club down"}),
        (ended("she has had enough", "Gorse"), {"Gorse": "had had enough"}),
        (ended("the toll house surrenders", "Gorse"), {"Gorse": "the toll house surrendered"}),
        (ended("the last of them falls"), {}),
        (ruled("Kess takes the knife from Gorse"), {}),
        (ruled("Gorse's boat is burnt"), {}),
    ],
)  # fmt: skip
def test_last_words_are_what_is_said_of_somebody(fact: Fact, told: dict[str, str]) -> None:
    assert said_of(fact) == told


def test_who_leaves_to_give_up_did_not_get_away() -> None:
    left = msgspec.convert({"rules": [], "who": "Thug 2", "name": "absent", "id": "x"}, ConditionBegan)
    reason = "throws the club away and sits down"
    assert who_gave_up([episode_of("1.1", left, say="leave-encounter", reason=reason)], OTHERS) == {"Thug 2"}


def test_who_strikes_again_has_not_given_up() -> None:
    blow = Judged(
        rules=(), what="attack", who="Gorse", against="Kess", result="hit", rolls=("attack Gorse",), final=True
    )
    first, then = episode_of("1.1", ruled("Gorse yields")), episode_of("1.2", blow)
    assert {*last_words([first], OTHERS, {})} == {"Gorse"}
    assert {*last_words([first, then], OTHERS, {})} == set()


GORSE = Thread(kind="at large", who="Gorse", names=("badly hurt",), fight="the yard", fight_entry="1.8")
SAID = {"Gorse": LastWords("let go of the flail", "1.8")}


def test_end_names_who_gave_up_and_how_they_are() -> None:
    about = (
        with_last_words(GORSE, SAID),
        Thread(kind="at large", who="Vorr", names=("hurt",), fight="the yard"),
        Thread(kind="at large", who="Thug 1", names=("absent",), fight="the yard", gave_up=True),
        Thread(kind="at large", who="Thug 2", names=("fled",), fight="the yard", out="fled"),
    )
    page = msgspec.structs.replace(page_of(), threads=about)
    assert open_line_parts(page, PLAIN, 400) == [
        "Gorse (badly hurt): let go of the flail", "still about: Vorr (hurt)", "got away: Thug 2", "gave up: Thug 1",
    ]  # fmt: skip


def test_chronicle_says_what_was_said_last() -> None:
    assert [*thread_lines([with_last_words(GORSE, SAID)], PLAIN)] == ["Gorse (badly hurt): let go of the flail (1.8)"]


def test_what_the_lead_says_is_not_said_again() -> None:
    assert [*said_lines([with_last_words(GORSE, SAID)], PLAIN, {}, "Gorse let go of the flail")] == [
        "Gorse (badly hurt)"
    ]


def test_who_got_up_at_the_end_is_not_down() -> None:
    up = Thread(kind="at large", who="Gorse", fight="the yard", fight_entry="1.8", out="down but alive")
    assert [*thread_lines([up], PLAIN)] == [
        "Gorse is still about: up again at the end of the yard (1.8); nothing more is recorded"
    ]
