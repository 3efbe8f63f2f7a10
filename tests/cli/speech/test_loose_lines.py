"""Lines that are loosely like a sentence, where it means nothing else."""

from __future__ import annotations

import pytest

from cli.speech.heard import Unclear
from ledger.errors import LedgerError
from tests.cli.speech.table import listener


def lines_asked(scene: str, sentence: str) -> tuple[str, ...]:
    """Return the lines that are asked about in a scene of MARS."""
    with pytest.raises(Unclear) as raised:
        listener("mars", scene).hear(sentence)
    return raised.value.lines


def test_only_line_that_is_loosely_like_stands_beside_the_story() -> None:
    said = "Ada gets herself tucked in low behind whatever shield there is"
    assert lines_asked("Ada's turn", said) == ('"Ada Voss" brace', f"> {said}")


def test_refused_weak_verb_gives_way_to_what_the_words_say() -> None:
    said = "Ada finishes the soup, that's two endurance back."
    assert any('"Ada Voss" endurance +2' in line for line in lines_asked("the quay", said))


@pytest.mark.parametrize("sentence", ["Zorn tucks himself in behind whatever shield there is", "whatever shield"])
def test_nothing_is_loosely_like_a_strangers_deed_or_a_few_words(sentence: str) -> None:
    with pytest.raises(LedgerError) as raised:
        listener("mars", "Ada's turn").hear(sentence)
    assert not any("Ada" in line for line in getattr(raised.value, "lines", ()))


def test_nothing_is_loosely_like_what_is_said_of_an_earlier_line() -> None:
    with pytest.raises(LedgerError) as raised:
        listener("dusk_bastards", "a roll is open").hear("that climb was a five, not a four")
    assert getattr(raised.value, "lines", ()) == ()
