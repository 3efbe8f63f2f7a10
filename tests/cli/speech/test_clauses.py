"""Sentences with two acts: the first is taken, the second is left for the next line; else nothing is guessed."""

from __future__ import annotations

import pytest

from cli.play.spoken import hear
from cli.speech.heard import Unclear
from ledger.errors import Refused
from tests.cli.speech.table import listener


@pytest.mark.quick_rows(1)
@pytest.mark.parametrize(
    ("name", "scene", "sentence", "line", "then"),
    [
        (
            "momentum",
            "the party acts",
            "Brynn moves to the rubble and shoots the first spearman",
            '"Brynn Holt" move rubble',
            "Brynn shoots the first spearman",
        ),
        (
            "momentum",
            "in the archway",
            "Kael stabs the archer, then steps out to the causeway",
            'Kael attack "City Archer"',
            "Kael steps out to the causeway",
        ),
        ("mars", "Ada's turn", "Ada cuts at guard 1 twice", '"Ada Voss" attack "Guard 1"', "Ada cuts at guard 1"),
        (
            "mars",
            "Ada's turn",
            "Ada swings at guard 1, then at guard 2",
            '"Ada Voss" attack "Guard 1"',
            "Ada swings at guard 2",
        ),
        ("mars", "Ada's turn", "Ada hits guard 1, then guard 2", '"Ada Voss" attack "Guard 1"', "Ada hits guard 2"),
        (
            "mars",
            "a guard's turn",
            "guard 1 stabs at Ada, but she throws up her shield",
            '"Guard 1" attack "Ada Voss" ...',
            '"Ada Voss" throws up her shield',
        ),
    ],
)
def test_first_of_two_acts_is_taken(name: str, scene: str, sentence: str, line: str, then: str) -> None:
    table = listener(name, scene)
    heard = hear(sentence, table.ledger.state, table.book)
    assert (heard.line, heard.then) == (line, then)


def test_act_behind_unknown_words_is_asked_about() -> None:
    table = listener("momentum", "the foes act")
    with pytest.raises(Unclear) as raised:
        hear("The leader steps forward and attacks Kael", table.ledger.state, table.book)
    assert raised.value.lines[0] == '"Brigand Leader" attack Kael ...'


@pytest.mark.quick_rows(1)
@pytest.mark.parametrize(
    "said", ["swaps her sword for the knife", "switches from the sword to the knife", "trades her sword for the knife"]
)
def test_swapped_items_are_two_acts(said: str) -> None:
    table = listener("semiautomagic", "before the gate")
    heard = hear(f"Ada {said}", table.ledger.state, table.book)
    assert (heard.line, heard.then) == ('"Ada Voss" stow "arming sword"', "Ada draw the knife")


@pytest.mark.quick_rows(2)
@pytest.mark.parametrize(
    ("name", "scene", "sentence", "line", "then"),
    [
        (
            "dusk_bastards",
            "the action phase",
            "Kess hides behind the cart and then shoots thug 2",
            "Kess take cover yes",
            "Kess shoots thug 2",
        ),
        (
            "mars",
            "Ada's turn",
            "she swings at guard 1 and then draws",
            '"Ada Voss" attack "Guard 1"',
            '"Ada Voss" draws',
        ),
        ("mars", "the quay", "Combat starts and Ada shoots guard 1", "! encounter", "Ada shoots guard 1"),
        (
            "momentum",
            "the party acts",
            "Kael hides and then he strikes",
            'Kael does "hides" "it succeeds"',
            "Kael strikes",
        ),
        ("monolith", "they act", "Mara attacks, then reloads", '"Mara Quill" attack "Guard 2"', "Mara reloads"),
        (
            "semiautomagic",
            "the guards strike back",
            "guard 2 stabs at Tomas, then Ada hits him",
            '"Guard 2" attack "Tomas Brandt" ...',
            "Ada hits him",
        ),
        ("dusk_bastards", "the foes act", "They both attack Kess", 'Kess dodge "Thug 1"', "Thug 2 attack Kess"),
        (
            "dusk_bastards",
            "the action phase",
            "Kess shoots thug 1, thug 2 with her pistol",
            'Kess attack "Thug 1" with pistol',
            "Kess shoots Thug 2 with her pistol",
        ),
        (
            "momentum",
            "in the archway",
            "Sira hits both spearmen, one after the other",
            'Sira attack "Spearman 1"',
            "Sira hits Spearman 2",
        ),
    ],
)
def test_question_about_the_first_act_keeps_the_rest(
    name: str, scene: str, sentence: str, line: str, then: str
) -> None:
    table = listener(name, scene)
    with pytest.raises(Unclear) as raised:
        hear(sentence, table.ledger.state, table.book)
    assert (line in raised.value.lines, raised.value.then.get(line)) == (True, then)
    assert f"Then say: {then}" in raised.value.hint


def test_refused_first_act_says_what_is_left() -> None:
    table = listener("mars", "the quay")
    with pytest.raises(Refused) as raised:
        hear("Ada does a perception check and then climbs the rope", table.ledger.state, table.book)
    assert raised.value.hint.endswith("Then say: Ada climbs the rope")


@pytest.mark.quick_rows(1)
@pytest.mark.parametrize(
    ("scene", "sentence", "line"),
    [
        ("the first round", "Ada ducks down next to Tomas behind the barrels", '"Ada Voss" stance crouching'),
        ("the first round", "Ada crouches beside guard 1", '"Ada Voss" stance crouching'),
    ],
)
def test_name_that_a_phrase_does_not_record_is_asked(scene: str, sentence: str, line: str) -> None:
    table = listener("semiautomagic", scene)
    with pytest.raises(Unclear) as raised:
        hear(sentence, table.ledger.state, table.book)
    assert line in raised.value.lines
