"""The list of games, with a remark for each that cannot be played, and what a check of one has found."""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

import click

from cli.output import print_wrapped, remark
from cli.play.game_check import GameCheck
from cli.questions.games import OURS, ListedGame
from ledger.names import escape, plural
from rulebooks.common.game import Game

LINES_MOST: Final = 25  # of what is wrong in one test
OF_CASES: Final = "case["


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


def check_lines(book: Game, results: Sequence[GameCheck]) -> Iterator[str]:
    """Yield what a check of a game has found: what is wrong, and at the end how much is right."""
    wrong = [result for result in results if result.wrong]
    for result in wrong:
        first, *more = result.wrong.splitlines()
        yield f"{words_of_test(result.name)}: {escape(first)}"
        yield from (f"  {escape(line)}" for line in more[:LINES_MOST])
    cases = sum(words_of_test(result.name).startswith(OF_CASES) for result in results)
    with_cases = plural(cases, "worked case", "worked cases") if cases else "no worked case in lines"
    right = f"{len(results) - len(wrong)} of {plural(len(results), 'test passes', 'tests pass')}"
    yield f"{book.name} {book.version}, revision {book.revision}: {right}, with {with_cases}."


def words_of_test(name: str) -> str:
    """Return the name of a test in words."""
    own, bracket, case = name.rpartition("::")[2].removeprefix("test_").partition("[")
    return escape(own.replace("_", " ") + bracket + case)
