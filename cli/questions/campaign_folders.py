"""The folders with a campaign below a folder, at any depth.

Links to folders are followed, each folder once. Folders whose names begin with a dot are left out. What cannot be
looked into is found too, with its problem: one bad folder does not hide the others.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final, NamedTuple

from cli.questions.ledger_file import LEDGER_FILE

LINK_LOOP: Final = "it is a symbolic link that leads to itself"
DANGLING: Final = "it is a symbolic link to nothing"


class CampaignFolder(NamedTuple):
    """A folder with a ledger, or one that cannot be looked into and its problem."""

    path: Path
    problem: str = ""


def campaign_folders(top: Path, known: set[tuple[int, int]]) -> Iterator[CampaignFolder]:
    """Yield the folders with a ledger in and below a folder, in their order, and what cannot be looked into.

    `known` are the folders that were looked into before; they are left out, and those of this walk are added.
    """
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
            yield CampaignFolder(folder, _problem(error))
            continue
        if LEDGER_FILE in {entry.name for entry in entries}:
            yield CampaignFolder(folder)
        below = [entry for entry in entries if entry.name != LEDGER_FILE and not entry.name.startswith(".")]
        yield from _bad_links(below)
        left += [Path(entry.path) for entry in reversed(below) if _is_folder(entry)]


def path_text(path: Path) -> str:
    """Return a path as text that can be stored, also where its bytes are no UTF-8."""
    return os.fsencode(path).decode("utf-8", "backslashreplace")


def _bad_links(entries: Iterable[os.DirEntry[str]]) -> Iterator[CampaignFolder]:
    """Yield the links that lead nowhere."""
    for entry in entries:
        if entry.is_symlink():
            try:
                os.stat(entry.path)
            except OSError as error:
                yield CampaignFolder(Path(entry.path), _problem(error))


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
