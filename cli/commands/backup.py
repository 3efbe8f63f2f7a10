"""`backup`: copy the ledger into a file, also while somebody plays."""

from __future__ import annotations

from pathlib import Path

import click

from cli.context import CampaignContext
from cli.options import pass_campaign
from cli.output import print_line, remark
from cli.play.backup import back_up
from cli.progress import progress
from cli.questions.open_seed import open_seed
from ledger.head_words import spoken_head
from ledger.names import escape


@click.command()
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@pass_campaign
def backup_command(context: CampaignContext, file: Path) -> None:
    """Copy the ledger into FILE as it is now, also while somebody plays, and check the copy.

    FILE is replaced only if it is an older backup of this campaign: so a job can write it every night. The seed of an
    open session is not in it, nor are the files beside the ledger. `campaign restore` makes a campaign of it again.

    Example: campaign backup saints.backup
    """
    store = context.store(write=False)
    with progress("backup", lambda: store.records_read):
        head = back_up(store, file)
    print_line(f"{escape(str(file))} is written and checked: head {head}")
    print_line(f"words {spoken_head(head)}")
    if seed := open_seed(store):
        way = "It is not here either." if seed.is_missing else f"Copy it too, for your eyes only: {escape(seed.path)}."
        remark(f"Session {seed.session} is open: its seed is not in the backup. {way}")
