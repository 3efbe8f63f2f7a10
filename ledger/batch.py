"""Append several declarations together: all in one transaction, or none."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

import msgspec

from ledger.declarations import Declaration
from ledger.dice import RecordedDice
from ledger.errors import LedgerError, Overtaken
from ledger.facts import Declared, EntryId
from ledger.ledger_state import decide_and_fold
from ledger.projection import S
from ledger.records import ENCODER, Record
from ledger.service import Ledger

NO_DICE = RecordedDice({}, "seed")


def declare_together(
    ledger: Ledger[S], plan: Callable[[], Iterable[tuple[str, Declaration]]], *, at: str
) -> list[Record]:
    """Append every declaration of `plan`, each with the place that its error names. They roll no dice.

    Each is decided after those before it: while `plan` yields, they are folded into the ledger's state. If somebody
    else appends first, it is called again. Raises any error of `plan` or of a decision, and then nothing has changed.
    """
    while True:
        try:
            head = ledger.state.head
            records = list(_decided(ledger, plan(), at))
            if records:
                ledger.append(records, after=head)
            return records
        except Overtaken as error:
            ledger.refresh()
            if error.is_fork:
                raise


def _decided(ledger: Ledger[S], plan: Iterable[tuple[str, Declaration]], at: str) -> Iterator[Record]:
    """Yield the record of each declaration, and take all of them back from the state at the end."""
    state = ledger.state
    position, number = state.position, state.last.number
    with state.trial():
        for where, said in plan:
            position, number = position + 1, number + 1
            id = EntryId(state.last.session, number)
            try:
                facts = decide_and_fold(ledger.game, state, said, NO_DICE, id)
            except LedgerError as error:
                raise (error if error.where else error.at(where)) from None
            declared = Declared(by=said.by, said=msgspec.Raw(ENCODER.encode(said)), line="", faces=None)
            yield Record(
                position=position,
                session=id.session,
                number=id.number,
                insert=0,
                take=1,
                cause=None,
                request=None,
                by=said.by,
                holder=ledger.sender.holder,
                door=ledger.sender.door,
                at=at,
                seen="table",
                facts=(declared, *facts),
            )
