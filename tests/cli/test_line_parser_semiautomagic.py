"""Lines of Semiautomagic: attacks whose reason is quoted without a weapon, and weapons of several words."""

from __future__ import annotations

import pytest

from cli.notation.line_parser import parse_line
from cli.questions.line_scope import line_scope
from ledger.errors import Refused, Unreadable
from ledger.facts import GM
from rulebooks.semiautomagic.declarations.combat import Attack
from rulebooks.semiautomagic.declarations.scene import PutAt, SetLight
from tests.rulebooks.semiautomagic.seat import BOOK, Seat

HAMMER = {"Rook": {"items": {"war hammer": {"damage": "1d8+4", "make": "wooden hafted", "seconds": 3}}}}
BY_RULING = {"at": "leg", "target_modifier": 1, "toughness": -1, "reason": "as the hand"}


@pytest.mark.parametrize(
    ("line", "weapon"),
    [
        ('rook attack thorn at=leg m1 a-1 "as the hand"', ""),
        ('rook attack thorn hammer at=leg m1 a-1 "as the hand"', "war hammer"),
        ('rook attack thorn "war hammer" at=leg m1 a-1 "as the hand"', "war hammer"),
    ],
)
def test_quoted_reason_is_no_weapon(line: str, weapon: str) -> None:
    said = parse_line(line, line_scope(Seat(sheets=HAMMER).ledger.state, BOOK)).declaration
    assert said == Attack(by="Rook", target="Thorn", weapon=weapon, **BY_RULING)  # type: ignore[arg-type]


@pytest.mark.parametrize("line", ['rook attack thorn "war hamer"', 'rook attack thorn "war hamer" at=leg'])
def test_misspelt_quoted_weapon_is_refused(line: str) -> None:
    """Taken for a reason it would let the attack go on with the first weapon in hand."""
    seat = Seat(sheets=HAMMER, locations=True)
    with pytest.raises(Refused, match="TT-E-VALUE: reason"):
        seat.say(parse_line(line, line_scope(seat.ledger.state, BOOK)).declaration, 4, 4)


def test_circumstance_of_another_game_is_no_weapon() -> None:
    """`+1"rain"` is how Dusk Bastards writes what helps; here nothing of the line takes it."""
    with pytest.raises(Unreadable, match=r"column 19: '\+1rain' does not fit here"):
        parse_line('rook attack thorn +1"rain"', line_scope(Seat().ledger.state, BOOK))


@pytest.mark.parametrize("line", ["! light clear place=everything", "! put rook everywhere", "! light hazy place=All"])
def test_word_for_everywhere_is_no_place(line: str) -> None:
    with pytest.raises(
        Unreadable, match=r"is no one place\. Leave it out, or name one, also a new one\. There is: yard"
    ):
        parse_line(line, line_scope(at_yard().ledger.state, BOOK))


def test_place_may_be_new() -> None:
    said = parse_line("! light hazy place=cellar", line_scope(at_yard().ledger.state, BOOK)).declaration
    assert said == SetLight(by=GM, light="hazy", place="cellar")


def at_yard() -> Seat:
    """Return a seat where somebody stands in a place of their own."""
    seat = Seat()
    seat.say(PutAt(by=GM, who="Thorn", place="yard"))
    return seat
