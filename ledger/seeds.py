"""The seed of an open session: a small file beside the ledger, readable by its owner only.

It is written and synced before the opening is appended, and deleted after the seed is revealed. It is named after its
commitment, so that two people who open at once do not overwrite each other's file. No export, backup or table contains
it. Its owner could still compute faces ahead; the README says so.
"""

from __future__ import annotations

import errno
import os
import stat
from contextlib import suppress
from typing import Final, Protocol

from ledger.dice import SEED_BYTES, session_key
from ledger.dice import commitment as commitment_of
from ledger.errors import LedgerError, Refused, Unreadable
from ledger.session import SessionState
from ledger.system import BINARY, NO_WAIT, sync_folder

SEED_FILE_BYTES_MOST: Final = 1024


class SeedDenied(Unreadable):
    """The seed is there, and somebody else alone may read it."""


class Seeds(Protocol):
    """Where seeds are kept until they are revealed."""

    def save(self, commitment: str, seed: bytes) -> None:
        """Save a seed durably."""

    def get(self, commitment: str) -> bytes | None:
        """Return the seed of a commitment, or None if it is missing."""

    def delete(self, commitment: str) -> None:
        """Delete a seed that is revealed or was never used."""


def write_secret(path: str, secret: bytes) -> None:
    """Write a new file of hex digits durably, for its owner alone to read."""
    file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(file, "w", encoding="ascii") as out:
        out.write(secret.hex() + "\n")
        out.flush()
        os.fsync(out.fileno())


class SeedFiles:
    """Seeds as files `seed-<commitment>.secret` in the campaign's folder, mode 0600."""

    def __init__(self, folder: str | os.PathLike[str]) -> None:
        self.folder = folder

    def path(self, commitment: str, suffix: str = ".secret") -> str:
        """Return the path of the file of this commitment."""
        return os.path.join(self.folder, f"seed-{commitment[:16]}{suffix}")

    def save(self, commitment: str, seed: bytes) -> None:
        """Write the file and sync it and its folder. Raises LedgerError when it cannot be written."""
        path = self.path(commitment)
        unfinished = self.path(commitment, ".unfinished")
        try:
            try:
                with suppress(FileNotFoundError):
                    os.unlink(unfinished)
                write_secret(unfinished, seed)
                os.replace(unfinished, path)
                sync_folder(self.folder)
            except BaseException:
                for written in (unfinished, path):
                    with suppress(OSError):
                        os.unlink(written)
                raise
        except OSError as error:
            raise LedgerError(
                f"the seed cannot be saved: {error.strerror}",
                where=str(self.folder),
                hint="Without it no dice can be drawn: free some space, or make the folder writable.",
            ) from error

    def get(self, commitment: str) -> bytes | None:
        """Return the seed in the file, or None.

        Raises SeedDenied if it is not for this user to read, and Unreadable if the file is not a seed.
        """
        path = self.path(commitment)
        try:
            text = read_regular_file(path, SEED_FILE_BYTES_MOST).decode("ascii").strip()
        except FileNotFoundError:
            return None
        except PermissionError as error:
            raise SeedDenied("the seed file is there, but you may not read it", where=path) from error
        except OSError as error:
            raise Unreadable(f"the seed file cannot be read: {error.strerror}", where=path) from error
        except UnicodeDecodeError:
            text = ""
        try:
            seed = bytes.fromhex(text)
        except ValueError:
            seed = b""
        if len(seed) != SEED_BYTES:
            raise Unreadable("the seed file does not contain 64 hex digits", where=path)
        return seed

    def delete(self, commitment: str) -> None:
        """Delete the file if it exists. One that stays gives nothing away: its seed is revealed, or was never used."""
        with suppress(OSError):
            os.unlink(self.path(commitment))


def read_regular_file(path: str | os.PathLike[str], most: int) -> bytes:
    """Return at most `most` bytes of a file. Raises OSError, without waiting, for a FIFO, a folder or a device."""
    file = os.open(path, os.O_RDONLY | NO_WAIT | BINARY)
    try:
        if not stat.S_ISREG(os.fstat(file).st_mode):
            raise OSError(errno.EINVAL, "it is not a regular file", str(path))
        return os.read(file, most)
    finally:
        os.close(file)


def find_key(seeds: Seeds, session: SessionState) -> bytes:
    """Return the key of an open session. Raises Refused without its seed."""
    return session_key(find_seed(seeds, session), session.ledger, session.number, session.words)


def find_seed(seeds: Seeds, session: SessionState) -> bytes:
    """Return the seed of an open session. Raises Refused if it is missing or not the one committed to."""
    try:
        seed = seeds.get(session.commitment)
    except SeedDenied as error:
        hint = "Its owner can close the session or make it readable. Without it type the faces, as in /7.6."
        raise Refused("L-SEED", error.what, where=error.where, hint=hint) from error
    except Unreadable as error:
        raise _seed_refusal(error.what, error.where) from error
    if seed is None:
        raise _seed_refusal(f"the seed file of session {session.number} is missing")
    if commitment_of(session.ledger, session.number, seed) != session.commitment:
        raise _seed_refusal(f"the seed that is kept is not that of session {session.number}")
    return seed


def _seed_refusal(what: str, where: str = "") -> Refused:
    """Return the refusal of a die while a session has no seed."""
    hint = (
        "Put it back (in a database: the key that sealed it, CAMPAIGN_KEY), or type the faces, as in /7.6."
        " Lost for good: campaign close --seed-lost"
    )
    return Refused("L-SEED", what, where=where, hint=hint)
