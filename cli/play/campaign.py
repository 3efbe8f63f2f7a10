"""Creating the ledger of a campaign."""

from __future__ import annotations

import fcntl
import os
import re
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

from cli.context import LEDGER_FILE
from ledger.errors import LedgerError, Unreadable
from ledger.seeds import SeedFiles, sync_folder
from ledger.service import Ledger
from ledger.sqlite_store import create_store, open_store
from projections.projection import StateProjection
from projections.state import State
from rulebooks.common.game import Game

SEED_FILES = "seed-*"
LEDGER_ID = re.compile(r"[0-9a-f]{32}", re.ASCII)


def create_campaign(folder: Path, name: str, game: Game, *, at: str, ledger_id: str | None = None) -> Ledger[State]:
    """Create a campaign in `folder`. Raises LedgerError if there is one already or it cannot be written."""
    check_ledger_id(ledger_id)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise LedgerError(f"the folder cannot be made: {error.strerror}", where=str(folder)) from error
    path = folder / LEDGER_FILE
    with folder_lock(folder):
        if os.path.lexists(path):
            raise LedgerError("there is a ledger already", where=str(path), hint="Choose another folder.")
        keep_out_of_repositories(folder / ".gitignore")
        unfinished = create_unfinished(path, name, game, at=at, ledger_id=ledger_id)
        os.replace(unfinished, path)
        sync_folder(folder)
        sync_folder(folder.resolve().parent)
    store = open_store(path, write=True, models=StateProjection.read_models)
    return Ledger(store, game, StateProjection(), SeedFiles(folder))


def create_unfinished(path: Path, name: str, game: Game, *, at: str, ledger_id: str | None) -> Path:
    """Create the ledger under another name, so that one with its own name always has its first record."""
    unfinished = path.with_name(f"{path.name}.unfinished")
    remove_with_journal(unfinished)
    try:
        with closing(create_store(unfinished, StateProjection.read_models)) as store:
            ledger = Ledger(store, game, StateProjection(), SeedFiles(path.parent))
            ledger.create(name, at=at, ledger=ledger_id)
    except BaseException:
        remove_with_journal(unfinished)
        raise
    return unfinished


def remove_with_journal(path: Path) -> None:
    """Remove a database file and its journal, if they are there."""
    for file in (path, path.with_name(f"{path.name}-journal")):
        with suppress(FileNotFoundError):
            file.unlink()


@contextmanager
def folder_lock(folder: Path) -> Iterator[None]:
    """Hold a lock on a folder, so that two commands do not create a ledger in it at once."""
    file = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield
    finally:
        os.close(file)


def keep_out_of_repositories(path: Path) -> None:
    """Add the names of seed files to a `.gitignore`: a seed in a repository shows all faces of its session."""
    try:
        text = path.read_text(encoding="utf-8") if path.exists() else ""
        if SEED_FILES not in text.splitlines():
            path.write_text(f"{text}\n{SEED_FILES}\n".lstrip("\n"), encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise LedgerError(f"it cannot be written: {error}", where=str(path)) from error


def check_ledger_id(text: str | None) -> None:
    """Raise Unreadable if this is given and no id of a ledger."""
    if text is not None and not LEDGER_ID.fullmatch(text):
        raise Unreadable(f"'{text}' is not a ledger id", where="--id", hint="It has 32 hex digits, in small letters.")
