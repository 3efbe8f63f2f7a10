"""The takes of a ledger in order of entries, while others read it in order of writing: each record is decoded once.

Most takes of a session stand together in the log. So the log is read as far as the takes of a session are in it, and
these are handed on as they were decoded there. Takes that were written long before they are asked for are read again.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from operator import itemgetter
from typing import Any, Final

from ledger.errors import LedgerError
from ledger.facts import EntryId
from ledger.record_rows import check_columns
from ledger.records import Record
from ledger.store import Store

KEPT_MOST: Final = 500  # takes of later sessions


class ReadAhead:
    """A log that is read ahead of the sessions that are asked for."""

    def __init__(self, store: Store, log: Iterator[Record]) -> None:
        """`log` reads the records of the store in order of writing, but for those that cannot be decoded."""
        self._store, self._log = store, log
        self._kept: dict[int, Record] = {}  # by position, those that were not asked for yet
        self._position = 0  # of the last record without a cause: whatever the one before it has caused was read
        self._error: LedgerError | None = None  # that ended the log

    def takes(self) -> Iterator[Record]:
        """Yield all takes in order of id, then of writing. Raises Damaged like those of the store."""
        for session, rows in groupby(self._store.columns(), key=itemgetter(1)):
            yield from self._takes_of(session, list(rows))

    def read_on(self) -> None:
        """Read the rest of the log. Raises the error that ended it before, if one did."""
        for _ in self._log:
            pass
        self._kept.clear()
        if self._error is not None:
            raise self._error

    def _takes_of(self, session: int, rows: Sequence[tuple[Any, ...]]) -> Iterator[Record]:
        """Yield the takes of a session, whose columns are these."""
        self._read_upto(max(row[0] for row in rows), session)
        takes = [self._kept.pop(row[0], None) for row in rows]
        if None in takes:
            first, last = (EntryId(*row[1:4]) for row in (rows[0], rows[-1]))
            yield from self._store.takes(after=first.before, upto=last)
            return
        for take, row in zip(takes, rows, strict=True):
            assert take is not None
            check_columns(take, row[1:])
            yield take

    def _read_upto(self, position: int, session: int) -> None:
        """Read the records up to a position with all that the last of them has caused; keep those of this session."""
        try:
            while self._position <= position and (record := next(self._log, None)) is not None:
                if record.session == session or len(self._kept) < KEPT_MOST:
                    self._kept[record.position] = record
                if record.cause is None:
                    self._position = record.position
        except LedgerError as error:
            self._error = error
            raise
