"""`mcp`: the questions about a campaign as tools of an assistant, over the Model Context Protocol."""

from __future__ import annotations

from importlib.util import find_spec

import click

from cli.context import CampaignContext
from cli.options import pass_campaign, view_option
from cli.questions.campaign import campaign_name
from cli.questions.roles import PLAYERS
from ledger.errors import InputError

INSTALL = 'Install it: pip install "campaign-ledger[mcp]".'


@click.command()
@view_option(PLAYERS)
@pass_campaign
def mcp_command(context: CampaignContext, role: str) -> None:
    """Answer an assistant's questions over standard input and output, until its program ends it.

    The tools are show, odds, rulings, why, who, when, search, recap, whatif and forecast. They only read, and see what
    the players see unless you say `--as gm`. A program that starts servers of the Model Context Protocol is given this
    command; nobody types into it (campaign help mcp).

    Examples: campaign mcp   campaign mcp --as gm
    """
    if find_spec("mcp") is None:
        raise InputError("the library of the Model Context Protocol is not installed", hint=INSTALL)
    from cli.table.assistant import campaign_server  # it takes a second

    place, title = context.place, campaign_name(context.store(write=False))
    context.close()
    campaign_server(place, role, title).run("stdio")
