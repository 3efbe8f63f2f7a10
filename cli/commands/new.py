"""`new`: create a campaign."""

from __future__ import annotations

from pathlib import Path

import click

from cli.context import CampaignContext, pass_campaign
from cli.errors import input_errors
from cli.output import print_line, remark, safe
from cli.play.campaign import check_ledger_id, create_campaign
from ledger.names import name_key, valid_name
from rulebooks import GAMES, load_game


@click.command()
@click.argument("name")
@click.argument("folder", required=False, type=click.Path(path_type=Path, file_okay=False))
@click.option("--game", type=click.Choice(list(GAMES)), default=next(iter(GAMES)), show_default=True)
@click.option("--id", "ledger_id", help="The ledger's id, 32 hex digits, for tests and samples; else random.")
@pass_campaign
def new_command(context: CampaignContext, name: str, folder: Path | None, game: str, ledger_id: str | None) -> None:
    """Create the campaign NAME in FOLDER (default: a new folder of that name).

    Example: campaign new "Gutter Saints"
    """
    with input_errors():
        name = valid_name(name)
        check_ledger_id(ledger_id)
    folder = folder or Path(name_key(name))
    create_campaign(folder, name, load_game(game), at=context.now, ledger_id=ledger_id).store.close()
    print_line(f"Created {name} in {safe(str(folder))}")
    remark(f"Next: cd {folder}, write a sheet, campaign cast SHEET.toml, campaign open")
