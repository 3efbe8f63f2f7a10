"""Creating the ledger of a campaign."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path

from cli.club import sealed_seeds
from cli.play.files import remove_with_journal
from cli.questions.ledger_file import LEDGER_FILE
from ledger.campaign_source import check_library
from ledger.errors import Damaged, LedgerError, Unreadable
from ledger.names import fold_case
from ledger.postgres_address import DatabaseAddress, campaign_key
from ledger.records import EMPTY, Door, Sender
from ledger.seeds import SeedFiles
from ledger.service import Ledger
from ledger.sqlite_store import SqliteStore, create_store, open_store
from ledger.system import folder_lock, sync_folder
from projections.projection import StateProjection
from projections.state import State
from rulebooks.common.game import Game

SEED_FILES = "seed-*"
SQLITE_ENDS = ("-journal", "-wal")  # of the names of files with what is not yet, or no longer, in the database
TRY_AGAIN = "Free some space or check the disk, then try again."
NOT_IN_FOLDERS = re.compile(r"[^\w'’]+")
LEDGER_ID = re.compile(r"[0-9a-f]{32}", re.ASCII)


def folder_name(name: str) -> str:
    """Return the name of the folder of a campaign: `über-ort-3-4` for "Über Ort: 3/4"."""
    return NOT_IN_FOLDERS.sub("-", fold_case(name)).strip("-")


def create_campaign(
    folder: Path, name: str, game: Game, *, at: str, ledger_id: str | None = None, door: Door = "keyboard"
) -> Ledger[State]:
    """Create a campaign in `folder`; what is written to its ledger comes in by `door`.

    Raises LedgerError if there is one already or it cannot be written.
    """
    check_ledger_id(ledger_id)

    def fill(unfinished: Path) -> None:
        with closing(create_store(unfinished, StateProjection.read_models)) as store:
            Ledger(store, game, StateProjection(), SeedFiles(folder), Sender(door)).create(
                name, at=at, ledger=ledger_id
            )

    store = place_ledger(folder, fill)
    return Ledger(store, game, StateProjection(), SeedFiles(folder), Sender(door))


def create_in_database(
    address: DatabaseAddress, name: str, game: Game, *, at: str, ledger_id: str | None = None
) -> DatabaseAddress:
    """Create a campaign in a database, under the name in its address or under one like its own; return its address.

    Raises LedgerError if there is one of this name, or the database cannot be used.
    """
    check_ledger_id(ledger_id)
    check_library()
    from ledger.postgres_store import create_store as create_store_in_database

    address = address if address.campaign else address.with_campaign(campaign_key(folder_name(name)))
    with closing(create_store_in_database(address, StateProjection.read_models)) as store:
        ledger = Ledger(store, game, StateProjection(), sealed_seeds(store), Sender("keyboard"))
        ledger.create(name, at=at, ledger=ledger_id)
    return address


def place_ledger(folder: Path, fill: Callable[[Path], None]) -> SqliteStore:
    """Return a new ledger in `folder`, open; `fill` writes the file, under another name.

    Raises LedgerError if there is one already or it cannot be written.
    """
    make_folder(folder)
    path = folder / LEDGER_FILE
    with folder_lock(folder):
        if os.path.lexists(path) and not is_without_records(path):
            raise LedgerError("there is a ledger already", where=str(path), hint="Choose another folder.")
        check_left_over(path)
        keep_out_of_repositories(folder / ".gitignore")
        create_ledger_file(path, fill)
        try:
            sync_folder(folder)
            return open_store(path, write=True, models=StateProjection.read_models)
        except (OSError, LedgerError) as error:
            what = f"the campaign is created, but: {error.strerror if isinstance(error, OSError) else error.what}"
            raise LedgerError(what, where=str(path), hint="Check the disk, and the ledger: campaign verify.") from error


def check_left_over(path: Path) -> None:
    """Raise LedgerError where a file of SQLite is beside the place of a ledger: it would be played into the new one."""
    for end in SQLITE_ENDS:
        if os.path.lexists(file := f"{path}{end}"):
            raise LedgerError(
                "this file belongs to a ledger that was here, and would be played into the new one",
                where=file,
                hint="Move it to where that ledger is, or remove it if the ledger is gone.",
            )


def is_without_records(path: Path) -> bool:
    """Return whether a file is what a killed creation leaves: no bytes, once recovered, or a ledger without records."""
    try:
        with closing(open_store(path, write=True, models=StateProjection.read_models)) as store:
            return store.head() == EMPTY
    except Damaged:
        return path.stat().st_size == 0
    except LedgerError:
        return False


def make_folder(folder: Path) -> None:
    """Make a folder and those above it durably. Raises LedgerError where that fails."""
    try:
        new = [each for each in (folder, *folder.parents) if not each.exists()]
        folder.mkdir(parents=True, exist_ok=True)
        for each in new or [folder]:
            with suppress(PermissionError):  # a folder that may be entered but not listed cannot be opened to sync it
                sync_folder(each.resolve().parent)
    except OSError as error:
        raise LedgerError(f"the folder cannot be made: {error.strerror}", where=str(folder)) from error


def create_ledger_file(path: Path, fill: Callable[[Path], None]) -> None:
    """Create the ledger under another name, so that one with its own name always has its first record."""
    unfinished = path.with_name(f"{path.name}.unfinished")
    try:
        try:
            remove_with_journal(unfinished)
            fill(unfinished)
            os.replace(unfinished, path)
        except BaseException:
            remove_with_journal(unfinished)
            raise
    except OSError as error:
        raise LedgerError(f"no campaign is created: {error.strerror}", where=str(path), hint=TRY_AGAIN) from error
    except LedgerError as error:
        first = error.__cause__ if isinstance(error.__cause__, LedgerError) else error  # without what is kept in a file
        raise LedgerError(f"no campaign is created: {first.what}", where=str(path), hint=TRY_AGAIN) from error


def keep_out_of_repositories(path: Path, names: str = SEED_FILES) -> None:
    """Add names of files to a `.gitignore`: a seed in a repository shows all faces of its session."""
    try:
        text = path.read_text(encoding="utf-8") if path.exists() else ""
        if names not in text.splitlines():
            with path.open("a", encoding="utf-8") as file:  # what is in it already is never at risk
                file.write(f"\n{names}\n" if text else f"{names}\n")
                file.flush()
                os.fsync(file.fileno())
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise LedgerError(f"it cannot be written: {reason}", where=str(path)) from error


def check_ledger_id(text: str | None) -> None:
    """Raise Unreadable if this is given and no id of a ledger."""
    if text is not None and not LEDGER_ID.fullmatch(text):
        raise Unreadable(f"'{text}' is not a ledger id", where="--id", hint="It has 32 hex digits, in small letters.")
