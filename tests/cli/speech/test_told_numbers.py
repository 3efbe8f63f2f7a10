"""Numbers of harm without a verb: they are recorded already, or the dice of the last blow are put right."""

from __future__ import annotations

import pytest

from cli.speech.harm_said import told_harm
from cli.speech.harm_thrown import harm_thrown
from cli.speech.heard import Unclear
from cli.speech.readings import Reader
from cli.speech.recorded_numbers import says_recorded
from cli.speech.words import split_words
from ledger.errors import LedgerError
from ledger.facts import EntryId
from ledger.records import latest_takes
from tests.cli.speech.table import Listener, listener


def heard_after_blow() -> Listener:
    """Return who hears what is said behind a blow of two: its last line is `ada attack guard2 with knife /2`."""
    return listener("monolith", "something was said wrong")


def reader_of(heard: Listener) -> Reader:
    """Return who reads sentences there."""
    return Reader(heard.ledger.state, heard.book, heard.scope())


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("two damage", True),
        ("That's two off her.", True),
        ("Two to guard two, minus one for the vest, so one.", True),
        ("Two damage, but his coat stops one.", True),
        ("another two damage", False),
        ("two more on guard 2", False),
        ("four damage", False),
        ("two damage to Ada", False),
        ("two damage from the fire", False),
        ("Ada shoots him for two, minus one", False),
        ("two damage?", False),
        ("no wait, that was two damage", False),
    ],
)
def test_sentence_that_says_recorded_numbers_over(sentence: str, expected: bool) -> None:
    heard = heard_after_blow()
    takes = [*latest_takes(heard.ledger.store.takes(after=EntryId(heard.ledger.state.last.session, -1)))]
    assert says_recorded(split_words(sentence), takes[-1].facts, reader_of(heard)) is expected


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("Nine damage, ouch, straight through the jacket.", (9, "", False)),
        ("That's three more on Ada and down she goes.", (3, "Ada Vance", True)),
        ("So two points of damage to guard 2, he's bleeding.", (2, "Guard 2", False)),
        ("another four damage", (4, "", True)),
        ("nineteen for Ada", None),
        ("Ada takes four damage", None),
        ("three in the hall", None),
        ("four", None),
    ],
)
def test_harm_is_said_without_a_verb(sentence: str, expected: tuple[int, str, bool] | None) -> None:
    assert told_harm(split_words(sentence), reader_of(heard_after_blow())) == expected


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("three damage, right through the vest", "~ 6 /3"),
        ("So three damage to guard 2, he's bleeding.", "~ 6 /3"),
        ("three damage to Dov, he's bleeding", ""),
        ("ninety damage, right through the vest", ""),
    ],
)
def test_harm_of_the_last_blow_corrects_its_die(sentence: str, expected: str) -> None:
    correction = heard_after_blow().conversation.correction(sentence)
    assert (correction.lines[0] if correction else "") == expected


def test_harm_of_a_line_without_dice_is_not_thrown() -> None:
    heard = listener("semiautomagic", "after the blow")
    takes = [*latest_takes(heard.ledger.store.takes(after=EntryId(heard.ledger.state.last.session, -1)))]
    assert harm_thrown(takes[-1].facts) is None


@pytest.mark.parametrize("sentence", ["Spearman 2 takes nine", "nine damage on spearman 2, that finishes him"])
def test_harm_of_more_than_is_left_is_what_is_left(sentence: str) -> None:
    with pytest.raises(Unclear) as asked:
        listener("momentum", "after a blow").hear(sentence)
    assert '"Spearman 2" hp -5' in asked.value.lines[0]


@pytest.mark.parametrize(
    ("table", "scene", "sentence", "unmeant"),
    [
        ("monolith", "something was said wrong", "Body Save please, Ada, and that's against three now.", "3"),
        ("mars", "before the first turn", "Ada got a nine against twelve", "12"),
    ],
)
def test_number_against_which_somebody_throws_is_no_die(table: str, scene: str, sentence: str, unmeant: str) -> None:
    with pytest.raises(LedgerError) as refused:
        listener(table, scene).hear(sentence)
    lines = refused.value.lines if isinstance(refused.value, Unclear) else ()
    assert [line for line in lines if f"/{unmeant}" in line or f"-{unmeant}" in line or f"={unmeant}" in line] == []


def test_all_numbers_that_may_be_rolled_are_offered() -> None:
    sentence = "Ada listens at the door, Resolve I guess? Eleven, and she's only got eight, so nope."
    with pytest.raises(Unclear) as asked:
        heard_after_blow().hear(sentence)
    assert {line.rpartition("/")[2] for line in asked.value.lines} >= {"8", "11"}
