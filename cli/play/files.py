"""Write the files that a person asks for: pages, tables, notes.

Every file is written beside its target and renamed over it, so that a full disk or a kill leaves the old file whole. A
file that is there is replaced only if the program wrote it, which its first bytes show, or with `--force`; ledgers and
seeds never. A link in place of a file is not followed, nor is a link named as the folder of many files (tables, notes,
pages). A single file may stand below a linked folder, as temporary folders of some systems do.
"""

from __future__ import annotations

import errno
import os
import re
import secrets
import stat
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final, NamedTuple

from ledger.errors import InputError, LedgerError
from ledger.names import escape
from ledger.sqlite_schema import APPLICATION_ID
from ledger.system import BINARY, NO_LINK, NO_WAIT, sync_folder

DEVICES: Final = re.compile(r"con|prn|aux|nul|(?:com|lpt)[0-9¹²³]", re.IGNORECASE)  # no names of files on Windows
HEAD_BYTES: Final = 4096
NEVER: Final = re.compile(r"ledger\.db.*|.*\.secret[. ]*|seed-.*\.unfinished", re.IGNORECASE | re.DOTALL)
SQLITE: Final = b"SQLite format 3\0"
DISK_ERRORS: Final = (errno.ENOSPC, errno.EIO, getattr(errno, "EDQUOT", errno.ENOSPC))


class FileKind(NamedTuple):
    """A kind of file that the program writes: its name, and whether a file begins as one of them."""

    name: str
    is_own: Callable[[bytes], bool]


def write_lines(path: Path, lines: Iterable[str], kind: FileKind, *, force: bool = False) -> None:
    """Write lines as a file of UTF-8 text, with the folders above it.

    Raises InputError for a file that may not be replaced and for a place where none can be written, and LedgerError if
    the disk is full.
    """
    with replaced_file(path, kind, force=force) as unfinished:
        write_bytes(unfinished, (f"{line}\n".encode() for line in lines))


def write_bytes(path: Path, parts: Iterable[bytes]) -> None:
    """Write the bytes of a file, and sync them."""
    with path.open("wb") as file:
        file.writelines(parts)
        file.flush()
        os.fsync(file.fileno())


@contextmanager
def replaced_file(path: Path, kind: FileKind, *, force: bool = False) -> Iterator[Path]:
    """Yield the path of a new empty file, which takes the place of `path` at the end; after an error it is gone.

    Whoever writes it syncs it. Raises the errors of `write_lines`.
    """

    def check() -> bool:
        check_target(path, kind, force=force)
        return True

    with write_errors(path):
        check()
        path.parent.mkdir(parents=True, exist_ok=True)
        with file_beside(path, check) as unfinished:
            yield unfinished


def remove_with_journal(path: Path) -> None:
    """Remove a file, and its journal if it is a database; both may be missing."""
    for file in (path, path.with_name(f"{path.name}-journal")):
        file.unlink(missing_ok=True)


@contextmanager
def file_beside(path: Path, may_replace: Callable[[], bool]) -> Iterator[Path]:
    """Yield the path of a new empty file in the same folder, and rename it to `path` if `may_replace` says so then."""
    unfinished = path.with_name(f".campaign-{secrets.token_hex(8)}.unfinished")
    try:
        os.close(os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_EXCL | BINARY, 0o666))
        yield unfinished
        with suppress(FileNotFoundError):
            unfinished.chmod(stat.S_IMODE(path.lstat().st_mode))
        if may_replace():
            unfinished.replace(path)
            with suppress(OSError):  # it is written, and some folders cannot be synced
                sync_folder(path.parent)
    finally:
        remove_with_journal(unfinished)


class OutputFolder:
    """A folder that files of one kind are written into. Neither it nor a folder in it may be a symbolic link."""

    def __init__(self, path: Path, *, force: bool = False) -> None:
        self.path, self.force = path, force
        with write_errors(path):
            check_folders(path, ())

    def check(self, name: str, kind: FileKind) -> None:
        """Raise InputError if the file of this name may not be written."""
        with write_errors(self.path / name):
            check_folders(self.path, Path(name).parts[:-1])
            check_target(self.path / name, kind, force=self.force)

    def write(self, name: str, lines: Iterable[str], kind: FileKind) -> None:
        """Write lines as the file of this name."""
        self.check(name, kind)
        write_lines(self.path / name, lines, kind, force=self.force)


def check_folders(folder: Path, below: Iterable[str]) -> None:
    """Raise InputError if a folder, or one of those below it, is a symbolic link."""
    for part in ("", *below):
        folder = folder / part
        if folder.is_symlink():
            raise refusal(folder, "is a symbolic link", f"Name the folder itself: {escape(os.path.realpath(folder))}.")


def check_target(path: Path, kind: FileKind, *, force: bool) -> None:
    """Raise InputError unless a file of this kind may be written to `path`. Raises OSError where it cannot be read."""
    check_name(path)
    for folder in path.parents:
        if folder.is_symlink() and not folder.exists():
            raise refusal(folder, "is a symbolic link to nothing", "Name a folder that is there.")
    try:
        mode = path.lstat().st_mode
    except FileNotFoundError:
        return
    if stat.S_ISLNK(mode):
        raise refusal(path, "is a symbolic link", f"Name the file itself: {escape(os.path.realpath(path))}.")
    if not stat.S_ISREG(mode):
        what = "is a folder" if stat.S_ISDIR(mode) else "is not a file but a device or a pipe"
        raise refusal(path, what, "Name another file.")
    first = first_bytes(path)
    if first.startswith(SQLITE) and first[68:72] == APPLICATION_ID.to_bytes(4, "big"):
        raise refusal(path, "is a ledger", "Name another file.")
    if not force and not kind.is_own(first):
        raise refusal(
            path, f"is there, and is not {kind.name} of this program", "Name another file, or replace it with --force."
        )
    if not os.access(path, os.W_OK):
        raise refusal(path, "is read-only for you", "Make it writable, or name another file.")


def check_name(path: Path) -> None:
    """Raise InputError for the name of a ledger, of what belongs to one, or of a secret."""
    if NEVER.fullmatch(path.name):
        raise refusal(path, "has the name of a ledger or of a secret", "Name another file.")


def first_bytes(path: Path) -> bytes:
    """Return the first bytes of a file, without waiting, and never through a link."""
    file = os.open(path, os.O_RDONLY | NO_LINK | NO_WAIT | BINARY)
    try:
        return os.read(file, HEAD_BYTES)
    finally:
        os.close(file)


def refusal(path: Path, what: str, hint: str) -> InputError:
    """Return the error for a file that is not written."""
    return InputError(f"{escape(str(path))} {what}", hint=hint)


@contextmanager
def write_errors(path: Path) -> Iterator[None]:
    """Turn OSError into InputError, or into LedgerError if it is one of the disk."""
    try:
        yield
    except OSError as error:
        what = f"{escape(str(path))} cannot be written: {error.strerror or error}"
        if error.errno in DISK_ERRORS:
            left = "The old file is as it was." if os.path.lexists(path) else "There is no file of this name."
            raise LedgerError(what, hint=f"Free some space on the disk, or check it. {left}") from error
        raise InputError(what, hint="Name a folder that can be written to.") from error
