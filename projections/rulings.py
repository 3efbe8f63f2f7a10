"""Rulings in force."""

from __future__ import annotations

from ledger.errors import OutOfBalance
from ledger.facts import EntryId, Ruled
from projections.state import Folds, RulingInForce, State


def add_ruling(state: State, entry: EntryId, fact: Ruled) -> None:
    """Add a ruling for the session or the campaign, and delete the one that it repeals."""
    if fact.repeals:
        if fact.repeals not in state.rulings:
            raise OutOfBalance(f"no ruling of {fact.repeals} is in force", where=f"entry {entry}")
        state.put("rulings", fact.repeals, None)
    if fact.scope != "once":
        ruling = RulingInForce(
            text=fact.text,
            because=fact.because,
            about=fact.about,
            cites=fact.cites,
            scope=fact.scope,
            agreed=fact.agreed,
            sets=fact.sets,
        )
        state.put("rulings", str(entry), ruling)


def end_session_rulings(state: State) -> None:
    """Delete the rulings of the session before."""
    for name, ruling in list(state.rulings.items()):
        if ruling.scope == "session":
            state.put("rulings", name, None)


FOLDS: Folds = {Ruled: add_ruling}
