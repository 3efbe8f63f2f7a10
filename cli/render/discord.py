"""A post as messages for a webhook of Discord: the post, then each player's characters in a colour of their own.

The limits are those of https://discord.com/developers/docs: 10 embeds and 6,000 characters of them in a message, 4,096
in a description, 256 in the name of an author. They are counted in UTF-16, in which no text is shorter than there.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final

from cli.story.page import Page
from cli.story.parts import levels_and_troubles
from cli.story.style import MARKUP, Markdown
from ledger.facts import GM
from ledger.names import escape

EMBEDS_MOST: Final = 10
MESSAGE_MOST: Final = 6_000
DESCRIPTION_MOST: Final = 4_096
AUTHOR_MOST: Final = 256
MEMBER_MOST: Final = 1_024  # of one character: a message has room for five of them at least
COLOURS: Final = (0x2A55A5, 0x1A6B3C, 0x8A5A00, 0x84308F, 0x0B6375, 0x8D4A12, 0x4A3FA0, 0x58601A)  # as on our pages
CUT: Final = "…"

Embed = dict[str, Any]


class DiscordMarkdown(Markdown):
    """The Markdown of Discord: it knows no entities, and every sign behind a backslash is itself."""

    def text(self, value: object) -> str:
        """Return text from the ledger, in which nothing is markup, a mention or a link."""
        return MARKUP.sub(r"\\\g<0>", escape(str(value)).strip()).replace("<", "\\<")


STYLE: Final = DiscordMarkdown()


def discord_messages(page: Page, lines: Iterable[str]) -> list[dict[str, Any]]:
    """Return what a webhook is sent, message by message. `lines`: the post in the style of Discord."""
    embeds = [{"description": cut("\n".join(lines), DESCRIPTION_MOST)}, *member_embeds(page)]
    return [{"embeds": part, "allowed_mentions": {"parse": []}} for part in parts(embeds)]


def member_embeds(page: Page) -> Iterator[Embed]:
    """Yield where each character stands, in the colour of its player: in the order of joining, as on our pages."""
    members = [member for member in page.party if member.who != GM]
    players = list(dict.fromkeys(member.player or member.who for member in members))
    for member in members:
        name = escape(f"{member.who} ({member.player})" if member.player else member.who)
        yield {
            "author": {"name": cut(name, AUTHOR_MOST)},
            "description": cut(levels_and_troubles(member, STYLE), MEMBER_MOST),
            "color": COLOURS[players.index(member.player or member.who) % len(COLOURS)],
        }


def parts(embeds: Sequence[Embed]) -> Iterator[list[Embed]]:
    """Yield embeds, as many at a time as a message may have."""
    part = list[Embed]()
    for embed in embeds:
        if part and (len(part) == EMBEDS_MOST or sum(map(size, [*part, embed])) > MESSAGE_MOST):
            yield part
            part = []
        part.append(embed)
    yield part


def size(embed: Embed) -> int:
    """Return the characters of an embed that count."""
    return units(embed["description"]) + units(embed.get("author", {}).get("name", ""))


def units(text: str) -> int:
    """Return the length of a text in UTF-16."""
    return len(text.encode("utf-16-le")) // 2


def cut(text: str, most: int) -> str:
    """Return a text of at most so many units: the beginning of one that is longer, which ends between two words."""
    if units(text) <= most:
        return text
    kept = text.encode("utf-16-le")[: 2 * (most - 1)].decode("utf-16-le", "ignore")
    return f"{kept.rpartition(' ')[0] or kept.rstrip(chr(92))}{CUT}"
