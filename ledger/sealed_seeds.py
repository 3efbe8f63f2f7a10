"""The seeds of open sessions of a campaign in a database, sealed with a key that the database does not have.

A seed is 32 random bytes. It is sealed by adding, bit by bit, an HMAC of its commitment under the key: no two seeds
have the same commitment, so no such pad is used for two. Whether the key is the right one shows when the seed is
compared with its commitment. Who has the key and may read the database could look ahead, as the owner of a seed file.
"""

from __future__ import annotations

import hashlib
import hmac
import os
from collections.abc import Callable
from contextlib import suppress
from typing import Final

from ledger.dice import SEED_BYTES
from ledger.errors import LedgerError, Unreadable
from ledger.seeds import SeedDenied, read_regular_file, write_secret
from ledger.sql_store import SqlStore
from ledger.system import sync_folder

KEY_VARIABLE: Final = "CAMPAIGN_KEY"
KEY_FILE: Final = "club.key"
KEY_BYTES: Final = 32
LABEL: Final = b"campaign-ledger seed seal v1"
SAVE: Final = "INSERT INTO seeds (commitment, sealed) VALUES (?, ?)"
GET: Final = "SELECT sealed FROM seeds WHERE commitment = ?"
DELETE: Final = "DELETE FROM seeds WHERE commitment = ?"


class SealedSeeds:
    """Seeds as rows of the table `seeds`."""

    def __init__(self, store: SqlStore, key: Callable[[], bytes]) -> None:
        """`key` returns the key, which is asked for only where a seed is used."""
        self._store, self._key = store, key

    def save(self, commitment: str, seed: bytes) -> None:
        """Seal a seed and save it. Raises LedgerError without a key."""
        sealed = self._changed(commitment, seed)
        with self._store.errors():
            self._store.tables.execute(SAVE, (commitment, sealed))

    def get(self, commitment: str) -> bytes | None:
        """Return the seed of a commitment, or None if it is missing. Raises SeedDenied without a key."""
        with self._store.errors():
            row = self._store.tables.execute(GET, (commitment,)).fetchone()
        if row is None:
            return None
        try:
            return self._changed(commitment, bytes(row[0]))
        except LedgerError as error:
            raise SeedDenied("the seed is sealed, and its key is not on this machine", where=error.where) from error

    def delete(self, commitment: str) -> None:
        """Delete a seed. One that stays gives nothing away: it is revealed, or was never used."""
        with suppress(LedgerError), self._store.errors():
            self._store.tables.execute(DELETE, (commitment,))

    def _changed(self, commitment: str, bytes_of_seed: bytes) -> bytes:
        """Return a seed sealed, or a sealed one as it was."""
        pad = hmac.digest(self._key(), LABEL + b"\n" + commitment.encode(), hashlib.sha256)
        return bytes(one ^ other for one, other in zip(bytes_of_seed, pad[:SEED_BYTES], strict=True))


def club_key(folder: str | os.PathLike[str]) -> bytes:
    """Return the key for seeds: of CAMPAIGN_KEY, else of a file in a folder, which is made if there is none.

    Raises Unreadable for one that is no key, LedgerError if it cannot be written.
    """
    path = os.path.join(folder, KEY_FILE)
    if text := os.environ.get(KEY_VARIABLE, ""):
        return _parse_key(text, KEY_VARIABLE)
    try:
        return _parse_key(read_regular_file(path, 1024).decode("ascii", "replace"), path)
    except FileNotFoundError:
        pass
    except OSError as error:
        raise Unreadable(f"the key cannot be read: {error.strerror}", where=path) from error
    return _make_key(path)


def _parse_key(text: str, where: str) -> bytes:
    """Return the key that a text is. Raises Unreadable."""
    try:
        key = bytes.fromhex(text.strip())
    except ValueError:
        key = b""
    if len(key) != KEY_BYTES:
        raise Unreadable(
            "the key of the club is not 64 hex digits", where=where, hint="Copy it from the other machine."
        )
    return key


def _make_key(path: str) -> bytes:
    """Make a key, for its owner alone to read, and return it. Raises LedgerError if it cannot be written."""
    key = os.urandom(KEY_BYTES)
    try:
        write_secret(path, key)
        sync_folder(os.path.dirname(path))
    except OSError as error:
        what = f"the key of the club cannot be saved: {error.strerror}"
        raise LedgerError(what, where=path, hint="Make the folder writable, or set CAMPAIGN_KEY.") from error
    return key
