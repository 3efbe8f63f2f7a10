"""Options that several commands share."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import click
from click.core import ParameterSource
from click.shell_completion import CompletionItem

from cli.context import CampaignContext
from cli.questions.roles import GM_VIEW, PLAYERS
from ledger.errors import LedgerError
from ledger.names import NUMBER_MOST, escape
from rulebooks import GAMES, game_names, load_game

Decorator = Callable[[Any], Any]

pass_campaign: Final = click.make_pass_decorator(CampaignContext)
at_option: Final = click.option(
    "--at", help="At the end of this entry, as in 1.4, or where a round began, as in 'round 3'."
)
VIEW_VARIABLE: Final = "CAMPAIGN_VIEW"
JOBS_MOST: Final = 64
SESSION: Final = click.IntRange(0, NUMBER_MOST)
POSITION: Final = click.IntRange(1, NUMBER_MOST)
as_of_option: Final = click.option("--as-of", type=POSITION, help="What the ledger said at this position.")


class GameType(click.ParamType[str]):
    """The name of a game: ours are not imported for it, those of other packages are."""

    name = "game"

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Return the name. Raises BadParameter for an unknown game, or one of a package that cannot be used."""
        if value not in GAMES:
            try:
                load_game(value)
            except LedgerError as error:
                self.fail(escape(str(error)), param, ctx)
        return value

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        """Complete the names of all games, of which none is imported."""
        return [CompletionItem(name) for name in game_names() if name.startswith(incomplete)]


GAME: Final = GameType()
FILE: Final = click.Path(exists=True, dir_okay=False, path_type=Path)


class FiniteRange(click.FloatRange):
    """A number within bounds: `nan` is in none, though Python compares it with all."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return a number. Fails for what is none, and for one outside the bounds."""
        number = super().convert(value, param, ctx)
        if number != number:
            self.fail(f"{value!r} is not a number.", param, ctx)
        return number


def refuse_beside(other: str) -> Callable[[click.Context, click.Parameter, bool], bool]:
    """Return the callback of a flag that contradicts another. It raises UsageError when both are given."""

    def check(context: click.Context, parameter: click.Parameter, value: bool) -> bool:
        choose_one("form", **{str(parameter.name): value, other: bool(context.params.get(other))})
        return value

    return check


def choose_one(what: str, **given: bool) -> str | None:
    """Return the flag that was given, if any. Raises UsageError for several."""
    chosen = [name for name, is_given in given.items() if is_given]
    if len(chosen) > 1:
        raise click.UsageError(f"Choose one {what}: --{' or --'.join(chosen)}.")
    return chosen[0] if chosen else None


def is_typed(name: str) -> bool:
    """Return whether an option of the running command was said on the command line."""
    return click.get_current_context().get_parameter_source(name) is ParameterSource.COMMANDLINE


def json_option(help: str) -> Decorator:
    """Return the option `--json`, passed as `json`; not beside `--csv`."""
    return click.option("--json", is_flag=True, help=help, callback=refuse_beside("csv"))


def yes_option(help: str) -> Decorator:
    """Return the option `--yes`, passed as `yes`."""
    return click.option("--yes", is_flag=True, help=help)


def force_option(help: str) -> Decorator:
    """Return the option `--force`, passed as `force`."""
    return click.option("--force", is_flag=True, help=help)


def csv_option(help: str) -> Decorator:
    """Return the option `--csv`, passed as `csv`; not beside `--json`."""
    return click.option("--csv", is_flag=True, help=help, callback=refuse_beside("json"))


def session_option(help: str, *names: str) -> Decorator:
    """Return the option `--session` for the number of a session."""
    return click.option("--session", *names, type=SESSION, help=help)


def all_option(help: str) -> Decorator:
    """Return the option `--all`, passed as `every`."""
    return click.option("--all", "every", is_flag=True, help=help)


def game_option(help: str) -> Decorator:
    """Return the option `--game` for the name of a game."""
    return click.option("--game", type=GAME, help=help)


def reading_option(help: str) -> Decorator:
    """Return the option `--option NAME=READING`, passed as `options`; it may be repeated."""
    return click.option("--option", "options", multiple=True, metavar="NAME=READING", help=help)


revision_option: Final = click.option("--revision", metavar="NUMBER|latest", help="Use another revision of the rules.")
jobs_option: Final = click.option(
    "--jobs", type=click.IntRange(1, JOBS_MOST), help="Work in so many processes.  [default: one for each processor]"
)


def view_option(default: str = GM_VIEW) -> Decorator:
    """Return the option `--as players|gm`, passed as `role`: whose view is printed."""
    return click.option(
        "--as",
        "role",
        type=click.Choice([PLAYERS, GM_VIEW]),
        default=default,
        show_default=True,
        envvar=VIEW_VARIABLE,
        help="What the players may see, or everything.",
    )


def takes_view(command: click.Command) -> bool:
    """Return whether a command prints what a role may see."""
    return any("--as" in option.opts for option in command.params)
