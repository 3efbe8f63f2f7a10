"""What a seed decides of a simulated evening before it begins."""

from __future__ import annotations

import random
from typing import Final, NamedTuple

from cli.table.seats import GAME_MASTER, WATCHER, Seat

SEATS: Final = (Seat("player", "Ana"), Seat("player", "Bo"), Seat("player", "Cem"), GAME_MASTER, WATCHER)
PLAYERS: Final = range(3)


class Plan(NamedTuple):
    """An evening as it is planned.

    Attributes:
        is_shared: the dice are shared.
        has_taps: the phones ask what may be tapped, which takes most of the time.
        liar: the phone that gives other links than those of its chain; None if all give theirs.
        links: how many the chain of a page has.
        day: milliseconds in which people act.
    """

    is_shared: bool
    has_taps: bool
    liar: int | None
    links: int
    day: int


def draw_plan(chance: random.Random) -> Plan:
    """Return the plan of an evening."""
    is_shared = chance.random() < 0.5
    return Plan(
        is_shared=is_shared,
        has_taps=chance.random() < 0.05,
        liar=chance.choice(PLAYERS) if is_shared and chance.random() < 0.4 else None,
        links=chance.choice((16, 40)),
        day=chance.choice((8_000, 16_000, 32_000)),
    )
