"""All pages of a campaign for one folder: the campaign page, and a page for each session, with links between them."""

from __future__ import annotations

from collections.abc import Iterator

from cli.questions.name_table import NO_NAMES, NameTable
from cli.web.pages.campaign_content import SessionRow, campaign_content
from cli.web.pages.campaign_page import INDEX, campaign_html, session_links
from cli.web.pages.page import Neighbours, page_html
from cli.web.pages.session_draft import session_page
from ledger.store import ReadableStore
from rulebooks.common.game import Game


def campaign_pages(
    store: ReadableStore, *, as_of: int | None, book: Game, role: str, names: NameTable = NO_NAMES
) -> Iterator[tuple[str, str]]:
    """Yield the names and the texts of all pages, as somebody sees them. `names`: what their stories call everybody."""
    content = campaign_content(store, as_of=as_of, book=book, role=role, names=names)
    yield INDEX, campaign_html(content, session_links)
    rows = content.sessions
    for row, before, after in zip(rows, (None, *rows[:-1]), (*rows[1:], None), strict=True):
        page = session_page(store, row.number, as_of=as_of, book=book, role=role, names=names)
        beside = Neighbours(home=INDEX, before=neighbour(before), after=neighbour(after))
        yield session_links(row.number, ""), page_html(page, beside=beside)


def neighbour(row: SessionRow | None) -> tuple[str, str]:
    """Return the address and the name of a session's page."""
    return ("", "") if row is None else (session_links(row.number, ""), row.title or f"Session {row.number}")
