"""HTML from functions: all text and all attributes are escaped, only what these functions return is markup.

element("p", {"class": "line"}, "Kess & Orrin")  ->  <p class="line">Kess &amp; Orrin</p>
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from html import escape
from typing import Final, TypeAlias

import msgspec

from cli.output import json_escape, visible

VOID: Final = ("br", "hr", "img", "input", "link", "meta")


class Html(str):
    """Markup that is safe to stand in a page."""

    __slots__ = ()


Attributes: TypeAlias = Mapping[str, str | int | bool | None]
Child: TypeAlias = "Html | str | Iterable[Child] | None"


def html(child: Child) -> Html:
    """Return markup as it is, text escaped, nothing for None, and the parts of anything else one after the other."""
    if child is None:
        return Html()
    if isinstance(child, Html):
        return child
    if isinstance(child, str):
        return Html(escape(child, quote=False))
    return Html("".join(map(html, child)))


def element(name: str, attributes: Attributes | None = None, *children: Child) -> Html:
    """Return an element. An attribute that is True has no value; one that is False or None is left out."""
    own = "".join(
        f" {key}" if value is True else f' {key}="{escape(str(value))}"'
        for key, value in (attributes or {}).items()
        if value is not None and value is not False
    )
    return Html(f"<{name}{own}>" if name in VOID else f"<{name}{own}>{html(children)}</{name}>")


def json_text(value: object) -> str:
    """Return a value as JSON that cannot end the script element in which it stands."""
    body = msgspec.json.encode(value, order="deterministic")
    return re.sub("[<>&]", lambda match: json_escape(match[0]), visible(body).decode())


def section(name: str, title: str, content: Iterable[Child]) -> Html | None:
    """Return a section of a page; nothing without content."""
    listed = list(content)
    if not listed:
        return None
    heading = element("h2", {"id": f"{name}-title"}, title)
    return element("section", {"id": name, "aria-labelledby": f"{name}-title"}, heading, listed)


def scrolling(table: Html, label: str) -> Html:
    """Return a table that scrolls by itself where it is too wide, also with the keys."""
    return element("figure", {"class": "wide", "aria-label": label, "tabindex": "0"}, table)


def linked(text: str, address: str) -> Html | str:
    """Return a text, as a link where there is an address."""
    return element("a", {"href": address}, text) if address else text
