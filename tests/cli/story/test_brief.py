"""Long fights in few words: what is folded into a sentence, what stays, and what is left out first."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from cli.phrases.patterns import mark_name
from cli.play.name_table import campaign_names
from cli.questions.name_table import NO_NAMES
from cli.render.recap import RecapSource, session_content
from cli.story.brief import party_in, without
from cli.story.clauses import HURT, LEAD, WOUND, Clause, Stroke, TextEffect
from cli.story.melee import is_melee, melee
from cli.story.page import session_story
from cli.story.sentences import storytellers
from cli.story.span import load_session
from cli.story.story_deed import StoryDeed
from ledger.facts import EncounterBegan
from projections.recap.episodes import Episode
from tests.budget import BUDGET
from tests.cli.pages.test_session_page import seen

PARTY = {"Kess", "Orrin"}
HIT = "{who} <hit> {against}[ with the {weapon}]"
DODGE = "{who} <keep> clear of {against}['s {foe_weapon}]"
HARM = "hurt"


def deed(
    who: str, against: str, pattern: str = HIT, *effects: TextEffect, failed: bool = False, **more: object
) -> StoryDeed:
    """Return a deed that is one blow."""
    blow = Stroke(what="attack", pattern=pattern, fields={}, who=who, against=(against,), verb="hit", failed=failed)
    clause = Clause(f"{who} hits {against}", blow=blow, effects=list(effects))
    harms = tuple((each.whose, "health") for each in effects)
    return msgspec.structs.replace(StoryDeed(entries=("1.1",), clauses=[clause], weight=HURT, harms=harms), **more)


def state(who: str, how: str = HARM) -> TextEffect:
    """Return that somebody is so."""
    return TextEffect(f"{who} is {how}", whose=who, how=how)


def text_of(told: StoryDeed) -> str:
    """Return the text of a deed of one clause, without marks."""
    return "".join(letter for letter in told.clauses[0].text if letter not in "\x02\x03\x04\x05*")


def test_blows_of_both_sides_are_one_sentence() -> None:
    missed = [deed("Kess", "Rat", failed=True), deed("Rat", "Orrin", failed=True), deed("Orrin", "Rat", DODGE)]
    told = melee(missed, PARTY, mark_name, 0)
    assert text_of(told) == "Kess and Orrin fight Rat"
    assert told.clauses[0].vain, "nobody came to harm"
    assert not melee([*missed, deed("Kess", "Rat")], PARTY, mark_name, 0).clauses[0].vain


def test_many_are_both_sides() -> None:
    rats = [deed(who, f"Rat {number}") for who in sorted(PARTY) for number in range(5)]
    told = melee([*rats, deed("Rat 1", "Kess", HIT, state("Kess"))], PARTY, mark_name, 0)
    assert text_of(told) == f"both sides trade blows{LEAD}"


def test_side_that_only_defends_is_pressed() -> None:
    told = melee([deed("Kess", "Rat", DODGE), deed("Orrin", "Rat", DODGE)], PARTY, mark_name, 0)
    assert text_of(told) == "Rat press Kess and Orrin"


def test_side_that_alone_came_to_harm_is_harmed_by_the_other() -> None:
    told = melee([deed("Kess", "Rat"), deed("Rat", "Orrin", HIT, state("Orrin"))], PARTY, mark_name, 0)
    assert text_of(told) == "Rat fight Kess and Orrin"
    assert told.clauses[0].blow is not None
    assert not told.clauses[0].leads_on


def test_harm_on_both_sides_follows_behind_a_colon() -> None:
    blows = [deed("Kess", "Rat", HIT, state("Rat")), deed("Rat", "Kess", HIT, state("Kess", "still hurt"))]
    clause = melee(blows, PARTY, mark_name, 0).clauses[0]
    assert clause.text.endswith(LEAD)
    assert [(each.whose, each.how) for each in clause.changes] == [("Kess", HARM), ("Rat", HARM)]


def test_harm_that_a_sentence_says_is_kept_and_that_of_things_is_not() -> None:
    wound, wall = TextEffect("Rat takes a wound", whose="Rat"), state("Wall", "damaged")
    blow = deed("Kess", "Rat", HIT, wall)
    blow.clauses[0].caused = [wound]
    assert melee([blow, deed("Kess", "Rat")], PARTY, mark_name, 0).clauses[0].effects == [wound]


BLOW = deed("Kess", "Rat").clauses[0].blow


@pytest.mark.parametrize(
    "told",
    [
        deed("Kess", "Rat", HIT, weight=WOUND),
        deed("Kess", "Rat", HIT, is_turn=True),
        deed("Kess", "Rat", HIT, outcome="The rat still stands"),
        deed("Kess", "Orrin"),
        deed("Kess", "Rat", "{who} <see> {against}"),
        deed("Kess", "Rat", HIT, clauses=[Clause("Kess swims")]),
        deed(
            "Kess", "Rat", HIT, clauses=[Clause("Kess hits", words=['"ha"'], blow=deed("Kess", "Rat").clauses[0].blow)]
        ),
    ],
)
def test_what_is_more_than_a_light_blow_is_not_folded(told: StoryDeed) -> None:
    assert is_melee(deed("Kess", "Rat"), PARTY, HURT)
    assert not is_melee(told, PARTY, HURT)


def test_party_has_those_on_its_side() -> None:
    began = EncounterBegan(
        encounter="yard", kind="fight", scale="", sides=(("us", ("Kess", "Mule")), ("them", ("Rat",)))
    )
    assert party_in([Episode(entries=["1.1"], by="gm", line="", said={}, facts=[began])], {"Kess"}) == {"Kess", "Mule"}


def test_arithmetic_of_what_is_left_out_stays() -> None:
    first, second, third = (deed("Kess", "Rat", HIT, notes=(note,)) for note in ("1.1", "1.2", "1.3"))
    assert [[each.notes for each in own] for own in without([[first, second], [third]], {id(first), id(third)})] == [
        [("1.1", "1.2", "1.3")],
        [],
    ]


@pytest.mark.parametrize("sample", BUDGET.cases(["powder-tithe"], ["choir-of-glass", "lantern-ferry"]))
def test_every_entry_of_a_long_fight_has_its_note(played_samples: dict[str, Path], sample: str) -> None:
    folder = played_samples[sample]
    with seen(folder, "players") as (store, book):
        names = campaign_names(folder, store)
        source = RecapSource(store=store, book=book, wording=book.texts().lexicon.wording, role="players", names=names)
        page = session_content(source, 1)
        whole = session_story(load_session(store, 1, page.position), storytellers(book, NO_NAMES)).passages
    told = [sentence for passage in page.story for sentence in passage.sentences]
    long = [sentence for passage in whole for sentence in passage.sentences]
    assert sum(len(each.text.split()) for each in told) < sum(len(each.text.split()) for each in long)
    assert {note for each in told for note in each.notes} == {note for each in long for note in each.notes}
