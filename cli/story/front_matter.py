"""The front matter of a recap in Markdown: YAML that note programs read, written as JSON, which YAML includes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import msgspec

from cli.story.page import Page
from cli.story.span import DATE
from ledger.facts import GM
from ledger.names import escape


def session_values(page: Page, role: str) -> Mapping[str, object]:
    """Return the values of the front matter of a session's recap, for a role."""
    return {
        "campaign": page.campaign,
        "session": page.session,
        "title": page.title,
        "dates": list(page.dates),
        "cast": [member.who for member in page.cast if member.kind == "pc"],
        "players": {each.player: each.who for each in page.party if each.player},
        "tokens": {level.name: level.now for each in page.party if each.who == GM for level in each.tokens},
        "view": role,
    }


def front_matter(values: Mapping[str, object]) -> Iterator[str]:
    """Yield values between the lines that fence front matter; empty ones are left out."""
    yield "---"
    for key, value in values.items():
        if value not in ("", [], {}):
            yield f"{key}: {yaml_value(value)}"
    yield "---"
    yield ""


def yaml_value(value: object) -> str:
    """Return a value as YAML reads it; text is made harmless first."""
    if isinstance(value, list):
        return f"[{', '.join(map(yaml_value, value))}]"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{yaml_value(key)}: {yaml_value(each)}" for key, each in value.items()) + "}"
    if isinstance(value, str):
        return value if DATE.fullmatch(value) else msgspec.json.encode(escape(value)).decode()
    return str(value)
