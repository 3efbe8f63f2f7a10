"""A sentence turns the change of an earlier line back, says what a value comes to, or whom or which die it meant."""

from __future__ import annotations

import pytest

from tests.cli.speech.table import Listener, Scene, load_table

CORRECTIONS = [
    ("monolith", "mara hp -2 'x'", "hang on, the suit's heated, give her those back", ["undo"]),
    ("monolith", "mara hp -2 'x'", "no, put the two back on Mara, she had a rope", ["undo"]),
    ("monolith", "mara hp -2 'x'", "Actually no, Mara doesn't lose those two", ["undo"]),
    ("monolith", "mara hp -2 'x'", "sorry, Dov doesn't lose those two", []),
    ("monolith", "mara hp -2 'x'", "give her those three back", []),
    ("monolith", "mara hp -2 'x'", "wait, that only takes her to five", ["~ 1 change=-1"]),
    ("monolith", "mara hp -2 'x'", "wait, that only takes her to four", []),
    ("monolith", "mara hp -2 'x'", "Mara's inside. Scratch that.", ["undo"]),
    ("monolith", "mara hp -2 'x'", "oh, she's inside, undo that", ["undo"]),
    ("monolith", "ada attack guard2 with knife /2", "no wait, it hit guard 3, not guard 2", ['~ 1 "Guard 3"']),
    ("monolith", "ada attack guard2 with knife /2", "three on the d6 plus one is four", ["~ 1 /3"]),
    ("monolith", "ada attack guard2 with knife /2", "Oops, not two, a three", ["~ 1 /3"]),
    ("momentum", "kael hp -1 'x'", "that should have been Sira, Kael's still up top", ['~ 1 Sira adjust "sira.hp" ']),
    ("momentum", "kael check agi", "he had advantage on that one", ["~ 1 advantage "]),
    ("mars", '! encounter "the quay"', "the guards never saw us coming", ["~ 1 unaware="]),
    ("mars", '! encounter "the quay"', "they never heard you coming", ["~ 1 unaware=foes"]),
    (
        "mars",
        '! encounter "the quay"',
        "guard 1 and his lot didn't hear you coming",
        ['~ 1 unaware="Guard 1","Guard 2"'],
    ),
    ("mars", "bram health -2 'x'", "take those two off again", []),
    ("mars", "bram health +1 'x'", "a rest gives no health, take Bram's one back off", ["undo"]),
]


@pytest.mark.parametrize(("table", "line", "sentence", "meant"), CORRECTIONS)
def test_sentence_corrects_the_change_before_it(table: str, line: str, sentence: str, meant: list[str]) -> None:
    before = ("bram health -3 'x'",) if "+1" in line else ()
    heard = Listener(
        load_table(table), Scene(name="", lines=(), before=tuple(s.replace("'", '"') for s in (*before, line)))
    )
    correction = heard.conversation.correction(sentence)
    first = [each.replace("~ 2", "~ 1") for each in correction.lines][: len(meant) or None] if correction else []
    assert [each.startswith(begun) for each, begun in zip(first, meant, strict=True)] == [True] * len(meant)
