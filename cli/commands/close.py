"""`close`: close the session."""

from __future__ import annotations

import click

from cli.context import CampaignContext, pass_campaign
from cli.output import print_line
from cli.render.log import print_record


@click.command()
@click.option("--seed-lost", is_flag=True, help="Close without the seed file: the faces can never be checked.")
@pass_campaign
def close_command(context: CampaignContext, seed_lost: bool) -> None:
    """Close the session and reveal its seed. Show the players the head that it prints.

    Example: campaign close
    """
    ledger = context.ledger(write=True)
    print_record(ledger.close_session(at=context.now, lost=seed_lost), context.wording)
    print_line(f"head {ledger.store.head()}")
