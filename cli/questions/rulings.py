"""The rulings of the table, and which are in force."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from ledger.facts import Ruled, Sheet
from ledger.ledger_state import LedgerState
from ledger.records import latest_takes
from ledger.store import ReadableStore
from projections.state import State


class Decision(msgspec.Struct, frozen=True, kw_only=True):
    """A ruling. `in_force`: it applies at the entry in question."""

    entry: str
    text: str
    because: str
    cites: tuple[str, ...]
    scope: str
    agreed: tuple[str, ...]
    about: str
    repeals: str
    sets: Sheet
    in_force: bool
    rules: tuple[str, ...]


def decisions(store: ReadableStore, position: LedgerState[State], *, every: bool) -> Iterator[Decision]:
    """Yield the rulings in force; `every`: also those made once or no longer in force."""
    for record in latest_takes(store.takes(upto=position.last, as_of=position.position)):
        in_force = str(record.id) in position.state.rulings
        for fact in record.facts:
            if isinstance(fact, Ruled) and (every or in_force):
                yield Decision(
                    entry=str(record.id),
                    text=fact.text,
                    because=fact.because,
                    cites=fact.cites,
                    scope=fact.scope,
                    agreed=fact.agreed,
                    about=fact.about,
                    repeals=fact.repeals,
                    sets=fact.sets,
                    in_force=in_force,
                    rules=fact.rules,
                )
