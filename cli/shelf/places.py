"""Where the campaigns of a shelf are: every folder with a ledger in it, below those that are named.

Links to folders are followed, each folder once. Folders whose names begin with a dot are left out. What cannot be
looked into is a place too, with its problem: one bad folder does not hide the others.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final

import msgspec

from cli.questions.ledger_file import LEDGER_FILE
from ledger.errors import InputError
from ledger.names import escape
from ledger.sqlite_connection import file_times

LINK_LOOP: Final = "it is a symbolic link that leads to itself"
DANGLING: Final = "it is a symbolic link to nothing"

GONE: Final = "it is not there any more"


class ShelfPlace(msgspec.Struct, frozen=True):
    """A campaign on a shelf.

    Attributes:
        campaign: what it is called in the rows: its folder, below that of the results if it is there.
        address: its folder.
        stamp: what changes when the ledger does; empty if there is none to read.
        problem: why it cannot be looked at, if it cannot.
    """

    campaign: str
    address: str
    stamp: str = ""
    problem: str = ""


class Shelf:
    """The campaigns below some folders."""

    def __init__(self, folders: Sequence[Path], home: Path) -> None:
        """`home` is the folder of the results. Raises InputError for what is no folder."""
        for folder in folders:
            if not folder.is_dir():
                what = "is no folder" if os.path.lexists(folder) else "is not there"
                raise InputError(f"{escape(str(folder))} {what}", hint="Name the folder above your campaigns.")
        self._folders, self._home = [folder.resolve() for folder in folders], home.resolve()

    def places(self) -> Iterator[ShelfPlace]:
        """Yield every campaign in order of its folder, and what cannot be looked into."""
        known = set[tuple[int, int]]()
        for top in self._folders:
            left = [top]
            while left:
                folder = left.pop()
                try:
                    status = folder.stat()
                    if (status.st_dev, status.st_ino) in known:
                        continue
                    known.add((status.st_dev, status.st_ino))
                    entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
                except OSError as error:
                    yield self._place(folder, _problem(error))
                    continue
                names = {entry.name for entry in entries}
                if LEDGER_FILE in names:
                    yield self._place(folder)
                below = [entry for entry in entries if entry.name != LEDGER_FILE and not entry.name.startswith(".")]
                yield from self._bad_links(below)
                left += [Path(entry.path) for entry in reversed(below) if _is_folder(entry)]

    def missing(self, campaigns: Iterable[str]) -> Iterator[ShelfPlace]:
        """Yield those of some campaigns, which were here once, as places with that problem."""
        for campaign in campaigns:
            folder = self._home / campaign
            if any(folder.is_relative_to(top) for top in self._folders):
                yield ShelfPlace(campaign, str(folder), problem=GONE)

    def _bad_links(self, entries: Iterable[os.DirEntry[str]]) -> Iterator[ShelfPlace]:
        """Yield the links that lead nowhere."""
        for entry in entries:
            if entry.is_symlink():
                try:
                    os.stat(entry.path)
                except OSError as error:
                    yield self._place(Path(entry.path), _problem(error))

    def _place(self, folder: Path, problem: str = "") -> ShelfPlace:
        """Return the place of a folder."""
        name = folder.relative_to(self._home) if folder.is_relative_to(self._home) else folder
        times = file_times(folder / LEDGER_FILE) if not problem else None
        return ShelfPlace(_text(name), str(folder), " ".join(map(str, times or ())), problem)


def _text(path: Path) -> str:
    """Return a path as text that can be stored, also where its bytes are no UTF-8."""
    return os.fsencode(path).decode("utf-8", "backslashreplace")


def _is_folder(entry: os.DirEntry[str]) -> bool:
    """Return whether an entry is a folder, or a link to one."""
    try:
        return entry.is_dir()
    except OSError:
        return False


def _problem(error: OSError) -> str:
    """Return why a folder cannot be looked into."""
    problems = {errno.ELOOP: LINK_LOOP, errno.ENOENT: DANGLING}
    return problems.get(error.errno or 0, f"it cannot be read: {error.strerror}")
