"""Look for times that run backwards: in order of writing each record should be as late as the one before, or later."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime

import msgspec

from ledger.facts import EntryId
from ledger.records import current_bytes
from ledger.store import Store
from ledger.verify import Finding


class TimeOfRecord(msgspec.Struct):
    """The entry and the time of a record: all that is decoded of it."""

    session: int
    number: int
    insert: int
    at: str


DECODER = msgspec.json.Decoder(TimeOfRecord)


def clock_notices(store: Store) -> Iterator[Finding]:
    """Yield one notice if the clock ran backwards, with the first entry where it did and how often.

    Times that cannot be read are left out. It is no error: no rule reads the time of a machine.
    """
    first, times, last = "", 0, ""
    latest: datetime | None = None
    for stored in store.read():
        try:
            record = DECODER.decode(current_bytes(stored.body))
        except msgspec.MsgspecError:
            continue
        if record.at == last or (now := parse_time(record.at)) is None:
            continue
        if latest is not None and now < latest:
            times += 1
            id = EntryId(record.session, record.number, record.insert)
            first = first or f"entry {id} is of {record.at}, and the record before it of {last}"
        latest, last = now, record.at
    if times:
        more = f", and {times - 1} times more" if times > 1 else ""
        yield Finding(where="clock", what=f"the time ran backwards: {first}{more}")


def last_time(store: Store) -> str:
    """Return the time of the last record; empty without one."""
    return "".join(
        DECODER.decode(current_bytes(stored.body)).at for stored in store.read(after=store.head().position - 1)
    )


def runs_backwards(before: str, now: str) -> bool:
    """Return whether a time is earlier than the one before it; False if one of them is none."""
    earlier, later = parse_time(before), parse_time(now)
    return earlier is not None and later is not None and later < earlier


def parse_time(text: str) -> datetime | None:
    """Return a time, in UTC unless it says otherwise; None if it is none."""
    try:
        time = datetime.fromisoformat(text)
    except ValueError:
        return None
    return time if time.tzinfo else time.replace(tzinfo=UTC)
