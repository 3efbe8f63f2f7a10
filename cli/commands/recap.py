"""`recap`: one session as a story, for the players or for the game master."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

import click

from cli.context import CampaignContext, pass_campaign
from cli.options import PLAYERS, SESSION, as_of_option, json_option, view_option
from cli.output import print_json, print_wrapped
from cli.pager import paged
from cli.queries.recap_page import Page, recap_page
from cli.queries.view import load_view
from cli.render.recap_chronicle import chronicle
from cli.render.recap_front import front_matter
from cli.render.recap_log import session_log
from cli.render.recap_post import post
from cli.render.recap_style import STYLES, Style
from cli.render.sentences import Teller
from cli.render.summary import Summaries

SIZES: Final[dict[str, Callable[[Page, Style], Iterator[str]]]] = {
    "post": post,
    "chronicle": chronicle,
    "log": session_log,
}


@click.command()
@click.argument("session", required=False, type=SESSION)
@click.option("--post", "size", flag_value="post", help="One message for a chat: under 2,000 characters, no tables.")
@click.option("--log", "size", flag_value="log", help="Every line that came to something.")
@as_of_option
@view_option(PLAYERS)
@click.option(
    "--format", "form", type=click.Choice([*STYLES, "json"]), default="markdown", show_default=True, help="The form."
)
@json_option("The page's content as JSON, as --format json.")
@pass_campaign
def recap_command(
    context: CampaignContext,
    session: int | None,
    size: str | None,
    as_of: int | None,
    role: str,
    form: str,
    json: bool,
) -> None:
    """Tell SESSION (default: the last) as a story, with the state at its end.

    Examples: campaign recap 1 > session-1.md   campaign recap --post   campaign recap --log --as gm
    """
    book = context.game()
    lexicon = book.texts().lexicon
    page = recap_page(
        load_view(context.store(write=False), book, role, as_of=as_of),
        session,
        as_of=as_of,
        book=book,
        teller_of=lambda before, characters: Teller(lexicon, before, characters),
        summaries=Summaries(lexicon.wording),
    )
    if json or form == "json":
        print_json(page)
        return
    with paged():
        if form == "markdown" and size != "post":
            print_wrapped(front_matter(page, role))
        print_wrapped(SIZES[size or "chronicle"](page, STYLES[form]))
