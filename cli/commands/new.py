"""`new` and `cast`: found a campaign, and let its people join."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from itertools import count, islice
from pathlib import Path

import click

from cli.context import LEDGER_FILE, CampaignContext, pass_campaign, read_toml
from cli.errors import CommandError, input_errors
from cli.output import print_line, remark, safe
from cli.render.log import tell, told
from ledger import names
from ledger.errors import LedgerError, Unreadable
from ledger.game import Declaration
from ledger.seeds import SeedFiles
from ledger.service import Ledger
from ledger.sqlite_store import SqliteStore, create, open_store
from projections.projection import StateProjection
from projections.state import State
from rulebooks import GAMES, book
from rulebooks.common.game import Book

COPIES_MOST = 20
LEDGER_ID = re.compile(r"[0-9a-f]{32}", re.ASCII)


@click.command()
@click.argument("name")
@click.argument("folder", required=False, type=click.Path(path_type=Path, file_okay=False))
@click.option("--game", type=click.Choice(list(GAMES)), default=next(iter(GAMES)), show_default=True)
@click.option("--id", "ledger", help="The ledger's id, 32 hex digits, for tests and samples; else by chance.")
@pass_campaign
def new_command(context: CampaignContext, name: str, folder: Path | None, game: str, ledger: str | None) -> None:
    """Found the campaign NAME in FOLDER (default: a new folder of that name).

    Example: campaign new "Gutter Saints"
    """
    with input_errors():
        clean = names.valid_name(name)
        ledger_id(ledger)
    where = folder or Path(names.name_key(clean))
    table = founded(where, clean, book(game), at=context.now, ledger=ledger)
    table.store.close()
    print_line(f"{clean} is founded in {safe(str(where))}")
    remark(f"Next: cd {where}, write a sheet, campaign cast SHEET.toml, campaign open")


def founded(where: Path, name: str, game: Book[State], *, at: str, ledger: str | None = None) -> Ledger[State]:
    """A new campaign in `where`. Raises LedgerError when there is one already or it cannot be written."""
    ledger_id(ledger)
    try:
        where.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise LedgerError(f"the folder cannot be made: {error.strerror}", where=str(where)) from error
    table = Ledger(
        unwritten(where / LEDGER_FILE) or create(where / LEDGER_FILE, StateProjection.read_models),
        game,
        StateProjection(),
        SeedFiles(where),
    )
    table.create(name, at=at, ledger=ledger)
    return table


def unwritten(path: Path) -> SqliteStore | None:
    """A ledger whose founding was cut off before its first record, or None."""
    if not path.is_file():
        return None
    store = open_store(path, write=True)
    if store.head().position == 0:
        return store
    store.close()
    return None


def ledger_id(text: str | None) -> None:
    """Raises Unreadable when this is given and no id of a ledger."""
    if text is not None and not LEDGER_ID.fullmatch(text):
        raise Unreadable(f"'{text}' is no ledger id", where="--id", hint="It has 32 hex digits, in small letters.")


@click.command()
@click.argument("sheets", nargs=-1, required=True)
@click.option("--because", default="", help="Why a sheet that was cast before is another now.")
@pass_campaign
def cast_command(context: CampaignContext, sheets: tuple[str, ...], because: str) -> None:
    """Let the beings of SHEETS (TOML files, or folders of them) join. All are read before the first joins.

    A sheet that was cast before and then edited changes the one in play, with a reason. FILE*3 casts three of a kind.

    Examples: campaign cast cast/kess.toml 'cast/brute.toml*3'   campaign cast kess.toml --because "level 3"
    """
    table, game = context.ledger(write=True), context.book()
    taken = {being.name for being in table.state.state.in_order()}
    for path, said in read_sheets(game, sheets, taken):
        try:
            meant = known(table, game, said, because)
            if meant is None:
                remark(f"{path}: in play already, and nothing on the sheet has changed")
                continue
            record = table.declare(meant, at=context.now)
        except LedgerError as error:
            error.where = error.where or path
            raise
        for line in tell(record):
            print_line(line)


def known(table: Ledger[State], game: Book[State], said: Declaration, because: str) -> Declaration | None:
    """The declaration of a sheet: of a newcomer, the change that it means for somebody in play, or None for none.

    Raises a usage error, after showing what would change, when the reason is missing.
    """
    name = getattr(said, "name", "")
    change = game.sheet_edits(said, because or "not said") if table.state.state.being(name) else None
    if change is None:
        return said
    facts = table.preview(change)
    if facts and not because:
        for line in told(tuple(facts)):
            remark(f"  {line}")
        raise click.UsageError(
            f'the sheet of {name} is another now. Say why, and it is appended: --because "a new level"'
        )
    return change if facts else None


def read_sheets(
    game: Book[State], sheets: Iterable[str | Path], taken: Collection[str] = ()
) -> list[tuple[str, Declaration]]:
    """The sheet files and their declarations; copies are numbered on from the names `taken`.

    Raises CommandError with every bad one.
    """
    said: list[tuple[str, Declaration]] = []
    bad: list[LedgerError] = []
    for path, number in sheet_files(sheets):
        try:
            content = read_toml(path)
            if number:
                content["name"] = numbered(str(content.get("name", "")), number, taken)
            said.append((str(path), game.sheet(content, str(path))))
        except LedgerError as error:
            bad.append(error)
    if bad:
        raise CommandError(*bad)
    return said


def numbered(name: str, copy: int, taken: Collection[str]) -> str:
    """The name of a copy: behind those that are in play already."""
    free = (f"{name} {number}" for number in count(1) if f"{name} {number}" not in taken)
    return next(islice(free, copy - 1, None))


def sheet_files(sheets: Iterable[str | Path]) -> Iterator[tuple[Path, int]]:
    """The files that are named, those of folders that are, and how the copies of `FILE*3` are numbered (0: not).

    Raises Unreadable for a folder without sheets, or a number of copies that is none.
    """
    for sheet in sheets:
        name, star, copies = str(sheet).rpartition("*")
        if star and not Path(sheet).exists():
            number = names.parse_whole(copies, where=str(sheet))
            if not 1 <= number <= COPIES_MOST:
                raise Unreadable(f"{number} copies", where=str(sheet), hint=f"1 to {COPIES_MOST} can join at once.")
            yield from ((Path(name), copy) for copy in range(1, number + 1))
            continue
        path = Path(sheet)
        found = sorted(path.glob("*.toml")) if path.is_dir() else [path]
        if not found:
            raise Unreadable("there is no sheet in this folder", where=str(path), hint="Sheets are files named *.toml.")
        yield from ((file, 0) for file in found)
