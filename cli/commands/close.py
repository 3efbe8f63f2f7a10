"""`close`: close the session."""

from __future__ import annotations

import click

from cli.context import CampaignContext
from cli.options import pass_campaign
from cli.output import at_terminal, print_line, print_wrapped, remark
from cli.phrases.turns import unfinished_lines
from cli.render.log import print_record
from cli.render.proof import proof_lines
from ledger.head_words import spoken_head
from ledger.session_proof import stored_proofs


@click.command()
@click.option(
    "--seed-lost",
    is_flag=True,
    help="Close without the seed file, which is lost: its faces stay unproved for ever, and every check says so.",
)
@click.option("--yes", "-y", is_flag=True, help="Do not ask when a roll or an encounter is open.")
@pass_campaign
@click.pass_context
def close_command(ctx: click.Context, context: CampaignContext, seed_lost: bool, yes: bool) -> None:
    """Close the session and reveal its seed. Show the players the head that it prints.

    The close of a session is never taken back: at a terminal it asks when a roll or an encounter is open.

    Example: campaign close
    """
    ledger = context.ledger(write=True)
    if at_terminal() and not yes and ledger.state.session.open and (unfinished := unfinished_lines(ledger.state.state)):
        for line in unfinished:
            remark(line)
        if not click.confirm("Close the session all the same?", err=True):
            remark("The session stays open.")
            ctx.exit(1)
    closed = ledger.close_session(at=context.now, lost=seed_lost)
    print_record(closed, context.wording)
    print_wrapped(proof_lines(stored_proofs(ledger.store, closed.session, count=True).values()))
    head = ledger.store.head()
    print_line(f"head {head}")
    print_line(f"words {spoken_head(head)}")
