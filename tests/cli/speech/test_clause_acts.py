"""Sentences with several acts: what a later part leaves out, values of several, and acts among descriptions."""

from __future__ import annotations

from contextlib import suppress

import pytest

from cli.play.spoken import hear
from cli.speech.heard import Unclear
from ledger.errors import LedgerError
from tests.cli.speech.table import Listener, Scene, listener, load_table


@pytest.mark.quick_rows(3)
@pytest.mark.parametrize(
    ("name", "scene", "sentence", "line", "then"),
    [
        (
            "mars",
            "the quay",
            "Ada loses three endurance and two stamina",
            '"Ada Voss" endurance -3 "Ada loses three endurance"',
            "Ada loses two stamina",
        ),
        (
            "mars",
            "the quay",
            "Bram loses two endurance and a point of stamina on the stairs",
            'Bram endurance -2 "Bram loses two endurance"',
            "Bram loses a point of stamina on the stairs",
        ),
        (
            "monolith",
            "the station",
            "Mara loses two hit points and Dov one",
            '"Mara Quill" hp -2 "Mara loses two hit points"',
            "Dov loses one hit points",
        ),
        (
            "semiautomagic",
            "the first round",
            "Ada swings at guard 1, and again",
            '"Ada Voss" attack "Guard 1"',
            "Ada swings at guard 1",
        ),
    ],
)
def test_part_with_less_is_said_in_full(name: str, scene: str, sentence: str, line: str, then: str) -> None:
    table = listener(name, scene)
    heard = hear(sentence, table.ledger.state, table.book)
    assert (heard.line, heard.then) == (line, then)


@pytest.mark.quick_rows(3)
@pytest.mark.parametrize(
    ("name", "scene", "sentence", "line", "then"),
    [
        (
            "momentum",
            "in the archway",
            "Sira hits the first spearman, and then again, the rushed one",
            'Sira attack "Spearman 1"',
            "Sira hits the first spearman",
        ),
        (
            "momentum",
            "before the fight",
            "the roof comes down, two damage to Kael and one to Brynn",
            '! Kael hp -2 "the roof comes down"',
            "the roof comes down, one damage to Brynn",
        ),
        (
            "momentum",
            "before the fight",
            "Kael bandages Brynn, that's two hit points back",
            '"Brynn Holt" hp +2 "bandages Brynn"',
            "",
        ),
        (
            "momentum",
            "the foes act",
            "the last two throw their spears away, so that's the fight over",
            '! over "the last two throw their spears away"',
            "",
        ),
        ("monolith", "they act", "Top of round two, folks.", "! on", "Top of round two"),
        (
            "mars",
            "Ada's turn",
            "Ada shoves past guard 1, steps up to guard 2 and swings at him",
            '"Ada Voss" push "Guard 1" speed',
            "Ada steps up to guard 2 and swings at him",
        ),
        (
            "momentum",
            "before the fight",
            "That's a fight: you are on the causeway, the bad guys are in the archway and the archer's up in the tower",
            '! fight zones="causeway","archway","tower" pcs="causeway" foes="archway" at="City Archer":"tower"',
            "",
        ),
    ],
)
def test_first_act_is_asked_with_the_rest_behind(name: str, scene: str, sentence: str, line: str, then: str) -> None:
    table = listener(name, scene)
    with pytest.raises(Unclear) as raised:
        hear(sentence, table.ledger.state, table.book)
    assert (raised.value.lines[0], raised.value.then.get(line, "")) == (line, then)


@pytest.mark.parametrize(
    ("sentence", "then"),
    [
        ("Ada and Bram are back to full endurance", "Bram is back to full endurance"),
        ("everyone's back to full endurance", "Bram is back to full endurance"),  # Odile has lost none
    ],
)
def test_each_of_several_comes_back_to_full(sentence: str, then: str) -> None:
    hurt = Scene("hurt", lines=(), before=('ada endurance -3 "a fall"', 'bram endurance -2 "a fall"'))
    table = Listener(load_table("mars"), hurt)
    heard = hear(sentence, table.ledger.state, table.book)
    assert (heard.line.startswith('"Ada Voss" endurance +3 '), heard.then) == (True, then)


@pytest.mark.parametrize(
    "said", ["Everybody give me perception against twelve", "everyone give me a perception check against twelve"]
)
def test_what_everybody_is_to_roll_is_rolled_by_each(said: str) -> None:
    table = listener("mars", "the quay")
    assert hear(said, table.ledger.state, table.book).line == '"Ada Voss",Bram,Odile check perception v12'


@pytest.mark.parametrize(
    "said", ["Ada loses two endurance and", "Okay, everyone , Bram drops his pack, and", "twice and six", "again, and"]
)
def test_clause_without_words_says_nothing(said: str) -> None:
    table = listener("mars", "the quay")
    with suppress(LedgerError):
        hear(said, table.ledger.state, table.book)
