"""Where the table and the ledger may have parted: after a claim about a value that the ledger has otherwise."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from cli.output import safe
from cli.render.log import INDENT, heading
from cli.render.phrases import cause
from ledger.facts import Claimed
from ledger.records import Record, counting
from ledger.store import Store
from projections.value_history import ValueChange, value_histories

CHANGES_MOST: Final = 5


def parted(store: Store, record: Record) -> Iterator[str]:
    """For each value of a claim that differs: its last changes, and the first at which both may have parted.

    That is the change after the ledger last said what is claimed; where it never did, the first after the last claim
    that agreed, or of all.
    """
    wrong = [fact for fact in record.facts if isinstance(fact, Claimed) and fact.claimed != fact.actual]
    if not wrong:
        return
    records = {found.id: found for found in counting(store.takes(upto=record.id, as_of=record.position))}
    past = value_histories(
        (id, number, fact) for id, found in records.items() for number, fact in enumerate(found.facts, 1)
    )
    agreed = {
        fact.value: found.id
        for found in records.values()
        for fact in found.facts
        if isinstance(fact, Claimed) and fact.claimed == fact.actual
    }
    for claim in wrong:
        changes = past.get(claim.value, [])
        if not changes:
            continue
        since = agreed.get(claim.value)
        candidates = [place for place, change in enumerate(changes) if since is None or change.entry > since]
        same = [place for place in candidates if changes[place].after == claim.claimed]
        first = same[-1] + 1 if same else min(candidates, default=len(changes))
        yield f"{INDENT}{safe(claim.value)}:"
        for change in changes[-CHANGES_MOST:]:
            yield f"{INDENT}  {_change(change, records[change.entry])}"
        if first < len(changes):
            yield f"{INDENT}  they may have parted at {changes[first].entry}: {heading(records[changes[first].entry])}"
        yield from _mends(claim, [change for change in changes[first:] if records[change.entry].line])


def _change(change: ValueChange, record: Record) -> str:
    """A change on a line."""
    fact = record.facts[change.number - 1]
    before = "" if change.before is None else f"{safe(str(change.before))}>"
    return f"{change.entry}.{change.number}  {before}{safe(str(change.after))}  {cause(fact)}"


def _mends(claim: Claimed, said: Sequence[ValueChange]) -> Iterator[str]:
    """What the table can do about it: amend the first line that may be wrong, or adjust the value."""
    if said:
        yield f'{INDENT}  amend it: campaign amend {said[0].entry} ... --because "..."'
    if isinstance(claim.claimed, int) and isinstance(claim.actual, int):
        who, dot, what = claim.value.rpartition(".")
        change = f"{what} {claim.claimed - claim.actual:+}"
        yield f"{INDENT}  or adjust it:  campaign do '{(who + ' ') if dot else '! '}{change} \"...\"'"
