"""One HTML file that needs no network: style, script and data stand in it, and its policy allows nothing else."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Final

from cli.web.pages.markup import Attributes, Child, Html, element, html, json_text

FOLDER: Final = Path(__file__).parent
FIRST: Final = "scripted.js"  # runs before the content is there
SCRIPTS: Final = (
    "elements.js",
    "morph.js",
    "state.js",
    "charts.js",
    "address.js",
    "reading.js",
    "play.js",
    "reasons.js",
    "page.js",
)
STYLES: Final = ("base.css", "article.css", "figures.css", "media.css")
LIVE_SCRIPTS: Final = (*SCRIPTS, "net.js", "live.js")
MARK: Final = '<meta name="generator" content="campaign-ledger">'  # a page with this mark may be written again


@cache
def asset(name: str) -> str:
    """Return the text of a file beside this module."""
    return (FOLDER / name).read_text(encoding="utf-8")


@cache
def style() -> str:
    """Return the style that all pages share."""
    return "\n".join(map(asset, STYLES))


def source_hash(text: str) -> str:
    """Return the hash of a script or a style as a policy names it."""
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"


def policy(*scripts: str, live: bool) -> str:
    """Return the content security policy: this style, these scripts, and for a live page its own server."""
    rules = {
        "default-src": "'none'",
        "script-src": " ".join(map(source_hash, scripts)) or "'none'",
        "style-src": source_hash(style()),
        "img-src": "data:",
        "connect-src": "'self'" if live else "'none'",
        "base-uri": "'none'",
        "form-action": "'none'",
    }
    return policy_text(rules)


def policy_text(rules: Mapping[str, str]) -> str:
    """Return a content security policy as it is sent."""
    return "; ".join(f"{name} {value}" for name, value in rules.items())


def settings() -> Iterator[Html]:
    """Yield what every page says of itself: its letters, its width, its colours, and that links do not name it."""
    yield element("meta", {"charset": "utf-8"})
    yield element("meta", {"name": "viewport", "content": "width=device-width, initial-scale=1"})
    yield element("meta", {"name": "color-scheme", "content": "light dark"})
    yield element("meta", {"name": "referrer", "content": "no-referrer"})


def scripts_of(*, live: bool) -> list[str]:
    """Return the scripts of a page with data."""
    return [asset(name) for name in (FIRST, *(LIVE_SCRIPTS if live else SCRIPTS))]


def document(
    title: str, body: Html, *, about: str = "", data: object = None, live: bool = False, players: str = ""
) -> str:
    """Return a whole page.

    Args:
        title: what it is called.
        body: its content.
        about: what a link to it shows where it is pasted.
        data: what its script reads; without it there is no script.
        live: it asks its own server for what is appended.
        players: the address of the players' pages, where that is another than of this page.
    """
    codes = scripts_of(live=live) if data else []
    head: list[Child] = [
        Html(MARK),
        element("meta", {"http-equiv": "Content-Security-Policy", "content": policy(*codes, live=live)}),
        element("title", None, title),
        card(title, about),
        element("style", None, Html(style())),
        (element("script", None, Html(code)) for code in codes[:1]),
    ]
    content = element("script", {"type": "application/json", "id": "data"}, Html(json_text(data))) if data else None
    own: Attributes = {"data-live": live, "data-players": players or None}
    scripts = (element("script", None, Html(code)) for code in codes[1:])
    return whole_page(head, element("body", own, body, content, scripts))


def whole_page(head: Child, body: Html) -> str:
    """Return a page: its head begins with what every page says of itself."""
    page = element("html", {"lang": "en"}, element("head", None, settings(), head), body)
    return str(html([Html("<!doctype html>\n"), page, "\n"]))


def bare_page(title: str, look: str, content: Child, names: Iterable[str]) -> str:
    """Return a page without data: its title, its style, its content, and its scripts by their names."""
    head = [element("title", None, title), element("style", None, Html(look))]
    scripts = (element("script", None, Html(asset(name))) for name in names)
    return whole_page(head, element("body", None, content, scripts))


def card(title: str, about: str) -> Iterator[Html]:
    """Yield what a link to a page shows where it is pasted (Open Graph)."""
    yield element("meta", {"property": "og:type", "content": "article"})
    yield element("meta", {"property": "og:title", "content": title})
    for name in ("name", "property") if about else ():
        yield element("meta", {name: "description" if name == "name" else "og:description", "content": about})
