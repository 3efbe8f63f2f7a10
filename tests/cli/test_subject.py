"""Test which word of a line a refusal is about."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from cli.notation.subject import subject_column
from tests.cli.scopes import SCOPE

TABLE = replace(SCOPE, beings=("Kess", "Orrin", "Thug 1", "Thug 2"))


@pytest.mark.parametrize(
    ("line", "told", "column"),
    [
        ("k attack t1 s", "Thug 1 is dead", 10),
        ("k attack thug 1 s", "Thug 1 is dead", 10),
        ("k attack orrin with pistol", "Kess holds no pistol", 21),
        ('k does "x" armor', "there is no armor here", 12),
        ("! heal orrin 3", "Orrin has no wound", 8),
        ("k attack t1 t2", "Thug 1 and Thug 2 are dead", None),
        ("k rest", "Kess cannot rest", None),
        ("k sneak v5", "a roll is open", None),
        ('k says "', "no", None),
    ],
)
def test_column_of_the_word_that_is_told(line: str, told: str, column: int | None) -> None:
    assert subject_column(line, told, TABLE) == column


@given(st.text(max_size=30), st.text(max_size=30))
def test_column_is_in_the_line(line: str, told: str) -> None:
    assert subject_column(line, told, TABLE) in (None, *range(1, len(line) + 1))
