"""What is said around the lines: what is a question, and what only has its mark."""

from __future__ import annotations

import pytest

from cli.speech.english import ENGLISH
from cli.speech.talk import is_asked
from tests.cli.speech.table import Listener, Scene, Table, listener, load_table


@pytest.mark.parametrize(
    "line", ['" q: Is it just me or is it getting warmer?', "> Who could have known?", "# What now?"]
)
def test_text_with_a_question_mark_is_no_question(line: str) -> None:
    assert not is_asked(line)


@pytest.mark.parametrize("line", ["is Kess hurt", "Kess is hurt?"])
def test_sentence_that_asks_is_a_question(line: str) -> None:
    assert is_asked(line)


@pytest.mark.parametrize("name", ["Will", "Cant"])
def test_deed_of_somebody_called_like_a_question_is_none(name: str) -> None:
    sheet = {"name": name, "body": 12, "resolve": 10, "hp": 5}
    scene = Scene(name="a hatch", lines=(), before=('! encounter "the airlock"', "! round"))
    heard = Listener(Table(game="monolith", sheets=(sheet,), scenes=(scene,)), scene)
    assert heard.conversation.question(f'{name.lower()} declare "keep them off Dov"', heard.line_of) == ""


@pytest.mark.parametrize("name", ["monolith", "momentum"])
def test_question_of_another_scene_is_taken_as_no_line(name: str) -> None:
    """A sentence that ends in its mark and is a question or a correction elsewhere is a question here, or no line."""
    sentences = [said for scene in load_table(name).scenes for said, meant in scene.lines if meant[0] in "?~"]
    for scene in load_table(name).scenes[-2:]:
        heard = listener(name, scene.name)
        for said in sentences[::7]:
            if is_asked(said) and said.endswith("?"):
                assert heard.conversation.question(said, heard.line_of, is_last=True) or not heard.line_of(said), said


def test_little_word_alone_asks_nothing() -> None:
    """What leads into a sentence is no question, also where nothing stands behind it: `on`, `so`, `no wait`."""
    heard = listener("momentum", "the party acts")
    leads = [word for word in sorted(ENGLISH.leads | ENGLISH.slips) if not is_asked(word)]
    assert {heard.conversation.question(word, heard.line_of) for word in (*leads, "on", "on?", "?", ",")} == {""}
