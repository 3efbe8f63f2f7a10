"""What somebody tries, as it follows `manages to`."""

from __future__ import annotations

import pytest

from cli.phrases.verbs import infinitive


@pytest.mark.parametrize(
    ("task", "infinite"),
    [
        ("sneak", "sneak"),
        ("finds tracks", "find tracks"),
        ("forces the door open", "force the door open"),
        ("carries Ode", "carry Ode"),
        ("catches the rope", "catch the rope"),
        ("does it", "do it"),
        ("tries to hide", "hide"),
        ("unfurls the sail", "unfurl the sail"),
        ("presses on", "press on"),
        ("Climb the wall", "climb the wall"),
        ("lore", ""),
        ("lore of the sea", ""),
        ("lore about the salt graves", ""),
        ("lore: salt graves", ""),
        ("folk lore", ""),
        ("ancient lore of salt", ""),
        ("lock picking", ""),
        ("keeps singing", "keep singing"),
        ("polish brass", "polish brass"),
        ("athletics", ""),
        ("tracks", "track"),
        ("", ""),
    ],
)
def test_task_follows_to(task, infinite):
    assert infinitive(task) == infinite


def test_verbs_of_the_book_are_known():
    assert (infinitive("yodels"), infinitive("yodels", {"yodel"})) == ("", "yodel")
