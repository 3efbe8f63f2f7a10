"""`serve`: the replay page of the session, live, and a table that is played from phones."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager, suppress
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click
import msgspec

from cli.context import CampaignContext
from cli.options import pass_campaign, view_option
from cli.output import has_glyphs, print_line, print_verbatim, remark
from cli.play.name_table import campaign_names
from cli.play.new_campaign import keep_out_of_repositories
from cli.questions.ledger_file import find_game
from cli.questions.players_ledger import store_for
from cli.questions.roles import GM_VIEW, PLAYERS
from cli.render.qr_code import qr_lines
from cli.web.live_pages import CAMPAIGN, LivePages
from cli.web.pages.campaign_content import campaign_content
from cli.web.pages.live import LiveCampaignPage, LivePage, LiveSessionPage
from cli.web.pages.session_keeper import SessionKeeper
from ledger.campaign_source import open_campaign, watch_campaign
from ledger.errors import InputError, LedgerError
from ledger.names import escape, name_key, word_list
from projections.projection import StateProjection

if TYPE_CHECKING:
    from cli.table.links import Reseated, SeatLinks
    from cli.table.seats import Seat
    from cli.web.server import Keeper

LIBRARIES: Final = ("starlette", "uvicorn", "segno")
INSTALL: Final = 'Install them: pip install "campaign-ledger[serve]". Or write a file: campaign recap --html.'
ALL: Final = "all"  # links that are replaced


class Serving(msgspec.Struct, frozen=True, kw_only=True):
    """How it is served.

    `new`: whose links are others from now on: `all`, a name, or nobody's. `certificate`: files of a certificate and
    its key.
    """

    lan: bool
    port: int
    new: str | None
    qr: bool
    certificate: tuple[str, str] | None


@click.command()
@view_option(PLAYERS)
@click.option("--hands", is_flag=True, help="A link for each player of the session, who speak for themselves.")
@click.option("--lan", is_flag=True, help="For all in this network who have the link, which has a token.")
@click.option("--port", type=click.IntRange(0, 65535), default=8002, show_default=True, help="0: any that is free.")
@click.option(
    "--new-token", is_flag=False, flag_value=ALL, metavar="[NAME]", help="New links, or one: the old ones are void."
)
@click.option("--no-qr", is_flag=True, help="Print no QR code of the link.")
@click.option("--tls-cert", type=click.Path(exists=True, dir_okay=False), help="A certificate, for https.")
@click.option("--tls-key", type=click.Path(exists=True, dir_okay=False), help="The key of the certificate.")
@pass_campaign
def serve_command(
    context: CampaignContext,
    role: str,
    hands: bool,
    lan: bool,
    port: int,
    new_token: str | None,
    no_qr: bool,
    tls_cert: str | None,
    tls_key: str | None,
) -> None:
    """Show the last session in browsers as it is played, until it is interrupted (Ctrl-C).

    Every line appears at once, and so does a correction of an older one. The pages can only be read. They are on this
    machine alone; with --lan also for those in its network who have the link, as on the players' phones. All see what
    the players may see; --as gm prints another link, of a page with everything. The links stay the same until
    --new-token: they are kept in serve.secret beside the ledger, which only its owner can read.

    With --hands every player has a link of their own, speaks for their own beings, and the shell of the game master
    goes on beside it: campaign help hands. One link is replaced with --new-token ana.

    Examples: campaign serve   campaign serve --lan   campaign serve --hands --lan   campaign serve --as gm --port 8010
    """
    if missing := [name for name in LIBRARIES if find_spec(name) is None]:
        raise InputError(f"serve needs {', '.join(missing)}", hint=INSTALL)
    if (tls_cert is None) != (tls_key is None):
        raise InputError("a certificate needs its key", hint="Name both: --tls-cert FILE --tls-key FILE.")
    if new_token not in (None, ALL) and not hands:
        raise InputError("without --hands there is one link", hint="For a new one: campaign serve --new-token.")
    certificate = (tls_cert, tls_key) if tls_cert and tls_key else None
    options = Serving(lan=lan, port=port, new=new_token, qr=not no_qr and has_glyphs(), certificate=certificate)
    with suppress(KeyboardInterrupt):  # the way to end it, also before it serves
        serve_pages(context, role, options, hands=hands)


def serve_pages(context: CampaignContext, role: str, options: Serving, *, hands: bool) -> None:
    """Print the links of the pages and serve them until the process is interrupted; `hands`: also those of a table."""
    from cli.table.routes import TableRoutes  # imported here: they need the extra
    from cli.table.table import HandsTable
    from cli.web.access import Access
    from cli.web.app import PATHS, create_app
    from cli.web.connections import connections_most
    from cli.web.server import listen, lower_priority, machine_names, serve

    context.game()  # says at once what is wrong with the ledger
    seats = table_links(context, options) if hands else None
    context.close()
    tokens = page_tokens(context.folder, role, options, hands=hands)
    access = Access({token: each for each, token in tokens.items()}, machine_names() if options.lan else frozenset())
    with ExitStack() as stack:
        listening = stack.enter_context(listen(options.port, lan=options.lan))
        changes, lines = (stack.enter_context(closing(watch_campaign(context.source))) for _ in range(2))
        host = host_address(listening.getsockname()[1], options)
        links = {PLAYERS: f"{host}/"} | {each: f"{host}{PATHS[each]}/#t={token}" for each, token in tokens.items()}
        players = links[PLAYERS].partition("#")[0]
        pages = LivePages(partial(page_source, context.copy(), players), changes.has_changed)
        keepers: list[Keeper] = [pages]
        table = None
        if seats is None:
            lower_priority()
        else:
            qr = options.qr and options.lan
            print_seats(seats, host, seats.seats, qr=qr)
            on_reseat = partial(print_reseated, seats, host, qr=qr)
            keepers.append(played := HandsTable(context.copy(), seats, lines.has_changed, on_reseat))
            asking = stack.enter_context(running_table(context.folder, listening.getsockname()[1], options))
            table = TableRoutes(played, asking=asking)
        print_links(links, qr=options.qr and not hands, watchers="Who watches" if hands else "The players' page")
        remark("End with Ctrl-C.")
        app = create_app(pages, access, connections=connections_most(), table=table)
        asyncio.run(stack.enter_context(closing(serve(app, keepers, listening, options.certificate))))


@contextmanager
def running_table(folder: Path, port: int, options: Serving) -> Iterator[str]:
    """Say in a file for the owner where the table is served, as long as it is; yield the token to ask it with."""
    from cli.play.running_table import FILE, Running
    from cli.web.server import LOOPBACK
    from cli.web.tokens import new_token, write_private

    token, path = new_token(), folder / FILE
    running = Running(f"{'https' if options.certificate else 'http'}://{LOOPBACK}:{port}", token)
    try:
        write_private(path, msgspec.json.encode(running))
        keep_out_of_repositories(folder / ".gitignore", FILE)
    except (OSError, LedgerError) as error:
        remark(f"Other programs cannot ask this table for shared dice: {FILE} cannot be written ({error}).")
    try:
        yield token
    finally:
        with suppress(OSError):
            path.unlink()


def table_links(context: CampaignContext, options: Serving) -> SeatLinks:
    """Return the links of the players of the session, or of those whom the sheets name. Raises InputError."""
    from cli.table.links import SeatLinks, absent_players, seats_for
    from cli.table.seats import GAME_MASTER, session_players

    players = session_players(context.ledger(write=False).state)
    if not players:
        hint = 'Name them: campaign open --players ana,bo, and player = "Ana" in their sheets.'
        raise InputError("no players are known", hint=hint)
    seats = seats_for(players)
    holders = [*seats, *absent_players(context.folder, seats)]
    new = [seat for seat in holders if options.new and name_key(options.new) == name_key(seat.holder)]
    if options.new not in (None, ALL) and not new:
        known = word_list([GAME_MASTER.holder, *(seat.holder for seat in holders if seat.role == "player")])
        raise InputError(f"there is no link of '{escape(options.new or '')}'", hint=f"There is one of {known}.")
    return SeatLinks(context.folder, seats, new=None if options.new == ALL else new)


def page_tokens(folder: Path, role: str, options: Serving, *, hands: bool) -> dict[str, str]:
    """Return the tokens of the pages that are only looked at, by role; those of this machine alone need none."""
    from cli.web.tokens import TOKEN_FILE, load_tokens

    roles = ([PLAYERS] if options.lan or hands else []) + ([GM_VIEW] if role == GM_VIEW else [])
    new = None if options.new == ALL and not hands else ()
    kept = load_tokens(folder, new=new) if roles or new is None else {}
    if kept:
        with suppress(LedgerError):  # a folder that cannot be written keeps no token either
            keep_out_of_repositories(folder / ".gitignore", TOKEN_FILE)
    return {each: kept[each] for each in roles}


def host_address(port: int, options: Serving) -> str:
    """Return the address of the server, without a path."""
    from cli.web.server import LOOPBACK, lan_address

    scheme = "https" if options.certificate else "http"
    return f"{scheme}://{lan_address() if options.lan else LOOPBACK}:{port}"


def print_reseated(links: SeatLinks, host: str, reseated: Reseated, *, qr: bool) -> None:
    """Say who plays a session that was opened while the table is served, with the links of those who have come."""
    if reseated.left:
        names = word_list([escape(seat.holder) for seat in reseated.left])
        print_line(f"Not in this session, so their links are for looking: {names}.")
    if reseated.came:
        print_line("New in this session:")
        print_seats(links, host, reseated.came, qr=qr)


def print_seats(links: SeatLinks, host: str, seats: Sequence[Seat], *, qr: bool) -> None:
    """Print the links of those who speak, and their QR codes."""
    for seat in seats:
        if seat.role == "watcher":
            continue
        link = f"{host}/#t={links.token(seat)}"
        print_line(f"{'The game master' if seat.role == GM_VIEW else escape(seat.holder)}: {link}")
        if qr:
            print_verbatim(qr_lines(link))


def print_links(links: dict[str, str], *, qr: bool, watchers: str) -> None:
    """Print the link of each page, and the QR code of the players', who are called so where they only watch."""
    print_line(f"{watchers}: {links[PLAYERS]}")
    if qr:
        print_verbatim(qr_lines(links[PLAYERS]))
    if GM_VIEW in links:
        print_line(f"The game master's page, with everything: {links[GM_VIEW]}")


def page_source(context: CampaignContext, players: str, role: str, name: str) -> Callable[[], LivePage]:
    """Return a function that reads a page as it is now: of the last session (no name), a session or the campaign.

    `players`: the address of the players' pages, for what the game master copies.
    """
    keeper = SessionKeeper(int(name) if name.isdecimal() else None, role)
    source, folder = context.source, context.folder
    home = f"../../{CAMPAIGN}/" if name else f"{CAMPAIGN}/"

    def load() -> LivePage:
        with closing(open_campaign(source, write=False, models=StateProjection.read_models)) as store:
            book, names = find_game(store), campaign_names(folder, store)
            if name == CAMPAIGN:
                seen = store_for(store, book, role)
                return LiveCampaignPage(campaign_content(seen, as_of=None, book=book, role=role, names=names))
            return LiveSessionPage(keeper.page(store, book, names), home, players if role == GM_VIEW else "")

    return load
