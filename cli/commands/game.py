"""`game`: the games that are installed, ours and those of other packages."""

from __future__ import annotations

import click
import msgspec
from click.exceptions import Exit

from cli.options import csv_option, json_option
from cli.output import print_json, print_verbatim
from cli.questions.games import ListedGame, listed_games
from cli.render.csv import csv_objects
from cli.render.games import print_games


@click.group()
def game_command() -> None:
    """List the games: ours, and those of other packages.

    A package with a game is installed beside this program, with pip. How to write one: rulebooks/README.md.

    Examples: campaign game list
    """


@game_command.command("list")
@json_option("The list as JSON.")
@csv_option("The list as CSV.")
def list_games_command(json: bool, csv: bool) -> None:
    """List the games, each with its book and, where it is not ours, its package.

    Exits with 3 if a package has a game that cannot be used.

    Examples: campaign game list   campaign game list --json
    """
    rows = list(listed_games())
    if json:
        print_json(rows)
    elif csv:
        print_verbatim(csv_objects(ListedGame.__struct_fields__, map(msgspec.structs.asdict, rows)))
    else:
        print_games(rows)
    raise Exit(3 if any(row.error for row in rows) else 0)
