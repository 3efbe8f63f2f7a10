"""`copy`: copy a campaign to another folder or database."""

from __future__ import annotations

from pathlib import Path

import click

from cli.context import CampaignContext
from cli.options import pass_campaign
from cli.output import print_line, remark
from cli.place import PlaceType
from cli.play.copy_campaign import copy_to_database, copy_to_folder
from cli.progress import progress
from ledger.errors import InputError
from ledger.head_words import spoken_head
from ledger.ledger_state import load_state
from ledger.names import escape
from ledger.postgres_address import DatabaseAddress
from projections.projection import StateProjection


@click.command()
@click.argument("source", metavar="FROM", type=PlaceType(path_type=Path, exists=True))
@click.argument("target", metavar="TO", type=PlaceType(path_type=Path, file_okay=False))
@pass_campaign
def copy_command(context: CampaignContext, source: Path | DatabaseAddress, target: Path | DatabaseAddress) -> None:
    """Copy the campaign FROM, in a folder or a database, to the new place TO, also while somebody plays.

    Every record is copied byte for byte, its hash is checked, and the copy ends at the same head; its tables are made
    anew. So a copy in a folder is a full backup of a campaign in a database. The seed of an open session is not copied.

    Examples: campaign copy . postgresql://host/club?campaign=saints
    campaign copy postgresql://host/club?campaign=saints saints
    """
    own = CampaignContext(source, context.clock)
    try:
        if own.bundle is not None:
            raise InputError("a bundle is taken in with: campaign import FILE", where=escape(str(source)))
        store = own.store(write=False)
        with progress("copy", lambda: store.records_read):
            if isinstance(target, DatabaseAddress):
                head = copy_to_database(store, target)
            else:
                head = copy_to_folder(store, target)
        session = load_state(store, StateProjection()).session
    finally:
        own.close()
    every = "its only record" if head.position == 1 else f"all {head.position} records"
    print_line(f"{escape(str(target))} has {every}: head {head}")
    print_line(f"words {spoken_head(head)}")
    if session.open:
        remark(f"Session {session.number} is open: its seed is not in the copy. Close it where it was opened.")
