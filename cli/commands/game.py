"""`game`: the games that are installed, ours and those of other packages, and whether one is in order."""

from __future__ import annotations

from pathlib import Path

import click
import msgspec
from click.exceptions import Exit

from cli.options import GAME, csv_option, json_option
from cli.output import print_json, print_verbatim, print_wrapped
from cli.play.game_check import run_check
from cli.questions.games import ListedGame, listed_games
from cli.render.csv import csv_objects
from cli.render.games import check_lines, print_games
from rulebooks import load_game


@click.group()
def game_command() -> None:
    """List the games, ours and those of other packages, and check one.

    A package with a game is installed beside this program, with pip. How to write one: rulebooks/README.md.

    Examples: campaign game list   campaign game check monolith
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


@game_command.command("check")
@click.argument("game", type=GAME)
@click.option(
    "--cases",
    type=click.Path(exists=True, dir_okay=False, resolve_path=True, path_type=Path),
    help="A file of worked cases, instead of cases.toml beside the book.",
)
@json_option("What came of each test as JSON.")
def check_game_command(game: str, cases: Path | None, json: bool) -> None:
    """Test GAME with all that tests ours: its book and code, its worked cases, their odds, evenings at random.

    It needs the extra `test` (pytest and hypothesis). Exits with 1 if something is wrong.

    Examples: campaign game check monolith   campaign game check coin --cases cases.toml
    """
    results = run_check(game, cases)
    if json:
        print_json(results)
    else:
        print_wrapped(check_lines(load_game(game), results))
    raise Exit(1 if any(result.wrong for result in results) else 0)
