"""The lead of a session that is over as HTML, and what a pasted link to its page shows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from cli.story.lead_lines import LeadLine, lead_lines
from cli.web.pages.content import SessionPage
from cli.web.pages.markup import Html, element, linked
from ledger.names import capital

ENDS: Final = (".", "?", "!", "…")
DESCRIPTION_MOST: Final = 300  # letters


def lead(page: SessionPage) -> Html:
    """Return the lead; its place is there also without any."""
    return element("section", {"id": "lead", "aria-label": "In short"}, *list_of(lead_lines(page.recap)))


def list_of(lines: Sequence[LeadLine]) -> Iterator[Html]:
    """Yield the lines as a list of names and what they say."""
    if lines:
        rows = ([element("dt", None, line.name), element("dd", None, joined_parts(line))] for line in lines)
        yield element("dl", None, rows)


def joined_parts(line: LeadLine) -> Iterator[Html | str]:
    """Yield the parts of a line as links, in one sentence."""
    for index, part in enumerate(line.parts):
        yield part.between if index else ""
        yield linked(part.text if index else capital(part.text), part.address)
    yield "" if line.text.endswith(ENDS) else "."


def description(page: SessionPage) -> str:
    """Return what a pasted link to the page shows. The link of the game master's page shows nothing that is in it."""
    if page.role == "gm":
        return "The game master's view of this session."
    text = ". ".join(f"{line.name}: {line.text}" for line in lead_lines(page.recap))
    if not text:
        return "A session as it was played, entry by entry."
    return shortened(text)


def shortened(text: str) -> str:
    """Return a text as it is shown where a link is pasted."""
    return text if len(text) <= DESCRIPTION_MOST else f"{text[: DESCRIPTION_MOST - 1]}…"
