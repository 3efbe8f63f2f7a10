"""The list of games: a line for each that can be played, and a remark for each that cannot."""

from __future__ import annotations

import shutil
from collections.abc import Iterable

import click

from cli.output import print_wrapped, remark
from cli.questions.games import OURS, ListedGame


def print_games(games: Iterable[ListedGame]) -> None:
    """Print the name of each game, its title and what its book is, wrapped to the terminal's width."""
    rows = list(games)
    formatter = click.HelpFormatter(width=shutil.get_terminal_size().columns)
    formatter.write_dl([(row.name, description(row)) for row in rows if not row.error])
    print_wrapped(formatter.getvalue().splitlines())
    for row in rows:
        if row.error:
            remark(row.error)


def description(row: ListedGame) -> str:
    """Return the title of a game, what its book is, and the package that it is in if that is not this program."""
    package = f" ({row.version}, revision {row.revision}, of {row.package})" if row.package != OURS else ""
    return f"{row.title}: {row.about}{package}"
