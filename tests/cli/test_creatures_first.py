"""A word that may mean a creature or a thing means the creature."""

from __future__ import annotations

import msgspec
import pytest

from cli.notation.resolve import match_being
from tests.cli.scopes import SCOPE

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
