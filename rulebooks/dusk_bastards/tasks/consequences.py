"""What follows when a result is final: one table of roll to chapter."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from ledger.facts import EntryId, Fact
from projections.state import State
from rulebooks.dusk_bastards.combat import results as fighting_ends
from rulebooks.dusk_bastards.harm import wounds
from rulebooks.dusk_bastards.tasks.retries import settle_task
from rulebooks.dusk_bastards.tasks.roll import Roll
from rulebooks.dusk_bastards.turns import initiative
from rulebooks.dusk_bastards.turns import movement_results as moving_ends

Settled = Callable[[Roll, State, bool, EntryId | None], Iterator[Fact]]

CHAPTERS: Final[dict[str, Settled]] = {
    "task": settle_task,
    "attack": fighting_ends.settle_attack,
    "area": fighting_ends.settle_area,
    "defence": fighting_ends.settle_defence,
    "intercept": fighting_ends.settle_intercept,
    "spell": fighting_ends.settle_spell,
    "initiative": initiative.settle_initiative,
    "move": moving_ends.settle_move,
    "wound": wounds.settle_wound,
}


def settle(roll: Roll, state: State, *, won: bool, opened: EntryId | None) -> Iterator[Fact]:
    """DB-PLAY-8: the consequences of a final result; `opened` is the entry of its roll, None: this one."""
    return CHAPTERS[roll.kind](roll, state, won, opened)
