"""Test that a view of the players goes on from states that it made before, and makes the same of them."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cli.questions.players_ledger import PlayersLedger, store_for
from cli.web.pages.session_draft import session_page
from ledger.dice import fixed_seed
from ledger.extracts import Extract
from ledger.facts import GM
from ledger.ledger_state import load_state
from ledger.service import Ledger
from ledger.store import ReadableStore
from projections.projection import StateProjection
from projections.state import State
from rulebooks.dusk_bastards.declarations.harm import SetCondition
from tests.budget import BUDGET
from tests.projections.test_recap import new_ledger
from tests.rulebooks.dusk_bastards.seat import AT, BOOK

EXAMPLES = BUDGET.examples(4, 15)
SESSIONS = 6
HURT = SetCondition(by=GM, target="Ash", name="hunted")
MARK = SetCondition(by=GM, target="Bryn", name="marked")


@pytest.fixture(scope="module")
def years() -> Ledger[State]:
    """A campaign of sessions with secrets."""
    ledger = new_ledger()
    for number in range(2, SESSIONS + 2):
        for said, seen in ((HURT, "table"), (MARK, "gm"), (HURT, "gm"), (MARK, "table")):
            ledger.declare(said, at=AT, seen=seen)
        ledger.close_session(at=AT)
        ledger.open_session(str(number), at=AT, seed=fixed_seed(str(number)))
    return ledger


def parts_at(store: ReadableStore, ledger: Ledger[State], place: int) -> dict[str, dict[object, object]]:
    """Return the state after an entry as somebody sees it."""
    ids = [record.id for record in ledger.store.takes()]
    return dict(load_state(store, StateProjection(), at=ids[place % len(ids)]).state.parts)


@pytest.mark.slow
@settings(max_examples=EXAMPLES)
@given(st.lists(st.integers(0, 100), min_size=2, max_size=12))
def test_states_in_any_order_are_those_of_a_new_view(years: Ledger[State], places: list[int]) -> None:
    view = store_for(years.store, BOOK, "players")
    for place in places:
        assert parts_at(view, years, place) == parts_at(store_for(years.store, BOOK, "players"), years, place)


def test_pages_of_all_sessions_walk_the_ledger_once(years: Ledger[State], monkeypatch: pytest.MonkeyPatch) -> None:
    folded, fold = list[Extract](), PlayersLedger._folded

    def note(ledger: PlayersLedger, take: Extract) -> tuple[Any, ...]:
        folded.append(take)
        return fold(ledger, take)

    monkeypatch.setattr(PlayersLedger, "_folded", note)
    store = store_for(years.store, BOOK, "players")
    for number in range(1, SESSIONS + 1):
        session_page(store, number, as_of=None, book=BOOK, role="players")
    assert len(folded) <= 2 * years.store.head().position
