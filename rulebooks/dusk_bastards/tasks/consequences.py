"""What follows when a result is final: one table of roll to chapter."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from ledger.facts import EntryId, Fact
from projections.state import State
from rulebooks.dusk_bastards.combat import results as fighting_ends
from rulebooks.dusk_bastards.harm import wounds
from rulebooks.dusk_bastards.tasks.retries import task_settled
from rulebooks.dusk_bastards.tasks.roll import Roll
from rulebooks.dusk_bastards.turns import initiative
from rulebooks.dusk_bastards.turns import movement_results as moving_ends

Settled = Callable[[Roll, State, bool, EntryId | None], Iterator[Fact]]

CHAPTERS: Final[dict[str, Settled]] = {
    "task": task_settled,
    "attack": fighting_ends.settle_attack,
    "area": fighting_ends.settle_area,
    "defence": fighting_ends.settle_defence,
    "intercept": fighting_ends.settle_intercept,
    "spell": fighting_ends.settle_spell,
    "initiative": initiative.initiative_settled,
    "move": moving_ends.move_settled,
    "wound": wounds.settle_wound,
}


def settled(roll: Roll, state: State, *, won: bool, opened: EntryId | None) -> Iterator[Fact]:
    """DB-PLAY-8: the consequences of a final result; `opened` is the entry of its roll, None: this one."""
    return CHAPTERS[roll.kind](roll, state, won, opened)
