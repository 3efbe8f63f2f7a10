"""Compensate an error: leave the old entries as they are and adjust the values that differ now."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec

from ledger.corrections.correction import Correction, check_dice_known, correction_record
from ledger.declarations import Declaration
from ledger.dice import RecordedDice
from ledger.errors import LedgerError, Refused
from ledger.facts import VISIBLE, Amended, Declared, EntryId, parse_entry_id
from ledger.ledger_state import decide_and_fold
from ledger.projection import S, Value
from ledger.records import ENCODER, Record, latest_takes
from ledger.service import Ledger

NO_DICE = RecordedDice({}, "seed")


def plan_compensation(
    ledger: Ledger[S], correction: Correction, only: Iterable[str] = ()
) -> tuple[list[Declaration], list[str]]:
    """Return the adjustments for the values that end differently, and the names of values that cannot be adjusted.

    `only` limits them to these values. Raises Refused if the values at the end are unknown.
    """
    check_dice_known(correction.what_if)
    _check_not_compensated(ledger, correction)
    names, adjustments, left = set(only), list[Declaration](), list[str]()
    state, by, reason = ledger.state, correction.said.by, correction.said.because or "compensation"
    with state.trial():
        for name, was, now in correction.what_if.value_changes:
            if names and name not in names:
                continue
            change = _difference(was, now)
            said = ledger.game.adjustment(by, name, change, reason)
            if not change or said is None:
                left.append(name)
                continue
            try:
                decide_and_fold(ledger.game, state, said, NO_DICE, state.last)
                adjustments.append(said)
            except LedgerError:
                left.append(name)
    return adjustments, left


def compensate(
    ledger: Ledger[S],
    correction: Correction,
    adjustments: Sequence[tuple[Declaration, str]],
    *,
    at: str,
    line: str,
    request: str | None = None,
) -> tuple[Record, list[Record]]:
    """Append a note of the error, then each adjustment (with its line) as an entry of its own; return both.

    Raises Refused for an adjustment that the rules do not allow, Overtaken if the ledger has moved on.
    """
    own = correction_record(ledger, correction.as_note("compensate"), at=at, line=line, request=request)
    state, records = ledger.state, [own]
    with state.trial():
        for fact in own.facts:
            state.step(own.id, fact)
        for said, adjustment_line in adjustments:
            id = EntryId(own.session, own.number + len(records))
            facts = decide_and_fold(ledger.game, state, said, NO_DICE, id)
            declared = Declared(by=said.by, said=msgspec.Raw(ENCODER.encode(said)), line=adjustment_line, faces=None)
            record = msgspec.structs.replace(
                own,
                position=own.position + len(records),
                number=id.number,
                cause=str(own.id),
                request=None,
                by=said.by,
                seen=VISIBLE,
                facts=(declared, *facts),
            )
            records.append(record)
    ledger.append(records, after=correction.head)
    return own, records[1:]


def _check_not_compensated(ledger: Ledger[S], correction: Correction) -> None:
    """Raise Refused if one of the takes has been compensated before."""
    takes = {take for take, _ in correction.said.edits}
    first = min(parse_entry_id(take.partition("@")[0]) for take in takes)
    for record in latest_takes(ledger.store.takes(after=EntryId(first.session, -1))):
        for fact in record.facts:
            if isinstance(fact, Amended) and fact.outcome == "compensate" and fact.entry in takes:
                raise Refused(
                    "L-AMEND",
                    f"{fact.entry} was compensated in {record.id}",
                    hint=f"Undo that first: campaign undo {record.id}.",
                )


def _difference(was: Value | None, now: Value | None) -> int:
    """Return by how much a number changed, where a missing value is 0; 0 for texts."""
    before, after = 0 if was is None else was, 0 if now is None else now
    return after - before if isinstance(before, int) and isinstance(after, int) else 0
