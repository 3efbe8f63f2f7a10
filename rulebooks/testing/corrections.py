"""Play and corrections at random, for the machines of several games."""

from __future__ import annotations

from contextlib import suppress
from typing import Any, ClassVar, Final

import msgspec
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from ledger.corrections.amend import plan_amendment
from ledger.corrections.correction import check_writable, write_correction
from ledger.corrections.undo import undo
from ledger.declarations import Declaration
from ledger.dice import fixed_seed
from ledger.errors import BadFaces, LedgerError, Refused
from ledger.facts import GM, EntryId, Rolled
from ledger.records import ENCODER, StoredRecord
from ledger.redecide import Input
from ledger.verify import verify
from ledger.whatif import Edit, last_insert
from projections.projection import StateProjection
from rulebooks.testing.seat import AT, TableSeat

FACES_MOST = 6  # typed faces that a new line may need
DROP: Final = Edit(input=None, outcome="drop")


class CorrectedFights(RuleBasedStateMachine):
    """A machine that plays at a seat, undoes the last line and goes on to the next session.

    After any lines, corrections and undos older records stand as they were, and replay and verify find nothing.
    """

    codes: ClassVar[tuple[str, ...]]  # how the codes of refusals may begin
    seat: TableSeat

    def __init__(self) -> None:
        super().__init__()
        self.log: list[StoredRecord] = []

    def declare(self, said: Declaration) -> None:
        """Declare; a refusal must change nothing, and depend on no face."""
        self.seat.check_faces_decide_no_refusal(said)
        self.seat.check_left_over_faces_are_refused(said)
        before = self.seat.snapshot()
        try:
            self.seat.ledger.declare(said, at=AT)
        except Refused as error:
            refusal = error
        else:
            return
        assert refusal.code.startswith(self.codes), refusal
        assert refusal.hint
        assert self.seat.snapshot() == before

    def declare_with(self, said: Declaration, faces: list[int]) -> None:
        """Declare with typed faces: all are used, or nothing changes."""
        before = self.seat.snapshot()
        try:
            record = self.seat.ledger.declare(said, at=AT, faces=faces)
        except (Refused, BadFaces):
            assert self.seat.snapshot() == before
        else:
            assert [die.face for fact in record.facts if isinstance(fact, Rolled) for die in fact.dice] == faces

    @rule()
    def undo_last(self) -> None:
        """Take back the last line, if there is one."""
        with suppress(Refused):
            undo(self.seat.ledger, by=GM, at=AT)

    @rule()
    def next_session(self) -> None:
        """Close the session and open the next."""
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

    @invariant()
    def older_records_do_not_change(self) -> None:
        """Check that every record stands as it was written."""
        log = list(self.seat.store.read())
        assert log[: len(self.log)] == self.log
        self.log = log

    def teardown(self) -> None:
        """Check at the end that replay and verify find nothing."""
        report, findings = verify(self.seat.store, self.seat.book, StateProjection())
        assert ([str(difference) for difference in report.differences], findings) == ([], [])
        self.seat.store.check_rows(self.seat.ledger.state.state)
        for word in self.seat.ledger.state.values():
            assert word == word.casefold()


def input_of(what: Declaration, *faces: int, **more: Any) -> Input:
    """Return the input of a declaration, with typed faces if there are any."""
    return Input(declaration_json=msgspec.Raw(ENCODER.encode(what)), by=what.by, line="", faces=faces or None, **more)


def replacement(what: Declaration, *faces: int, outcome: str = "retcon", **more: Any) -> Edit:
    """Return the edit that puts a declaration in the place of another."""
    return Edit(input=input_of(what, *faces, **more), outcome=outcome, in_order=True)
