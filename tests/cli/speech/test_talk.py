"""What is said around the lines: what is a question, and what only has its mark."""

from __future__ import annotations

import pytest

from cli.speech.talk import is_asked
from tests.cli.speech.table import Listener, Scene, Table


@pytest.mark.parametrize(
    "line", ['" q: Is it just me or is it getting warmer?', "> Who could have known?", "# What now?"]
)
def test_text_with_a_question_mark_is_no_question(line: str) -> None:
    assert not is_asked(line)


@pytest.mark.parametrize("line", ["is Kess hurt", "Kess is hurt?"])
def test_sentence_that_asks_is_a_question(line: str) -> None:
    assert is_asked(line)


@pytest.mark.parametrize("name", ["Will", "Cant", "May"])
def test_deed_of_somebody_called_like_a_question_is_none(name: str) -> None:
    sheet = {"name": name, "might": 9, "speed": 14, "intellect": 11}
    scene = Scene(name="a roof", lines=())
    heard = Listener(Table(game="dusk-bastards", sheets=(sheet,), scenes=(scene,)), scene)
    assert heard.conversation.question(f"{name.lower()} climb the wall m v4", heard.line_of) == ""
    assert heard.conversation.question(f"will {name} climb the wall, might, difficulty four?", heard.line_of)
