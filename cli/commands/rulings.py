"""`rulings`: the case law of the table."""

from __future__ import annotations

import click

from cli.context import CampaignContext
from cli.options import all_option, as_of_option, at_option, json_option, pass_campaign, view_option
from cli.output import print_json, print_line, print_wrapped
from cli.questions.players_ledger import store_for
from cli.questions.rulings import decisions
from cli.questions.state_at import state_at
from cli.render.rulings import ruling_lines


@click.command()
@all_option("Also rulings made for one case, and those no longer in force.")
@at_option
@as_of_option
@view_option()
@json_option("The rulings as JSON.")
@pass_campaign
def rulings_command(
    context: CampaignContext, every: bool, at: str | None, as_of: int | None, role: str, json: bool
) -> None:
    """List the rulings in force, with the rules that they cite and who agreed.

    Examples: campaign rulings   campaign rulings --all   campaign rulings --at 2.17
    """
    store = store_for(context.store(write=False), context.game(), role, as_of=as_of)
    rulings = list(decisions(store, state_at(store, at, as_of), every=every))
    if json:
        print_json(rulings)
        return
    texts = context.game().texts()
    for ruling in rulings:
        print_wrapped(ruling_lines(ruling, texts))
    if not rulings:
        print_line("no ruling was made" if every else "no ruling is in force")
