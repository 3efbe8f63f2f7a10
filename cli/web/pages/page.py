"""The replay page as HTML: the state beside the moves and the story, then the lines of numbers and the dice."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

import msgspec

from cli.output import plain_texts
from cli.story.night_words import night_line
from cli.story.open_ends import open_lines
from cli.story.parts import correction_lines, decision_lines, member_line
from cli.web.pages.charts import Band, ChartFrame, PlacedMark, charts
from cli.web.pages.content import PageEntry, SessionPage
from cli.web.pages.document import document
from cli.web.pages.entry_content import AFTER, ROUND
from cli.web.pages.lead import description, lead
from cli.web.pages.luck_table import luck_table
from cli.web.pages.marks import TURN_SIGNS
from cli.web.pages.markup import Attributes, Child, Html, element, section
from cli.web.pages.moves import move_list
from cli.web.pages.story import PLAIN, party_names, story
from ledger.names import capital

NO_SCRIPT: Final = "The state at each entry needs scripts; the lines and the story do not."
ENTRY_DATA: Final = ("id", "rows", "changes", "sums", "dice", "rules", "decided")  # which are not in the markup
BUTTONS: Final = (  # the sign is the path of a drawing of 16 by 16
    ("to-opening", "M3 2h2v12H3zM14 2v12L6 8z", "The opening (Home)"),
    ("to-before", "M10.5 2 4.5 8l6 6L12 12.5 7.5 8 12 3.5z", "Entry before (left arrow)"),
    ("play", "M4 2v12l10-6z", "Play"),
    ("to-after", "M5.5 2 4 3.5 8.5 8 4 12.5 5.5 14l6-6z", "Next entry (right arrow)"),
    ("to-end", "M11 2h2v12h-2zM2 2v12l8-6z", "Last entry (End)"),
)


KEYS: Final = (
    "Keys: ← and → go from entry to entry, Page Up and Page Down by round, Home and End to the ends, Escape back."
)
SPEEDS: Final = ("0.5", "1", "2", "4")
CLOSE: Final = (
    "close",
    "M3.5 2 8 6.5 12.5 2 14 3.5 9.5 8l4.5 4.5-1.5 1.5L8 9.5 3.5 14 2 12.5 6.5 8 2 3.5z",
    "Close the board (Escape)",
)


class Neighbours(msgspec.Struct, frozen=True, kw_only=True):
    """The pages that are written beside one: their addresses and names, empty where there is none."""

    home: str
    before: tuple[str, str] = ("", "")
    after: tuple[str, str] = ("", "")


def page_html(page: SessionPage, *, live: bool = False, beside: Neighbours | None = None, shared: str = "") -> str:
    """Return the whole page.

    Args:
        page: its content.
        live: it asks its own server for what is appended.
        beside: the pages it links to.
        shared: the address of the players' pages, for links that are copied from the game master's.
    """
    with plain_texts():
        head = header(page, beside)
        body = element("div", {"id": "page"}, head, element("main", None, parts_of(page)), footer(page))
        skip = element("a", {"class": "skip", "href": "#lines"}, "Skip to the lines")
        more = connection() if live else ""
        text = description(page)
        return document(
            title_of(page), Html(skip + body + more), about=text, data=data_of(page), live=live, players=shared
        )


def connection() -> Html:
    """Return the place where a live page says how its connection is."""
    return element("div", {"id": "live"}, element("p", {"id": "connection", "role": "status"}))


def title_of(page: SessionPage) -> str:
    """Return the title of the page."""
    recap = page.recap
    return " · ".join(part for part in (recap.title, session_name(page), recap.campaign) if part)


def session_name(page: SessionPage) -> str:
    """Return which session it is."""
    return f"Session {page.recap.session}" if page.recap.session else "Before the first session"


def data_of(page: SessionPage) -> dict[str, Any]:
    """Return what the script reads. What is in the markup already is left out."""
    beings = list(dict.fromkeys(name for entry in page.entries for name in entry.who))  # a new one moves no other
    entries = [entry_data(entry, beings) for entry in page.entries]
    columns = {key: [entry.get(key) for entry in entries] for key in (*ENTRY_DATA, "who")}
    return {
        "session": page.recap.session,
        "open": page.recap.open or not page.recap.session,
        "beings": beings,
        "role": page.role,
        "opening": page.opening,
        "values": page.values,
        "entries": columns,  # like things side by side pack better
        "names": page.names,
        "rules": page.rules,
        "hues": page.hues,
        "series": [{"value": each.value, "numbers": each.numbers} for each in page.series],
    }


def entry_data(entry: PageEntry, beings: Sequence[str]) -> dict[str, Any]:
    """Return what the script reads of an entry; `beings`: those whose places in this list say who is in it."""
    data = {key: value for key in ENTRY_DATA if (value := getattr(entry, key))}
    who = [beings.index(name) for name in entry.who]
    return data | ({"who": who} if who else {})


def header(page: SessionPage, beside: Neighbours | None = None) -> Html:
    """Return the heading: the campaign, the session, when, who, and whose view it is."""
    recap = page.recap
    campaign: Child = PLAIN.text(recap.campaign)
    if beside:
        campaign = element("a", {"href": beside.home}, campaign)
    facts = [session_name(page) if recap.title else "", " to ".join(recap.dates), page.game]
    facts += ["still open"] if recap.open else []
    facts += ["the game master's view"] if page.role == "gm" else []
    named = party_names(recap.party)
    return element(
        "header",
        {"class": "masthead"},
        element("p", {"class": "campaign"}, campaign),
        element("h1", None, PLAIN.text(recap.title) or session_name(page)),
        element(
            "p",
            {"class": "facts"},
            " · ".join(part for part in map(PLAIN.text, facts) if part),
            [" · ", element("span", {"class": "players"}, named)] if named else None,
        ),
        neighbour_links(beside) if beside else None,
    )


def neighbour_links(beside: Neighbours) -> Html | None:
    """Return links to the sessions before and after, if there are any."""
    links = [
        element("a", {"href": address}, f"{sign} {name}" if sign == "←" else f"{name} {sign}")
        for sign, (address, name) in (("←", beside.before), ("→", beside.after))
        if address
    ]
    return element("nav", {"class": "neighbours", "aria-label": "Sessions"}, links) if links else None


def parts_of(page: SessionPage) -> Iterator[Child]:
    """Yield the parts of the page: the lead, what is read beside the state, the lines of numbers, the dice."""
    yield lead(page)
    yield bar(page)
    yield element("p", {"id": "missing", "role": "status"})
    yield element("p", {"id": "announcement", "class": "spoken", "aria-live": "polite"})
    reading = element("div", {"class": "reading"}, story_section(page), line_section(page))
    yield element("div", {"id": "desk", "class": "desk"}, reading, board(page))
    yield graphs(page)
    yield dice(page)
    yield party_section(page)


def bar(page: SessionPage) -> Html:
    """Return the controls: what steps through the session, the slider with its turning points, and the speed."""
    slider: Attributes = {
        "type": "range",
        "id": "scrubber",
        "min": 0,
        "max": len(page.entries),
        "value": len(page.entries),
        "aria-label": "Entry",
    }
    marked = element(
        "div", {"class": "slider"}, element("input", slider), element("div", {"id": "turns", "aria-hidden": "true"})
    )
    speeds = [element("option", {"value": speed, "selected": speed == "1"}, f"{speed}×") for speed in SPEEDS]
    speed = element("select", {"id": "pace", "aria-label": "How fast it plays"}, speeds)
    buttons = element("div", {"class": "buttons"}, (button(*each) for each in BUTTONS), speed, button(*CLOSE))
    return element("div", {"id": "bar", "class": "controls script"}, buttons, marked)


def button(name: str, sign: str, label: str) -> Html:
    """Return a button with a sign."""
    own: Attributes = {"type": "button", "id": name, "aria-label": label, "title": label}
    return element("button", own, icon(sign))


def board(page: SessionPage) -> Html:
    """Return the state at an entry: empty until the script fills it."""
    why = element("section", {"id": "why", "aria-label": "Why", "tabindex": "-1"})
    return element(
        "section",
        {"id": "board", "aria-labelledby": "board-title"},
        element("h2", {"id": "board-title", "class": "spoken"}, "State at an entry"),
        element("div", {"class": "card script"}, element("div", {"id": "entry"}), why),
        element("div", {"id": "state", "class": "script"}),
        element("noscript", None, element("p", None, NO_SCRIPT)),
    )


def icon(sign: str) -> Html:
    """Return a sign as a drawing."""
    drawing: Attributes = {"viewBox": "0 0 16 16", "width": 16, "height": 16, "aria-hidden": "true"}
    return element("svg", drawing, element("path", {"d": sign, "fill": "currentColor"}))


def line_section(page: SessionPage) -> Html | None:
    """Return the lines."""
    return section("lines", "Lines", [move_list(page.entries, page.before, page.hues)])


def story_section(page: SessionPage) -> Html | None:
    """Return the story, with what stands behind it; its place is there also without any."""
    known = {entry.id for entry in page.entries}
    text = story(page.recap.story, lambda entry: f"#e{entry}" if entry in known else "")
    return section("story", "Story", [text, notes(page)])


def graphs(page: SessionPage) -> Html | None:
    """Return the charts of the party's numbers."""
    return section("graphs", "Over the session", session_charts(page))


def dice(page: SessionPage) -> Html | None:
    """Return each player's dice against expectation."""
    return section("dice", "Dice", (luck_table(report, page.hues) for report in page.luck))


def party_section(page: SessionPage) -> Html | None:
    """Return where everybody stands at the end, in lines: what is printed, and read without a script."""
    lines = [element("li", None, member_line(member, PLAIN)) for member in page.recap.party]
    return section("party", "Where everybody stands", [element("ul", {"class": "items"}, lines)] if lines else [])


def notes(page: SessionPage) -> Iterator[Html]:
    """Yield what stands behind the story: the roll of the night, what is open, decided and corrected."""
    recap = page.recap
    night = night_line(recap, PLAIN)
    for title, lines in (
        ("Roll of the night", [night] if night else []),
        ("Open", map(capital, open_lines(recap, PLAIN))),
        ("Decided", decision_lines(recap, PLAIN)),
        ("Corrected", correction_lines(recap, PLAIN)),
    ):
        items = [element("li", None, line) for line in lines]
        if items:
            yield element("h3", {"id": "open"} if title == "Open" else None, title)
            yield element("ul", None, items)


def footer(page: SessionPage) -> Html:
    """Return how to check the page."""
    who = "What stands here can be checked: " if page.role == "gm" else "The game master can check what stands here: "
    text = f"Made from position {page.recap.position} of the ledger. {who}"
    keys = element("p", {"class": "script keys"}, KEYS)
    return element("footer", None, element("p", None, text, element("code", None, "campaign why ENTRY"), "."), keys)


def session_charts(page: SessionPage) -> Iterator[Html]:
    """Yield the charts of a session's numbers."""
    frame = ChartFrame(
        places=["the opening", *(entry.id for entry in page.entries)],
        hues=page.hues,
        bands=round_bands(page.entries),
        marks=list(turning_marks(page.entries)),
    )
    drawn = list(charts(page.series, frame))
    if drawn:
        yield element("p", {"class": "pointed script", "aria-hidden": "true"})
    yield from drawn


def round_bands(entries: Sequence[PageEntry]) -> list[Band]:
    """Return the rounds as stretches of places: each begins behind its entry, and ends where the next thing begins."""
    begun = [(place, entry.begins) for place, entry in enumerate(entries, 1) if entry.begins]
    ends = [(len(entries), ""), *reversed(begun)]
    found, group = list[Band](), ""
    for (end, after), (begin, name) in zip(ends, reversed(begun), strict=False):
        if after.startswith(AFTER) or not after:
            group = after.removeprefix(AFTER)
        if name.startswith(ROUND) and end > begin:
            found.append(Band(begin, end, name, group))
    return found[::-1]


def turning_marks(entries: Sequence[PageEntry]) -> Iterator[PlacedMark]:
    """Yield the sign of the heaviest turning point of each being in each entry, where the numbers have changed."""
    places = {entry.id: place for place, entry in enumerate(entries, 1)}
    for entry in entries:
        place = places[entry.outcome.entry if entry.outcome else entry.id]
        for who in dict.fromkeys(turn.who for turn in entry.turns):
            own = [turn for turn in entry.turns if turn.who == who]
            sign, _ = TURN_SIGNS[own[0].kind]
            text = f"{entry.id}: {'; '.join(turn.text for turn in own)}"
            yield PlacedMark(place=place, owner=who, sign=sign, kind=own[0].kind, text=text)
