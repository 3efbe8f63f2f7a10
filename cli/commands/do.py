"""`do`: declare one line."""

from __future__ import annotations

import click

from cli.context import CampaignContext
from cli.do_line import say_line
from cli.options import json_option, pass_campaign


@click.command(context_settings={"ignore_unknown_options": True})  # -1"ice" is no option
@click.argument("words", metavar="LINE", nargs=-1, required=True)
@click.option("--request", help="A key: the same line with the same key counts once.")
@json_option("Print the record as it is stored.")
@pass_campaign
def do_command(context: CampaignContext, words: tuple[str, ...], request: str | None, json: bool) -> None:
    """Declare one LINE: roll, spend, act. The facts that it causes are appended and printed.

    Examples: campaign do 'k sneak v5 e1'   campaign do 'o "force the door" m v5 c3 e1 /6.6'
    campaign do '! doom 1 change-target'   campaign do '# The lamp room'
    """
    say_line(context, " ".join(words), request, json=json)
