"""A word that may mean a creature or a thing means the creature."""

from __future__ import annotations

import msgspec
import pytest

from cli.notation.known_beings import match_being
from cli.questions.line_scope import line_scope
from ledger.declarations import Ruling, Setting
from ledger.facts import GM
from tests.cli.scopes import SCOPE
from tests.rulebooks.monolith.seat import BOOK, Seat

BEINGS = ("Ise", "Ise's carbine", "Ise's cover", "Hob", "Orsk", "Orsk's horse pistol", "Here", "Wall", "Wall-eye")
NAMES = msgspec.structs.replace(
    SCOPE, beings=BEINGS, things={"Ise's carbine", "Ise's cover", "Orsk's horse pistol", "Here", "Wall"}
)


@pytest.mark.parametrize(
    ("word", "meant"),
    [
        ("i", ["Ise"]),
        ("ise", ["Ise"]),
        ("h", ["Hob"]),
        ("c", ["Ise's carbine", "Ise's cover"]),
        ("carbine", ["Ise's carbine"]),
        ("pistol", ["Orsk's horse pistol"]),
        ("wall", ["Wall"]),
        ("wa", ["Wall-eye"]),
        ("x", []),
    ],
)
def test_word_means_creatures_before_things(word: str, meant: list[str]) -> None:
    assert match_being(word, NAMES).words == meant


@pytest.mark.parametrize(
    ("word", "meant"),
    [
        ("wight", ["Bog Wight 2"]),
        ("bog", ["Bog Wight 2"]),
        ("w1", ["Bog Wight 1"]),
        ("bog wight 1", ["Bog Wight 1"]),
        ("g", ["Ghoul 1", "Ghoul 2"]),
    ],
)
def test_word_means_the_living_before_the_dead(word: str, meant: list[str]) -> None:
    beings = ("Bog Wight 1", "Bog Wight 2", "Ghoul 1", "Ghoul 2")
    scope = msgspec.structs.replace(SCOPE, beings=beings, dead={"Bog Wight 1", "Ghoul 1", "Ghoul 2"})
    assert match_being(word, scope).words == meant


def test_scope_knows_the_dead() -> None:
    seat = Seat()
    seat.say(Ruling(by=GM, text="drowned", reason="the tide", changes=(Setting("r1.dead", 1),)))
    scope = line_scope(seat.ledger.state, BOOK)
    assert set(scope.dead) == {"R1"}
