"""Helpers of the open game's tests: a table with house rules, characters and a foe, spoken to in lines."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from cli.notation.line_parser import parse_line
from cli.questions.line_scope import line_scope
from ledger.declarations import Declaration
from ledger.dice import fixed_seed
from ledger.records import Record
from projections.state import State
from rulebooks import load_game
from rulebooks.testing.cases import load_cases
from rulebooks.testing.seat import AT, TableSeat
from tests.rulebooks import CASES, SILENT

BOOK = load_game("open-game")
NO_MOVES: Mapping[str, Any] = {}


def cases() -> dict[str, Any]:
    return load_cases(CASES / "open_game.toml")


class Seat(TableSeat):
    """The sheets of the cases in an open session; `house` takes the place of their house rules."""

    def __init__(self, house: Mapping[str, Any] | None = None) -> None:
        super().__init__(BOOK, "OG-E-", check_bounds, SILENT)
        sheets = [*([cases()["house"]] if house is None else [house] if house else []), *cases()["sheets"].values()]

        def play() -> None:
            for sheet in sheets:
                self.ledger.declare(BOOK.sheet(sheet, "sheet.toml"), at=AT)
            self.ledger.open_session("one", at=AT, seed=fixed_seed("tests"))

        self.begin(play, house)

    def parse(self, line: str) -> Declaration:
        """Return the declaration of a line as the grammar reads it now."""
        return parse_line(line, line_scope(self.ledger.state, BOOK)).declaration

    def line(self, line: str, *faces: int) -> Record:
        """Say a line."""
        return self.say(self.parse(line), *faces)

    def conditions(self, who: str) -> list[str]:
        return sorted(condition.name for _, condition in self.state.conditions_of(who))


def check_bounds(state: State) -> None:
    """Check the bounds of pools and tokens."""
    for key, pool in state.pools.items():
        assert 0 <= pool.points <= (pool.most or 0), key
    for key, token in state.tokens.items():
        assert 0 <= token.count <= (10**9 if token.most is None else token.most), key
