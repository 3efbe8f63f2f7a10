"""The arguments and options of `whatif` and `amend`: the edit of each entry."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, Final

import click

from cli.completion import complete_entry
from cli.questions.edits import EditArguments, requote

SETTINGS: Final = {"ignore_unknown_options": True, "help_option_names": ["--help"]}
OPTIONS: Final = (
    click.option("--faces", multiple=True, nargs=2, metavar="ENTRY FACES", help="Other faces for an entry: /7.6."),
    click.option("--insert", multiple=True, nargs=2, metavar="ENTRY LINE", help="Insert a line after an entry."),
    click.option("--drop", multiple=True, metavar="ENTRY", help="Leave an entry out."),
    click.argument("change", nargs=-1),
    click.argument("entry", required=False, shell_complete=complete_entry),
)


class EditCommand(click.Command):
    """A command whose words may begin with a sign, as -prone and -1"hail": no letter behind a single `-` is an option.

    Use it with `context_settings=SETTINGS`.
    """

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Take `-h` for `--help` only where it is a word of its own."""
        return super().parse_args(ctx, ["--help" if word == "-h" else word for word in args])


def edit_options(function: Callable[..., Any]) -> Any:
    """Collect ENTRY, CHANGE, --drop, --insert and --faces, and hand them to the command as `edits: EditArguments`."""

    @wraps(function)
    def command(*args: Any, entry: str | None, change: tuple[str, ...], **given: Any) -> Any:
        for word in (entry or "", *change):
            if word.startswith("--"):
                raise click.NoSuchOption(word.partition("=")[0][:60])
        drop, insert, faces = given.pop("drop"), given.pop("insert"), given.pop("faces")
        return function(*args, edits=EditArguments(entry, requote(change), drop, insert, faces), **given)

    for option in OPTIONS:
        command = option(command)
    return command
