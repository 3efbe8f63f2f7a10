"""Values that are changed by hand: they are numbers, and the reply says what does not follow from them."""

from __future__ import annotations

import pytest

from cli.play.declare import declare_line
from tests.cli.speech.table import AT, Listener, load_table


def notes(line: str) -> list[str]:
    """Return what is remarked about a line on the rooftops."""
    table = load_table("dusk_bastards")
    heard, told = Listener(table, table.scenes[0]), list[str]()
    declare_line(heard.ledger, heard.book, line, at=AT, note=told.append)
    return [each for each in told if "by hand" in each]


@pytest.mark.parametrize(
    ("line", "who", "typed"),
    [
        ('! kess health -11 "the fall"', "Kess", "Kess"),
        ('! ruling "the fall" "as agreed" marta.health=0', "Marta Sable", '"Marta Sable"'),
        ('! thug1 health -6 "the fall"', "Thug 1", '"Thug 1"'),
    ],
)
def test_health_of_nothing_by_hand_brings_nobody_down(line: str, who: str, typed: str) -> None:
    (told,) = notes(line)
    assert told == f"{who} has 0 health and is up: a change by hand is no damage, as ! damage {typed} 5 is."


@pytest.mark.parametrize("line", ['! kess health -3 "the fall"', "! damage kess 30", '! kess might -9 "the fall"'])
def test_nothing_is_left_undone_by_other_lines(line: str) -> None:
    assert notes(line) == []
