"""The consequences of a final result: each kind of roll registers the function that yields them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from ledger.facts import EntryId, Fact
from projections.state import State
from rulebooks.dusk_bastards.tasks.roll import Roll

Consequences = Callable[[Roll, State, bool, EntryId | None], Iterator[Fact]]

REGISTERED: Final[dict[str, Consequences]] = {}


def consequences_of(kind: str) -> Callable[[Consequences], Consequences]:
    """Register a function for the final results of this kind of roll (Roll.kind)."""

    def register(consequences: Consequences) -> Consequences:
        REGISTERED[kind] = consequences
        return consequences

    return register


def apply_consequences(roll: Roll, state: State, *, won: bool, opened: EntryId | None) -> Iterator[Fact]:
    """DB-PLAY-8: the consequences of a final result; `opened` is the entry of its roll, None: this one."""
    return REGISTERED[roll.kind](roll, state, won, opened)
