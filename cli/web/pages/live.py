"""Pages as a server keeps them: the sections of a session as texts and its data, whose changes the browser is sent."""

from __future__ import annotations

import re
from functools import cached_property
from typing import Any, Final

import msgspec

from cli.output import plain_texts
from cli.web.pages.campaign_content import CampaignContent
from cli.web.pages.campaign_page import campaign_html
from cli.web.pages.content import SessionPage
from cli.web.pages.document import policy, scripts_of
from cli.web.pages.lead import lead
from cli.web.pages.markup import html
from cli.web.pages.page import (
    Neighbours,
    data_of,
    dice,
    footer,
    graphs,
    header,
    line_section,
    page_html,
    party_section,
    story_section,
)

FIGURE: Final = re.compile("(?=<figure)")
UNFRAMED: Final = "frame-ancestors 'none'"  # only a header can say that no other page may show it in a frame


class LiveSessionPage:
    """The page of a session: `content` is what live.js keeps of it.

    The content has `html`, the markup of each section by its selector, each figure a text of its own, and `data`.
    """

    def __init__(self, page: SessionPage, home: str, shared: str = "") -> None:
        """`home`: the address of the campaign page from this one; `shared`: of the players' pages."""
        self._shared = shared
        self._page, self._beside = page, Neighbours(home=home)
        with plain_texts():
            sections = {
                "header": header(page, self._beside),
                "#lead": lead(page),
                "#lines": line_section(page),
                "#story": story_section(page),
                "#graphs": graphs(page),
                "#dice": dice(page),
                "#party": party_section(page),
                "footer": footer(page),
            }
        markup = {selector: [*map(str, FIGURE.split(html(section)))] for selector, section in sections.items()}
        self.content: dict[str, Any] = {"html": markup, "data": msgspec.to_builtins(data_of(page))}

    @cached_property
    def html(self) -> str:
        """The whole page."""
        return page_html(self._page, live=True, beside=self._beside, shared=self._shared)

    @property
    def policy(self) -> str:
        """Its content security policy, for a header."""
        return f"{policy(*scripts_of(live=True), live=True)}; {UNFRAMED}"


class LiveCampaignPage:
    """The page of the campaign, with links to the pages of the sessions. It has no script: it is as when loaded."""

    policy = f"{policy(live=False)}; {UNFRAMED}"

    def __init__(self, content: CampaignContent) -> None:
        self.html = campaign_html(content, session_address)
        self.content = self.html


def session_address(session: int, entry: str) -> str:
    """Return the address of a session's page, or of an entry of it, from the campaign page."""
    return f"../session/{session}/" + (f"#e{entry}" if entry else "")


LivePage = LiveSessionPage | LiveCampaignPage
