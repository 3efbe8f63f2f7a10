"""Recaps as lines: of a session in three sizes, of a character, and of the campaign."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple

import msgspec

from cli.phrases.summary import Summaries
from cli.questions.name_table import NameTable
from cli.story.check.doubt import Doubt
from cli.story.check.knowledge import SessionKnowledge
from cli.story.chronicle import chronicle
from cli.story.front_matter import session_values
from cli.story.history import campaign_page, character_page
from cli.story.history_text import campaign_lines, character_lines
from cli.story.page import Page, page_of_span, recap_page
from cli.story.post import post, short_post
from cli.story.sentences import storytellers
from cli.story.session_log import session_log
from cli.story.span import load_session, position_and_session
from cli.story.style import Style
from cli.story.template import fill_template
from ledger.names import escape, plural
from ledger.store import ReadableStore
from rulebooks.common.game import Game
from rulebooks.common.narration import Narration
from rulebooks.common.texts import Wording

CHRONICLE: Final = "chronicle"
POST: Final = "post"
SHORT: Final = "short post"
SIZES: Final[dict[str, Callable[[Page, Style], Iterator[str]]]] = {
    POST: post,
    SHORT: short_post,
    CHRONICLE: chronicle,
    "log": session_log,
}


KINDS: Final = {
    "name": "'{}' is no name that the ledger knows",
    "number": "{} is no number of the session",
    "dice": "no {} was thrown",
    "entry": "{} is no entry of the session",
    "date": "{} is not its day",
    "died": "'{}': the ledger has it otherwise",
    "lives": "'{}': the ledger has it otherwise",
}


class RecapSource(msgspec.Struct, frozen=True, kw_only=True):
    """What a recap is made of: what a role sees of the ledger as of a position, the book, its words, and names."""

    store: ReadableStore
    book: Game
    wording: Wording
    role: str
    names: NameTable
    as_of: int | None = None
    voice: Narration | None = None

    @property
    def arguments(self) -> dict[str, Any]:
        """What every page of a story takes."""
        tellers = storytellers(self.book, self.names, self.voice)
        return {"store": self.store, "as_of": self.as_of, "book": self.book, "storytellers": tellers}


class Recap(NamedTuple):
    """The content of a recap, its front matter, and its lines."""

    page: msgspec.Struct
    front: Mapping[str, object]
    lines: Iterable[str]


def session_content(source: RecapSource, session: int | None) -> Page:
    """Return the content of the recap of one session."""
    return recap_page(session=session, summaries=Summaries(source.wording), **source.arguments)


def session_recap(
    source: RecapSource, session: int | None, style: Style, size: str = CHRONICLE, template: Path | None = None
) -> Recap:
    """Return the recap of one session; a template has its own front matter, and a post has none."""
    page = session_content(source, session)
    if template is not None:
        return Recap(page, {}, (line for line in fill_template(template, page, style).splitlines()))
    return Recap(page, {} if size in (POST, SHORT) else session_values(page, source.role), SIZES[size](page, style))


def character_recap(source: RecapSource, name: str, session: int | None, style: Style) -> Recap:
    """Return the story of one character, in all sessions or in one."""
    page = character_page(name=name, session=session, **source.arguments)
    front = {"campaign": page.campaign, "character": page.who, "view": source.role}
    return Recap(page, front, character_lines(page, style))


def campaign_recap(source: RecapSource, style: Style) -> Recap:
    """Return the campaign on one page."""
    page = campaign_page(**source.arguments)
    return Recap(page, {"campaign": page.campaign, "view": source.role}, campaign_lines(page, style))


def session_knowledge(source: RecapSource, session: int | None) -> SessionKnowledge:
    """Return what is known of one session, for a text to be compared with."""
    position, number = position_and_session(source.store, source.as_of, session)
    span = load_session(source.store, number, position)
    tellers = storytellers(source.book, source.names, source.voice)
    page = page_of_span(
        source.store,
        span,
        position=position,
        book=source.book,
        storytellers=tellers,
        summaries=Summaries(source.wording),
    )
    return SessionKnowledge(source.store, span, page, source.book, source.names)


def doubt_lines(doubts: Iterable[Doubt], lines: int) -> Iterator[str]:
    """Yield a line for each doubt, or that there is none."""
    listed = [f"line {each.line}: {KINDS[each.kind].format(escape(each.text))}. {escape(each.hint)}" for each in doubts]
    yield from listed or [f"Nothing in {plural(lines, 'line', 'lines')} that the ledger does not know."]
