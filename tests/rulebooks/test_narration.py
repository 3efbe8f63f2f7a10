"""The sentences of every book: for declarations that exist, with fields that there are."""

from __future__ import annotations

import re

import pytest

from rulebooks import GAMES, load_game
from rulebooks.common.absence import ABSENT
from rulebooks.common.narration import Narration

FIELD = re.compile(r"\{(\w+)\}")
FIELDS = {
    "rulings": {"text", "because", "by", "about"},
    "told": {"by", "text"},
    "costs": {"because"},
    "out": {"who"},
}
RESULT = {
    "who",
    "against",
    "what",
    "result",
    "total",
    "which",
    "weapon",
    "foe_weapon",
    "allies",
    "times",
    "ally",
    "task",
    "took",
    "gave",
}
IN_WORDS = re.compile(r"_(?:ing|to|did|said|thing)$")


def narration(game: str) -> Narration:
    return load_game(game).texts().narration


def fields_of(sentence: str) -> set[str]:
    """Return the fields of a sentence, without the form in which it has their words."""
    return {IN_WORDS.sub("", field) for field in FIELD.findall(sentence)}


def declaration_fields(game: str) -> dict[str, set[str]]:
    """Return the fields of every declaration by its kind."""
    kinds = load_game(game).declarations
    return {str(kind.__struct_config__.tag): {*kind.__struct_fields__} for kind in kinds}


@pytest.mark.parametrize("game", GAMES)
def test_lines_are_of_declarations(game: str) -> None:
    known = declaration_fields(game)
    for kind, sentence in narration(game).lines.items():
        assert fields_of(sentence) <= known[kind.partition(" ")[0]] | {"by"}, kind


@pytest.mark.parametrize("game", GAMES)
def test_results_have_fields_of_results_and_lines(game: str) -> None:
    known = RESULT.union(*declaration_fields(game).values())
    words = narration(game)
    for table in (words.results, words.variants, words.felled):
        for name, sentences in table.items():
            assert fields_of(sentences if isinstance(sentences, str) else "|".join(sentences)) <= known, name


@pytest.mark.parametrize("game", GAMES)
def test_other_sentences_have_known_fields(game: str) -> None:
    for table, known in FIELDS.items():
        for name, sentence in getattr(narration(game), table).items():
            assert fields_of(sentence) <= known, (table, name)
            assert sentence.count("[") == sentence.count("]"), (table, name)


@pytest.mark.parametrize("game", GAMES)
def test_story_says_who_is_lost(game: str) -> None:
    """Whoever is lost has a sentence, and weighs most."""
    words = narration(game)
    assert words.lost
    assert {*words.lost} <= {*words.grave}
    assert {*words.lost}.isdisjoint(words.untold)


@pytest.mark.parametrize("game", GAMES)
def test_who_left_a_fight_is_not_left_untold(game: str) -> None:
    """A story that never says that a foe is gone has it still standing there."""
    assert ABSENT not in narration(game).untold
