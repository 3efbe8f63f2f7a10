"""Tasks in quotation marks or behind their verb: they are what they say, in a fight too, and are proposed so."""

from __future__ import annotations

import pytest

from cli.play.spoken import hear
from cli.speech.heard import Unclear
from ledger.errors import LedgerError
from rulebooks.dusk_bastards.declarations.tasks import Attempt
from tests.cli.speech.table import Listener, listener

FIGHT = ("dusk_bastards", "the action phase")


def asked(table: Listener, sentence: str) -> Unclear:
    """Return the question about a sentence."""
    with pytest.raises(Unclear) as error:
        hear(sentence, table.ledger.state, table.book)
    return error.value


@pytest.mark.parametrize(
    ("line", "task"),
    [
        ('kess "jump the gap" s v5', "jump the gap"),
        ('kess "pull the chain" m v4 /9.3', "pull the chain"),
        ('kess attempt "jump the gap" s v5', "jump the gap"),
        ('kess "stare thug1 down" i v5 e1 /6.6', "stare thug1 down"),
        ("kess attempt stare thug1 down i v5 e1 /6.6", "stare thug1 down"),
    ],
)
def test_marked_task_is_taken_in_a_fight(line: str, task: str) -> None:
    table = listener(*FIGHT)
    (parsed,) = hear(line, table.ledger.state, table.book).parsed
    assert isinstance(parsed.declaration, Attempt)
    assert parsed.declaration.task == task


def test_marked_task_of_another_turn_is_left_to_the_rules() -> None:
    table = listener(*FIGHT)
    (parsed,) = hear('marta "whack the portcullis chain" m v4 /9.3', table.ledger.state, table.book).parsed
    assert parsed.declaration.by == "Marta Sable"


def test_task_that_may_be_an_act_is_proposed_in_marks() -> None:
    question = asked(listener(*FIGHT), "kess stare thug1 down i v5 e1")
    assert question.lines[-1] == 'Kess "stare thug1 down" i v5 e1'


@pytest.mark.parametrize("line", ['kess "jump the gap" /8.8', 'kess ""jump the gap"" s v5', 'kess "" s v5'])
def test_no_proposed_line_has_doubled_marks(line: str) -> None:
    table = listener(*FIGHT)
    with pytest.raises(LedgerError) as error:
        hear(line, table.ledger.state, table.book)
    assert not [each for each in getattr(error.value, "lines", ()) if '""' in each]


def test_line_with_faces_is_never_fiction() -> None:
    table = listener("monolith", "they act")
    with pytest.raises(LedgerError) as error:
        hear('guard1 "attack" ada /5', table.ledger.state, table.book)
    assert not [each for each in getattr(error.value, "lines", ()) if each.startswith(">")]


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ('ada "" /3', "column 5: the text is empty"),
        ('ada ""jump the gap"" /3', "a quotation mark stands twice"),
        ('ada attack guard1 -impaired"cover" /3', "'-impaired\"cover\"' is unknown here"),
        ("ada attack guard1 +flank /3", "'+flank' is unknown here"),
        ("! option morale_roll each", 'For example: ! option morale_roll each "table vote".'),
        ('! ruling "x" ada.hp=2', "'ruling' lacks its reason. For example: ! ruling \"x\" ada.hp=2"),
        ("! ada hp -1", 'the change lacks its reason. Write why: "Ada Vance" hp -1 "as we agreed"'),
        ('ada attack guard1 +"the leap" ...', "this game has no announcements. Leave the ... out."),
    ],
)
def test_line_in_the_grammar_is_refused_as_it_stands(line: str, told: str) -> None:
    table = listener("monolith", "they act")
    with pytest.raises(LedgerError) as error:
        hear(line, table.ledger.state, table.book)
    assert told in str(error.value)


def test_list_with_commas_names_those_of_a_blast() -> None:
    table = listener(*FIGHT)
    (parsed,) = hear("kess blast thug1,thug2 with pistol /9.9", table.ledger.state, table.book).parsed
    assert [spot.target for spot in parsed.declaration.targets] == ["Thug 1", "Thug 2"]
