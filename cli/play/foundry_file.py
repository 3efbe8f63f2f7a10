"""Files that Foundry has saved: their bytes, and the error of JSON that is nothing of Foundry's."""

from __future__ import annotations

from pathlib import Path

from ledger.errors import InputError, Unreadable
from ledger.names import escape


def read_whole_file(path: Path, most: int, hint: str) -> bytes:
    """Return the bytes of a file. Raises InputError for one that cannot be read, or has more than `most` bytes.

    `hint`: what to do about a file that is too large.
    """
    try:
        with path.open("rb") as file:
            content = file.read(most + 1)
    except OSError as error:
        raise InputError(f"{escape(str(path))} cannot be read: {error.strerror}", hint="Name a file.") from error
    if len(content) > most:
        raise InputError(f"{escape(str(path))} has more than {most >> 20} MiB", hint=hint)
    return content


def not_json(error: Exception, what: str, where: str, hint: str) -> Unreadable:
    """Return the error of JSON that msgspec did not decode. `what` it should be: `no actor`."""
    problem = "it is nested too deeply" if isinstance(error, RecursionError) else str(error)
    return Unreadable(f"{what}: {problem}", where=where, hint=hint)
