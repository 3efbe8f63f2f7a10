"""`browse`: look at the tables of a campaign in a browser, with Datasette."""

from __future__ import annotations

import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib.util import find_spec
from pathlib import Path
from shutil import which
from typing import Final

import click
import msgspec
from click.exceptions import Exit

from cli.context import CampaignContext
from cli.options import force_option, pass_campaign, view_option
from cli.output import remark
from cli.play.files import FileKind, OutputFolder, replaced_file
from cli.progress import progress
from cli.questions.campaign import campaign_name, tables_of
from cli.questions.players_ledger import store_for
from cli.questions.roles import PLAYERS
from cli.render.datasette import datasette_metadata, is_own_metadata
from ledger.errors import InputError
from ledger.table_file import finds_rows, is_table_file, write_table_file

DATABASE: Final = "campaign"
METADATA: Final = "metadata.json"
DATABASE_KIND: Final = FileKind("a file of tables", is_table_file)
METADATA_KIND: Final = FileKind("the metadata", is_own_metadata)
HANGUP: Final[int] = getattr(signal, "SIGHUP", signal.SIGTERM)  # the terminal is closed; Windows has no such signal
ENDING: Final = (signal.SIGTERM, HANGUP)  # SIGINT raises KeyboardInterrupt by itself
INSTALL = 'Install it: pip install "campaign-ledger[browse]". Or write its files: campaign browse --files DIR.'


@click.command()
@view_option(PLAYERS)
@click.option("--port", type=click.IntRange(0, 65535), default=8001, show_default=True, help="0: any that is free.")
@click.option(
    "--files",
    "folder",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="DIR",
    help="Only write campaign.db and metadata.json into DIR, to be served elsewhere.",
)
@force_option("Replace files that are there and are not of an export, with --files.")
@pass_campaign
def browse_command(context: CampaignContext, role: str, port: int, folder: Path | None, force: bool) -> None:
    """Serve the tables of the campaign with Datasette on this machine, until it is interrupted.

    It gets a file of its own with what the players may see, or with everything (`--as gm`), but never the ledger: no
    record, no seed, nothing hidden. The file is as the ledger is now, and is deleted at the end.

    Examples: campaign browse   campaign browse --as gm --port 8010   campaign browse --files site
    """
    program = None if folder else find_datasette()
    if force and not folder:
        raise click.UsageError("--force replaces files: name their folder with --files.")
    if folder:
        write_files(context, folder, role, force=force)
        remark(f"Serve it: datasette -i {folder / DATABASE}.db -m {folder / METADATA}")
        return
    with endable(), tempfile.TemporaryDirectory(prefix="campaign-browse-") as name:
        path = Path(name)
        write_files(context, path, role)
        context.close()
        database, metadata = path / f"{DATABASE}.db", path / METADATA
        words = [*(program or ()), "serve", "-i", str(database), "-m", str(metadata), "-p", str(port)]
        with suppress(KeyboardInterrupt):  # it ends Datasette too
            raise Exit(subprocess.run(words, check=False).returncode)


@contextmanager
def endable() -> Iterator[None]:
    """Let SIGTERM and a closed terminal end the command by an exception, so that Datasette and its file go with it."""

    def end(number: int, _: object) -> None:
        raise Exit(128 + number)

    before = {number: signal.signal(number, end) for number in ENDING}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def find_datasette() -> list[str]:
    """Return the words that run Datasette. Raises InputError if it is not installed."""
    if find_spec("datasette") is not None:
        return [sys.executable, "-m", "datasette"]
    if (program := which("datasette")) is not None:
        return [program]
    raise InputError("Datasette is not installed", hint=INSTALL)


def write_files(context: CampaignContext, path: Path, role: str, *, force: bool = False) -> None:
    """Write the tables as somebody sees them and the metadata for Datasette: none if one may not be written."""
    store, book, folder = context.store(write=False), context.game(), OutputFolder(path, force=force)
    database = path / f"{DATABASE}.db"
    folder.check(METADATA, METADATA_KIND)
    folder.check(database.name, DATABASE_KIND)
    with (
        progress("browse", lambda: store.records_read),
        replaced_file(database, DATABASE_KIND, force=force) as unfinished,
    ):
        write_table_file(unfinished, tables_of(store_for(store, book, role)))
    told = datasette_metadata(DATABASE, campaign_name(store), role, lambda sql: finds_rows(database, sql))
    folder.write(METADATA, [msgspec.json.format(msgspec.json.encode(told)).decode()], METADATA_KIND)
