"""`play`: the shell at the table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import click

from cli.context import CampaignContext
from cli.errors import InputError
from cli.options import PLAYERS, pass_campaign, view_option
from cli.output import remark
from cli.shell.editor import LineEditor
from cli.shell.shell import Shell

OPEN: Final = ("rules", "help")  # questions about the book and the program


@click.command()
@view_option()
@pass_campaign
@click.pass_context
def play_command(ctx: click.Context, context: CampaignContext, role: str) -> None:
    """Play in a shell: type one line after the other; its prompt says whose turn it is.

    Enter on an empty line closes the open roll. ? why, ? odds LINE, ? show NAME and other questions run as commands;
    undo and ~ correct; Tab completes; the being in turn need not be named. End it with Ctrl-D. With
    pip install "campaign-ledger[play]" lines can be edited, completed and recalled.
    With --as players it is the players' own shell: it takes their lines and shows what they may see.

    Examples: campaign play   campaign play --as players
    """
    root = ctx.find_root()

    def run(arguments: Sequence[str]) -> None:
        """Run a command in this process, and print its error."""
        try:
            assert isinstance(root.command, click.Group)
            clock, color = root.params.get("clock"), root.params["color"]
            before = ["-C", str(context.folder), "--color", color, *(["--clock", clock] if clock else [])]
            view = view_arguments(root.command, ctx, arguments[0], role)
            root.command.main([*before, *arguments, *view], prog_name="campaign", standalone_mode=False)
        except click.ClickException as error:
            remark(error.format_message())
        except click.exceptions.Exit:
            return

    shell = Shell(context, run, lambda question: editor.ask(question), role)
    editor = LineEditor(shell.complete, shell.history())
    for line in editor.lines(shell.prompt):
        if not shell.answer(line):
            return


def view_arguments(group: click.Group, ctx: click.Context, name: str, role: str) -> list[str]:
    """Return the arguments that show a command's output to a role. Raises InputError if it is not for the players."""
    if role != PLAYERS:
        return []
    command = group.get_command(ctx, name)
    if command is not None and any("--as" in option.opts for option in command.params):
        return ["--as", role]
    if name in OPEN:
        return []
    raise InputError(f"'{name}' is the game master's", hint="The players may ask why, who, when, show, log and odds.")
