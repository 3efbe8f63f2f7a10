"""The games, one package each: declaration, state and dice in, facts out. The README says how to write one."""

from __future__ import annotations

from importlib import import_module
from typing import Final

from ledger.errors import LedgerError
from ledger.names import escape
from rulebooks.common.game import Game

GAMES: Final[dict[str, str]] = {
    "dusk-bastards": "rulebooks.dusk_bastards.game",
    "mars": "rulebooks.mars.game",
    "momentum": "rulebooks.momentum.game",
    "monolith": "rulebooks.monolith.game",
    "open-game": "rulebooks.open_game.game",
    "semiautomagic": "rulebooks.semiautomagic.game",
}


class UnknownGame(LedgerError):
    """No game with this name is installed."""


def load_game(name: str) -> Game:
    """Return the game with this name, imported when it is asked for: one of ours, or of an installed package.

    Raises UnknownGame where there is none, and LedgerError for a package with a game that cannot be used.
    """
    if name in GAMES:
        own: Game = import_module(GAMES[name]).GAME
        return own
    from rulebooks.installed import load_installed  # imported here to start faster

    game = load_installed(name)
    if game is None:
        hint = f"There is: {', '.join(game_names())}. What each is: campaign game list."
        raise UnknownGame(f"there is no game '{escape(name)}'", hint=hint)
    return game


def game_names() -> list[str]:
    """Return the names of all games: ours, then those of installed packages, of which none is imported."""
    from rulebooks.installed import installed_games  # imported here to start faster

    return list(dict.fromkeys([*GAMES, *(game.name for game in installed_games() if not game.problem)]))
