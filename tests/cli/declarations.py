"""Random declarations of any game, said by those who are in the scopes of the tests."""

from __future__ import annotations

from functools import cache

from hypothesis import strategies as st

from ledger.declarations import Declaration
from rulebooks.testing.line_machine import RandomDeclarations
from tests.cli.scopes import BEINGS, VALUES
from tests.cli.strategies import ENTRIES, TEXTS, WHOLE

RANDOM = RandomDeclarations(
    somebody=st.sampled_from(BEINGS), values=st.sampled_from(VALUES), texts=TEXTS, whole=WHOLE, entries=ENTRIES
)


@cache  # to make them takes longer than to draw from them
def declarations(kind: type[Declaration]) -> st.SearchStrategy[Declaration]:
    """Return declarations of one kind, by whoever may say it."""
    return RANDOM.of_kind(kind)
