"""A shell with its editor, and the commands that it runs in the same process: of `play` and of `tutorial`."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import click

from cli.context import CampaignContext
from cli.options import VIEW_VARIABLE, takes_view
from cli.output import remark
from cli.questions.roles import GM_VIEW, PLAYERS
from cli.shell.editor import LineEditor
from cli.shell.shell import Shell


def make_shell(ctx: click.Context, context: CampaignContext, role: str = GM_VIEW) -> tuple[Shell, LineEditor]:
    """Return a shell on a campaign for somebody of this role, and the editor of its lines."""
    root = ctx.find_root()

    def run(arguments: Sequence[str]) -> None:
        """Run a command in this process, and print its error."""
        try:
            assert isinstance(root.command, click.Group)
            clock, color = root.params.get("clock"), root.params["color"]
            before = ["-C", context.place, "--no-pager", "--color", color, *(["--clock", clock] if clock else [])]
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
    return shell, editor


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
