"""Pronouns of a story: who has just spoken, a party that met its foes, and who fell."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from cli.phrases.patterns import mark_name, mark_verb
from cli.questions.name_table import NamedPerson
from cli.story.being_names import BeingNames
from cli.story.passages import is_of_another
from cli.story.persons import Persons
from cli.story.sentences import Teller
from cli.story.voice import Voice
from ledger.facts import Told
from ledger.names import name_key
from rulebooks.common.narration import Narration
from rulebooks.common.texts import Lexicon
from tests.cli.test_telling import state_of


def voice_with(pronouns: Mapping[str, str]) -> Voice:
    """Return the voice of a story of people with these pronouns."""
    state = state_of("Kess", "Orrin", "Dovel", "Wren")
    table = {name_key(who): NamedPerson(pronouns=each) for who, each in pronouns.items()}
    return Voice(BeingNames(Narration(), state, Persons(state, table)))


def voice_of(pronouns: str) -> Voice:
    """Return the voice of a story of Kess, with these pronouns, and of others of whom nobody has said which."""
    return voice_with({"Kess": pronouns})


@pytest.mark.parametrize(
    ("pronouns", "after", "told"),
    [
        ("she/her", ("Kess",), "She hit Dovel"),
        ("", ("Kess",), "Kess hit Dovel"),
        ("she/her", ("Orrin",), "Kess hit Dovel"),
        ("she/her", (), "Kess hit Dovel"),
    ],
)
def test_who_has_just_spoken_needs_no_name(pronouns: str, after: tuple[str, ...], told: str) -> None:
    assert voice_of(pronouns).paragraph([marked("Kess", "Dovel")], {}, after) == [told]


@pytest.mark.parametrize(("text", "told"), [("Is she gone?", True), ("He is gone. Sheer luck.", False)])
def test_who_speaks_of_another_is_named_behind_it(text: str, told: bool) -> None:
    state = state_of("Kess")
    persons = Persons(state, {name_key("Kess"): NamedPerson(pronouns="she/her")})
    teller = Teller(Lexicon(vital="health", short={}, words={}), Narration(), state, persons)
    assert is_of_another(Told(kind="quote", text=text, by="Kess"), teller) == told


def test_who_speaks_and_falls_is_named() -> None:
    text = marked("Kess", "Dovel")
    assert voice_of("she/her").paragraph([text], {text: ("Kess",)}, ("Kess",)) == ["Kess hit Dovel"]


def test_party_that_met_its_foes_is_they() -> None:
    both = f"{mark_name('Kess')} and {mark_name('Orrin')} {mark_verb('hit', plural=True)} {mark_name('Dovel')}"
    assert voice_of("she/her").paragraph([both], {}, ("Orrin", "Kess")) == ["They hit Dovel"]
    assert voice_of("she/her").paragraph([both], {}, ("Orrin", "Wren")) == ["Kess and Orrin hit Dovel"]


def test_who_fell_does_nothing_in_the_next_sentence() -> None:
    """Nothing says which pronouns are Dovel's: he could be `she`, had he not fallen."""
    texts = [marked("Kess", "Dovel"), f"{mark_name('Kess')} {mark_verb('rest', plural=False)}"]
    assert voice_of("she/her").paragraph(texts, {texts[0]: ("Dovel",)})[1] == "She rested"
    assert voice_of("she/her").paragraph(texts, {texts[0]: ()})[1] == "Kess rested"


def test_they_may_be_an_object_beside_those_who_are_not() -> None:
    """`Them` can be no others here than the one just named."""
    names = {"Kess": "she/her", "Orrin": "they/them", "Dovel": "he/him"}
    text = f"{marked('Dovel', 'Orrin')} and {mark_verb('hurt', plural=False)} {mark_name('Orrin')}"
    assert voice_with(names).paragraph([text]) == ["Dovel hit Orrin and hurt them"]
    beside = f"{mark_name('Kess')} {mark_verb('see', plural=False)} it, and {text}"
    assert voice_with(names).paragraph([beside]) == ["Kess saw it, and Dovel hit Orrin and hurt them"]
    assert voice_with({**names, "Kess": ""}).paragraph([beside])[0].endswith("hurt Orrin")


@pytest.mark.parametrize(
    ("first", "told"),
    [("he/him", "Orrin hit Dovel, while Kess hit Dovel"), ("she/her", "Orrin hit Dovel, while Kess hit him")],
)
def test_object_is_named_where_an_earlier_subject_may_be_meant(first: str, told: str) -> None:
    names = {"Kess": "they/them", "Orrin": first, "Dovel": "he/him"}
    assert voice_with(names).paragraph([f"{marked('Orrin', 'Dovel')}, while {marked('Kess', 'Dovel')}"]) == [told]


def test_object_of_the_same_clause_needs_no_name() -> None:
    names = {"Kess": "she/her", "Orrin": "he/him", "Dovel": "he/him", "Wren": "they/them"}
    hurt = f"{marked('Kess', 'Dovel')} and {mark_verb('hurt', plural=False)} {mark_name('Dovel')}"
    told = "Orrin hit Wren, while Kess hit Dovel and hurt him"
    assert voice_with(names).paragraph([f"{marked('Orrin', 'Wren')}, while {hurt}"]) == [told]


def marked(who: str, against: str) -> str:
    """Return that one hit another, as a marked sentence."""
    return f"{mark_name(who)} {mark_verb('hit', plural=False)} {mark_name(against)}"
