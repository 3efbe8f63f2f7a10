"""People's own sentences in the past, and where a story has them: behind a colon, without brackets."""

from __future__ import annotations

import pytest

from cli.phrases.patterns import mark_name, mark_verb
from cli.story.remarks import with_remarks
from cli.story.tense import in_past, marked_in_past


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("Pell lays down the axe and runs.", "Pell laid down the axe and ran"),
        ("Gorm drops his maul and asks what the miller pays", "Gorm dropped his maul and asked what the miller paid"),
        ("The last of them falls to dust", "the last of them fell to dust"),
        ("nobody is left who wants to row", "nobody was left who wanted to row"),
        ("the sergeant has yielded", "the sergeant yielded"),
        ("the gutter has come down with him", "the gutter had come down with him"),
        ("they yield", "they yielded"),
        ("the boss is down, and Oda won't wait", "the boss was down, and Oda wouldn't wait"),
        ("throws the club away and sits down", "threw the club away and sat down"),
        ("Gorse knows they have no buyer", "Gorse knew they had no buyer"),
        ("the door gives, and so does the lamp above it", "the door gave, and so did the lamp above it"),
        ("five wounds are enough", "five wounds were enough"),
        (
            "puts the hook on the floor and both hands on his head",
            "put the hook on the floor and both hands on his head",
        ),
        ("both of them wake, and Ise lets herself be seen", "both of them woke, and Ise let herself be seen"),
        ("the toll house surrenders", "the toll house surrendered"),
        ("the cable parts", "the cable parted"),
        ("the rope frays", "the rope frayed"),
        ("the spare parts", "the spare parts"),
        ("the plates shift underfoot", "the plates shifted underfoot"),
        ("three rungs of it come away with her", "three rungs of it came away with her"),
        ("a rung of the ladders comes away", "a rung of the ladders came away"),
        ("most of the shelves fall on him", "most of the shelves fell on him"),
        ("the door behind the boxes opens slowly", "the door behind the boxes opened slowly"),
    ],
)
def test_sentence_in_the_present_is_put_in_the_past(said: str, told: str) -> None:
    assert in_past(said) == told


@pytest.mark.parametrize(
    "said", ["the wet ropes", "rope from the farmer", "a fall of two floors", "the gutter woke us"]
)
def test_text_without_a_verb_of_the_present_stays(said: str) -> None:
    assert in_past(said) == ("" if "us" in said.split() else said)


@pytest.mark.parametrize(
    "said",
    [
        "the tide turns",
        "the beam groans like a man",
        "I knew it",
        "what is that?",
        "she would like to",
        "he's gone",
        "row, love",
    ],
)
def test_text_that_may_be_misread_is_not_put_in_the_past(said: str) -> None:
    assert in_past(said) == ""


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('Rat fled ("the bridge is on fire")', "Rat fled: the bridge was on fire"),
        ('Kess fell ("I slip")', 'Kess fell: "I slip"'),
        (
            'Kess was slow ("the door is shut"), and her hand was in it',
            "Kess was slow: the door was shut, and her hand was in it",
        ),
        ('Kess read it: two words ("by the lamp"). Orrin slept', "Kess read it: two words by the lamp. Orrin slept"),
        ('Kess rested ("a bed") and was well', "Kess rested: a bed, and was well"),
        ('Six hours passed ("until the light")', "Six hours passed until the light"),
        ("Kess rested (disturbed)", "Kess rested (disturbed)"),
        ('Kess crawled ("out of the flour")', "Kess crawled out of the flour"),
        ('Kess crawled ("over so soon")', "Kess crawled: over so soon"),
    ],
)
def test_remark_is_no_bracket(text: str, told: str) -> None:
    assert with_remarks(text) == told


def test_who_begins_a_ruling_may_be_called_by_a_pronoun() -> None:
    told = f"{mark_name('Hask')} {mark_verb('come', plural=False)} down with the gutter"
    assert marked_in_past("Hask comes down with the gutter", {"Hask": "Hask"}) == told
    has, was = mark_verb("have", plural=False), mark_verb("be", plural=False)
    told = f"{mark_name('Hask')} {has} a cut and {was} carried home"
    assert marked_in_past("Hask has a cut and is carried home", {"Hask": "Hask"}) == told
    assert marked_in_past("The gutter comes down", {"Hask": "Hask"}) == "the gutter came down"
