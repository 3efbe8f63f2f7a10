"""`play`: the shell at the table."""

from __future__ import annotations

import sys
from functools import partial

import click

from cli.context import CampaignContext
from cli.options import pass_campaign, view_option
from cli.shell.shell import Shell
from cli.shell.table import make_shell
from ledger.head_words import spoken_head


@click.command()
@click.option("--heads", is_flag=True, help="Show the words of the ledger's head in the prompt, to read aloud.")
@view_option()
@pass_campaign
@click.pass_context
def play_command(ctx: click.Context, context: CampaignContext, heads: bool, role: str) -> None:
    """Play in a shell: type one line after the other; its prompt says whose turn it is.

    Enter on an empty line closes the open roll. ? why, ? odds LINE, ? show NAME and other questions run as commands;
    undo and ~ correct; Tab completes; the being in turn need not be named. End it with Ctrl-D. With
    pip install "campaign-ledger[play]" lines can be edited, completed and recalled.
    Fed from a pipe it ends with 1 if a line was not taken, and with 3 if the ledger could not be used.
    With --heads the prompt shows the four words of the head: a player who notes them can show later that nothing before
    them was changed. With --as players it is the players' own shell: it takes their lines and shows what they may see.

    Examples: campaign play   campaign play --as players   campaign play --heads
    """
    shell, editor = make_shell(ctx, context, role)
    for line in editor.lines(partial(prompt_with_head, shell) if heads else shell.prompt):
        if not shell.answer(line):
            break
    if shell.failed and not sys.stdin.isatty():
        ctx.exit(shell.failed)


def prompt_with_head(shell: Shell) -> str:
    """Return the prompt of a shell behind a line with the head of the ledger in words."""
    return f"({spoken_head(shell.ledger.store.head())})\n{shell.prompt()}"
