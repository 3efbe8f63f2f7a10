"""What a recap says is open: a ruling settles those whom it is about, and nobody is a foe in a peaceful encounter."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from cli.phrases.patterns import NAMED, in_tense, mark_name, mark_verb
from cli.story.clauses import GRAVE, Clause, Stroke, TextEffect
from cli.story.last_news import is_subject, names_of, with_last_news
from cli.story.open_ends import open_threads
from cli.story.parts import thread_lines
from cli.story.passages import Passage, Sentence
from cli.story.persons import Persons
from cli.web.pages.story import PLAIN
from ledger.facts import EntryId, Joined
from projections.beings import add_being
from projections.recap.events import RulingEvent
from projections.recap.threads import Thread
from projections.state import State
from tests.cli.test_recap_post import page_of, sentence, text_of
from tests.cli.test_recap_story import played

BEINGS = ("Magistrate Orne", "Company Miner 1", "Company Miner 2", "Old Tam Vey", "Sir Tam Roo")
STOOD = "Magistrate Orne: still stood at the end of the dyke (1.4); "
STOOD_ABOUT = "Magistrate Orne is still about: still stood at the end of the dyke (1.4); "
FIGHT = {"Magistrate Orne": ("1.4", "the dyke", ""), "Company Miner 1": ("1.4", "the dyke", "left")}


@pytest.mark.parametrize(
    ("who", "names"),
    [
        ("Magistrate Orne", ["Magistrate Orne", "Orne"]),
        ("Company Miner 1", ["Company Miner 1", "Miner 1"]),
        ("Old Tam Vey", ["Old Tam Vey", "Vey"]),
    ],
)
def test_parts_of_a_name_that_are_nobody_elses_name_somebody(who: str, names: list[str]) -> None:
    assert names_of(who, BEINGS) == names


@pytest.mark.parametrize(
    ("text", "known"),
    [
        ("the gate is open, and Orne is confined to his house", True),
        ("Orne lays down the lamp", True),
        ("nobody tells Orne", False),
        ("the lamp of Orne and his key are lost", False),
        ("the gate opens if Orne is asked", False),
        ("Ornesby is burnt", False),
    ],
)
def test_ruling_settles_its_subject_only(text: str, known: bool) -> None:
    assert is_subject("Orne", text) == known


def ruling(entry: str, text: str) -> RulingEvent:
    more = {"because": "", "about": "", "cites": (), "agreed": (), "scope": "campaign"}
    return RulingEvent(entry=entry, name="ruling", text=text, **more)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("Orne is confined to his house", []),
        ("the gate is for Orne", [STOOD + "the gate is for Orne (1.9)"]),
        ("it rains", [STOOD_ABOUT + "nothing more is recorded"]),
    ],
)  # fmt: skip
def test_settled_are_no_longer_about(text: str, told: list[str]) -> None:
    rulings = (ruling("1.9", text),)
    known = with_last_news([Thread(kind="at large", who="Magistrate Orne")], FIGHT, (), rulings, BEINGS)
    page = msgspec.structs.replace(page_of(), threads=tuple(known), rulings=rulings)
    lines = list(thread_lines(open_threads(page, settled=True), PLAIN))
    assert lines == told


@pytest.mark.parametrize(("entry", "settled"), [("1.10", False), ("1.8", True)])
def test_ruling_does_not_settle_what_was_told_later(entry: str, settled: bool) -> None:
    told = Sentence(
        entries=(entry,), text="x", weight=9, mentions=("Magistrate Orne",), changes=(("Magistrate Orne", "hp"),)
    )
    orne, news = Thread(kind="at large", who="Magistrate Orne"), [Passage(kind="", sentences=(told,))]
    rulings = (ruling("1.9", "Orne is confined to his house"),)
    assert [each.settled for each in with_last_news([orne], FIGHT, news, rulings, BEINGS)] == [settled]


def test_ruling_of_somebody_ends_a_question_about_them() -> None:
    fate = Thread(kind="window", who="Magistrate Orne", what="fate", names=("gm",))
    rulings = (ruling("1.9", "Orne is carried off, alive"),)
    known = tuple(with_last_news([fate], FIGHT, (), rulings, BEINGS))
    assert open_threads(msgspec.structs.replace(page_of(), threads=known, rulings=rulings), settled=True) == []


def test_those_who_left_are_not_said_to_be_about() -> None:
    known = with_last_news([Thread(kind="at large", who="Company Miner 1")], FIGHT, (), (), BEINGS)
    assert [*thread_lines(known, PLAIN)] == [
        "Company Miner 1: left at the end of the dyke (1.4); nothing more is recorded"
    ]


def test_those_who_left_got_away_in_a_post() -> None:
    left = Thread(kind="at large", who="Company Miner 1", names=("hurt", "fled"))
    known = with_last_news([left, Thread(kind="at large", who="Magistrate Orne")], FIGHT, (), (), BEINGS)
    assert [*thread_lines(known, PLAIN, brief=True, entries=False)] == [
        "Still about: Magistrate Orne (still stands)",
        "Got away: Company Miner 1 (hurt)",
    ]


def test_last_fiction_of_a_fight_stays_before_wounds() -> None:
    fiction = Passage(kind="fiction", fight="1.1", text="The bell cracks, " + "and cracks " * 40)
    rain = Passage(kind="fiction", text="Rain " * 20)
    blows = [Passage(kind="", sentences=(sentence(number, GRAVE, "hit " * 25),)) for number in range(40)]
    post = text_of(page_of(rain, *blows[:20], fiction, *blows[20:], rain, rain))
    assert "The bell cracks" in post


@pytest.mark.slow
def test_encounter_without_combat_is_no_fight(tmp_path: Path) -> None:
    lines = ('! encounter challenge "the weir" no-combat', "! challenge minutes=b:10", '! over "the tide"')
    folder = played("mars", tmp_path, *lines)
    page = folder.run("recap")
    assert "were there with" in page
    assert "Then it was over: the tide." in page
    assert "faced" not in page
    assert "still stood" not in page
    assert "still about" not in page
    assert "a turn of the challenge" not in page


@pytest.mark.slow
def test_group_does_what_it_was_asked(tmp_path: Path) -> None:
    line = '! everybody asha bram athletics v8 best "hold the pews while the tide turns" /9.5.5'
    page = played("mars", tmp_path, line).run("recap")
    assert "held the pews while the tide turned" in page
    assert '("hold the pews' not in page


@pytest.mark.slow
def test_lead_says_how_it_came_out_where_nobody_fell(tmp_path: Path) -> None:
    weir = ('! encounter challenge "the weir" no-combat', "! challenge minutes=b:10")
    deed = '! everybody asha bram athletics v8 best "hold the pews" /9.5.5'
    post = played("mars", tmp_path, *weir, deed, '! over "the tide has turned"').run("recap", "--post")
    assert "held the pews, and the tide turned." in post.splitlines()[2]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("reason", "told"),
    [
        ("the water is warm", "Asha did it: the water was warm"),
        ("a lamp", "coped with a lamp"),
    ],
)
def test_skill_of_a_check_stands_for_a_reason_without_a_deed(tmp_path: Path, reason: str, told: str) -> None:
    assert told in played("mars", tmp_path, f'asha check perception v9 "{reason}" /9.3').run("recap")


def test_who_is_named_with_an_article_keeps_it() -> None:
    state = State()
    for who in ("The Host", "Magistrate Orne"):
        add_being(state, EntryId(0, 1), Joined(who=who, kind="npc", side="foes", sheet=(), seen="table"))
    assert [Persons(state).short(who) for who in ("The Host", "Magistrate Orne")] == ["The Host", "Orne"]


@pytest.mark.parametrize(
    ("form", "left"), [(0, "Rat hit Cat and hurt her badly"), (1, "Rat hit Cat, leaving her badly hurt")]
)
def test_what_a_blow_left_is_said_in_two_forms(form: int, left: str) -> None:
    rat, cat = mark_name("Rat"), mark_name("Cat")
    hit = mark_verb("hit", plural=False)
    blow = Stroke(what="attack", result="hit", pattern="", fields={}, who="Rat", against=("Cat",), failed=False)
    effect = TextEffect(f"{cat} is badly hurt", whose="Cat", how="badly hurt")
    clause = Clause(f"{rat} {hit} {cat}", blow=blow, effects=[effect], form=form)
    text = in_tense(NAMED.sub(lambda name: name[1], clause.parts()[0]), past=True)
    assert text == left.replace("her", "Cat")


@pytest.mark.slow
def test_correction_does_not_say_that_a_blow_was_in_vain(tmp_path: Path) -> None:
    """What came of the first take stands in the entry behind it."""
    begin = ('! encounter "the mill"', "w initiative /9.8", "h initiative /9.8", "close", "! on")
    page = played("dusk-bastards", tmp_path, *begin, "w attack thug 1 /6.5", "close", "~ 6 e1 retcon").run("recap")
    assert "; was: Wren shot the first thug with the sling (1.6" in page
