"""`serve`: the replay page of the session, live, on this machine or for the phones in its network."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import closing, suppress
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Final

import click

from cli.context import CampaignContext
from cli.options import pass_campaign, view_option
from cli.output import has_glyphs, print_line, print_verbatim, remark
from cli.play.new_campaign import keep_out_of_repositories
from cli.questions.ledger_file import LEDGER_FILE, find_game
from cli.questions.players_ledger import store_for
from cli.questions.roles import GM_VIEW, PLAYERS
from cli.render.qr_code import qr_lines
from cli.web.live_pages import CAMPAIGN, LivePages
from cli.web.pages.campaign_content import campaign_content
from cli.web.pages.live import LiveCampaignPage, LivePage, LiveSessionPage
from cli.web.pages.session_keeper import SessionKeeper
from ledger.errors import InputError, LedgerError
from ledger.file_watch import FileWatch
from ledger.sqlite_store import open_store
from projections.projection import StateProjection

LIBRARIES: Final = ("starlette", "uvicorn", "segno")
INSTALL: Final = 'Install them: pip install "campaign-ledger[serve]". Or write a file: campaign recap --html.'


@click.command()
@view_option(PLAYERS)
@click.option("--lan", is_flag=True, help="For all in this network who have the link, which has a token.")
@click.option("--port", type=click.IntRange(0, 65535), default=8002, show_default=True, help="0: any that is free.")
@click.option("--new-token", is_flag=True, help="New links: nobody sees anything with the old ones.")
@click.option("--no-qr", is_flag=True, help="Print no QR code of the link.")
@pass_campaign
def serve_command(context: CampaignContext, role: str, lan: bool, port: int, new_token: bool, no_qr: bool) -> None:
    """Show the last session in browsers as it is played, until it is interrupted (Ctrl-C).

    Every line appears at once, and so does a correction of an older one. The pages can only be read. They are on this
    machine alone; with --lan also for those in its network who have the link, as on the players' phones. All see what
    the players may see; --as gm prints another link, of a page with everything. The links stay the same until
    --new-token: they are kept in serve.secret beside the ledger, which only its owner can read.

    Examples: campaign serve   campaign serve --lan   campaign serve --as gm --port 8010
    """
    if missing := [name for name in LIBRARIES if find_spec(name) is None]:
        raise InputError(f"serve needs {', '.join(missing)}", hint=INSTALL)
    with suppress(KeyboardInterrupt):  # the way to end it, also before it serves
        serve_pages(context, role, lan=lan, port=port, new_token=new_token, qr=not no_qr and has_glyphs())


def serve_pages(context: CampaignContext, role: str, *, lan: bool, port: int, new_token: bool, qr: bool) -> None:
    """Print the links of the pages and serve them until the process is interrupted."""
    from cli.web.access import Access  # imported here: they need the extra
    from cli.web.app import create_app
    from cli.web.connections import connections_most
    from cli.web.server import LOOPBACK, lan_address, listen, lower_priority, machine_names, serve
    from cli.web.tokens import TOKEN_FILE, load_tokens

    path = context.folder / LEDGER_FILE
    context.game()  # says at once what is wrong with the ledger
    context.close()
    roles = ([PLAYERS] if lan else []) + ([GM_VIEW] if role == GM_VIEW else [])
    kept = load_tokens(context.folder, new=new_token) if roles or new_token else {}
    if kept:
        with suppress(LedgerError):  # a folder that cannot be written keeps no token either
            keep_out_of_repositories(context.folder / ".gitignore", TOKEN_FILE)
    tokens = {kept[each]: each for each in roles}
    access = Access(tokens, machine_names() if lan else frozenset())
    with listen(port, lan=lan) as listening, closing(FileWatch(path)) as changes:
        host = f"http://{lan_address() if lan else LOOPBACK}:{listening.getsockname()[1]}"
        links = {each: f"{host}/t/{token}/" for token, each in tokens.items()}
        links = {PLAYERS: f"{host}/"} | links
        print_links(links, qr=qr)
        remark("End with Ctrl-C.")
        lower_priority()
        pages = LivePages(partial(page_source, path, links[PLAYERS]), changes.has_changed)
        app = create_app(pages, access, connections=connections_most())
        with closing(serve(app, pages, listening)) as serving:  # also if it does not begin
            asyncio.run(serving)


def print_links(links: dict[str, str], *, qr: bool) -> None:
    """Print the link of each page, and the QR code of the players'."""
    print_line(f"The players' page: {links[PLAYERS]}")
    if qr:
        print_verbatim(qr_lines(links[PLAYERS]))
    if GM_VIEW in links:
        print_line(f"The game master's page, with everything: {links[GM_VIEW]}")


def page_source(path: Path, players: str, role: str, name: str) -> Callable[[], LivePage]:
    """Return a function that reads a page as it is now: of the last session (no name), a session or the campaign.

    `players`: the link of the players' pages, for what the game master copies.
    """
    keeper = SessionKeeper(int(name) if name.isdecimal() else None, role)
    home = f"../../{CAMPAIGN}/" if name else f"{CAMPAIGN}/"

    def load() -> LivePage:
        with closing(open_store(path, write=False, models=StateProjection.read_models)) as store:
            book = find_game(store)
            if name == CAMPAIGN:
                seen = store_for(store, book, role)
                return LiveCampaignPage(campaign_content(seen, as_of=None, book=book, role=role))
            return LiveSessionPage(keeper.page(store, book), home, players if role == GM_VIEW else "")

    return load
