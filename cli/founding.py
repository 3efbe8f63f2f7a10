"""`new` and `cast`: found a campaign, and let its people join."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

import click

from cli.main import Wrong, typed
from cli.output import remark, safe, say
from cli.place import LEDGER, Place, pass_place, read_toml
from cli.telling import tell
from ledger import names
from ledger.errors import LedgerError, Unreadable
from ledger.game import Declaration
from ledger.seeds import SeedFiles
from ledger.sqlite import SqliteStore, found, opened
from ledger.table import Table
from projections.state import State
from projections.tally import Books
from rulebooks import GAMES, book
from rulebooks.common.game import Book

LEDGER_ID = re.compile(r"[0-9a-f]{32}", re.ASCII)


@click.command()
@click.argument("name")
@click.argument("folder", required=False, type=click.Path(path_type=Path, file_okay=False))
@click.option("--game", type=click.Choice(list(GAMES)), default=next(iter(GAMES)), show_default=True)
@click.option("--id", "ledger", help="The ledger's id, 32 hex digits, for tests and samples; else by chance.")
@pass_place
def new_command(place: Place, name: str, folder: Path | None, game: str, ledger: str | None) -> None:
    """Found the campaign NAME in FOLDER (default: a new folder of that name).

    Example: campaign new "Gutter Saints"
    """
    with typed():
        clean = names.name(name)
        ledger_id(ledger)
    where = folder or Path(names.key(clean))
    table = founded(where, clean, book(game), at=place.now, ledger=ledger)
    table.store.close()
    say(f"{clean} is founded in {safe(str(where))}")
    remark(f"Next: cd {where}, write a sheet, campaign cast SHEET.toml, campaign open")


def founded(where: Path, name: str, game: Book[State], *, at: str, ledger: str | None = None) -> Table[State]:
    """A new campaign in `where`. Raises LedgerError when there is one already or it cannot be written."""
    ledger_id(ledger)
    try:
        where.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise LedgerError(f"the folder cannot be made: {error.strerror}", where=str(where)) from error
    table = Table(unwritten(where / LEDGER) or found(where / LEDGER), game, Books(), SeedFiles(where))
    table.found(name, at=at, ledger=ledger)
    return table


def unwritten(path: Path) -> SqliteStore | None:
    """A ledger whose founding was cut off before its first record, or None."""
    if not path.is_file():
        return None
    store = opened(path, write=True)
    if store.head().position == 0:
        return store
    store.close()
    return None


def ledger_id(text: str | None) -> None:
    """Raises Unreadable when this is given and no id of a ledger."""
    if text is not None and not LEDGER_ID.fullmatch(text):
        raise Unreadable(f"'{text}' is no ledger id", where="--id", mend="It has 32 hex digits, in small letters.")


@click.command()
@click.argument("sheets", nargs=-1, required=True, type=click.Path(path_type=Path))
@pass_place
def cast_command(place: Place, sheets: tuple[Path, ...]) -> None:
    """Let the beings of SHEETS (TOML files, or folders of them) join. All are read before the first joins.

    Example: campaign cast cast/kess.toml cast/orrin.toml
    """
    table = place.table(write=True)
    for path, said in read_sheets(place.book(), sheets):
        try:
            record = table.declare(said, at=place.now)
        except LedgerError as error:
            error.where = error.where or str(path)
            raise
        for line in tell(record):
            say(line)


def read_sheets(game: Book[State], sheets: Iterable[Path]) -> list[tuple[Path, Declaration]]:
    """The sheet files and their declarations; raises Wrong with every bad one."""
    said: list[tuple[Path, Declaration]] = []
    bad: list[LedgerError] = []
    for path in sheet_files(sheets):
        try:
            said.append((path, game.sheet(read_toml(path), str(path))))
        except LedgerError as error:
            bad.append(error)
    if bad:
        raise Wrong(*bad)
    return said


def sheet_files(sheets: Iterable[Path]) -> Iterator[Path]:
    """The files that are named, and the TOML files of folders that are, by name. Raises Unreadable for an empty one."""
    for path in sheets:
        found = sorted(path.glob("*.toml")) if path.is_dir() else [path]
        if not found:
            raise Unreadable("there is no sheet in this folder", where=str(path), mend="Sheets are files named *.toml.")
        yield from found
