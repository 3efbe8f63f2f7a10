"""What is said behind a line that lacks something, or that was just taken, becomes part of it."""

from __future__ import annotations

import pytest

from cli.notation.line_parser import parse_each
from cli.speech.added_words import with_added
from cli.speech.earlier_lines import Earlier
from cli.speech.evidence import numbers_in
from cli.speech.heard import Lacking, unclear
from cli.speech.lone_faces import lone_face_changes
from cli.speech.named_dice import named_dice
from cli.speech.readings import Reader
from cli.speech.words import split_words
from ledger.errors import LedgerError
from tests.cli.conftest import Folder
from tests.cli.speech.table import listener

ROOFTOPS = ("dusk_bastards", "the rooftops")


def lines_lacking(sentence: str) -> tuple[str, ...]:
    """Return the lines that lack a value for what a sentence says."""
    with pytest.raises(LedgerError) as raised:
        listener(*ROOFTOPS).hear(sentence)
    assert isinstance(raised.value, Lacking), raised.value
    assert raised.value.field == "difficulty"
    return raised.value.lines


@pytest.mark.parametrize(
    ("sentence", "line"),
    [
        ("Kess picks the lock, she's trained and she has the good picks for an asset", '+a1"the good picks"'),
        ("ok Marta wants to climb the drain. I mean we're already here right", "climb the drain"),
        ("Marta leaps the gap. Two levels of effort", "e2"),
    ],
)
def test_deed_without_a_difficulty_is_asked_for_it(sentence: str, line: str) -> None:
    assert any(line in each for each in lines_lacking(sentence))


def test_training_that_the_sheet_has_is_no_second_training() -> None:
    assert not any("+t" in line for line in lines_lacking("Kess picks the lock, she's trained"))


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        (
            [
                "o climbs the wall",
                "Difficulty 6, and it costs you 2 might to try",
                "plus one level of effort",
                "1",
            ],
            ["v6 might c2 e1\n", "1.1 difficulty 6, Effort 1 -1 = 5"],
        ),
        (
            ["kess picks the lock", "the lock is difficulty 5", "speed", "1"],
            ["lock v5 speed", "1.1 difficulty 5"],
        ),
        (["k sneaks", "dawn 7, dusk 4", "it's a five", "1"], ["/7.4", "Dawn 7, Dusk 4"]),
        (["k sneaks", "Five. If it works she's inside.", "1"], ["v5\n", "1.1 difficulty 5"]),
        (["k sneak v5", "dawn 7, dusk 4", "1"], ['~ 1 /7.4 because="dawn 7, dusk 4"', "now: failure (11 against 12)"]),
        (
            [
                'Orrin climbs onto the cart. "Good evening, sergeant."',
                "call it six",
                "all three levels then",
                "one level of effort",
                "rolled 5 and 2 for 7, dawn is the five. spend one destiny to reroll",
                "1",
                "1",
                "dawn 3, dusk 10. so 13",
            ],
            [
                "climb onto the cart",
                "DB-E-EFFORT-LIMIT",
                "v6 e1 /5.2\n     then: spend one destiny",
                "Orrin destiny reroll",
                "/3.10 because=",
            ],
        ),
    ],
)
def test_next_words_say_what_a_line_lacks(folder: Folder, lines: list[str], said: list[str]) -> None:
    output = folder.invoke("play", input="\n".join([*lines, ""])).output
    for each in said:
        assert each in output


@pytest.mark.parametrize(
    ("words", "change"), [("two levels of effort on that", "~ 1 e2"), ("dusk 4, dawn 9. boo", "~ 1 /9.4")]
)
def test_words_about_the_last_line_are_added_to_it(folder: Folder, words: str, change: str) -> None:
    output = folder.invoke("play", input=f"k sneak v5 /3.2\n{words}\n").output
    assert f"  1  {change}\n" in output


@pytest.mark.parametrize(
    ("sentence", "deed", "said"),
    [
        ('Marta leaps the gap, might five. "Mind the slates!"', "leap the gap", '" "Marta Sable": Mind the slates!'),
        ('Marta climbs the drain, might four, "Not again."', "climb the drain", '" "Marta Sable": Not again.'),
    ],
)
def test_quote_behind_a_deed_is_said_with_it(sentence: str, deed: str, said: str) -> None:
    heard = listener(*ROOFTOPS).hear(sentence)
    assert deed in heard.line
    assert heard.then == said


@pytest.mark.parametrize(
    ("sentence", "others"),
    [
        ("Bram stabs the guard. 15 to 9, 5 damage", [9]),
        ("guard bites Bram: 14, her deflection's 13. 4 damage", [13]),
        ("spear into Bram: 18 vs 15, 6", [15]),
        ("17, he had 11. 4 damage", [11]),
        ("he hits her, 12. 3 damage", []),
    ],
)
def test_number_of_the_other_side_is_told_apart(sentence: str, others: list[int]) -> None:
    table = listener("mars", "the quay")
    found = numbers_in(split_words(sentence), Reader(table.ledger.state, table.book, table.scope()))
    assert [number.value for number in found if number.is_against] == others


def test_text_of_a_declaration_is_no_quote_behind_it() -> None:
    assert not listener(*ROOFTOPS).hear('Marta does "a little dance"').then


@pytest.mark.parametrize(
    ("sentence", "line"), [("Kess, difficulty five", "Kess sneak v5"), ("difficulty five for Marta Sable", "")]
)
def test_words_about_somebody_else_are_not_added(sentence: str, line: str) -> None:
    table = listener(*ROOFTOPS)
    reader = Reader(table.ledger.state, table.book, table.scope())
    added = with_added(["Kess sneak"], split_words(sentence), reader)
    assert list(added.lines if added else ()) == ([line] if line else [])


@pytest.mark.parametrize("answer", ["2", "Marta Sable smash the crate v6"])
def test_chosen_line_is_read_as_it_stands(answer: str) -> None:
    conversation = listener(*ROOFTOPS).conversation
    conversation.ask_which(
        unclear("Marta smashes it", ["Marta Sable attack crate v6", "Marta Sable smash the crate v6"])
    )
    assert conversation.chosen_line(answer) == conversation.chosen == "Marta Sable smash the crate v6"
    assert conversation.chosen_line("k sneak v5") == "k sneak v5"
    assert not conversation.chosen


@pytest.mark.parametrize(
    ("sentence", "faces"),
    [
        ("dawn 8, dusk 8", "8.8"),
        ("dusk 11 dawn 4", "4.11"),
        ("5 dawn 3 dusk, just under", "5.3"),
        ("I got a 3 on the dawn and an 8 on the dusk", "3.8"),
        ("6 and 9, nine's the dawn", "9.6"),
        ("2 and 4. dusk 4", "2.4"),
        ("10 and 6, dawn's the ten. 4 damage", "10.6"),
        ("rolled 5 and 2 for 7, dawn is the five", "5.2"),
        ("9 dawn and 3 dusk = 12", "9.3"),
    ],
)
def test_dice_are_those_of_their_names(sentence: str, faces: str) -> None:
    found = named_dice(split_words(sentence), ["dawn", "dusk"])
    assert found is not None
    assert found[2] == faces


def faces_said(sentence: str) -> list[str]:
    """Return the faces of a throw of one die that a sentence may mean behind it."""
    table = listener(*ROOFTOPS)
    reader = Reader(table.ledger.state, table.book, table.scope())
    said = parse_each("kess save body", table.scope())[0].declaration
    last = Earlier("7", said, "Kess save body", (12,), ("Kess",))
    return lone_face_changes(split_words(sentence), last, reader.in_play)


@pytest.mark.parametrize("sentence", ["got 9", "3", "4 on the d4, best I could do", "the save: 7", "rolled a 9, nice"])
def test_lone_number_is_the_face_of_the_last_die(sentence: str) -> None:
    number = next(word for word in sentence.replace(",", "").split() if word.isdecimal())
    assert faces_said(sentence) == [f"/{number}"]


@pytest.mark.parametrize("sentence", ["two off Kess", "12", "Bo climbs 9", "9 of 12 left", "it was the guard"])
def test_number_of_something_else_is_no_face(sentence: str) -> None:
    assert faces_said(sentence) == []


@pytest.mark.parametrize("sentence", ["dawn higher", "8 total with the dusk on top"])
def test_name_without_all_numbers_is_no_throw(sentence: str) -> None:
    assert named_dice(split_words(sentence), ["dawn", "dusk"]) is None
