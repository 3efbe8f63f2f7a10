"""Where the seed of the open session of a ledger is, if one is open."""

from __future__ import annotations

import os
from typing import NamedTuple

from ledger.ledger_state import load_state
from ledger.seeds import SeedFiles
from ledger.sqlite_connection import FilePath
from ledger.sqlite_store import SqliteStore
from projections.projection import StateProjection


class OpenSeed(NamedTuple):
    """The number of a session that is open, and the path of the file with its seed, which may be missing."""

    session: int
    path: str

    @property
    def is_missing(self) -> bool:
        """Whether there is no such file."""
        return not os.path.exists(self.path)


def open_seed(store: SqliteStore, folder: FilePath | None = None) -> OpenSeed | None:
    """Return the session of a ledger that is open, and where its seed belongs; None if none is open.

    `folder`: where the ledger will be; where it is if None.
    """
    session = load_state(store, StateProjection()).session
    if not session.open:
        return None
    beside = folder or os.path.dirname(os.path.realpath(store.path))
    return OpenSeed(session.number, str(SeedFiles(beside).path(session.commitment)))
