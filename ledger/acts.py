"""Acts: what was written with one line. Several may have said it, each in an entry of its own.

`Declared.line_start` names the first of these entries. Each may have implied passes before it. `Declared.cut_short`
says that others were refused behind an entry (`speakers`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import msgspec

from ledger.errors import Refused
from ledger.facts import Amended, parse_entry_id
from ledger.implied_passes import implying_entry, place_before
from ledger.records import Record, latest_takes
from ledger.store import ReadableStore


class CutShort(Refused):
    """The refusal of those who were to say a line after dice were thrown for others. `record`: the last one kept."""

    record: Record

    @classmethod
    def after(cls, record: Record, refused: Refused) -> CutShort:
        """Return a refusal as the refusal of a line that was kept up to this record."""
        error = cls(refused.code, refused.what, where=refused.where, hint=refused.hint, rules=refused.rules)
        error.record = record
        return error


def cut_short(record: Record) -> Record:
    """Return the last record of a line that ends with it, although others were to say it."""
    assert record.declared is not None
    declared = msgspec.structs.replace(record.declared, cut_short=True)
    return msgspec.structs.replace(record, facts=(declared, *record.facts[1:]))


def repeated_refusal(record: Record) -> CutShort:
    """Return the refusal of a line that is said again under its request, and was cut short at this record."""
    what = f"the line was taken up to {record.by} in entry {record.id}, and refused for those behind"
    return CutShort.after(record, Refused("L-REQUEST", what, hint="Say it for them in a line of their own"))


def entries_of_line(store: ReadableStore, record: Record) -> list[Record]:
    """Return the takes that count of all entries of the line of a record."""
    if not (start := record.line_start):
        return [record]
    takes = latest_takes(store.takes(after=parse_entry_id(start).before))
    return [take for take in takes if take.line_start == start and not take.has(Amended)]


def written_before(store: ReadableStore, last: Record) -> list[Record]:
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


def is_caused_by(take: Record, other: Record) -> bool:
    """Return whether another take is a correction that caused this one."""
    return take.cause is not None and take.cause == str(other.id) and other.has(Amended)


def acts_of(takes: Iterable[Record]) -> Iterator[list[Record]]:
    """Yield what was appended together: a correction with the takes that it caused, or one take."""
    act: list[Record] = []
    for take in takes:
        if act and not is_caused_by(take, act[0]):
            yield act
            act = []
        act.append(take)
    if act:
        yield act
