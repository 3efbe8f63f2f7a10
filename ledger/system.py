"""What the operating systems do differently: flags for opening files, durable names, a lock on a folder."""

from __future__ import annotations

import os
import sqlite3
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from typing import Final

NO_WAIT: Final[int] = getattr(os, "O_NONBLOCK", 0)  # do not wait for the writer of a FIFO; Windows has none
NO_LINK: Final[int] = getattr(os, "O_NOFOLLOW", 0)  # refuse a symbolic link
BINARY: Final[int] = getattr(os, "O_BINARY", 0)  # Windows would change the ends of lines
LOCK_FILE: Final = "ledger.db.lock"
LOCK_SECONDS: Final = 20


def sync_folder(folder: str | os.PathLike[str]) -> None:
    """Make the names of the files in a folder durable. Windows cannot open a folder, and does so by itself."""
    if sys.platform == "win32":
        return
    file = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(file)
    finally:
        os.close(file)


@contextmanager
def folder_lock(folder: str | os.PathLike[str]) -> Iterator[None]:
    """Hold a lock on a folder, so that two commands do not create a ledger in it at once."""
    if sys.platform == "win32":
        with file_lock(os.path.join(folder, LOCK_FILE)):
            yield
        return
    import fcntl

    file = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield
    finally:
        with suppress(OSError):  # nothing was written to it
            os.close(file)


@contextmanager
def file_lock(path: str) -> Iterator[None]:
    """Hold SQLite's lock on an empty database, which is removed at the end.

    Only for Windows, where a file that another process has open is not removed.
    """
    from ledger.sqlite_connection import transaction, translate_errors  # imported here to start faster

    with (
        translate_errors(path),
        closing(sqlite3.connect(path, timeout=LOCK_SECONDS, isolation_level=None)) as db,
        transaction(db),
    ):
        yield
    with suppress(OSError):
        os.unlink(path)
