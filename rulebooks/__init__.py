"""The games, one package each: declaration, state and dice in, facts out. The README says how to write one."""

from __future__ import annotations

from importlib import import_module
from typing import Final

from ledger.errors import LedgerError
from rulebooks.common.game import Game

GAMES: Final[dict[str, str]] = {
    "dusk-bastards": "rulebooks.dusk_bastards.game",
    "mars": "rulebooks.mars.game",
    "momentum": "rulebooks.momentum.game",
    "monolith": "rulebooks.monolith.game",
    "open-game": "rulebooks.open_game.game",
    "semiautomagic": "rulebooks.semiautomagic.game",
}


def load_game(name: str) -> Game:
    """Return the game with this name, imported when it is asked for. Raises LedgerError for an unknown name."""
    if name not in GAMES:
        raise LedgerError(f"there is no game '{name}'", hint=f"There is: {', '.join(GAMES)}.")
    game: Game = import_module(GAMES[name]).GAME
    return game
