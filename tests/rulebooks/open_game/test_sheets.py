"""Sheets of the open game: what they may have, and editing them in play."""

from __future__ import annotations

from typing import Any

import pytest

from ledger.errors import LedgerError
from rulebooks.testing.seat import AT
from tests.rulebooks.open_game.seat import BOOK, Seat, cases

VERA = cases()["sheets"]["vera"]


@pytest.mark.parametrize(
    "content",
    [
        {"stats": {"dex": 1}, "pools": {"dex": 3}},
        {"stats": {"on": 1}},
        {"stats": {"a.b": 1}},
        {"stats": {"a\u202eb": 1}},
        {"stats": {"x" * 60: 1}},
        {"stats": {"dex": 2_000_000}},
        {"stats": {"dex": "high"}},
        {"pools": {"hp": -1}},
        {"counts": {"doom": 0}},
        {"tokens": {"luck": -1}},
        {"pools": {"hp": 5}, "now": {"hp": 6}},
        {"now": {"hp": 6}},
        {"conditions": ["hp"], "pools": {"hp": 6}},
        {"name": "House book"},
        {"name": "Ki\x07m"},
    ],
)
def test_sheet_is_refused(content: dict[str, Any]) -> None:
    with pytest.raises(LedgerError):
        Seat().ledger.declare(BOOK.sheet({"name": "Kim", **content}, "kim.toml"), at=AT)


def edited(seat: Seat, **content: Any) -> Any:
    """Return the declaration that changes the sheet of Vera, as `campaign cast --because` makes it."""
    before, after = (BOOK.sheet(sheet, "vera.toml") for sheet in (VERA, {**VERA, **content}))
    return BOOK.sheet_edits(after, "a new level", before)


def test_edited_sheet_changes_what_differs() -> None:
    seat = Seat()
    seat.line('vera doom +3 "the bell"')
    seat.say(
        edited(
            seat,
            stats={**VERA["stats"], "str": 4},
            pools={"hp": 14, "mana": 3},
            counts={"doom": 2},
            tokens={"luck": 1, "coin": 5},
        )
    )
    state = seat.state
    assert state.sheet("Vera", "str") == 4
    assert (state.pools["Vera", "hp"].points, state.pools["Vera", "hp"].most) == (10, 14)
    assert state.points("Vera", "mana") == 3
    assert state.tokens["Vera", "doom"].count == 2
    assert state.tokens_held("Vera", "coin") == 5
    seat.check_closing()


@pytest.mark.parametrize("table", [{"pools": {"hp": 10, "luck": 3}}, {"tokens": {"hp": 3}, "pools": {}}])
def test_value_does_not_become_something_else(table: dict[str, Any]) -> None:
    seat = Seat()
    kept = {"tokens": {}} if "luck" in table["pools"] else {}
    refused = seat.refusal(edited(seat, **table, **kept))
    assert "what it is in play" in str(refused)


def test_condition_is_no_name_for_a_new_value() -> None:
    seat = Seat()
    seat.line("vera gain shaken")
    assert "one of the conditions" in str(seat.refusal(edited(seat, stats={**VERA["stats"], "shaken": 1})))
