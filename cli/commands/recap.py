"""`recap`: one session as a Markdown page."""

from __future__ import annotations

import click

from cli.context import CampaignContext, pass_campaign
from cli.options import SESSION, as_of_option, json_option
from cli.output import print_json, print_wrapped
from cli.pager import paged
from cli.queries.recap_page import recap_page
from cli.render.recap_markdown import markdown
from cli.render.summary import Summaries


@click.command()
@click.argument("session", required=False, type=SESSION)
@as_of_option
@click.option("--gm", "secrets", is_flag=True, help="Include what only the game master sees.")
@json_option("The page's content as JSON.")
@pass_campaign
def recap_command(context: CampaignContext, session: int | None, as_of: int | None, secrets: bool, json: bool) -> None:
    """Write SESSION (default: the last) as a Markdown page: cast, scenes, wounds, the use of every point.

    Example: campaign recap 1 > session-1.md
    """
    words = context.game().texts().lexicon
    page = recap_page(
        context.store(write=False),
        session,
        as_of=as_of,
        pool_order=words.pool_order,
        secrets=secrets,
        summarizer=lambda hidden: Summaries(words.wording, hidden, secrets=secrets),
    )
    if json:
        print_json(page)
    else:
        with paged():
            print_wrapped(markdown(page))
