"""The age of an error, which selects the correction policy."""

from __future__ import annotations

from typing import Literal

from ledger.facts import (
    Amended,
    EncounterBegan,
    EncounterEnded,
    EntryId,
    Invalidated,
    Reached,
    WindowClosed,
    WindowOpened,
)
from ledger.projection import S
from ledger.records import latest_takes
from ledger.service import Ledger

Age = Literal["same_round", "same_session", "earlier_session"]


def entry_age(ledger: Ledger[S], id: EntryId) -> Age:
    """Return the age of an entry. The last line, and an entry with an open window, are of this round."""
    if id.session != ledger.state.last.session:
        return "earlier_session"
    in_encounter, round_over, last = False, False, True
    windows: set[str] = set()  # opened by the entry and still open
    for record in latest_takes(ledger.store.takes(after=EntryId(id.session, -1))):
        later = record.id > id
        last = last and not (later and record.facts and not record.has(Amended, Invalidated))
        for fact in record.facts:
            if isinstance(fact, WindowOpened) and record.id == id:
                windows.add(fact.window)
            elif isinstance(fact, WindowClosed) and later:
                windows.discard(fact.window)
            is_bound = isinstance(fact, EncounterBegan | EncounterEnded)
            round_over = round_over or (later and (is_bound or (isinstance(fact, Reached) and fact.point == "round")))
            in_encounter = isinstance(fact, EncounterBegan) if is_bound and not later else in_encounter
    return "same_round" if last or windows or (in_encounter and not round_over) else "same_session"
