"""What holds after every fault: nothing stored is wrong, the seed is there, and the next commands work."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from ledger.sqlite_store import open_store
from tests.cli.conftest import CAST, Folder

DRAWN = 'o "force the door" m v4'  # needs the seed


def write_cast(path: Path) -> Path:
    """Write the sheets of the cast into a folder, and return it."""
    for name, sheet in CAST.items():
        Folder(path).file(name, sheet)
    return path


def bodies(folder: Folder) -> list[bytes]:
    """Return the records of a ledger, recovered as the next command would do it; none if there is no ledger."""
    if not folder.ledger.exists():
        return []
    store = open_store(folder.ledger, write=False)
    try:
        return [stored.body for stored in store.read()]
    finally:
        store.close()


def fingerprint(folder: Folder) -> tuple[tuple[str, bytes], ...]:
    """Return the names and bytes of the files; of journals and unfinished files, which nobody reads, the names."""
    files = sorted(path for path in folder.path.rglob("*") if path.is_file())
    return tuple(
        (path.name, b"" if re.search("journal|unfinished", path.name) else path.read_bytes()) for path in files
    )


class NextCommands:
    """The commands that are given after a fault, when the ledger is recovered. Equal folders are checked once."""

    def __init__(self, cast: Path) -> None:
        self.cast = cast
        self.checked: set[object] = set()

    def problems(self, folder: Folder) -> Iterator[str]:
        """Yield what does not work in a folder. Raises an error of a command that must work."""
        if (files := fingerprint(folder)) in self.checked:
            return
        self.checked.add(files)
        if not folder.ledger.exists():
            folder.run("new", "Salt Ward", str(folder.path))
        if "seed-*" not in (folder.path / ".gitignore").read_text().splitlines():
            yield "seeds are not kept out of repositories"
        if len(bodies(folder)) == 1:
            folder.run("cast", str(self.cast))
        for command in (["verify"], ["open"], ["do", DRAWN], ["verify"]):
            done = folder.invoke(*command)
            if done.exit_code and "L-OPEN: " not in done.stderr:
                yield f"{command}: {done.output}"
