"""Whether a campaign in a database has changed: asked many times a second, without ever waiting long.

A notification is a hint that wakes at once; the head is read every second all the same, because a hint may be lost.
"""

from __future__ import annotations

import time
from contextlib import suppress
from typing import Any, Final

import psycopg

from ledger.errors import LedgerError
from ledger.postgres_address import DatabaseAddress
from ledger.postgres_connection import connect
from ledger.postgres_schema import SCHEMA

LOOK_SECONDS: Final = 1.0
AGAIN_SECONDS: Final = 5.0  # until a server that has gone is asked for again
LISTEN: Final = "LISTEN campaign_ledger"
HEAD: Final = f"SELECT id, position, hash FROM {SCHEMA}.campaigns WHERE name = %s"


class PostgresWatch:
    """Listens to what writers notify, and reads the head of a campaign now and then."""

    def __init__(self, address: DatabaseAddress) -> None:
        self._address = address
        self._db: psycopg.Connection[Any] | None = None
        self._head: tuple[Any, ...] | None = None
        self._next = 0.0  # when to look again without a hint

    def has_changed(self) -> bool:
        """Return whether the campaign has changed since the last call; the first call returns True if it is there.

        While the server cannot be reached nothing has changed.
        """
        if self._db is None and time.monotonic() < self._next:
            return False
        try:
            return self._has_changed()
        except (psycopg.Error, LedgerError):
            self._drop()
            self._next = time.monotonic() + AGAIN_SECONDS
            return False

    def _has_changed(self) -> bool:
        """Return whether the campaign has another head. Raises psycopg.Error where the server is gone."""
        if self._db is None:
            self._db, self._next = connect(self._address), 0.0
            self._db.execute(LISTEN)
        hints = [notice.payload for notice in self._db.notifies(timeout=0)]
        is_hinted = self._head is not None and str(self._head[0]) in hints
        if not is_hinted and time.monotonic() < self._next:
            return False
        self._next = time.monotonic() + LOOK_SECONDS
        head = self._db.execute(HEAD, (self._address.name,)).fetchone()
        changed, self._head = bool(head != self._head), head
        return changed

    def _drop(self) -> None:
        """Close the connection."""
        if self._db is not None:
            with suppress(psycopg.Error):
                self._db.close()
            self._db = None

    def close(self) -> None:
        """Close the connection; the next call of `has_changed` opens another."""
        self._drop()
        self._head, self._next = None, 0.0
