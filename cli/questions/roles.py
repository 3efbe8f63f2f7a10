"""Who asks: the players see what they may, the game master everything."""

from __future__ import annotations

from typing import Final

PLAYERS: Final = "players"

GM_VIEW: Final = "gm"
