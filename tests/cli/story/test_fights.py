"""Fights as sentences: blows of a round run together, what they left said in several ways, nothing said twice."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from msgspec.structs import replace

from cli.phrases.patterns import mark_name, mark_verb
from cli.story.chronicle import story_lines
from cli.story.clauses import GRAVE, Clause, Stroke, TextEffect, endings_of
from cli.story.forms import Forms, Way
from cli.story.intents import Meant
from cli.story.lead import last_ruling, ruled_end
from cli.story.lead_text import blow_and_fall, both_falls
from cli.story.neighbours import asides_once, lying_once, rallied, same_once, survivals_once
from cli.story.party_words import kinds_together
from cli.story.passages import Passage
from cli.story.plain_words import plain_words
from cli.story.post import without_begins
from cli.story.selection import answered_by_words
from cli.story.story_deed import StoryDeed
from cli.story.style import STYLES
from ledger.facts import EncounterBegan, EncounterEnded, Joined, Ruled
from projections.recap.episodes import Episode
from tests.cli.passages import sentence
from tests.cli.test_recap_ends import judged
from tests.cli.test_recap_story import LOCK, played
from tests.cli.test_telling import story

PATTERN = "{who} <hit> {against}"


def blow(who: str, against: str, how: str = "", tail: str = "") -> StoryDeed:
    """Return a blow of one against another, and how it left them."""
    text = f"{mark_name(who)} {mark_verb('hit', plural=False)} {mark_name(against)}"
    stroke = Stroke(what="attack", pattern=PATTERN, fields={}, who=who, against=(against,))
    effects = [TextEffect(f"{mark_name(against)} is {how}", whose=against, how=how)] if how else []
    clause = Clause(text, tail=tail, blow=stroke, effects=effects)
    return StoryDeed(entries=("1.1",), clauses=[clause], weight=4)


def test_verbs_of_weapons_are_single_words() -> None:
    """Of `tear at` no verb could be made."""
    assert all(verb.isalpha() for verb in plain_words().arms.values())


def test_three_blows_in_a_row_at_one_are_one_sentence() -> None:
    deeds = [blow("Kael", "Rat"), blow("Brynn", "Rat", "hurt"), blow("Sira", "Rat"), blow("Kael", "Cat")]
    whole, other = rallied(deeds)
    assert [clause.link for clause in whole.clauses] == ["", ", while ", ", and "]
    assert other.clauses[0].blow == deeds[3].clauses[0].blow


@pytest.mark.parametrize(
    "deeds",
    [
        [blow("Kael", "Rat"), blow("Brynn", "Rat"), blow("Sira", "Cat")],
        [blow("Kael", "Rat"), blow("Brynn", "Rat"), blow("Kael", "Rat")],
        [blow("Kael", "Rat"), blow("Brynn", "Rat"), blow("Rat", "Sira")],
    ],
)
def test_blows_at_others_or_of_the_same_are_apart(deeds: list[StoryDeed]) -> None:
    assert rallied(deeds) == deeds


def test_where_somebody_lay_is_said_once() -> None:
    lay = " where she lay"
    deeds = [*lying_once([blow("Kael", "Rat", tail=lay), blow("Sira", "Rat", tail=lay), blow("Sira", "Cat", tail=lay)])]
    assert [each.clauses[0].tail for each in deeds] == [lay, "", lay]


def test_what_blows_left_is_said_in_turn() -> None:
    """Of ways that are alike in all else, the one whose ending came least is chosen."""
    forms, told = Forms(), list[str]()
    for _ in range(3):
        ways = [Way(f"{place}", (f"{place}",), endings=(f"hurt {place}",)) for place in range(3)]
        told.append(forms.choose(ways))
    assert sorted(told) == ["0", "1", "2"]


def test_endings_are_those_of_blows() -> None:
    (clause,) = blow("Kael", "Rat", "hurt").clauses
    assert endings_of([clause]) == ("hurt 0",)
    assert endings_of([Clause("It rained", effects=clause.effects)]) == ()


def test_same_intent_again_is_known() -> None:
    meant = Meant()
    told = [meant.is_again("Doro", "Shoot it"), meant.is_again("Doro", "shoot it"), meant.is_again("Cant", "shoot it")]
    meant.begin()
    assert [*told, meant.is_again("Doro", "shoot it")] == [False, True, False, False]


@pytest.mark.slow
def test_intents_of_a_round_are_told_once(tmp_path: Path) -> None:
    round_ = ('v declare "the raiders"', 'o declare "hold the door"', "! done")
    page = played("monolith", tmp_path, '! encounter "the lock"', "! round", *round_, "! round", *round_).run("recap")
    assert page.count("Vega meant to go for the raiders and Okoro to hold the door.") == 1
    assert "in mind" not in page


@pytest.mark.slow
def test_who_was_too_slow_stands_beside_the_quick(tmp_path: Path) -> None:
    order = ('! order reflex "who"', "v save reflex /1", "o save reflex /20")
    page = played("monolith", tmp_path, *LOCK[:3], 'o declare "hold the door"', *order).run("recap")
    assert "Vega was quick enough to act first and Okoro too slow." in page


@pytest.mark.slow
def test_blow_that_was_dodged_was_only_aimed(tmp_path: Path) -> None:
    lines = ('! fight "the kiln" kit brand brute-1', "k end", "brand end", "! brute-1 attack kit dodge /6.6")
    page = played("semiautomagic", tmp_path, *lines).run("recap")
    assert "The first brute cut at Kit with the axe, but Kit dodged." in page


@pytest.mark.parametrize(("reason", "stood"), [("the lamp goes out", True), ("Dovel surrenders", False)])
def test_whom_the_end_names_is_not_said_to_stand(reason: str, stood: bool) -> None:
    joined = Joined(who="Dovel", kind="npc", side="them", seen="words")
    sides = (("us", ("Vesna",)), ("them", ("Dovel",)))
    began = EncounterBegan(encounter="yard", kind="fight", scale="", sides=sides)
    end = EncounterEnded(encounter="yard", because=reason, stand=sides, out=())
    told = story("momentum", joined, began, end)
    assert ("Dovel still stood" in told) == stood, told


def ruled(entry: str) -> Episode:
    """Return a ruling."""
    fact = Ruled(name="ruling", text="Dovel sits down", because="")
    return Episode(entries=[entry], by="gm", facts=[fact], said={}, line="")


def ended(entry: str) -> Episode:
    """Return the end of a fight."""
    return Episode(
        entries=[entry], by="gm", facts=[EncounterEnded(encounter="the stair", because="the tide")], said={}, line=""
    )


def test_ruling_that_ended_the_last_fight_is_found() -> None:
    fought = Episode(entries=["1.3"], by="Kess", facts=[judged("attack", "hit", who="Kess")], said={}, line="")
    assert ruled_end([fought, ruled("1.4"), ended("1.5")]) == ("1.4", "1.5")
    assert ruled_end([ruled("1.2"), fought, ended("1.5")]) is None


@pytest.mark.parametrize(("by", "answered"), [("Kess", True), ("Orrin", False)])
def test_quote_needs_the_sentence_of_its_speaker_before_it(by: str, answered: bool) -> None:
    told = Passage(kind="", sentences=(sentence("Kess hit Rat", names=("Kess", "Rat")),))
    words = Passage(kind="quote", by=by, text="Ha.")
    assert bool([*answered_by_words([told, words])]) is answered


def test_last_ruling_stands_behind_all_fights() -> None:
    begun = Episode(
        entries=["1.3"],
        by="gm",
        facts=[EncounterBegan(encounter="x", kind="combat", scale="", sides=())],
        said={},
        line="",
    )
    assert last_ruling([ruled("1.1"), ruled("1.2")]) == ["1.2"]
    assert last_ruling([ruled("1.2"), begun, ended("1.4")]) == []


@pytest.mark.slow
def test_evening_without_falls_leads_with_its_last_ruling(tmp_path: Path) -> None:
    lines = ("w climb v3 /9.8", "close", '! ruling "they are invited again" "nobody dares to refuse"')
    lead = played("dusk-bastards", tmp_path, *lines).run("recap", "--post").split("\n\n")[1]
    assert lead.endswith("They were invited again: nobody dared to refuse.")


@pytest.mark.parametrize(
    ("one", "other", "both"),
    [
        ("Sira fell to the leader", "The leader died at the hands of Kael", ", who died at the hands of Kael"),
        ("Sira fell to the leader", "The archer died at the hands of Kael", ""),
    ],
)
def test_who_felled_somebody_and_fell_is_one_sentence(one: str, other: str, both: str) -> None:
    assert both_falls(sentence(one), sentence(other)) == (f"{one}{both}" if both else "")


@pytest.mark.slow
def test_how_a_failure_left_somebody_stands_with_it(tmp_path: Path) -> None:
    lines = ("w climb v9 /1.2", "close", '! damage wren 3 "a loose step"')
    page = played("dusk-bastards", tmp_path, *lines).run("recap")
    assert re.search(r"Wren could not make the climb,? and was [a-z ]+: a loose step\.", page)


@pytest.mark.slow
def test_remark_that_a_deed_says_in_the_past_is_not_made_again(tmp_path: Path) -> None:
    page = played("mars", tmp_path, 'b check perception v10 "tell what keeps them awake" /1.1').run("recap")
    assert "tell what kept them awake" in page
    assert "keeps them" not in page.partition("## Where")[0]


def test_what_dice_did_besides_is_said_once_in_a_paragraph() -> None:
    deeds = [blow("Kael", "Rat"), blow("Sira", "Rat"), blow("Kael", "Cat")]
    for deed in deeds[1:]:
        deed.clauses[0].aside = ", under an Eclipse"
    assert [each.clauses[0].aside for each in asides_once(deeds)] == ["", ", under an Eclipse", ""]


@pytest.mark.slow
def test_who_lies_under_critical_damage_is_not_unhurt(tmp_path: Path) -> None:
    lines = (*LOCK[:3], "o pass", "! round", '! vega.hp -4 "a fall"', "! r1 attack vega rifle /8.20")
    post = played("monolith", tmp_path, *lines[:4], *lines[5:]).run("recap", "--post")
    now = post.partition("**Now:**")[2].partition("\n")[0]
    assert "Vega down" in now
    assert now.rstrip(".").endswith("Okoro unhurt")


@pytest.mark.slow
def test_failure_at_a_thing_and_its_cost_are_two_acts(tmp_path: Path) -> None:
    lines = ('w "the lock" s v6 /1.2', "close", '! damage wren 3 "a hat pin"')
    page = played("dusk-bastards", tmp_path, *lines).run("recap")
    assert re.search(r"Wren was no match for the lock,? and was [a-z ]+: a hat pin\.", page)


@pytest.mark.slow
def test_remark_on_what_somebody_did_not_do_is_not_made_again(tmp_path: Path) -> None:
    page = played("mars", tmp_path, 'b check perception v10 "not wake the ferryman" /1.1').run("recap")
    assert "from waking the ferryman.[^1]" in page


def test_blow_that_begins_the_next_sentence_is_left_out() -> None:
    bare, whole = sentence("Orrin hit Dovel"), sentence("Orrin hit Dovel and hurt him")
    one, other = Passage(kind="round", text="1", sentences=(bare,)), Passage(kind="round", text="2", sentences=(whole,))
    assert [passage.sentences for passage in without_begins([one, other])] == [(whole,)]
    quote = Passage(kind="quote", by="Orrin", text="There.")
    assert [passage.sentences for passage in without_begins([one, quote, other])] == [(bare,), (), (whole,)]
    assert [passage.sentences for passage in without_begins([other, one])] == [(whole,), (bare,)]


def test_holding_on_to_life_again_is_said_otherwise() -> None:
    text = f"{mark_name('Kess')} {mark_verb('hold', plural=False)} on to life"
    stroke = Stroke(what="dying check", pattern="{who} <hold> on to life", fields={}, who="Kess")
    up = TextEffect(f"{mark_name('Kess')} is up", whose="Kess")
    clauses = [Clause(text, blow=stroke), Clause(text, blow=stroke), Clause(text, blow=stroke, effects=[up])]
    deeds = [StoryDeed(entries=("1.1",), clauses=[each], weight=4) for each in clauses]
    told = [deed.clauses[0].text for deed in survivals_once(deeds, set(), ("dying",))]
    assert told == [text, f"{text} again", ""]
    assert [deed.clauses[0].text for deed in survivals_once(deeds, set(), ())] == [text] * 3


def test_fight_does_not_say_the_title_of_its_scene_again() -> None:
    faced = (sentence("Kess faced Rat"),)
    for title, told in (("The Yard", "Kess faced Rat."), ("The street", "**The yard.** Kess faced Rat.")):
        story = [Passage(kind="scene", text=title), Passage(kind="encounter", text="the yard", sentences=faced)]
        assert [*story_lines(story, STYLES["markdown"])][-1] == told


def test_dead_of_a_kind_are_counted() -> None:
    dead = ["the first drudge (by Tick)", "the Miller (by Oda)", "the second drudge (by Oda)", "the third rat"]
    assert kinds_together(dead) == ["the Miller (by Oda)", "the third rat", "two drudges"]


@pytest.mark.parametrize(
    ("other", "both"),
    [
        ("Kess fell to Dovel", "Kess hit Rat, then fell to Dovel"),
        ("Kess fell to Rat", "Kess hit Rat and fell in return"),
        ("Kess died at the hands of Rat", "Kess hit Rat and was killed in return"),
        ("Rat died at the hands of Dovel", "Kess hit Rat, who died at the hands of Dovel"),
        ("The archer fell to Dovel", ""),
    ],
)
def test_light_blow_and_the_fall_behind_it_are_one_sentence(other: str, both: str) -> None:
    light = replace(sentence("Kess hit Rat"), alone="Kess hit Rat", weight=6, mentions=("Kess", "Rat"))
    assert blow_and_fall(light, sentence(other)) == both
    assert not blow_and_fall(replace(light, weight=GRAVE), sentence(other))


def test_who_falls_to_whom_they_hurt_falls_in_return() -> None:
    hurt = "Kess hit Rat and hurt him"
    blow = replace(sentence(hurt), alone=hurt, weight=6, mentions=("Kess", "Rat"))
    assert blow_and_fall(blow, sentence("Kess fell to Rat")) == f"{hurt}, and fell in return"


@pytest.mark.parametrize(("change", "ends"), [("healed", " too"), ("worse", "")])
def test_same_healing_is_said_once(change: str, ends: str) -> None:
    deeds = list[StoryDeed]()
    for who, state in (("Kess", "healed"), ("Orrin", change)):
        effect = TextEffect(f"{mark_name(who)}'s wound {mark_verb('be', plural=False)} {state}", whose=who)
        tended = f"{mark_name(who)} {mark_verb('be', plural=False)} tended"
        text = f'{tended} ("a bed")' if who == "Orrin" else tended
        deeds.append(StoryDeed(entries=("1.1",), clauses=[Clause(text, effects=[effect])], weight=3))
    first, second = (deed.clauses[0] for deed in same_once(deeds))
    assert first.effects
    assert second.text == f'{mark_name("Orrin")} {mark_verb("be", plural=False)} tended{ends} ("a bed")'
    assert bool(second.effects) is not bool(ends)
