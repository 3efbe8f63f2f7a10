"""`play`: the shell at the table."""

from __future__ import annotations

from collections.abc import Sequence

import click

from cli.context import CampaignContext, pass_campaign
from cli.output import remark
from cli.shell.editor import LineEditor
from cli.shell.shell import Shell


@click.command()
@pass_campaign
@click.pass_context
def play_command(ctx: click.Context, context: CampaignContext) -> None:
    """Play in a shell: type one line after the other; its prompt says whose turn it is.

    Enter on an empty line closes the open roll. ? why, ? odds LINE, ? show NAME and other questions run as commands;
    undo and ~ correct; Tab completes; the being in turn need not be named. End it with Ctrl-D. With
    pip install "campaign-ledger[play]" lines can be edited, completed and recalled.

    Example: campaign play
    """
    root = ctx.find_root()

    def run(arguments: Sequence[str]) -> None:
        """Run a command in this process, and print its error."""
        try:
            assert isinstance(root.command, click.Group)
            clock, color = root.params.get("clock"), root.params["color"]
            before = ["-C", str(context.folder), "--color", color, *(["--clock", clock] if clock else [])]
            root.command.main([*before, *arguments], prog_name="campaign", standalone_mode=False)
        except click.ClickException as error:
            remark(error.format_message())
        except click.exceptions.Exit:
            return

    shell = Shell(context, run, lambda question: editor.ask(question))
    editor = LineEditor(shell.complete, shell.history())
    for line in editor.lines(shell.prompt):
        if not shell.answer(line):
            return
