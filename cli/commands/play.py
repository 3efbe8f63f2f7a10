"""`play`: the shell at the table."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import click

from cli.context import CampaignContext
from cli.options import VIEW_VARIABLE, pass_campaign, takes_view, view_option
from cli.output import remark
from cli.questions.roles import PLAYERS
from cli.shell.editor import LineEditor
from cli.shell.shell import Shell


@click.command()
@view_option()
@pass_campaign
@click.pass_context
def play_command(ctx: click.Context, context: CampaignContext, role: str) -> None:
    """Play in a shell: type one line after the other; its prompt says whose turn it is.

    Enter on an empty line closes the open roll. ? why, ? odds LINE, ? show NAME and other questions run as commands;
    undo and ~ correct; Tab completes; the being in turn need not be named. End it with Ctrl-D. With
    pip install "campaign-ledger[play]" lines can be edited, completed and recalled.
    Fed from a pipe it ends with 1 if a line was not taken, and with 3 if the ledger could not be used.
    With --as players it is the players' own shell: it takes their lines and shows what they may see.

    Examples: campaign play   campaign play --as players
    """
    root = ctx.find_root()

    def run(arguments: Sequence[str]) -> None:
        """Run a command in this process, and print its error."""
        try:
            assert isinstance(root.command, click.Group)
            clock, color = root.params.get("clock"), root.params["color"]
            before = ["-C", str(context.folder), "--no-pager", "--color", color, *(["--clock", clock] if clock else [])]
            view = view_arguments(root.command, ctx, arguments[0], role)
            with view_of(role):
                root.command.main([*before, *arguments, *view], prog_name="campaign", standalone_mode=False)
        except click.ClickException as error:
            remark(error.format_message())
            shell.note_failure(error.exit_code)
        except click.exceptions.Exit:
            return

    shell = Shell(context, run, lambda question: editor.ask(question), role)
    editor = LineEditor(shell.complete, shell.history())
    for line in editor.lines(shell.prompt):
        if not shell.answer(line):
            break
    if shell.failed and not sys.stdin.isatty():
        ctx.exit(shell.failed)


@contextmanager
def view_of(role: str) -> Iterator[None]:
    """Let commands that are run inside print what a role may see, as in a terminal of its own."""
    before = os.environ.pop(VIEW_VARIABLE, None)
    if role == PLAYERS:
        os.environ[VIEW_VARIABLE] = role
    try:
        yield
    finally:
        os.environ.pop(VIEW_VARIABLE, None)
        if before is not None:
            os.environ[VIEW_VARIABLE] = before


def view_arguments(group: click.Group, ctx: click.Context, name: str, role: str) -> list[str]:
    """Return the arguments that show a command's output to the players, whatever else was asked for."""
    command = group.get_command(ctx, name) if role == PLAYERS else None
    return ["--as", role] if command is not None and takes_view(command) else []
