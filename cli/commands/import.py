"""`import`: take the records of a bundle into a ledger."""

from __future__ import annotations

from pathlib import Path

import click

from cli.context import CampaignContext
from cli.errors import CommandError, RefusedError
from cli.options import jobs_option, pass_campaign
from cli.output import print_line, remark
from cli.place import FolderType
from cli.play.files import DEVICES
from cli.play.import_bundle import Forked, Imported, check_records, import_into, import_new
from cli.play.new_campaign import folder_name, is_without_records
from cli.processes import processes
from cli.progress import progress
from cli.questions.bundle_file import open_bundle, temporary_ledger
from cli.questions.ledger_file import LEDGER_FILE
from ledger.bundle import BundleHeader
from ledger.errors import InputError, LedgerError
from ledger.names import escape, plural

LEAST = 1_000  # records: a second's work
NAME_MOST = 100  # of a folder that is named after a campaign
NOTHING = "Nothing was imported."


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.argument("folder", required=False, type=FolderType(path_type=Path, file_okay=False))
@jobs_option
@pass_campaign
def import_command(context: CampaignContext, file: Path, folder: Path | None, jobs: int | None) -> None:
    """Take the records of the bundle FILE (export --bundle): into the campaign that it continues, or into a new one.

    All of the bundle is checked first, as verify checks a ledger. If a byte of it is wrong, the line and the reason are
    said and nothing is written. Without FOLDER it goes into the campaign here, or into a new folder of its name. A
    bundle that goes another way than the ledger here is refused, with the place where they part.

    Examples: campaign import saints.jsonl   campaign import saints.jsonl.gz ~/games/saints
    """
    with open_bundle(file) as bundle:
        header = bundle.header
        if not bundle.is_whole:
            raise RefusedError(
                LedgerError(
                    f"{escape(str(file))} is for the players: it can be checked and never played on",
                    hint="Check it: campaign verify FILE. To play on ask for the game master's bundle.",
                )
            )
        path = target_of(context, folder, header)
        with temporary_ledger(bundle) as store:
            with (
                processes(store, jobs, LEAST) as workers,
                progress("import", lambda: store.records_read + (workers.takes_done if workers else 0)),
            ):
                errors = check_records(store, header, workers)
            if errors:
                raise CommandError(*(error.at(escape(str(file))) for error in errors), LedgerError(NOTHING))
            try:
                is_new = not path.exists() or is_without_records(path)
                done = import_new(store, path.parent) if is_new else import_into(store, header, path)
            except Forked as error:
                raise RefusedError(error.at(escape(str(file)))) from error
    print_imported(done, header, path)


def target_of(context: CampaignContext, folder: Path | None, header: BundleHeader) -> Path:
    """Return the ledger file that a bundle goes into, which may be there or not."""
    if folder is None:
        folder = context.folder_or_none()
    if folder is None:
        name = folder_name(header.campaign)
        if not name or len(name) > NAME_MOST or DEVICES.fullmatch(name):
            raise InputError("the name of the campaign is no name of a folder", hint="Name one: import FILE FOLDER.")
        folder = Path(name)
    return folder / LEDGER_FILE


def print_imported(done: Imported, header: BundleHeader, path: Path) -> None:
    """Print what was imported, and what is missing to play on."""
    folder = escape(str(path.parent))
    if not done.new:
        more = f", and {plural(done.ahead, 'record', 'records')} more" if done.ahead else ""
        print_line(f"Nothing is new: {folder} has all {header.records} records of the bundle{more}")
    elif done.new == header.records:
        print_line(f"Imported {escape(header.campaign)} into {folder}: {plural(done.new, 'record', 'records')}")
    else:
        print_line(f"{plural(done.new, 'record', 'records')} more of {escape(header.campaign)} in {folder}")
    print_line(f"head {done.head}")
    if done.seed_file:
        remark(
            f"Session {done.session} is open, and its seed is in no bundle. To draw its dice here put the file of the"
            f" seed, which nobody else may see, beside this ledger: {escape(done.seed_file)}."
            " Without it type the faces."
        )
