"""What several threw in one sentence is a line for each, all chosen together; nothing that says a deed is."""

from __future__ import annotations

import pytest

from cli.speech.heard import NEXT_LINE
from cli.speech.readings import Reader
from cli.speech.throws_of_several import ask_each_throw, throws_of_several
from cli.speech.words import split_words
from tests.cli.speech.table import listener

LINES = [
    (
        "mars",
        "before the first turn",
        "Nineteen for Ada, Bram's only got eleven, and Odile... six, ugh.",
        '"Ada Voss" initiative total=19',
        "Bram initiative total=11",
        "Odile initiative total=6",
    ),
    (
        "momentum",
        "momentum",
        "Kael's got a nine and a six, Sira a pair of fours, and Brynn, er, two and five.",
        "Kael momentum /9.6",
        "Sira momentum /4.4",
        '"Brynn Holt" momentum /2.5',
    ),
    (
        "dusk_bastards",
        "the initiative",
        "Nine and eight, seventeen, for Kess, Marta rolls four and eleven.",
        "Kess initiative /9.8",
        '"Marta Sable" initiative /4.11',
    ),
    (
        "monolith",
        "who goes first",
        "Ada made hers with a three, Dov's nineteen is a big fat no.",
        '"Ada Vance" save dexterity /3',
        "Dov save dexterity /19",
    ),
]


def reader_in(table: str, scene: str) -> Reader:
    """Return who reads sentences in a scene."""
    heard = listener(table, scene)
    return Reader(heard.ledger.state, heard.book, heard.scope())


@pytest.mark.parametrize("row", LINES, ids=lambda row: row[2])
def test_each_throw_is_a_line_behind_the_first(row: tuple[str, ...]) -> None:
    table, scene, sentence, first, *others = row
    question = ask_each_throw(sentence, split_words(sentence), reader_in(table, scene))
    assert question is not None
    assert (question.lines[0], question.then[question.lines[0]].split(NEXT_LINE)) == (first, others)


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("Pickles", []),
        ("Dov 12, guard one 4, guards two and three fail with 18 and 19", [12, 4, 18, 19]),
        ("five for Ada, seven for Mara and Dov's on two", [5, 7, 2]),
        ("Ada five, Mara", []),
        ("Ada hits Dov for five, Mara takes three", []),
        ("Ada shoots the guard, five, and Dov runs three feet", []),
        ("if Ada rolls five and Mara six", []),
        ("has Ada got five and Dov three?", []),
        ("no wait, Ada had five and Dov three", []),
        ("Ada five, Mara six and seven", []),
    ],
)
def test_throws_are_those_of_a_sentence_that_says_no_more(sentence: str, expected: list[int]) -> None:
    throws = throws_of_several(split_words(sentence), reader_in("monolith", "who goes first"))
    assert [face for throw in throws for face in throw.faces] == expected
