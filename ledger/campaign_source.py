"""Open a campaign where it is: in a file, or in a database."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any, Protocol

from ledger.errors import LedgerError
from ledger.postgres_address import DatabaseAddress
from ledger.projection import ReadModel
from ledger.sql_store import SqlStore
from ledger.sqlite_store import open_store

Source = str | os.PathLike[str] | DatabaseAddress
INSTALL = "Install it: pip install 'campaign-ledger[club]'."


class Watch(Protocol):
    """Tells whether a campaign has changed."""

    def has_changed(self) -> bool:
        """Return at once whether it has changed since the last call; the first call returns True if it can be read."""

    def close(self) -> None:
        """Close what it looks at."""


def check_library() -> None:
    """Raise LedgerError where the library for databases is not installed."""
    try:
        import psycopg  # noqa: F401 - imported here to start faster, and only to learn whether it is there
    except ImportError as error:
        what = f"a campaign in a database needs psycopg, which cannot be loaded ({error})"
        raise LedgerError(what, hint=INSTALL) from error


def open_campaign(source: Source, *, write: bool, models: Sequence[ReadModel[Any]] | None) -> SqlStore:
    """Open a campaign in a file or a database. `write`, `models` and errors are those of `open_store`."""
    if not isinstance(source, DatabaseAddress):
        return open_store(source, write=write, models=models)
    check_library()
    from ledger.postgres_store import open_store as open_in_database

    return open_in_database(source, models)


def watch_campaign(source: Source) -> Watch:
    """Return what tells whether a campaign has changed."""
    if not isinstance(source, DatabaseAddress):
        from pathlib import Path  # both imported here to start faster

        from ledger.file_watch import FileWatch

        return FileWatch(Path(source))
    check_library()
    from ledger.postgres_watch import PostgresWatch

    return PostgresWatch(source)
