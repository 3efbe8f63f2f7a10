"""The seed of an open session: a small file beside the ledger, readable by its owner alone.

It is written and synced before the session's opening is appended, named after its commitment (of two people who
open at once only one is recorded, and each wrote a file of their own), and removed once the seed is revealed.
It goes into no export, backup or table. Whoever sits at the keyboard could still look ahead; the README says so.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Protocol

from ledger.dice import SEED_BYTES
from ledger.errors import LedgerError, Unreadable


class Seeds(Protocol):
    """Where seeds lie until they are revealed."""

    def save(self, commitment: str, seed: bytes) -> None:
        """Keep a seed, durably."""

    def get(self, commitment: str) -> bytes | None:
        """The seed behind a commitment, or None when it is not here."""

    def delete(self, commitment: str) -> None:
        """Let go of a seed that is revealed or was never used."""


class SeedFiles:
    """Seeds as files `seed-<commitment>.secret` in the campaign's folder, mode 0600."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def path(self, commitment: str) -> Path:
        """Where the seed of this commitment lies."""
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
                f"the seed cannot be kept: {error.strerror}",
                where=str(self.folder),
                hint="Without it no dice can be drawn; make room or the folder writable.",
            ) from error

    def get(self, commitment: str) -> bytes | None:
        """The seed in the file, or None. Raises Unreadable when the file is not a seed."""
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
                "the seed file holds no seed of 64 hex digits",
                where=str(self.path(commitment)),
                hint="Put the right file back.",
            )
        return seed

    def delete(self, commitment: str) -> None:
        """Remove the file, if it is there."""
        self.path(commitment).unlink(missing_ok=True)


class MemorySeeds:
    """Seeds in a dict: for tests and stores in memory."""

    def __init__(self) -> None:
        self._seeds: dict[str, bytes] = {}

    def save(self, commitment: str, seed: bytes) -> None:
        """Keep it."""
        self._seeds[commitment] = seed

    def get(self, commitment: str) -> bytes | None:
        """The seed, or None."""
        return self._seeds.get(commitment)

    def delete(self, commitment: str) -> None:
        """Let go of it."""
        self._seeds.pop(commitment, None)
