"""Fights of the samples from which forecasts are made."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from cli.forecast.fight import Fight
from cli.forecast.policies import new_policy
from cli.questions.ledger_file import find_game
from cli.questions.state_at import state_at
from ledger.sqlite_store import SqliteStore, open_store
from rulebooks.common.game import Game

OPENINGS: Final = {  # where the fight of each sample begins
    "gutter-saints": "2.6",
    "broken-archway": "1.2",
    "choir-of-glass": "1.10",
    "lantern-ferry": "1.10",
    "powder-tithe": "1.25",
}


def opened(path: Path) -> tuple[SqliteStore, Game]:
    """Return the ledger of a sample, and its game."""
    store = open_store(path / "ledger.db", write=False)
    return store, find_game(store)


def fight_of(path: Path, sample: str, policy: str = "weakest", at: str | None = None) -> Fight:
    """Return the fight of a sample, in which everybody has the same policy."""
    store, game = opened(path)
    state = state_at(store, at or OPENINGS[sample], None)
    members = state.state.encounter.members
    store.close()
    return Fight(game, state, {who: new_policy(policy, 9) for who in members})
