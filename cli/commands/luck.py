"""`luck`: how lucky the dice were."""

from __future__ import annotations

import click

from cli.context import CampaignContext
from cli.options import SESSION, json_option, pass_campaign, view_option
from cli.output import paint, print_json, print_line, print_wrapped
from cli.pager import paged
from cli.progress import progress
from cli.questions.luck import CHARACTERS_MOST, luck_reports
from cli.questions.players_ledger import store_for
from cli.render.luck import REST, luck_json, luck_lines, short_lines
from cli.render.proof import proof_lines
from ledger.ledger_state import load_state
from ledger.session_proof import stored_proofs
from projections.projection import StateProjection


@click.command()
@click.argument("session", required=False, type=SESSION)
@view_option()
@click.option("--short", is_flag=True, help="The players alone, the luckiest first.")
@json_option("The same as JSON, with shares in millionths.")
@pass_campaign
def luck_command(context: CampaignContext, session: int | None, role: str, short: bool, json: bool) -> None:
    """Compare the dice of SESSION (default: all) with all throws that were possible, by player, die and situation.

    The chances are exact. "One group in three sees worse" means: of all groups that throw these dice, one in three has
    a lower sum. `at stake` weighs each die by the points that a roll of its situation takes on average, from 1 to 9.
    Typed faces are counted apart from seeded ones. Of many characters without a player those with the fewest dice are
    one group; --json has them all.

    Examples: campaign luck   campaign luck 2 --short   campaign luck 2 --json
    """
    store, book = context.store(write=False), context.game()
    most = None if json else CHARACTERS_MOST
    with progress("luck", lambda: store.records_read):
        seen = store_for(store, book, role)
        reports = luck_reports(seen, load_state(seen, StateProjection()).state, session, most=most)
    if json:
        print_json([luck_json(report) for report in reports])
        return
    with paged():
        for number, report in enumerate(reports):
            if number and not short:
                print_line("")
            print_wrapped(short_lines(report) if short else luck_lines(report))
        if short:
            print_line(paint(REST, dim=True))
            return
        print_wrapped(proof_lines(stored_proofs(seen, session, count=True).values(), numbers=False))
