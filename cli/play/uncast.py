"""Take back the entry with which a being was cast, as long as nothing that happened since depends on it."""

from __future__ import annotations

from cli.play.settlement import Settlement, settle
from cli.questions.edits import EditArguments
from cli.questions.state_at import find_being_in_play
from ledger.corrections.age import entry_age
from ledger.corrections.amend import plan_amendment
from ledger.errors import Refused
from ledger.facts import GM, EntryId, Joined
from ledger.records import latest_takes
from ledger.service import Ledger
from ledger.whatif import Edit
from projections.state import State

BECAUSE = "cast by mistake"


def undo_cast(ledger: Ledger[State], word: str, *, at: str) -> Settlement:
    """Drop the entry with which a being joined. Raises Refused if a later entry would be different without it."""
    ledger.refresh()
    name = find_being_in_play(ledger.state.state, word).name
    entry = _entry_of(ledger, name)
    correction = plan_amendment(ledger, {entry: Edit(input=None, outcome="drop")}, by=GM, because=BECAUSE)
    for outcome in correction.what_if.outcomes:
        if outcome.id != entry and outcome.outcome not in ("unchanged", "carried"):
            raise Refused(
                "L-CAST",
                f"{name} is part of what happened in {outcome.id}",
                hint=f"See what would change: campaign whatif --drop {entry}",
            )
    line = EditArguments(None, (), (str(entry),), (), ()).line
    return settle(ledger, correction, "retcon", entry_age(ledger, entry), line=line, at=at)


def _entry_of(ledger: Ledger[State], name: str) -> EntryId:
    """Return the entry with which a being in play joined."""
    takes = latest_takes(ledger.store.takes())
    return next(take.id for take in takes if any(isinstance(fact, Joined) and fact.who == name for fact in take.facts))
