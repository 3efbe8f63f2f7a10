"""Helpers of the open game's tests: a table with house rules, characters and a foe, spoken to in lines."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rulebooks import load_game
from rulebooks.testing.cases import load_cases
from rulebooks.testing.table import LineTable
from tests.rulebooks import CASES

BOOK = load_game("open-game")
NO_MOVES: Mapping[str, Any] = {}


def cases() -> dict[str, Any]:
    return load_cases(CASES / "open_game.toml")


class Seat(LineTable):
    """The sheets of the cases in an open session; `house` takes the place of their house rules."""

    def __init__(self, house: Mapping[str, Any] | None = None) -> None:
        sheets = {**cases()["sheets"], **({} if house is None else {"house": house})}
        super().__init__(BOOK, {"sheets": {name: sheet for name, sheet in sheets.items() if sheet}})
