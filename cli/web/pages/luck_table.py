"""Dice against expectation as a table."""

from __future__ import annotations

from collections.abc import Iterable

from cli.phrases.luck import SOURCE_WORDS, decimal, sentence
from cli.questions.luck import LuckGroup, LuckReport
from cli.web.pages.hues import hue_class
from cli.web.pages.markup import Html, element, scrolling
from cli.web.pages.story import PLAIN
from ledger.names import plural


def luck_table(report: LuckReport, hues: dict[str, int]) -> Html:
    """Return the dice of each player: how many, their sum, what was expected, and how rare that is."""
    titles = ("Player", "Dice", "Sum", "Expected", "How rare")
    head = element("tr", None, (element("th", {"scope": "col"}, title) for title in titles))
    caption = f"{plural(report.all.plain.dice, 'die', 'dice')}, {SOURCE_WORDS[report.source]}"
    rows = (luck_row(group, hues) for group in [*report.players, report.all])
    table = element(
        "table", None, element("caption", None, caption), element("thead", None, head), element("tbody", None, rows)
    )
    return scrolling(table, caption)


def luck_row(group: LuckGroup, hues: dict[str, int]) -> Html:
    """Return the dice of one player."""
    luck = group.plain
    cells: Iterable[str] = (str(luck.dice), str(luck.sum), decimal(luck.expected), sentence(luck))
    name = PLAIN.text(group.name)
    hue = hue_class(name, hues)
    player = element("th", {"scope": "row", "class": f"who {hue}" if hue else None}, name)
    return element("tr", None, player, (element("td", None, cell) for cell in cells))
