"""`play`: the shell at the table."""

from __future__ import annotations

import sys

import click

from cli.context import CampaignContext
from cli.options import pass_campaign, view_option
from cli.shell.table import make_shell


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
    shell, editor = make_shell(ctx, context, role)
    for line in editor.lines(shell.prompt):
        if not shell.answer(line):
            break
    if shell.failed and not sys.stdin.isatty():
        ctx.exit(shell.failed)
