"""`recap`: one session as a Markdown page."""

from __future__ import annotations

import click

from cli.context import CampaignContext, pass_campaign
from cli.options import PLAYERS, SESSION, as_of_option, json_option, view_option
from cli.output import print_json, print_wrapped
from cli.pager import paged
from cli.queries.recap_page import recap_page
from cli.queries.view import load_view
from cli.render.recap_markdown import markdown
from cli.render.summary import Summaries


@click.command()
@click.argument("session", required=False, type=SESSION)
@as_of_option
@view_option(PLAYERS)
@json_option("The page's content as JSON.")
@pass_campaign
def recap_command(context: CampaignContext, session: int | None, as_of: int | None, role: str, json: bool) -> None:
    """Write SESSION (default: the last) as a Markdown page: cast, scenes, wounds, the use of every point.

    Examples: campaign recap 1 > session-1.md   campaign recap --as gm
    """
    book = context.game()
    words = book.texts().lexicon
    page = recap_page(
        load_view(context.store(write=False), book, role, as_of=as_of),
        session,
        as_of=as_of,
        pool_order=words.pool_order,
        summaries=Summaries(words.wording),
    )
    if json:
        print_json(page)
    else:
        with paged():
            print_wrapped(markdown(page))
