"""Names in a lead and in people's own words: the whole name first, and one of several as sentences call them."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from cli.story.being_names import BeingNames
from cli.story.lead_text import introduced
from cli.story.persons import Persons
from ledger.facts import Joined
from projections.state import State
from rulebooks.common.narration import Narration
from tests.cli.passages import sentence

PAGE: Any = SimpleNamespace(
    party=[SimpleNamespace(who="Juno Adeyemi")],
    called={"Mother Rust": "Rust", "Juno Adeyemi": "Juno", "Miller": "the Miller", "Guard 1": "the first guard"},
)


@pytest.mark.parametrize(
    ("texts", "told"),
    [
        (["Osk killed Rust", "Osk fell to Rust's flamer"], ["Osk killed Mother Rust", "Osk fell to Rust's flamer"]),
        (["Rust fell: Mother Rust was done"], ["Mother Rust fell: Rust was done"]),
        (["Juno killed the Miller", "the first guard fell"], ["Juno killed the Miller", "the first guard fell"]),
    ],
)
def test_lead_says_the_whole_name_first(texts: list[str], told: list[str]) -> None:
    assert [each.text for each in introduced(PAGE, [*map(sentence, texts)])] == told


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("drags Pikeman 2 in", "drags the second pikeman in"),
        ("the pikeman 1 sings", "the first pikeman sings"),
        ("Pikeman 2", "Pikeman 2"),
        ("Pikeman 21 sings to Gaunt", "Pikeman 21 sings to Gaunt"),
    ],
)
def test_own_words_call_one_of_several_as_sentences_do(said: str, told: str) -> None:
    names = BeingNames(Narration(), State(), Persons(State()))
    names.add([Joined(who=who, kind="npc", side="foes", seen="table") for who in ("Pikeman 1", "Pikeman 2", "Gaunt")])
    assert names.in_text(said) == told
