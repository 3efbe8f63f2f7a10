"""The replay page as a server keeps it: its sections as texts and its data, whose changes the browser is sent."""

from __future__ import annotations

import re
from functools import cached_property
from typing import Any, Final

import msgspec

from cli.output import plain_texts
from cli.pages.content import SessionPage
from cli.pages.document import asset, policy
from cli.pages.markup import html
from cli.pages.page import data_of, dice, footer, graphs, header, line_section, page_html, story_section

FIGURE: Final = re.compile("(?=<figure)")


class LiveSessionPage:
    """The page of a session: `content` is what live.js keeps of it.

    The content has `html`, the markup of each section by its selector, each figure a text of its own, and `data`.
    """

    def __init__(self, page: SessionPage) -> None:
        self._page = page
        with plain_texts():
            sections = {
                "header": header(page),
                "#lines": line_section(page),
                "#story": story_section(page),
                "#graphs": html(graphs(page)),
                "#dice": html(dice(page)),
                "footer": footer(page),
            }
        markup = {selector: FIGURE.split(section) for selector, section in sections.items()}
        self.content: dict[str, Any] = {"html": markup, "data": msgspec.to_builtins(data_of(page))}

    @cached_property
    def html(self) -> str:
        """The whole page."""
        return page_html(self._page, live=True)

    @property
    def policy(self) -> str:
        """Its content security policy, for a header: nothing else may show it in a frame."""
        return f"{policy(asset('page.js'), asset('live.js'), live=True)}; frame-ancestors 'none'"
