"""Wrong claims as text: the last changes of the value, the first that may be wrong, and how to correct it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from cli.phrases.entries import INDENT, heading
from cli.phrases.fact_phrases import cause
from cli.phrases.value_names import ValueNames
from cli.questions.claim_mismatch import Mismatch, mismatches
from ledger.facts import Claimed
from ledger.names import escape
from ledger.records import Record
from ledger.store import Store
from projections.value_history import ValueChange
from rulebooks.common.texts import Wording

CHANGES_MOST: Final = 5


def mismatch_report(store: Store, record: Record, wording: Wording) -> Iterator[str]:
    """Return the lines for each wrong claim of an entry."""
    for mismatch in mismatches(store, record):
        yield from mismatch_lines(mismatch, wording)


def mismatch_lines(mismatch: Mismatch, wording: Wording) -> Iterator[str]:
    """Return the last changes of the value, the first that may be wrong, and how to correct it."""
    claim, records = mismatch.claim, mismatch.histories.records
    yield f"{INDENT}{ValueNames((), wording).claim(claim.value)}:"
    for change in mismatch.changes[-CHANGES_MOST:]:
        yield f"{INDENT}  {_change_line(change, mismatch)}"
    suspects = mismatch.changes[mismatch.first :]
    if suspects:
        entry = suspects[0].entry
        yield f"{INDENT}  the first that may be wrong is {entry}: {heading(records[entry])}"
    said = [change for change in suspects if records[change.entry].line]
    if said:
        yield f'{INDENT}  amend it: campaign amend {said[0].entry} ... --because "..."'
    yield from _adjustment(claim)


def _change_line(change: ValueChange, mismatch: Mismatch) -> str:
    """Return a change on a line."""
    before = "" if change.before is None else f"{escape(str(change.before))}>"
    fact = mismatch.histories.fact(change)
    return f"{change.entry}.{change.number}  {before}{escape(str(change.after))}  {cause(fact)}"


def _adjustment(claim: Claimed) -> Iterator[str]:
    """Return the line that adjusts a number to the claimed one."""
    if isinstance(claim.claimed, int) and isinstance(claim.actual, int):
        who, dot, what = claim.value.rpartition(".")
        change = f"{what} {claim.claimed - claim.actual:+}"
        yield f"{INDENT}  or adjust it:  campaign do '{(who + ' ') if dot else '! '}{change} \"...\"'"
