"""The page of a link: it says nothing, takes the token from behind the #, and asks with it for the page to show."""

from __future__ import annotations

from functools import cache
from typing import Final

from cli.web.pages.document import asset, bare_page, policy, scripts_of, style
from cli.web.pages.live import UNFRAMED
from cli.web.pages.markup import element

SCRIPT: Final = "handover.js"
TITLE: Final = "Campaign"
NO_SCRIPT: Final = "This page needs a script that your browser does not run."


@cache
def handover_policy() -> str:
    """Return the content security policy of the page, for a header: it holds for the page that takes its place too."""
    return f"{policy(asset(SCRIPT), *scripts_of(live=True), live=True)}; {UNFRAMED}"


@cache
def handover_html() -> str:
    """Return the page, the same for everybody."""
    said = element("p", {"id": "connection", "role": "status"}, NO_SCRIPT)
    return bare_page(TITLE, style(), element("main", None, element("h1", None, TITLE), said), (SCRIPT,))
