"""Sentences as people say them at a table, by somebody who had read only the books: taken as meant, or asked once."""

from __future__ import annotations

import pytest

from tests.cli.speech.table import FOLDER, listener, load_table

TABLES = sorted(path.stem for path in FOLDER.glob("*.toml"))
SENTENCES = [
    pytest.param(name, scene.name, sentence, meant, id=f"{name}: {sentence}")
    for name in TABLES
    for scene in load_table(name).scenes
    for sentence, meant in scene.lines
]


@pytest.mark.parametrize(("table", "scene", "sentence", "meant"), SENTENCES)
def test_sentence_is_taken_as_meant_or_asked(table: str, scene: str, sentence: str, meant: str) -> None:
    assert not listener(table, scene).mishearing(sentence, meant)
