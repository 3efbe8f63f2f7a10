"""The recap as a journal of Foundry (versions 12 to 14): an entry with a page for each session, as JSON.

The fields are those of https://foundryvtt.com/api: JournalEntryData, JournalEntryPageData and what is in them. All ids
are derived from the campaign and the session, so the same ledger gives the same bytes, and a journal that is imported
again has the pages that it had.
"""

from __future__ import annotations

import hashlib
import html
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby, islice
from string import ascii_letters, digits
from typing import Any, Final

from cli.story.chronicle import chronicle
from cli.story.page import Page
from cli.story.style import Style
from ledger.names import capital, escape

FLAG: Final = "campaign-ledger"
HEAD: Final = f'{{"flags":{{"{FLAG}":'  # what a file of ours begins with
ID_LENGTH: Final = 16
ID_LETTERS: Final = ascii_letters + digits
HTML: Final = 1  # JOURNAL_ENTRY_PAGE_FORMATS
HIDDEN: Final = 0  # DOCUMENT_OWNERSHIP_LEVELS.NONE: the game master shows a journal to the players
INHERITED: Final = -1
SORT_STEP: Final = 100_000
JOINER: Final = "\u2060"  # invisible: Foundry makes links and rolls of what is in brackets, and links of addresses
TITLE_LINES: Final = 1  # of a chronicle: the page has a title of its own
ITEM, BLOCKS = "<li>", ("<h", "<blockquote>", "<table>", "<p>")


class HtmlStyle(Style):
    """HTML in which nothing from the ledger is markup, a link, a roll or a reference of Foundry."""

    def text(self, value: object) -> str:
        """Return text from the ledger for the inside of an element."""
        plain = escape(str(value)).strip().replace("[", f"{JOINER}[").replace("://", f":{JOINER}//")
        return html.escape(plain)

    def heading(self, level: int, title: str) -> Iterator[str]:
        """Yield a heading."""
        yield f"<h{level}>{title}</h{level}>"

    def strong(self, text: str) -> str:
        """Return bold text."""
        return f"<strong>{text}</strong>"

    def slanted(self, text: str) -> str:
        """Return italic text."""
        return f"<em>{text}</em>"

    def quotation(self, text: str) -> str:
        """Return a block quotation."""
        return f"<blockquote><p>{text}</p></blockquote>"

    def item(self, text: str) -> str:
        """Return an item of a list, which `elements` puts into one."""
        return f"{ITEM}{text}</li>"

    def note_mark(self, number: int) -> str:
        """Return the mark of a note."""
        return f"<sup>{number}</sup>"

    def note(self, number: int, text: str) -> str:
        """Return a note in a paragraph of its own."""
        return f"<p><sup>{number}</sup> {text}</p>"

    def table(self, titles: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[str]:
        """Yield a table; nothing without rows."""
        body = "".join(f"<tr>{''.join(f'<td>{cell}</td>' for cell in row)}</tr>" for row in rows)
        if body:
            head = "".join(f"<th>{title}</th>" for title in titles)
            yield f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


STYLE: Final = HtmlStyle()


def journal(campaign: str, ledger: str, pages: Iterable[Page]) -> dict[str, Any]:
    """Return the journal entry of a campaign with a page for each session. `ledger`: the id of its ledger."""
    listed = [journal_page(ledger, page) for page in pages]
    return {
        "flags": {FLAG: {"ledger": ledger}},
        "_id": derived_id(ledger, "journal"),
        "name": escape(campaign),
        "ownership": {"default": HIDDEN},
        "pages": listed,
    }


def journal_page(ledger: str, page: Page) -> dict[str, Any]:
    """Return the page of a session: its chronicle, whose title is the name of the page."""
    content = "\n".join(elements(islice(chronicle(page, STYLE), TITLE_LINES, None)))
    return {
        "_id": derived_id(ledger, f"session {page.session}"),
        "name": page_name(page),
        "type": "text",
        "title": {"show": True, "level": 1},
        "text": {"format": HTML, "content": content},
        "sort": page.session * SORT_STEP,
        "ownership": {"default": INHERITED},
    }


def page_name(page: Page) -> str:
    """Return `Session 2: The Lamp Room`."""
    number = f"session {page.session}" if page.session else "before the first session"
    return capital(number) + (f": {escape(page.title)}" if page.title else "")


def elements(lines: Iterable[str]) -> Iterator[str]:
    """Yield lines of a recap as elements: items in a list, and what is not an element as a paragraph."""
    for is_item, group in groupby(filter(None, lines), lambda line: line.startswith(ITEM)):
        if is_item:
            yield f"<ul>{''.join(group)}</ul>"
        else:
            yield from (line if line.startswith(BLOCKS) else f"<p>{line}</p>" for line in group)


def derived_id(ledger: str, what: str) -> str:
    """Return the id of something in a campaign: 16 letters and digits, always the same."""
    number = int.from_bytes(hashlib.sha256(f"{FLAG} foundry\n{ledger}\n{what}".encode()).digest(), "big")
    letters = ""
    while len(letters) < ID_LENGTH:
        number, place = divmod(number, len(ID_LETTERS))
        letters += ID_LETTERS[place]
    return letters
