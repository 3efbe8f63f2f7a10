"""Which entries of a ledger a log lists: of a session, about a being, the last few."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import msgspec

from cli.errors import InputError
from cli.options import NUMBER_MOST
from cli.output import safe
from cli.queries.state_at import find_subject, state_at
from ledger.implied_passes import is_turn
from ledger.records import Record
from ledger.store import Store
from projections.state import Being


class LogFilter(msgspec.Struct, frozen=True):
    """The session and the being of a log; None stands for all of them."""

    session: int | None = None
    who: str | None = None

    def admits(self, record: Record) -> bool:
        """Return whether a record belongs to the log."""
        return self.session in (None, record.session) and (self.who is None or is_about(record, self.who))


def log_filter(store: Store, what: str | None, session: int | None) -> LogFilter:
    """Return the filter for an argument, a session's number or a name, and the session of an option.

    Raises InputError for a name that nobody has or several have, and for two sessions.
    """
    if what is None:
        return LogFilter(session)
    if what.removeprefix("-").isdecimal():
        if session is not None:
            raise InputError("two sessions are named", hint="Leave one out.")
        if not what.isdecimal() or int(what[:20]) > NUMBER_MOST:
            raise InputError(f"there is no session {safe(what)}")
        return LogFilter(int(what))
    subject = find_subject(state_at(store, None, None).state, what)
    if not isinstance(subject, Being):
        raise InputError(f"'{safe(what)}' is no being", hint="Name a being, or the number of a session.")
    return LogFilter(session, subject.name)


def is_about(record: Record, who: str) -> bool:
    """Return whether a being speaks in an entry, or something happens to it there besides its turn."""
    facts = (fact for fact in record.facts if not is_turn(fact))
    return record.by == who or any(who in (getattr(fact, "who", ""), getattr(fact, "against", "")) for fact in facts)


def check_session(session: int | None, records: Iterable[Record]) -> Iterator[Record]:
    """Yield the records. Raises InputError at their end if the session is later than all of them."""
    last = 0
    for record in records:
        last = max(last, record.session)
        yield record
    if session is not None and session > last:
        raise InputError(f"there is no session {session}", hint=f"The last one is {last}.")
