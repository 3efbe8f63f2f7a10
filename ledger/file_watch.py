"""Whether a ledger file has changed: asked many times a second, also while another process writes."""

from __future__ import annotations

import sqlite3
from contextlib import suppress
from pathlib import Path


class FileWatch:
    """Asks SQLite for the version of a ledger file, in a few microseconds and without ever waiting for a lock.

    The version changes with each commit of another connection. A file that took the place of the ledger, as a backup
    that is restored, is another version too, and so are other bytes that were written over it.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file: tuple[int, int] | None = None
        self._db: sqlite3.Connection | None = None
        self._version: tuple[int, int, int] | None = None

    def has_changed(self) -> bool:
        """Return whether the file has changed since the last call; the first call returns True if it can be read.

        That it is gone is a change; while it is being written, or cannot be read, nothing has changed yet.
        """
        try:
            version = self._read_version()
        except FileNotFoundError:
            was_there = self._version is not None
            self.close()
            return was_there
        except (OSError, sqlite3.Error):
            return False
        changed = version != self._version
        self._version = version
        return changed

    def _read_version(self) -> tuple[int, int, int]:
        """Return the version of the file: of its commits, 0 if it is no database any more, its size and its time.

        Raises OSError or sqlite3.Error when it cannot be read now.
        """
        stat = self._path.stat()
        if self._db is None or (stat.st_dev, stat.st_ino) != self._file:
            self.close()
            uri = f"{self._path.resolve().as_uri()}?mode=ro"
            self._db = sqlite3.connect(uri, uri=True, timeout=0, isolation_level=None)
            self._file = stat.st_dev, stat.st_ino
        if stat.st_size == 0:  # to SQLite it is another one each time
            return 0, 0, stat.st_mtime_ns
        try:
            (version,) = self._db.execute("PRAGMA data_version").fetchone()
        except sqlite3.DatabaseError as error:
            if error.sqlite_errorcode & 0xFF not in (sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT):
                raise
            version = 0
        return int(version), stat.st_size, stat.st_mtime_ns

    def close(self) -> None:
        """Close the file; the next call of `has_changed` opens it again."""
        self._version = None
        if self._db is not None:
            with suppress(sqlite3.Error):
                self._db.close()
            self._db = None
