"""By which door a record came in, and who held the link: recorded with all that is written, and never decided on."""

from __future__ import annotations

import pytest

from ledger.batch import declare_together
from ledger.corrections.amend import note_error, plan_amendment
from ledger.corrections.compensate import compensate
from ledger.corrections.correction import write_correction
from ledger.corrections.undo import undo
from ledger.declared_line import DeclaredLine
from ledger.facts import parse_entry_id
from ledger.records import Sender
from ledger.whatif import Edit
from tests.ledger.coin import Flip, Purse
from tests.ledger.strategies import AT, create_ledger, flip

ANAS_PAGE = Sender("page", "Ana")


def planned(ledger):
    return plan_amendment(ledger, {parse_entry_id("1.1"): Edit(input=None, outcome="drop")}, by="gm", because="")


WRITES = {
    "a line": lambda ledger: flip(ledger),
    "an undo": lambda ledger: undo(ledger, by="gm", at=AT),
    "a correction": lambda ledger: write_correction(ledger, planned(ledger), at=AT, line="~"),
    "a note": lambda ledger: note_error(ledger, planned(ledger), "stand", at=AT, line="~"),
    "a compensation": lambda ledger: compensate(
        ledger, planned(ledger), [(Purse(by="Ana", points=2), "x")], at=AT, line="~"
    ),
    "lines together": lambda ledger: declare_together(ledger, lambda: [("x", Purse(by="Bo", points=1))], at=AT),
    "the closing": lambda ledger: ledger.close_session(at=AT),
}


@pytest.mark.parametrize("write", WRITES)
def test_all_that_is_written_has_the_door_it_came_by(write):
    ledger = create_ledger()
    flip(ledger)
    flip(ledger)
    ledger.sender, before = ANAS_PAGE, ledger.store.head().position
    WRITES[write](ledger)
    written = list(ledger.store.records(after=before))
    assert {take.sender for take in ledger.store.records() if take.position <= before} == {Sender()}
    assert {take.sender for take in written} == {ANAS_PAGE}
    assert len(written) == {"an undo": 2, "a correction": 3, "a compensation": 2}.get(write, 1)


def test_line_has_its_own_door_before_that_of_the_ledger():
    ledger = create_ledger()
    ledger.sender = Sender("keyboard")
    (record,) = ledger.declare_each([Flip(by="Ana", again=False)], DeclaredLine(at=AT, sender=ANAS_PAGE))
    assert (record.holder, record.door, flip(ledger).door) == ("Ana", "page", "keyboard")
