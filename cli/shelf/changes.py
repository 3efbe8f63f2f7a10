"""`shelf changes`: what was written in every campaign since its last row: the follower of a shelf.

A ledger is followed by its head. Where the head of the last row is not in the ledger any more, somebody has put another
history in its place, and that is said.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Final

import msgspec

from cli.shelf.job import CampaignResult, OpenCampaign
from cli.shelf.results import DIFFERS, FINE, ShelfRow, raw
from ledger.facts import SessionClosed, SessionOpened
from ledger.names import plural
from ledger.records import Head, Record
from ledger.store import Store

NOTHING_NEW: Final = "nothing new"
SESSIONS_MOST: Final = 4  # that are named of a campaign


class LedgerChange(msgspec.Struct, frozen=True):
    """What was written: up to which position it was known, the records since, and the sessions that began and ended."""

    since: int
    records: int = 0
    takes_again: int = 0
    opened: tuple[str, ...] = ()
    closed: tuple[int, ...] = ()
    last: str = ""
    rewritten: bool = False


class ChangesTask(msgspec.Struct, frozen=True, tag="changes"):
    """Say what was written since the last row."""

    def look(self, campaign: OpenCampaign) -> CampaignResult:
        """Return what was written since."""
        store, before = campaign.store, campaign.before
        rewritten = before is not None and not has_head(store, before)
        since = 0 if before is None or rewritten else before.position
        change = _change(store.records(after=since), since, rewritten=rewritten)
        return CampaignResult(DIFFERS if rewritten else FINE, _text(change, before), change)


def without_change(row: ShelfRow) -> ShelfRow:
    """Return the row of a campaign in which nothing was written since."""
    return msgspec.structs.replace(row, outcome=FINE, text=NOTHING_NEW, content=raw(LedgerChange(row.position)))


def has_head(store: Store, head: Head) -> bool:
    """Return whether a ledger had a head."""
    stored = next(store.read(after=head.position - 1), None)
    return stored is not None and Head(stored.position, stored.hash) == head


def _change(records: Iterator[Record], since: int, *, rewritten: bool) -> LedgerChange:
    """Return what these records are."""
    number = again = 0
    opened, closed, last = list[str](), list[int](), ""
    for record in records:
        number, again, last = number + 1, again + (record.take > 1), str(record.id)
        for fact in record.facts if record.take == 1 else ():
            if isinstance(fact, SessionOpened):
                opened.append(f"{record.session} ({fact.title})" if fact.title else str(record.session))
            elif isinstance(fact, SessionClosed):
                closed.append(record.session)
    return LedgerChange(since, number, again, tuple(opened), tuple(closed), last, rewritten)


def _text(change: LedgerChange, before: Head | None) -> str:
    """Return in a line what was written."""
    if change.rewritten and before is not None:
        start = f"another history: it no longer has the record {before.position} that it ended with"
        return f"{start}; {plural(change.records, 'record', 'records')} now"
    if not change.records:
        return NOTHING_NEW
    parts = [
        plural(change.records, "record", "records")
        if before is None
        else plural(change.records, "new record", "new records")
    ]
    if change.takes_again:
        parts.append(f"{change.takes_again} of them corrections")
    for word, sessions in (("opened", change.opened), ("closed", tuple(map(str, change.closed)))):
        if sessions:
            more = f" and {len(sessions) - SESSIONS_MOST} more" if len(sessions) > SESSIONS_MOST else ""
            named = ", ".join(islice(sessions, SESSIONS_MOST))
            parts.append(f"{'session' if len(sessions) == 1 else 'sessions'} {named}{more} {word}")
    return f"{', '.join(parts)}, up to {change.last}"
