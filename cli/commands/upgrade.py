"""`upgrade`: move a ledger of format 2 into a new campaign."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import click
from click.exceptions import Exit

from cli.context import CampaignContext
from cli.options import all_option, pass_campaign
from cli.output import print_line, remark
from cli.place import FolderType
from cli.play.upgraded_campaign import upgrade_campaign
from ledger.names import escape, plural

SHOWN: Final = 20  # differences


@click.command()
@click.argument("folder", type=FolderType(path_type=Path, file_okay=False))
@all_option("Print every difference.")
@pass_campaign
def upgrade_command(context: CampaignContext, folder: Path, every: bool) -> None:
    """Move a ledger of format 2, from before the release, into a new campaign in FOLDER.

    Its lines and corrections are played again, one after the other, with the faces that they had and by the rules of
    today. It says which entries came out differently. The old ledger stays as it is: keep it, because it alone proves
    that faces came from seeds. Sheets and session files stay where they are.

    Examples: campaign upgrade ../saints-3
    """
    done = upgrade_campaign(Path(context.ledger_file), folder)
    different = [*done.refused, *done.differences]
    print_line(f"{plural(done.entries, 'entry', 'entries')} played again in {escape(str(folder))}")
    print_line(f"head {done.head}")
    for text in different if every else different[:SHOWN]:
        print_line(text)
    if not every and len(different) > SHOWN:
        print_line(f"... and {len(different) - SHOWN} more")
    remark(f"The old ledger is unchanged: {escape(context.ledger_file)}. Keep it: it proves the dice that were drawn.")
    if done.is_open:
        remark("Its open session goes on in the new ledger with a new secret seed.")
    raise Exit(1 if different else 0)
