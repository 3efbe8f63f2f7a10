"""Words of a sentence that may say what is lost or gained."""

from __future__ import annotations

import pytest

from cli.speech.evoked_lines import forms_of_change
from cli.speech.words import split_words


@pytest.mark.parametrize("sentence", ["the floor gives way under Ada", "a plank gave way, Dov lost two"])
def test_what_gives_way_gives_nothing(sentence: str) -> None:
    assert "give" not in forms_of_change(split_words(sentence))


def test_who_gives_something_gives_it() -> None:
    assert "give" in forms_of_change(split_words("that gives Ada two back"))
