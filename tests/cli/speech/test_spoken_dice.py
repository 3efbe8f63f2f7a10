"""The dice of a sentence: which numbers are faces, and which line they belong to."""

from __future__ import annotations

import pytest

from cli.speech.due_throws import due_throws, due_totals, rolled_number
from cli.speech.readings import Reader
from cli.speech.spoken_dice import dice_from, is_thrown
from cli.speech.thrown_lines import attacks_said, fits, that_fit
from cli.speech.words import split_words
from tests.cli.speech.table import listener


def reader_in(table: str, scene: str) -> Reader:
    """Return who reads sentences in a scene."""
    heard = listener(table, scene)
    return Reader(heard.ledger.state, heard.book, heard.scope())


@pytest.mark.parametrize(
    ("sentence", "ways"),
    [
        ("twelve, of course, and a six, and the twelve rolls on to a one", ["12.6.1"]),
        ("eleven, four, and a twelve that explodes into a three, then six on the rushed one", ["11.4.12.3.6"]),
        ("six, and, yes, a twelve! And then a two.", ["6.12.2"]),
        ("six. A twelve lies there", []),
        ("seven and a four, so eleven", ["7.4"]),
        ("nine and a six, fifteen, that's plenty", ["9.6", "9.6.15"]),
        ("nine and a six. Fifteen.", ["9.6", "9.6.15"]),
        ("five: nine and seven, made it", []),
        ("six, two stopped by the coat", []),
        ("four and a nine, that's two", ["4.9"]),
    ],
)
def test_dice_from_a_word_on_are_heard_through_filler(sentence: str, ways: list[str]) -> None:
    assert [faces for _, faces in dice_from(split_words(sentence), 0)] == ways


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("perception, I got a fourteen", True),
        ("she only rolled a four", True),
        ("perception fourteen", False),
        ("she got two levels of effort", False),
        ("he rolls, fourteen against him", False),
    ],
)
def test_number_that_somebody_got_is_thrown(sentence: str, expected: bool) -> None:
    words = split_words(sentence)
    at = next(at for at, word in enumerate(words) if word.text in ("four", "fourteen", "two"))
    assert is_thrown(words, at) is expected


@pytest.mark.parametrize(
    ("sentence", "die", "total"),
    [
        ("rolled a four to defend, minus one, so three", 4, 3),
        ("five, plus one, so six", 5, 6),
        ("nineteen to hit, and that's six damage", 19, 19),
        ("four or five", 0, 0),
    ],
)
def test_die_and_what_it_comes_to_are_told_apart(sentence: str, die: int, total: int) -> None:
    assert rolled_number(split_words(sentence), reader_in("mars", "Ada's turn")) == (die, total)


def test_dice_without_a_deed_are_what_somebody_owes() -> None:
    reader = reader_in("momentum", "momentum")
    assert due_throws(split_words("Sira has nine and six"), ["9.6"], reader)[0] == "Sira momentum /9.6"
    assert not due_throws(split_words("Sira has thirty and six"), ["30.6"], reader)


def test_number_without_a_deed_is_the_total_that_is_awaited() -> None:
    reader = reader_in("semiautomagic", "a blow is coming")
    assert '^ "Ada Voss" dodge total=7' in due_totals(split_words("a seven"), reader)


def test_line_fits_if_it_throws_exactly_the_dice() -> None:
    reader = reader_in("momentum", "in the archway")
    assert fits('Sira attack "Brigand Leader" with battleaxe /9.2.5', reader)
    assert not fits('Sira attack "Brigand Leader" with battleaxe /9.2', reader)
    assert not fits('Sira attack "Brigand Leader" with battleaxe /9.2.5.6', reader)


def test_another_verb_of_its_kind_throws_the_dice_that_are_said() -> None:
    reader = reader_in("momentum", "in the archway")
    words = split_words("Sira goes at the leader with everything")
    assert that_fit(['Sira attack "Brigand Leader"'], words, "9.2.5.6", reader) == [
        'Sira double "Brigand Leader" /9.2.5.6'
    ]


def test_attack_without_a_doer_is_of_who_has_the_weapon() -> None:
    reader = reader_in("momentum", "in the archway")
    lines = [*attacks_said(split_words("twice at the leader with the battleaxe"), reader)]
    assert lines[0] == 'Sira attack "Brigand Leader" with battleaxe'
