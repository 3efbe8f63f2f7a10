"""Write the files of an export into a folder."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from cli.errors import InputError
from cli.output import safe


def write_lines(path: Path, lines: Iterable[str], *, mark: str = "") -> None:
    """Write lines as a file of UTF-8 text, with the folders above it.

    With a mark, a file that does not have it is somebody's own. Raises InputError for it, and if it cannot be written.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        if mark and path.exists() and mark not in path.read_text(encoding="utf-8", errors="replace").splitlines():
            raise InputError(f"{safe(str(path))} is not a file of an export", hint="Move it, or name another folder.")
        with path.open("w", encoding="utf-8") as file:
            file.writelines(f"{line}\n" for line in lines)
    except OSError as error:
        hint = "Name a folder that can be written to."
        raise InputError(f"{safe(str(path))} cannot be written: {error.strerror}", hint=hint) from error
