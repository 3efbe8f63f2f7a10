"""For each wrong claim of an entry, the changes of the value and the first that may have caused the mismatch."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from cli.questions.histories import Histories, histories
from ledger.facts import Claimed
from ledger.records import Record, latest_takes
from ledger.store import Store
from projections.value_history import ValueChange


class Mismatch(msgspec.Struct, frozen=True, kw_only=True):
    """A wrong claim, all changes of its value, and the index of the first that may be wrong.

    That is the change after the last at which the value was as claimed; where it never was, the first change after
    the last claim that agreed, or the first of all.
    """

    claim: Claimed
    changes: Sequence[ValueChange]
    first: int
    histories: Histories


def mismatches(store: Store, record: Record) -> Iterator[Mismatch]:
    """Yield a mismatch for each wrong claim about a value that the ledger knows."""
    wrong = [fact for fact in record.facts if isinstance(fact, Claimed) and fact.claimed != fact.actual]
    if not wrong:
        return
    past = histories(latest_takes(store.takes(upto=record.id, as_of=record.position)))
    agreed = {
        fact.value: id
        for id, earlier in past.records.items()
        for fact in earlier.facts
        if isinstance(fact, Claimed) and fact.claimed == fact.actual
    }
    for claim in wrong:
        if changes := past.changes.get(claim.value, []):
            since = agreed.get(claim.value)
            candidates = [index for index, change in enumerate(changes) if since is None or change.entry > since]
            same = [index for index in candidates if changes[index].after == claim.claimed]
            first = same[-1] + 1 if same else min(candidates, default=len(changes))
            yield Mismatch(claim=claim, changes=changes, first=first, histories=past)
