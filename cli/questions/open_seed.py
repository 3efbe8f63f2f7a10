"""Where the seed of the open session of a ledger is, if one is open."""

from __future__ import annotations

import os
from typing import NamedTuple

from ledger.ledger_state import load_state
from ledger.postgres_address import DatabaseAddress
from ledger.seeds import SeedFiles
from ledger.sql_store import SqlStore
from ledger.sqlite_connection import FilePath
from projections.projection import StateProjection


class OpenSeed(NamedTuple):
    """The number of a session that is open, and the path of the file with its seed, which may be missing."""

    session: int
    path: str

    @property
    def is_missing(self) -> bool:
        """Whether there is no such file."""
        return not os.path.exists(self.path)


def open_seed(store: SqlStore, folder: FilePath | None = None) -> OpenSeed | None:
    """Return the session of a ledger that is open, and where its seed belongs; None if none is open.

    None too for a campaign in a database: its seed is there.
    `folder`: where the ledger will be; where it is if None.
    """
    if isinstance(store.source, DatabaseAddress) and folder is None:
        return None
    session = load_state(store, StateProjection()).session
    if not session.open:
        return None
    beside = folder or os.path.dirname(os.path.realpath(store.path))
    return OpenSeed(session.number, str(SeedFiles(beside).path(session.commitment)))
