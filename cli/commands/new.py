"""`new`: create a campaign."""

from __future__ import annotations

from pathlib import Path
from shlex import quote
from typing import Final

import click

from cli.context import CampaignContext
from cli.options import GAME, pass_campaign
from cli.output import print_line, remark
from cli.place import PlaceType
from cli.play.new_campaign import check_ledger_id, create_campaign, create_in_database, folder_name
from cli.questions.games import listed_games
from cli.render.games import print_games
from ledger.errors import input_errors
from ledger.names import escape, valid_title
from ledger.postgres_address import DatabaseAddress
from rulebooks import GAMES, load_game

ALL_GAMES: Final = "?"  # the value of --game when none is written
PATHS: Final = ("/", "./", "~")  # how a folder begins, and no name of a campaign


def check_game(ctx: click.Context, param: click.Parameter, game: str) -> str:
    """Return the name of a game. Without one, list the games and exit.

    Raises BadParameter for a game that is unknown or cannot be used.
    """
    if game == ALL_GAMES:
        print_games(listed_games())
        ctx.exit()
    return GAME.convert(game, param, ctx)


@click.command()
@click.argument("name")
@click.argument("folder", required=False, type=PlaceType(path_type=Path, file_okay=False))
@click.option(
    "--game",
    is_flag=False,
    flag_value=ALL_GAMES,
    default=next(iter(GAMES)),
    show_default=True,
    is_eager=True,
    callback=check_game,
    help="The game; without a name: list the games.",
)
@click.option("--id", "ledger_id", help="The ledger's id, 32 hex digits, for tests and samples; else random.")
@pass_campaign
def new_command(
    context: CampaignContext, name: str, folder: Path | DatabaseAddress | None, game: str, ledger_id: str | None
) -> None:
    """Create the campaign NAME in FOLDER (default: a new folder of that name), or in a database (campaign help club).

    Examples: campaign new "Gutter Saints"   campaign new --game   campaign new "The Lock" --game monolith
    campaign new "Gutter Saints" postgresql://host/club
    """
    with input_errors():
        name = valid_title(name)
        check_ledger_id(ledger_id)
    if folder is None and name.startswith(PATHS):
        raise click.BadParameter(f'{name} is a folder. Write the name before it: campaign new "The Lock" {name}')
    place = folder or context.address
    if isinstance(place, DatabaseAddress):
        address = create_in_database(place, name, load_game(game), at=context.now, ledger_id=ledger_id)
        print_line(f"Created {name} in {escape(str(address))}")
        remark(f"Next: export CAMPAIGN_DIR={quote(str(address))}")
        remark("Then write a sheet, campaign cast SHEET.toml, campaign open")
        return
    folder = place or Path(folder_name(name))
    create_campaign(folder, name, load_game(game), at=context.now, ledger_id=ledger_id).store.close()
    print_line(f"Created {name} in {escape(str(folder))}")
    entering = "" if folder.resolve() == Path.cwd() else f"cd {quote(str(folder))}, "
    remark(f"Next: {entering}write a sheet, campaign cast SHEET.toml, campaign open")
