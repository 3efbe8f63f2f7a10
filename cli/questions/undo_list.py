"""What was corrected, by whom and when, and the line that restores it."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from ledger.corrections.undo import corrected_takes, undo_refusal
from ledger.facts import Amended
from ledger.records import Record
from ledger.service import Ledger
from projections.state import State


class CorrectionItem(msgspec.Struct, frozen=True, kw_only=True):
    """A correction: what it did to which takes, and how to undo it, or why that cannot be done (`refusal`)."""

    entry: str
    at: str
    by: str
    line: str
    because: str
    outcomes: tuple[str, ...]
    takes: tuple[str, ...]
    lines: tuple[str, ...]
    restore: str
    refusal: str


def correction_items(ledger: Ledger[State]) -> Iterator[CorrectionItem]:
    """Yield the corrections of a ledger, the last first."""
    written = [take for take in ledger.store.takes() if take.take == 1 and take.has(Amended)]
    for record in sorted(written, key=lambda take: take.position, reverse=True):
        yield _item(ledger, record)


def _item(ledger: Ledger[State], record: Record) -> CorrectionItem:
    """Return one correction."""
    facts = [fact for fact in record.facts if isinstance(fact, Amended)]
    refusal = undo_refusal(ledger, record.id)
    return CorrectionItem(
        entry=str(record.id),
        at=record.at,
        by=record.by,
        line=record.line,
        because=facts[0].because,
        outcomes=tuple(fact.outcome for fact in facts),
        takes=tuple(fact.entry for fact in facts),
        lines=tuple(take.line for take in corrected_takes(ledger.store, record) if take.line),
        restore="" if refusal else f"campaign undo {record.id}",
        refusal=refusal,
    )
