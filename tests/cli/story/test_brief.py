"""Long fights in few words: what is folded into a sentence, what stays, and what is left out first."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from cli.phrases.patterns import mark_name
from cli.play.name_table import campaign_names
from cli.questions.name_table import NO_NAMES
from cli.render.recap import RecapSource, session_content
from cli.story.brief import (
    Fold,
    answered_in,
    halves_of,
    is_turn,
    lasting_harms,
    party_in,
    tells_harms,
    without,
    without_halves,
)
from cli.story.clauses import GRAVE, HURT, LEAD, NOTHING, SMALL, WOUND, Clause, Stroke, TextEffect
from cli.story.melee import alike_struck, is_melee, is_ours, melee, sides_of
from cli.story.page import session_story
from cli.story.passages import Draft, Part, Passage
from cli.story.persons import Persons
from cli.story.plain_words import plain_words
from cli.story.sentences import Teller, storytellers
from cli.story.span import load_session
from cli.story.story_deed import StoryDeed
from cli.story.weights import HALF, Weights
from ledger.facts import EncounterBegan
from projections.recap.episodes import Episode
from rulebooks.common.narration import Narration
from rulebooks.common.texts import Lexicon, Wording
from tests.budget import BUDGET
from tests.cli.pages.test_session_page import seen
from tests.cli.test_telling import state_of

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


def fold_of(party: set[str]) -> Fold:
    """Return what tells fights of this party in few words."""
    state = state_of(*party, "Rat")
    return Fold(Teller(Lexicon(vital="health", short={}, words={}), Narration(), state, Persons(state)), party, ())


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


def test_who_missed_did_no_harm() -> None:
    missed, dodged = deed("Orrin", "Rat", failed=True), deed("Rat", "Orrin", DODGE)
    for nothing in (missed, dodged):
        told = melee([nothing, deed("Kess", "Rat", HIT, state("Rat"))], PARTY, mark_name, 0)
        assert text_of(told).startswith("Kess ")
        assert "Orrin" not in text_of(told)


def test_who_was_not_struck_by_those_who_hit_came_to_no_harm() -> None:
    missed, vain = deed("Orrin", "Bat", failed=True), deed("Tamsin", "Rat")
    told = text_of(melee([missed, vain, deed("Kess", "Rat", HIT, state("Rat"))], {*PARTY, "Tamsin"}, mark_name, 0))
    assert told.startswith("Kess ")
    assert not {"Orrin", "Bat", "Tamsin"}.intersection(told.replace(",", " ").split())


def test_nobody_is_said_to_strike_whom_they_never_struck() -> None:
    blows = [deed("Kess", "Rat"), deed("Orrin", "Rat"), deed("Orrin", "Bat")]
    assert alike_struck(blows, PARTY) == [[0], [1, 2]]
    assert alike_struck([*blows, deed("Kess", "Bat")], PARTY) == [[0, 1, 2, 3]]
    assert alike_struck([*blows, deed("Rat", "Kess")], PARTY) == [[0, 1, 2, 3]], "who fights whom says less"


@pytest.mark.parametrize("kind", ["quote", "fiction", "scene"])
def test_blows_do_not_run_on_over_own_words(kind: str) -> None:
    blows = [Draft(deeds=[deed("Kess", "Rat"), deed("Orrin", "Rat")]) for _ in range(2)]
    runs = [*fold_of(PARTY)._runs([blows[0], Passage(kind=kind, text="Ha!"), blows[1]], WOUND, runs_on=True)]
    assert runs == [[(0, 0), (0, 1)], [(2, 0), (2, 1)]]
    assert [*fold_of(PARTY)._runs(blows, WOUND, runs_on=True)] == [[(0, 0), (0, 1), (1, 0), (1, 1)]]


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


def names_of(parts: list[Part]) -> list[str]:
    """Return the entry of each deed of parts."""
    return [entry for part in parts if isinstance(part, Draft) for each in part.deeds for entry in each.entries]


def test_lasting_harm_is_the_last_and_not_before_a_fall() -> None:
    first, last = (deed("Rat", "Kess", HIT, state("Kess"), entries=(entry,)) for entry in ("1.1", "1.2"))
    orrin = deed("Rat", "Orrin", HIT, state("Orrin"), entries=("1.3",))
    fall = deed("Rat", "Orrin", HIT, state("Orrin"), entries=("1.4",), weight=GRAVE)
    low = {("Kess", "health"), ("Orrin", "")}
    assert lasting_harms([first, last, orrin], low) == [orrin, last]
    assert lasting_harms([first, last, orrin, fall], low) == [fall, last]
    assert not lasting_harms([first, last], {("Kess", "focus")})


def test_fold_of_a_lasting_harm_has_to_tell_it() -> None:
    assert tells_harms(deed("Rat", "Kess", HIT, state("Kess")))
    assert not tells_harms(deed("Rat", "Kess", HIT, harms=(("Kess", "shield"),)))
    assert tells_harms(deed("Rat", "Kess", HIT, harms=(("Kess", "wound"),), clauses=[Clause("Kess takes a wound")]))


def test_half_goes_with_the_deed_that_it_leads_to() -> None:
    help_ = deed("Orrin", "Rat", "{who} <help>", entries=("1.1",), names=("Orrin", "Rat"), is_half=True)
    aside = deed("Mule", "Cat", entries=("1.2",), names=("Mule", "Cat"))
    blow = deed("Kess", "Rat", entries=("1.3",), names=("Kess", "Rat"))
    halves = halves_of([help_, aside, blow])
    assert halves == [(help_, blow)]
    assert names_of(without_halves([Draft(deeds=[help_, aside, blow])], halves)) == ["1.1", "1.2", "1.3"]
    assert names_of(without_halves([Draft(deeds=[aside, help_])], halves)) == ["1.2"]


def test_half_that_turned_a_fight_turns_it_with_its_deed_only() -> None:
    assert is_turn(deed("Kess", "Rat", is_turn=True))
    assert not is_turn(deed("Kess", "Rat", is_turn=True, is_half=True))


def test_own_words_answer_the_last_deed_of_who_speaks() -> None:
    blow = deed("Kess", "Rat", names=("Kess", "Rat"), worth=HURT)
    miss = deed("Orrin", "Rat", names=("Orrin", "Rat"), entries=("1.2",), worth=HURT)
    parts = [Draft(deeds=[blow, miss]), Passage(kind="quote", by="Kess", text="There.")]
    assert [each.entries for each in answered_in(parts)] == [("1.1",)]
    told = [Draft(deeds=[blow, miss]), Passage(kind="fiction", by="gm", text="It is quiet.")]
    assert [each.entries for each in answered_in(told)] == [("1.2",)]


def test_harm_of_one_side_says_the_scratch_last() -> None:
    scratch = plain_words().harm[0]
    blows = [deed("Rat", "Kess", HIT, state("Kess", scratch)), deed("Rat", "Orrin", HIT, state("Orrin"))]
    clause = melee(blows, PARTY, mark_name, 0).clauses[0]
    assert [(each.whose, each.how) for each in clause.changes] == [("Orrin", HARM), ("Kess", scratch)]
    again = [*blows, deed("Rat", "Kess", HIT, state("Kess"))]
    assert {each.how for each in melee(again, PARTY, mark_name, 0).clauses[0].changes} == {HARM}


def test_who_strikes_is_known_of_each_deed() -> None:
    struck, kept_clear = deed("Rat", "Kess", failed=True), deed("Kess", "Rat", DODGE)
    assert not is_ours(struck, PARTY)
    assert not is_ours(kept_clear, PARTY), "she struck nobody"
    assert is_ours(deed("Kess", "Rat"), PARTY)
    assert sides_of(kept_clear, PARTY) == {"Kess", "Rat"}


def weights_of(narration: Narration) -> Weights:
    """Return weights with this narration."""
    return Weights(narration, Wording(), frozenset(PARTY))


@pytest.mark.parametrize(
    ("said", "clause", "worth"),
    [
        ({"say": "plan", "text": "run"}, Clause("Kess means to run"), HALF),
        ({"text": "cut the rope"}, Clause("Kess cuts the rope"), WOUND),
        ({}, Clause("Kess cuts", words=['"it falls"']), WOUND),
        ({}, deed("Kess", "Rat", "{who} <feint> at {against}").clauses[0], HALF),
        ({}, deed("Kess", "Rat").clauses[0], NOTHING),
        ({}, Clause("Kess waits"), SMALL),
    ],
)
def test_worth_is_least_of_halves_and_most_of_own_words(said: dict[str, object], clause: Clause, worth: int) -> None:
    episode = Episode(entries=["1.1"], by="Kess", line="", said=said, facts=[])
    assert weights_of(Narration(intents=("plan",))).worth(episode, [clause], SMALL, is_failure=False) == worth
