"""Why somebody fell or is better, what was made good, and how somebody left, where a story says them."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from cli.phrases.patterns import mark_name
from cli.story.brief import is_scratch
from cli.story.clauses import HEALTH, Clause, TextEffect
from cli.story.forms import Forms, Way
from cli.story.last_news import rulings_as_called, values_at_stake
from cli.story.parts import news_line
from cli.story.passages import Passage, Sentence
from cli.story.plain_words import condition_in_words, plain_words
from cli.story.remarks import is_means
from cli.story.selection import NO_NEEDS, endings_of, falls_in, needed_beside
from cli.story.story_deed import StoryDeed
from cli.story.style import STYLES
from projections.recap.events import RulingEvent
from projections.recap.threads import Thread
from tests.cli.test_recap_story import played

replace = msgspec.structs.replace


@pytest.mark.slow
def test_second_try_stands_with_the_failure_and_its_cost(tmp_path: Path) -> None:
    lines = ("w climb v5 /3.4", '! wren might -2 "she hangs from the gutter"', "w climb v5 e1 /9.9", "close")
    told = "lost two points of might: she hung from the gutter; at the second try they made the climb"
    folder = played("dusk-bastards", tmp_path, *lines)
    assert told in folder.run("recap")
    assert told in folder.run("recap", "--post")


@pytest.mark.slow
def test_cause_of_a_fall_that_the_lead_leaves_out_stays(tmp_path: Path) -> None:
    weir = ('! fight "the weir" pcs=bank foes=weir paths=bank:weir', "v momentum", "o momentum")
    lines = (
        *weir,
        'v check agi "the ladder, with the sacks" /1.2',
        '! vel.hp -8 "the ladder goes, and the wheel takes two of them"',
    )
    ruling = '! ruling "Vel has a broken arm and is carried home" "a fall"'
    page = played("momentum", tmp_path, *lines, ruling).run("recap")
    assert "Vel fell as the ladder went" in page
    assert "went down: the ladder went, and the wheel took two of them." in page
    assert "had a broken arm and was carried home." in page.replace("were carried", "was carried")


@pytest.mark.slow
def test_cure_is_owed_to_what_people_named(tmp_path: Path) -> None:
    lines = (
        '! encounter "the gate"',
        '! bram.hp -11 "a fall"',
        "! over",
        '! restore bram health 9 "goose fat and brandy"',
    )
    folder = played("mars", tmp_path, *lines)
    assert ", thanks to goose fat and brandy" in folder.run("recap")
    assert ", thanks to goose fat and brandy" in folder.run("recap", "--post")


@pytest.mark.parametrize(
    ("text", "names_things"),
    [
        ("smelling salts", True),
        ("goose fat, brandy and Osk's necktie", True),
        ("the miller's wife, a needle and plum spirit", True),
        ("she had eaten", False),
        ("the bleeding stopped", False),
        ("he sleeps it off", False),
        ("grudgingly", False),
        ("over the hill", False),
    ],
)
def test_what_names_only_things_is_a_means(text: str, names_things: bool) -> None:
    assert is_means(text) is names_things


def test_how_somebody_left_is_said_once() -> None:
    gone = Thread(kind="at large", who="Thug 2", names=("hurt", "fled"), fight="the inn", fight_entry="1.9", out="fled")
    told = replace(gone, last="Thug 2 fled: she was late", last_entry="1.7")
    line = news_line(replace(told, left=True), STYLES["text"])
    assert line == "Thug 2 (hurt): fled: she was late (1.7); nothing more is recorded"
    assert "fled at the end of the inn" in news_line(told, STYLES["text"])


def test_rulings_call_one_of_several_as_the_story_does() -> None:
    text, because, empty = "Scrapper 3 comes along", "the Scrapper 3 asked", {"about": "", "scope": ""}
    ruling = RulingEvent(entry="1.1", name="ruling", text=text, because=because, cites=(), agreed=(), **empty)
    (told,) = rulings_as_called([ruling], {"Scrapper 3": "the third scrapper", "Mother Rust": "Rust"})
    assert (told.text, told.because) == ("the third scrapper comes along", "the third scrapper asked")


def test_blow_that_made_somebody_give_up_is_at_stake() -> None:
    known = [Thread(kind="at large", who="Loy", status="gave up"), Thread(kind="at large", who="Rat", names=("hurt",))]
    assert values_at_stake([], known) == {("Loy", HEALTH)}


def test_scratch_needs_no_words() -> None:
    for how, is_light in ((plain_words().harm[0], True), (plain_words().harm[1], False)):
        clause = Clause("Rat hits Kess", effects=[TextEffect(f"Kess is {how}", whose="Kess", how=how)])
        assert is_scratch(StoryDeed(entries=("1.1",), clauses=[clause], weight=6)) is is_light


def test_short_recap_keeps_who_fell_and_what_was_spoken_of() -> None:
    blow = Sentence(entries=("1.1",), text="Kess hit Rat", weight=5, names=("Kess",), changes=(("Rat", "hurt"),))
    fall = Sentence(entries=("1.2",), text="Kess felled Rat", weight=9, names=("Kess",))
    story = [
        Passage(kind="", sentences=(blow,), fight="1.0"),
        Passage(kind="quote", by="Kess", text="There.", fight="1.0"),
        Passage(kind="", sentences=(fall,), fight="1.0"),
    ]
    assert falls_in(story, ()) == {(2, 0)}
    weights = dict(needed_beside(story, NO_NEEDS))
    assert weights[2, 0] > weights[0, 0] > blow.weight


def test_harm_before_a_fall_needs_no_more_than_the_fall() -> None:
    harms, told = (("Kess", "health"),), {"entries": ("1.1",), "names": ("Kess",)}
    blow, fall = (Sentence(text="x", weight=weight, harms=harms, changes=harms, **told) for weight in (8, 10))
    rest = Sentence(text="x", weight=3, changes=harms, **told)
    story = [Passage(kind="", sentences=(blow, fall), fight="1.0"), Passage(kind="", sentences=(rest,))]
    endings = endings_of(story, NO_NEEDS)
    assert (endings[0, 0], endings[0, 1], endings[1, 0]) == ({(0, 1)}, {(1, 0)}, set())


def test_third_weapon_in_a_row_is_left_out() -> None:
    forms = Forms()
    for weapon in ("knife", "billhook"):
        assert not forms.is_armed
        forms.choose([Way(f"{mark_name('Kess')} hits Rat with the {weapon}", ("hits",))])
    assert forms.is_armed
    forms.choose([Way(f"{mark_name('Kess')} hits Rat", ("hits",))])
    assert not forms.is_armed


def test_part_of_a_body_stands_in_no_brackets() -> None:
    assert condition_in_words("slowed (leg 1)") == "slowed in one leg"
    assert condition_in_words("hurt in hand 2") == "hurt in one hand"
    assert condition_in_words("sick (degree 1)") == "sick"
