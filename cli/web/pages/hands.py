"""The page of somebody at the table: the same for all, its script asks for everything with the token of the link."""

from __future__ import annotations

from functools import cache
from typing import Final

from cli.web.pages.document import asset, bare_page, policy_text, source_hash, style
from cli.web.pages.markup import Html

BODY: Final = "hands.html"  # the log above, and below it what can be done
SCRIPTS: Final = (
    "sha256.js",
    "witness.js",
    "chain.js",
    "hands_table.js",
    "net.js",
    "elements.js",
    "hands_make.js",
    "hands_watch.js",
    "hands_draft.js",
    "hands_forecast.js",
    "hands.js",
)
STYLE: Final = "hands.css"


@cache
def hands_style() -> str:
    """Return the style of the page."""
    return f"{style()}\n{asset(STYLE)}"


@cache
def hands_policy() -> str:
    """Return the content security policy of the page, for a header: its own style, scripts and server."""
    rules = {
        "default-src": "'none'",
        "script-src": " ".join(source_hash(asset(name)) for name in SCRIPTS),
        "style-src": source_hash(hands_style()),
        "connect-src": "'self'",
        "base-uri": "'none'",
        "form-action": "'none'",
        "frame-ancestors": "'none'",
    }
    return policy_text(rules)


@cache
def hands_html() -> str:
    """Return the page, the same for everybody."""
    return bare_page("At the table", hands_style(), Html(asset(BODY)), SCRIPTS)
