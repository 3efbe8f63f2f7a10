"""`import`: take the records of a bundle into a ledger, or the rolls and words of a chat as lines."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import click

from cli.context import CampaignContext
from cli.errors import CommandError, RefusedError
from cli.options import FILE, jobs_option, pass_campaign
from cli.output import print_line, print_verbatim, remark
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


class ImportGroup(click.Group):
    """A group whose command `bundle` need not be named: `import saints.jsonl`."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Put the name of the command before arguments that do not begin with one."""
        if args and args[0] not in (*self.commands, *ctx.help_option_names):
            args = ["bundle", *args]
        return super().parse_args(ctx, args)


@click.group(cls=ImportGroup, subcommand_metavar="[bundle|rolls] FILE ...")
def import_command() -> None:
    """Take a bundle into its campaign or into a new one, or the rolls and words of a chat as lines.

    Without a word before it, FILE is a bundle.

    Examples: campaign import saints.jsonl   campaign import rolls chat.json
    """


@import_command.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.argument("folder", required=False, type=FolderType(path_type=Path, file_okay=False))
@jobs_option
@pass_campaign
def bundle_command(context: CampaignContext, file: Path, folder: Path | None, jobs: int | None) -> None:
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


@import_command.command()
@click.argument("file", type=FILE)
@click.option("--dry-run", is_flag=True, help="Print what would be asked, as the lines of a session file.")
@pass_campaign
def rolls_command(context: CampaignContext, file: Path, dry_run: bool) -> None:
    """Take the rolls and words of a chat of Foundry (versions 12 to 14) as lines, each of which you are asked about.

    FILE has chat messages as JSON, in an array or one a line. For each roll a line is proposed with the faces that were
    rolled, and the total of the chat as a claim; for words of a character a quote. Enter writes the line, another line
    is written instead (without faces it gets those of the roll), - leaves the message out, and Ctrl-D ends. What was
    written is not asked again. Whispers and blind rolls are proposed with !!, for the game master alone.

    Examples: campaign import rolls chat.json --dry-run   campaign import rolls chat.json
    """
    from cli.do_line import print_said  # these to start faster
    from cli.play.foundry_chat import read_chat
    from cli.shell.chat_asker import ChatAsker, dry_lines
    from cli.shell.editor import LineEditor

    chat = read_chat(file)
    if dry_run:
        print_verbatim(dry_lines(chat, context.ledger(write=False), context.game()))
        return
    ledger, ask = context.ledger(write=True), LineEditor(lambda text: (), ()).ask
    show = partial(print_said, ledger, context=context, json=False)
    asker = ChatAsker(ledger, context.game(), context.now, ask, show)
    try:
        for item in chat.items:
            asker.take(item, chat.messages)
    except KeyboardInterrupt:
        remark("Ended: the next call goes on here.")
    remark(asker.summary(chat))


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
