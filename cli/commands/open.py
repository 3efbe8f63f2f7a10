"""`open`: open a session."""

from __future__ import annotations

import click

from cli.context import CampaignContext
from cli.options import pass_campaign
from cli.output import remark
from cli.render.log import print_record
from cli.render.proof import NO_WORDS
from ledger.clock_check import last_time, runs_backwards
from ledger.dice import fixed_seed
from ledger.errors import input_errors
from ledger.names import normalize


@click.command()
@click.argument("title", default="")
@click.option("--seed", help="A text that fixes the dice, for tests and samples; recorded in the ledger.")
@pass_campaign
def open_command(context: CampaignContext, title: str, seed: str | None) -> None:
    """Open the next session, called TITLE. Show the players the commitment that it prints.

    Example: campaign open "Rooftops of the Salt Ward"
    """
    ledger = context.ledger(write=True)
    with input_errors():
        title = normalize(title, where="title", most=200)
        fixed = None if seed is None else fixed_seed(normalize(seed))
    before, now = last_time(ledger.store), context.now
    print_record(ledger.open_session(title, at=now, seed=fixed), context.wording)
    remark(f"head {ledger.store.head()}")
    if runs_backwards(before, now):
        remark(f"The clock ran backwards: it is {now}, and the last entry is of {before}.")
    if fixed is None:
        remark(f"Until a player adds words (campaign do 'ana words \"brass kettle\"'), {NO_WORDS}.")
