"""Creating the ledger of a campaign."""

from __future__ import annotations

import re
from pathlib import Path

from cli.context import LEDGER_FILE
from ledger.errors import LedgerError, Unreadable
from ledger.seeds import SeedFiles
from ledger.service import Ledger
from ledger.sqlite_store import SqliteStore, create_store, open_store
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
    store = open_unfinished(folder / LEDGER_FILE) or create_store(folder / LEDGER_FILE, StateProjection.read_models)
    ledger = Ledger(store, game, StateProjection(), SeedFiles(folder))
    keep_out_of_repositories(folder / ".gitignore")
    ledger.create(name, at=at, ledger=ledger_id)
    return ledger


def keep_out_of_repositories(path: Path) -> None:
    """Add the names of seed files to a `.gitignore`: a seed in a repository shows all faces of its session."""
    try:
        text = path.read_text(encoding="utf-8") if path.exists() else ""
        if SEED_FILES not in text.splitlines():
            path.write_text(f"{text}\n{SEED_FILES}\n".lstrip("\n"), encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise LedgerError(f"it cannot be written: {error}", where=str(path)) from error


def open_unfinished(path: Path) -> SqliteStore | None:
    """Open a ledger whose creation was interrupted before its first record; None for any other."""
    if not path.is_file():
        return None
    store = open_store(path, write=True, models=StateProjection.read_models)
    if store.head().position == 0:
        return store
    store.close()
    return None


def check_ledger_id(text: str | None) -> None:
    """Raise Unreadable if this is given and no id of a ledger."""
    if text is not None and not LEDGER_ID.fullmatch(text):
        raise Unreadable(f"'{text}' is not a ledger id", where="--id", hint="It has 32 hex digits, in small letters.")
