"""The seed of an open session: a small file beside the ledger, readable by its owner only.

It is written and synced before the opening is appended, and deleted after the seed is revealed. It is named after its
commitment, so that two people who open at once do not overwrite each other's file. No export, backup or table contains
it. Its owner could still compute faces ahead; the README says so.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Protocol

from ledger.dice import SEED_BYTES
from ledger.errors import LedgerError, Unreadable


class Seeds(Protocol):
    """Where seeds are kept until they are revealed."""

    def save(self, commitment: str, seed: bytes) -> None:
        """Save a seed durably."""

    def get(self, commitment: str) -> bytes | None:
        """Return the seed of a commitment, or None if it is missing."""

    def delete(self, commitment: str) -> None:
        """Delete a seed that is revealed or was never used."""


class SeedFiles:
    """Seeds as files `seed-<commitment>.secret` in the campaign's folder, mode 0600."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def path(self, commitment: str) -> Path:
        """Return the path of the file of this commitment."""
        return self.folder / f"seed-{commitment[:16]}.secret"

    def save(self, commitment: str, seed: bytes) -> None:
        """Write the file and sync it and its folder. Raises LedgerError when it cannot be written."""
        try:
            file = os.open(self.path(commitment), os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
            with os.fdopen(file, "w", encoding="ascii") as out:
                out.write(seed.hex() + "\n")
                out.flush()
                os.fsync(out.fileno())
            folder = os.open(self.folder, os.O_RDONLY)
            try:
                os.fsync(folder)
            finally:
                os.close(folder)
        except OSError as error:
            raise LedgerError(
                f"the seed cannot be saved: {error.strerror}",
                where=str(self.folder),
                hint="Without it no dice can be drawn: free some space, or make the folder writable.",
            ) from error

    def get(self, commitment: str) -> bytes | None:
        """Return the seed in the file, or None. Raises Unreadable if the file is not a seed."""
        try:
            text = self.path(commitment).read_text(encoding="ascii").strip()
        except FileNotFoundError:
            return None
        except (OSError, UnicodeDecodeError) as error:
            raise Unreadable("the seed file cannot be read", where=str(self.path(commitment))) from error
        try:
            seed = bytes.fromhex(text)
        except ValueError:
            seed = b""
        if len(seed) != SEED_BYTES:
            raise Unreadable(
                "the seed file does not contain 64 hex digits",
                where=str(self.path(commitment)),
                hint="Put the right file back.",
            )
        return seed

    def delete(self, commitment: str) -> None:
        """Delete the file if it exists."""
        self.path(commitment).unlink(missing_ok=True)
