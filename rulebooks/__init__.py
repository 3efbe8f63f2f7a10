"""The books: one package per game. Declaration, state and dice in, facts out; pure."""

from __future__ import annotations

from importlib import import_module
from typing import Final

from ledger.errors import LedgerError
from projections.state import State
from rulebooks.common.game import Book

GAMES: Final[dict[str, str]] = {
    "dusk-bastards": "rulebooks.dusk_bastards",
    "momentum": "rulebooks.momentum",
    "monolith": "rulebooks.monolith",
}


def book(name: str) -> Book[State]:
    """The book of that game, imported when it is asked for. Raises LedgerError for a name that is none."""
    if name not in GAMES:
        raise LedgerError(f"there is no game '{name}'", hint=f"There is: {', '.join(GAMES)}.")
    found: Book[State] = import_module(GAMES[name]).BOOK
    return found
