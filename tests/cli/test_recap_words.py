"""A recap in the words of a person: hiding places, falls with who did it, time, reasons, names that people use."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from cli.story.being_names import BeingNames
from cli.story.clauses import GRAVE, Clause, Stroke, TextEffect, net
from cli.story.deeds import Paragraph
from cli.story.lead_text import both_falls
from cli.story.passages import Passage, Sentence
from cli.story.persons import Persons
from cli.story.plain_words import is_thing, small_start, time_words
from cli.story.results import Results
from cli.story.selection import NEEDED, costs_of_failures
from cli.story.story_deed import StoryDeed
from ledger.facts import EntryId, Joined
from projections.beings import add_being
from projections.state import State
from rulebooks.common.narration import Narration
from rulebooks.common.texts import Wording
from tests.cli.test_recap_post import fell, page_of, text_of
from tests.cli.test_recap_story import LOCK, played

HIDE = ('! cover kit medium "a row of coat stands"', "kit hide /5")


def story_of(game: str, folder: Path, *lines: str) -> str:
    """Return the story of the chronicle of a session of these lines."""
    return played(game, folder, *lines).run("recap").partition("## Where")[0]


@pytest.mark.slow
def test_who_hides_does_so_behind_their_cover(tmp_path: Path) -> None:
    told = story_of("semiautomagic", tmp_path, *HIDE, "! brute 1 perceive kit /1", "kit hide /6")
    assert "\nKit hid behind a row of coat stands. The first brute did not see Kit" in told


@pytest.mark.slow
def test_hiding_that_was_seen_is_a_try(tmp_path: Path) -> None:
    told = story_of("semiautomagic", tmp_path, *HIDE[:1], "kit hide /1", "kit hide /1", "! brute 1 perceive kit /6")
    assert "\nKit tried to hide behind a row of coat stands, but the first brute saw Kit.[^1]" in told


@pytest.mark.slow
def test_reason_is_said_once(tmp_path: Path) -> None:
    area = '! area {} 9 "the shelf comes down"'
    told = story_of("semiautomagic", tmp_path, area.format("kit"), area.format("brand"))
    assert told.count("the shelf came down") == 1


@pytest.mark.slow
def test_who_is_dying_is_not_unconscious_too(tmp_path: Path) -> None:
    told = story_of("semiautomagic", tmp_path, '! harm kit 13 "the floor gives way"')
    assert "\nKit fell as the floor gave way. Kit was left dying.\n\nKit fell.[^1]" in told


@pytest.mark.slow
@pytest.mark.parametrize(
    ("reason", "text"),
    [
        ("down the ladder", "The first thug went down the ladder."),
        ("the tide takes him", "The first thug left the fight: the tide took him."),
    ],
)
def test_reason_to_leave_is_told(reason: str, text: str, tmp_path: Path) -> None:
    told = story_of("dusk-bastards", tmp_path, '! encounter "the ferry house"', f'! leave thug1 "{reason}"')
    assert text in told


@pytest.mark.slow
@pytest.mark.parametrize(
    ("stake", "text"),
    [
        ("or crack a visor", "Okoro could not jump the gap in time, and cracked a visor."),
        ("or the pod thaws her too fast", "Okoro could not jump the gap in time, and the pod thawed her too fast."),
        ("his good hand", 'Okoro could not jump the gap in time (at stake: "his good hand").'),
    ],
)
def test_stake_of_a_failure_came(stake: str, text: str, tmp_path: Path) -> None:
    assert text in story_of("monolith", tmp_path, f'o save reflex "jump the gap" "{stake}" /20')
    (tmp_path / "passed").mkdir()
    assert stake not in story_of("monolith", tmp_path / "passed", f'o save reflex "jump the gap" "{stake}" /1')


@pytest.mark.slow
def test_ruling_of_how_the_table_plays_is_decided_and_not_told(tmp_path: Path) -> None:
    lines = ('! ruling "the bridge is up" "the tide took it" campaign', '! ruling "he was up there" "we forgot"')
    page = played("dusk-bastards", tmp_path, *lines, '! rule DB-ASSET-1 "rope is free" "always"').run("recap")
    told, _, rest = page.partition("## Where")
    assert "\n> The bridge is up.[^1]\n" in told
    assert "rope is free" not in told
    assert "he was up there" not in told
    assert "- Rope is free" in rest
    assert "- He was up there" in rest


@pytest.mark.slow
def test_shot_through_cover_wounds_who_is_behind_it(tmp_path: Path) -> None:
    cover = '! cover brute1 heavy "the crate" object=crate toughness=11 durability=2 matters'
    shot = 'kit attack brute 1 at=hand m2 a-2 "as agreed" /3.8'
    told = story_of("semiautomagic", tmp_path, cover, '! fight "x"', shot)
    assert "Kit wounded the first brute in the hand with the bow, and broke some of the crate." in told


@pytest.mark.slow
def test_eclipse_of_the_same_tokens_is_told_once_in_a_fight(tmp_path: Path) -> None:
    lines = ('! wren.destiny +2 "a gift"', "w run s v1 /1.2", "close", "w hide v2 /6.6", "close", "w sneak v2 /6.6")
    told = story_of("dusk-bastards", tmp_path, *lines, "close")
    assert told.count("under an Eclipse that took Destiny and Doom") == 1


@pytest.mark.slow
def test_charge_brings_down_at_a_place(tmp_path: Path) -> None:
    told = story_of(
        "monolith", tmp_path, *LOCK, '! r1.hp -3 "a fall"', 'o blast r1 r2 charge area="the doors" /2.5.12.19'
    )
    assert "At the doors, Okoro" in told
    assert "under Critical Damage" not in told


@pytest.mark.parametrize(
    ("seconds", "told"),
    [(4200, "an hour and ten minutes"), (3600, "one hour"), (86400, "one day"), (7320, "two hours and two minutes")],
)
def test_time_is_in_words(seconds: int, told: str) -> None:
    assert time_words(seconds) == told


@pytest.mark.parametrize(
    ("text", "thing"), [("the front door", True), ("the bomb goes off", False), ("door", False), ("the a, b", False)]
)
def test_thing_has_an_article_and_no_verb(text: str, thing: bool) -> None:
    assert is_thing(text) == thing


@pytest.mark.parametrize(
    ("text", "small"),
    [("The dam holds", "the dam holds"), ("Bray pays", "Bray pays"), ("Two boats sank", "two boats sank")],
)
def test_ruling_begins_with_a_small_letter_but_for_a_name(text: str, small: str) -> None:
    assert small_start(text) == small


@pytest.mark.parametrize(
    ("speech", "short"),
    [
        ("Coil sits down. Not the face, Magister Coil!", "Coil"),
        ("Magister Coil sits down.", "Magister Coil"),
        ("She has a Coil of rope, the coil of a snake.", "Magister Coil"),
        ("Give the Magister his due.", "Magister Coil"),
    ],
)
def test_foe_is_called_as_people_call_them(speech: str, short: str) -> None:
    state = State()
    add_being(state, EntryId(0, 1), Joined(who="Magister Coil", kind="npc", side="gm", sheet=(), seen="table"))
    persons = Persons(state)
    persons.listen(speech)
    assert persons.short("Magister Coil") == short


@pytest.mark.parametrize(
    ("one", "other", "both"),
    [
        ("Suvi fell to the Bailiff", "Brannoch fell to the Bailiff", "Suvi fell to the Bailiff, then Brannoch"),
        ("Suvi fell to the Bailiff", "Suvi died", "Suvi fell to the Bailiff and died"),
        ("Suvi fell to the Bailiff", "Imre fell to the Rat", ""),
        ("Suvi fell", "Imre fell", ""),
    ],
)
def test_falls_in_a_row_are_one_sentence(one: str, other: str, both: str) -> None:
    first, second = (Sentence(entries=("1.1",), text=text, weight=NEEDED) for text in (one, other))
    assert both_falls(first, second) == both


def test_fall_in_the_lead_is_told_with_who_did_it() -> None:
    fall = Sentence(entries=("1.1", "1.2"), text="Ash brought Bryn down and left him stunned", weight=9)
    lead = Sentence(entries=("1.1",), text="Ash brought Bryn down", weight=9, mentions=("Ash", "Bryn"))
    page = msgspec.structs.replace(
        page_of(Passage(kind="", sentences=(fall,))), lead=(lead,), falls=(fell("Bryn", ("Ash",), kind="fell"),)
    )
    assert "\n\nBryn fell to Ash.\n" in text_of(page)


def test_end_that_says_nothing_is_left_out_behind_a_fall() -> None:
    end = Sentence(entries=("1.3",), text="Then the fight was over", weight=10)
    page = page_of(Passage(kind="", sentences=(end,)))
    assert "Then the fight was over." in text_of(page)
    assert "the fight" not in text_of(msgspec.structs.replace(page, falls=(fell("Bryn", ("Ash",)),)))


def test_who_dies_is_not_hurt_too() -> None:
    hurt = TextEffect("hurt", whose="Rat", how="hurt")
    cat, died = msgspec.structs.replace(hurt, whose="Cat"), TextEffect("died", whose="Rat", weight=GRAVE)
    assert net([hurt, died, cat]) == [died, cat]


def test_variant_without_a_word_for_its_field_is_not_chosen() -> None:
    names = BeingNames(Narration(), State(), Persons(State()))
    blow = Stroke(what="check", pattern="x", fields={"who": names("Bryn"), "name": ""}, who="Bryn")
    own = msgspec.structs.replace(blow, others=("{who}'s {name} <be> enough",))
    paragraph = Paragraph(Results(Narration(), Wording(), names))
    deeds = [StoryDeed(entries=("1.1",), clauses=[Clause("x", blow=own)], weight=1)] * 2
    assert [paragraph.text(deed) for deed in deeds] == ["x", "x"]


@pytest.mark.parametrize("name", ["Corporal Vex", "Magistrate Vex"])
def test_title_is_no_short_name(name: str) -> None:
    state = State()
    add_being(state, EntryId(0, 1), Joined(who=name, kind="pc", side="players", sheet=(), seen="table"))
    assert Persons(state).short(name) == "Vex"


def test_ruling_behind_a_failure_belongs_to_it() -> None:
    failed = Sentence(entries=("1.1",), text="Imre tried to lie and failed", weight=11)
    ruled = Sentence(entries=("1.3",), text="The flour is gone", weight=8, is_ruling=True)
    said = Passage(kind="quote", entry="1.2", by="Imre", text="She laughed.")
    story = [Passage(kind="", sentences=(failed,)), said, Passage(kind="", sentences=(ruled,))]
    assert list(costs_of_failures(story)) == [(2, 0)]
    story.insert(2, Passage(kind="scene", text="Later"))
    assert list(costs_of_failures(story)) == []


@pytest.mark.slow
def test_night_of_a_lost_fight_praises_no_blow(tmp_path: Path) -> None:
    fight = ('! encounter "the gate"', "asha initiative /10.10.4", "bram initiative /10.10", "! initiative /1.1.1.1")
    shot = ('! guard-1.hp -7 "a fall"', "bram attack guard-1 with bow /10.8.1.6.6")
    folder = played("mars", tmp_path, *fight, *shot, '! leave asha "home"', '! leave bram "after her"', '! over "lost"')
    assert "the fight was lost" in folder.run("recap")
    assert "Roll of the night" not in folder.run("recap")
