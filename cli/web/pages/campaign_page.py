"""The campaign page as HTML: last time, lives, wounds, tokens over the years, all sessions; a folder of all pages."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby, pairwise
from typing import Final

from cli.output import plain_texts
from cli.questions.name_table import NO_NAMES, NameTable
from cli.story.history_text import chapter_title, last_time, when_told
from cli.story.parts import ruling_line, thread_lines
from cli.web.pages.campaign_content import CampaignContent, Life, SessionRow, WoundOf, campaign_content, year_of
from cli.web.pages.campaign_picture import campaign_picture
from cli.web.pages.charts import Band, ChartFrame, charts
from cli.web.pages.content import Series
from cli.web.pages.document import document
from cli.web.pages.hues import hue_class
from cli.web.pages.lead import shortened
from cli.web.pages.luck_table import luck_table
from cli.web.pages.markup import Child, Html, element, linked, scrolling, section
from cli.web.pages.page import Neighbours, page_html
from cli.web.pages.session_draft import session_page
from cli.web.pages.story import PLAIN, party_names, story
from ledger.names import plural
from ledger.store import ReadableStore
from rulebooks.common.game import Game

MANY: Final = 40  # sessions, which are folded by year
INDEX: Final = "index.html"  # the campaign page in a folder of pages
Links = Callable[[int, str], str]  # the address of a session's page, at an entry if one is named; empty: there is none


def session_links(session: int, entry: str) -> str:
    """Return the address of an entry in the page of its session, which is a file beside the campaign page."""
    return "" if not session else f"session-{session}.html" + (f"#e{entry}" if entry else "")


def campaign_html(page: CampaignContent, links: Links = lambda session, entry: "") -> str:
    """Return the whole page; `links`: the addresses of the sessions' pages."""
    with plain_texts():
        title = chapter_title(page.recap.last, PLAIN)
        title = f"{when_told(page.recap.last)}: {title}" if page.sessions else title
        parts = [
            campaign_picture(page),
            section("last", title, last_session(page, links)),
            section("lives", "Characters", lives(page, links)),
            section("open", "Open", items(thread_lines(page.recap.threads, PLAIN, brief=True))),
            section("wounds", "Wounds", wounds(page.wounds, links)),
            section("sessions", "Sessions", sessions(page.sessions, links)),
            section("graphs", "Tokens, session by session", graphs(page, links)),
            section("dice", "Dice, session by session", dice(page)),
            section("decided", "Decided", items(decided(page))),
        ]
        skip = element("a", {"class": "skip", "href": "#sessions"}, "Skip to the sessions") if page.sessions else ""
        footer = element("footer", None, element("p", None, f"Made from position {page.recap.position} of the ledger."))
        body = element("div", {"id": "page"}, header(page), element("main", {"class": "years"}, parts), footer)
        return document(PLAIN.text(page.recap.campaign), Html(skip + body), about=description(page))


def description(page: CampaignContent) -> str:
    """Return what a pasted link to the page shows. The link of the game master's page shows nothing that is in it."""
    if page.role == "gm":
        return "The game master's view of this campaign."
    about = " · ".join(part for part in map(PLAIN.text, facts_of(page)) if part)
    who = party_names(page.recap.party)
    return shortened(f"{about}. {who}" if who else about)


def facts_of(page: CampaignContent) -> list[str]:
    """Return the game, the number of sessions, and how long the campaign has run."""
    dates = [date for row in page.sessions for date in row.dates]
    span = " to ".join(dict.fromkeys((min(dates), max(dates)))) if dates else ""
    return [page.game, plural(len(page.sessions), "session", "sessions"), span]


def header(page: CampaignContent) -> Html:
    """Return the heading: the campaign, its game, how long it has run, who plays."""
    facts = facts_of(page)
    facts += ["the game master's view"] if page.role == "gm" else []
    who = party_names(page.recap.party)
    return element(
        "header",
        {"class": "masthead"},
        element("p", {"class": "campaign"}, "Campaign"),
        element("h1", None, PLAIN.text(page.recap.campaign)),
        element("p", {"class": "facts"}, " · ".join(part for part in map(PLAIN.text, facts) if part)),
        element("p", {"class": "players"}, who) if who else None,
    )


def last_session(page: CampaignContent, links: Links) -> Iterator[Html]:
    """Yield what mattered most in the last session, and a link to all of it."""
    session = page.recap.last.session
    yield from story(last_time(page.recap, PLAIN), lambda entry: links(session, entry))
    address = links(session, "") if page.sessions else ""
    if not page.sessions:
        yield element("p", None, "No session has been played yet.")
    if address:
        yield element("p", None, element("a", {"href": address}, "The whole session"))


def items(lines: Iterable[str]) -> Iterator[Html]:
    """Yield a list of lines; nothing without lines."""
    listed = [element("li", None, line) for line in lines]
    if listed:
        yield element("ul", {"class": "items"}, listed)


def frame(page: CampaignContent) -> ChartFrame:
    """Return what the charts share: their places are what was before the first session, and each session."""
    places = ["before the first session", *(f"session {row.number}" for row in page.sessions)]
    return ChartFrame(places=places, hues=page.hues, bands=list(year_bands(page.sessions)), sloped=True)


def year_bands(rows: Sequence[SessionRow]) -> Iterator[Band]:
    """Yield the years of the sessions, if there are several."""
    years = [(year, len(list(own))) for year, own in groupby(rows, key=year_of)]
    begin = 0
    for year, count in years if len(years) > 1 else []:
        yield Band(begin, begin + count, year)
        begin += count


def graphs(page: CampaignContent, links: Links) -> Iterator[Html]:
    """Yield the lines of tokens, each with the sessions that changed it."""
    yield from charts(page.series, frame(page), lambda series: changes(series, page.sessions, links))


def changes(series: Series, rows: Sequence[SessionRow], links: Links) -> Html:
    """Return the sessions in which a number changed, or the years of many, closed until they are asked for."""
    pairs = zip(rows, pairwise(series.numbers), strict=True)
    if len(rows) > MANY:
        years = [(year, [pair for _, pair in own]) for year, own in groupby(pairs, key=lambda each: year_of(each[0]))]
        told = [(year, (own[0][0], own[-1][1])) for year, own in years]
    else:
        told = [(linked(f"Session {row.number}", links(row.number, "")), pair) for row, pair in pairs]
    listed = [element("li", None, name, f": {change(*pair)}") for name, pair in told if pair[0] != pair[1]]
    title = f"{series.owner or series.name}: changes"
    return element("details", None, element("summary", None, title), element("ol", None, listed))


def change(before: int | None, after: int | None) -> str:
    """Return a change of a number: `2 → 3`, `3` where there was none, `gone`."""
    return "gone" if after is None else f"{after}" if before is None else f"{before} → {after}"


def dice(page: CampaignContent) -> Iterator[Html]:
    """Yield each player's dice against expectation: all of them, then session by session."""
    yield from (luck_table(report, page.hues) for report in page.luck)
    if len(page.sessions) > 1:
        yield from charts(page.dice, frame(page))


def decided(page: CampaignContent) -> Iterator[str]:
    """Yield options and rulings in force."""
    yield from map(PLAIN.text, page.recap.answers)
    yield from (ruling_line(ruling, PLAIN) for ruling in page.recap.rulings)


def reference(session: int, entry: str, links: Links) -> Html | str:
    """Return an entry, as a link where its session has a page."""
    return linked(entry, links(session, entry))


# Lives


def lives(page: CampaignContent, links: Links) -> Iterator[Html]:
    """Yield each character: name and player, how it stands, and what changed it."""
    for life in page.lives:
        player = element("small", None, f" {life.player}") if life.player else None
        changes = [
            element("li", None, reference(each.session, each.entry, links), f" {each.text}") for each in life.milestones
        ]
        yield element(
            "article",
            {"class": "life gone" if life.gone else "life"},
            element("h3", {"class": f"who {hue_class(life.who, page.hues) or ''}".strip()}, life.who, player),
            element("p", {"class": "circumstance"}, life.now) if life.now else None,
            element("details", None, element("summary", None, milestone_count(life)), element("ol", None, changes)),
        )


def milestone_count(life: Life) -> str:
    """Return what the list of milestones is called."""
    milestones = plural(len(life.milestones), "milestone", "milestones")
    return f"{plural(len(life.sessions), 'session', 'sessions')}, {milestones}"


# Tables


def wounds(held: Sequence[WoundOf], links: Links) -> Iterator[Html]:
    """Yield the table of who has which wound."""
    if held:
        rows = ([each.who, each.text, reference(each.session, each.entry, links)] for each in held)
        yield table("Wounds", ("Who", "Wound", "Since"), rows)


def sessions(rows: Sequence[SessionRow], links: Links) -> Iterator[Html]:
    """Yield a table of the sessions, the last one first, with one table a year where there are several.

    Of many sessions the years before the last are closed until somebody asks for them.
    """
    by_year = [(year, list(own)) for year, own in groupby(reversed(rows), key=year_of)]
    for index, (year, own) in enumerate(by_year):
        name = year or "Without a date"
        label = f"Sessions of {name}" if len(by_year) > 1 else "Sessions"
        cells = (session_cells(row, links) for row in own)
        whole = table(label, ("Session", "Title", "Date", "Who was there", "Entries"), cells)
        if len(rows) > MANY:
            count = f"{name}: {plural(len(own), 'session', 'sessions')}"
            yield element("details", {"open": not index}, element("summary", None, element("h3", None, count)), whole)
        else:
            yield from ([element("h3", None, name)] if len(by_year) > 1 else [])
            yield whole


def session_cells(row: SessionRow, links: Links) -> list[Child]:
    """Return a session as cells of its table."""
    title = row.title or f"Session {row.number}"
    days = [element("span", {"class": "day"}, PLAIN.text(date)) for date in row.dates]
    dates = [part for day in days for part in (" to ", day)][1:]
    return [str(row.number), linked(title, links(row.number, "")), dates, ", ".join(row.who), str(row.entries)]


def table(label: str, titles: Sequence[str], rows: Iterable[Sequence[Child]]) -> Html:
    """Return a table whose first cells are headings of their rows."""
    head = element("tr", None, (element("th", {"scope": "col"}, title) for title in titles))
    body = [
        element("tr", None, element("th", {"scope": "row"}, first), (element("td", None, cell) for cell in cells))
        for first, *cells in rows
    ]
    whole = element("table", None, element("thead", None, head), element("tbody", None, body))
    return scrolling(whole, label)


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
