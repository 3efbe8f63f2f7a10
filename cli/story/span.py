"""The part of a ledger that a recap is about: one session as somebody sees it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Final

import msgspec

from ledger.errors import InputError
from ledger.facts import EntryId, Fact
from ledger.implied_passes import implying_entry, is_turn
from ledger.ledger_state import LedgerState, load_state
from ledger.records import Record, latest_takes, shown_records
from ledger.redaction.line_redaction import SEEN
from ledger.store import ReadableStore
from ledger.throws import taken_back
from projections.projection import StateProjection
from projections.recap.entries import Entry
from projections.state import State

DATE: Final = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}(?=$|[T ])", re.ASCII)


class SessionSpan(msgspec.Struct, frozen=True, kw_only=True):
    """A session: the states before and after it, its records that count, and its entries as they are seen."""

    number: int
    before: LedgerState[State]
    after: LedgerState[State]
    records: tuple[Record, ...]
    entries: tuple[Entry, ...]
    taken_back: int = 0  # the throws whose dice were seen and that do not count


class SessionHeading(msgspec.Struct, frozen=True, kw_only=True):
    """What every recap of a session begins with: its session and days, and the position as of which it was made."""

    campaign: str
    session: int
    title: str
    dates: tuple[str, ...]
    position: int
    open: bool


def heading_of(span: SessionSpan, position: int) -> dict[str, Any]:
    """Return the values of a `SessionHeading` for a session as of a position."""
    session = span.after.session
    return {
        "campaign": session.name,
        "session": span.number,
        "title": session.title,
        "dates": dates_of(span.records),
        "position": position,
        "open": session.open,
    }


def dates_of(records: Sequence[Record]) -> tuple[str, ...]:
    """Return the days of the first and the last entry, once if they are the same; a bad time as it is."""
    days = [match[0] if (match := DATE.match(record.at)) else record.at for record in records]
    return tuple(dict.fromkeys((days[0], days[-1]))) if days else ()


def load_session(store: ReadableStore, number: int, position: int) -> SessionSpan:
    """Return a session as of a position."""
    start, end = EntryId(number, -1), EntryId(number + 1, -1)
    takes = list(store.takes(after=start, upto=end, as_of=position))
    records = [record for record in latest_takes(takes) if record.facts]
    counting = {record.position for record in records}
    return SessionSpan(
        number=number,
        before=load_state(store, StateProjection(), at=start, as_of=position),
        after=load_state(store, StateProjection(), at=end, as_of=position),
        records=tuple(records),
        entries=tuple(entry_of(record, record.facts) for record in shown_records(records)),
        taken_back=taken_back((take.facts, take.position in counting) for take in takes),
    )


def position_and_session(store: ReadableStore, as_of: int | None, session: int | None) -> tuple[int, int]:
    """Return the position and the session that are asked for, by default the last. Raises InputError."""
    head = store.head().position
    if as_of is not None and as_of > head:
        raise InputError(f"the ledger ends at position {head}", where="--as-of")
    position = as_of or head
    last = load_state(store, StateProjection(), as_of=position).session.number
    if session is not None and session > last:
        raise InputError(f"there is no session {session}", hint=f"The last one is {last}.")
    return position, last if session is None else session


def entry_of(record: Record, facts: Sequence[Fact]) -> Entry:
    """Return a record with these facts as the recap reads it: of an implied pass only what came of it."""
    said = msgspec.json.decode(record.declared.said) if record.declared else {}
    if implying_entry(record):
        facts, said = [fact for fact in facts if not is_turn(fact)], {}
    line = "" if implying_entry(record) else record.line
    said = said if isinstance(said, dict) else {}
    said |= said.pop(SEEN, {})
    return Entry(id=record.id, by=record.by, line=line, facts=tuple(facts), said=said)
