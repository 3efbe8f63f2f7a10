"""Sentences as people say them at a table, by somebody who had read only the books: taken as meant, or asked once."""

from __future__ import annotations

from pathlib import Path

import pytest
from _pytest.mark import ParameterSet

import cli.speech
import rulebooks
from cli.play.spoken import hear
from cli.questions.line_scope import line_scope
from cli.questions.possible import why_not_said
from cli.speech.frames import SPEECH, read_speech
from cli.speech.heard import Unclear
from cli.speech.slots import SLOTS
from ledger.errors import LedgerError
from tests.cli.speech.table import FOLDER, listener, load_table

RULEBOOKS = Path(rulebooks.__file__).parent
SHARED = Path(cli.speech.__file__).parent / SPEECH
TABLES = sorted(path.stem for path in FOLDER.glob("*.toml"))
QUICK_MOST = 6  # sentences of a game that are heard in each run; a fourth as many that declare nothing


def heard_rows(name: str, rows: list[tuple[str, ...]], most: int) -> list[ParameterSet]:
    """The rows of a table, each with its sentence behind its scene; those beyond the quick ones marked as slow."""
    step = len(rows) / most  # of each scene some are quick
    quick = {int(index * step) for index in range(most)}
    return [
        pytest.param(name, *row, id=f"{name}: {row[1]}", marks=() if index in quick else pytest.mark.slow)
        for index, row in enumerate(rows)
    ]


SCENES = {name: load_table(name).scenes for name in TABLES}
SENTENCES = [
    row
    for name, scenes in SCENES.items()
    for row in heard_rows(name, [(scene.name, *line) for scene in scenes for line in scene.lines], QUICK_MOST)
]
SILENT = [
    row
    for name, scenes in SCENES.items()
    for row in heard_rows(name, [(scene.name, said) for scene in scenes for said in scene.silent], QUICK_MOST // 4)
]


@pytest.mark.quick_rows(20)
@pytest.mark.parametrize(("table", "scene", "sentence", "meant"), SENTENCES)
def test_sentence_is_taken_as_meant_or_asked(table: str, scene: str, sentence: str, meant: str) -> None:
    assert not listener(table, scene).mishearing(sentence, meant)


@pytest.mark.parametrize(("table", "scene", "sentence"), SILENT)
def test_sentence_that_declares_nothing_is_not_taken(table: str, scene: str, sentence: str) -> None:
    heard = listener(table, scene)
    try:
        taken = hear(sentence, heard.ledger.state, heard.book)
    except LedgerError:
        return
    state = heard.ledger.state
    scope = line_scope(state, heard.book)
    assert why_not_said(taken.line or sentence, state, heard.book, scope), taken.line


@pytest.mark.parametrize(
    ("table", "scene", "sentence"),
    [
        ("mars", "Ada's turn", "Ada strikes Odile"),
        ("momentum", "the party acts", "Kael shoots Brynn"),
        ("semiautomagic", "the first round", "Ada hits Tomas with her arming sword"),
    ],
)
def test_attack_on_one_of_the_own_side_is_asked(table: str, scene: str, sentence: str) -> None:
    heard = listener(table, scene)
    with pytest.raises(Unclear) as asked:
        hear(sentence, heard.ledger.state, heard.book)
    assert [" attack " in line for line in asked.value.lines] == [True]


@pytest.mark.parametrize("path", [*RULEBOOKS.glob("*/speech.toml"), SHARED], ids=lambda path: path.parent.name)
def test_phrase_fills_each_slot_of_its_line(path: Path) -> None:
    speech = read_speech(path)
    tables = (speech.verbs, speech.tail, speech.questions, speech.corrections, speech.paraphrases)
    lines = [(line, phrase) for table in tables for line, phrases in table.items() for phrase in phrases]
    slots = {slot for slot in SLOTS if slot[0] == "{"}
    assert not [(line, phrase) for line, phrase in lines for slot in slots if slot in line and slot not in phrase]
