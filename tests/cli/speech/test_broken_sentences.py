"""Sentences cut to pieces and joined at random, as people break off and begin again: each gets an answer."""

from __future__ import annotations

import re
from random import Random

import pytest

from tests.budget import BUDGET
from tests.cli.speech.table import listener, load_table

TABLES = ["dusk_bastards", "mars", "momentum", "monolith", "semiautomagic"]
TRIES = 4
JOINS = (" ", "! ", "? ", ", ", ". ", " and ")


def broken(sentences: list[str], chance: Random) -> str:
    """Return pieces of two sentences, or some words of one in any order."""
    one, other = chance.sample(sentences, 2)
    if chance.random() < 0.4:
        words = one.split()
        return " ".join(chance.sample(words, chance.randint(1, min(8, len(words)))))
    pieces = [*re.split(r"(?<=[.!?,:;])\s+", one), *re.split(r"(?<=[.!?,:;])\s+", other)]
    return chance.choice(JOINS).join(chance.sample(pieces, chance.randint(1, min(4, len(pieces)))))


@pytest.mark.slow
@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("seed", BUDGET.seeds(1, 40))
def test_broken_sentence_is_answered(table: str, seed: int) -> None:
    chance, scenes = Random(f"{table} {seed}"), load_table(table).scenes
    scene = chance.choice([each for each in scenes if len(each.lines) > 1])
    heard = listener(table, scene.name)
    for sentence in [broken([said for said, _ in scene.lines], chance) for _ in range(TRIES)]:
        heard.mishearing(sentence, "")  # ends in no other error than one that says what to do


def test_dice_behind_a_word_alone_are_asked_for() -> None:
    heard = listener("mars", "an attack is announced")
    assert heard.mishearing("a crit! nineteen, eight and three", "").startswith("asks ['go /")
