"""A colour for each player: their characters, their lines in the charts and their dice have it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from cli.questions.luck import player_or_self
from ledger.names import escape
from projections.state import State

HUES: Final = 8  # that base.css knows; more players begin again with the first


def hues_of(state: State) -> dict[str, int]:
    """Return the number of the colour of each player, from 1 in the order of joining, and of their characters."""
    characters = [being.name for being in state.beings_in_order() if being.kind == "pc"]
    players = list(dict.fromkeys(player_or_self(who, state) for who in characters))
    own = {player: number % HUES + 1 for number, player in enumerate(players)}
    hues = {**own, **{who: own[player_or_self(who, state)] for who in characters}}
    return {escape(name): number for name, number in hues.items()}


def hue_class(name: str, hues: Mapping[str, int]) -> str | None:
    """Return the class of somebody's colour; None without one."""
    return f"hue{hues[name]}" if name in hues else None
