"""Acts: what was written with one line. Several may have said it, each in an entry of its own, all or none.

`Declared.line_start` names the first of these entries. Each may have implied passes before it.
"""

from __future__ import annotations

from ledger.facts import Amended, parse_entry_id
from ledger.implied_passes import implying_entry, place_before
from ledger.records import Record, latest_takes
from ledger.store import Store


def entries_of_line(store: Store, record: Record) -> list[Record]:
    """Return the takes that count of all entries of the line of a record."""
    if not (start := record.line_start):
        return [record]
    takes = latest_takes(store.takes(after=parse_entry_id(start).before))
    return [take for take in takes if take.line_start == start and not take.has(Amended)]


def written_before(store: Store, last: Record) -> list[Record]:
    """Return what was written with a line before its last record: passes, and what others said in it."""
    first = parse_entry_id(last.line_start) if last.line_start else last.id
    takes = {take.position: take for take in store.takes(after=place_before(first), upto=last.id)}
    act, position = [last], last.position - 1
    while (take := takes.get(position)) is not None and _is_of_act(take, act[0], last):
        act.insert(0, take)
        position -= 1
    return act[:-1]


def _is_of_act(take: Record, following: Record, last: Record) -> bool:
    """Return whether a take belongs to the act of `last`, whose take `following` was written after it."""
    if (implying := implying_entry(take)) and take.cause == implying:
        return implying in (str(following.id), implying_entry(following))
    return last.line_start != "" and take.line_start == last.line_start and take.cause is None
