"""The differences of two operands: entries, values, and how far the chains of two ledgers agree."""

from __future__ import annotations

import msgspec

from cli.questions.diff_operands import Side
from ledger.diff import EntryDiff, ValueDiff, diff_entries, diff_values, last_common_head
from ledger.records import Head


class DiffReport(msgspec.Struct, frozen=True, kw_only=True):
    """Two sides of one kind and their differences. `agree`: the last head that the chains of two ledgers share."""

    kind: str
    same: bool
    left: Side
    right: Side
    agree: Head | None
    entries: tuple[EntryDiff, ...]
    values: tuple[ValueDiff, ...]


def diff_report(kind: str, left: Side, right: Side) -> DiffReport:
    """Return the differences of two sides of a kind."""
    entries = tuple(diff_entries(left.records, right.records))
    values = tuple(diff_values(left.values, right.values))
    return DiffReport(
        kind=kind,
        same=not entries and not values and left.chain[-1:] == right.chain[-1:],
        left=left,
        right=right,
        agree=last_common_head(left.chain, right.chain) if left.chain else None,
        entries=entries,
        values=values,
    )
