"""Corrections at random, for the machines of several games."""

from __future__ import annotations

from contextlib import suppress

from hypothesis.stateful import RuleBasedStateMachine, rule

from ledger.corrections.amend import plan_amendment
from ledger.corrections.correction import check_writable, write_correction
from ledger.corrections.undo import undo
from ledger.declarations import Declaration
from ledger.dice import fixed_seed
from ledger.errors import LedgerError, Refused
from ledger.facts import GM, EntryId
from ledger.whatif import last_insert
from tests.ledger.edits import DROP, replacement
from tests.rulebooks.seat import AT, TableSeat

FACES_MOST = 6  # typed faces that a new line may need


class CorrectedFights(RuleBasedStateMachine):
    """A machine that plays at a seat, undoes the last line and goes on to the next session."""

    seat: TableSeat

    @rule()
    def undo_last(self) -> None:
        with suppress(Refused):
            undo(self.seat.ledger, by=GM, at=AT)

    @rule()
    def next_session(self) -> None:
        self.seat.ledger.close_session(at=AT)
        number = self.seat.ledger.state.session.number
        self.seat.ledger.open_session("another", at=AT, seed=fixed_seed(f"evening {number}"))

    def correct_line(self, where: float, how: str, said: Declaration) -> None:
        """Replace, drop or insert a line: the plan is what is written."""
        ledger = self.seat.ledger
        ids = sorted({take.id for take in ledger.store.takes() if take.session})
        id = ids[int(where * len(ids))]
        if how == "insert":
            id = EntryId(id.session, id.number, last_insert(ids, id) + 1)
        for number in range(FACES_MOST):
            edit = DROP if how == "drop" else replacement(said, *(1,) * number, outcome=how)
            try:
                correction = plan_amendment(ledger, {id: edit}, by=GM, because="so it was")
                check_writable(correction)
            except LedgerError:
                continue
            _, takes = write_correction(ledger, correction, at=AT, line="~")
            planned = [(entry.id, entry.after) for entry in correction.what_if.outcomes if entry.writes]
            assert [(take.id, take.facts) for take in takes] == planned
            return
