"""The age of an error, which selects the correction policy."""

from __future__ import annotations

from typing import Literal

from ledger import facts
from ledger.projection import S
from ledger.records import latest_takes
from ledger.service import Ledger

Age = Literal["same_round", "same_session", "earlier_session"]


def entry_age(ledger: Ledger[S], id: facts.EntryId) -> Age:
    """Return the age of an entry. The last line, and an entry with an open window, are of this round."""
    if id.session != ledger.state.last.session:
        return "earlier_session"
    in_encounter, round_over, last = False, False, True
    windows: set[str] = set()  # opened by the entry and still open
    for record in latest_takes(ledger.store.takes(after=facts.EntryId(id.session, -1))):
        later = record.id > id
        last = last and not (later and record.facts and not record.has(facts.Amended, facts.Invalidated))
        for fact in record.facts:
            if isinstance(fact, facts.WindowOpened) and record.id == id:
                windows.add(fact.window)
            elif isinstance(fact, facts.WindowClosed) and later:
                windows.discard(fact.window)
            is_bound = isinstance(fact, facts.EncounterBegan | facts.EncounterEnded)
            round_over = round_over or (
                later and (is_bound or (isinstance(fact, facts.Reached) and fact.point == "round"))
            )
            in_encounter = isinstance(fact, facts.EncounterBegan) if is_bound and not later else in_encounter
    return "same_round" if last or windows or (in_encounter and not round_over) else "same_session"
