"""The page of a link: it says nothing, takes the token from behind the #, and asks with it for the page to show."""

from __future__ import annotations

from functools import cache
from typing import Final

from cli.web.pages.document import asset, policy, scripts_of, settings, style
from cli.web.pages.live import UNFRAMED
from cli.web.pages.markup import Html, element, html

SCRIPT: Final = "handover.js"
NO_SCRIPT: Final = "This page needs a script that your browser does not run."


@cache
def handover_policy() -> str:
    """Return the content security policy of the page, for a header: it holds for the page that takes its place too."""
    return f"{policy(asset(SCRIPT), *scripts_of(live=True), live=True)}; {UNFRAMED}"


@cache
def handover_html() -> str:
    """Return the page, the same for everybody."""
    head = element("head", None, settings(), element("title", None, "Campaign"), element("style", None, Html(style())))
    said = element("p", {"id": "connection", "role": "status"}, NO_SCRIPT)
    title = element("h1", None, "Campaign")
    script = element("script", None, Html(asset(SCRIPT)))
    page = element("html", {"lang": "en"}, head, element("body", None, element("main", None, title, said), script))
    return str(html([Html("<!doctype html>\n"), page, "\n"]))
