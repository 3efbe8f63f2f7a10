"""`completion`: print the completion script of a shell."""

from __future__ import annotations

from typing import Final

import click
from click.shell_completion import get_completion_class

from cli.output import print_verbatim

SHELLS: Final = ("bash", "zsh", "fish")
VARIABLE: Final = "_CAMPAIGN_COMPLETE"


@click.command()
@click.argument("shell", type=click.Choice(SHELLS))
@click.pass_context
def completion_command(context: click.Context, shell: str) -> None:
    """Print the completion script of SHELL. It completes commands, options, names, values, entries and files.

    Examples: campaign completion bash >> ~/.bashrc   campaign completion zsh >> ~/.zshrc
    """
    kind = get_completion_class(shell)
    assert kind is not None
    print_verbatim(kind(context.find_root().command, {}, "campaign", VARIABLE).source().splitlines())
