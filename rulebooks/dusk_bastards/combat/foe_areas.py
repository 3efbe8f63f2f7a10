"""Area attacks of foes: one action of theirs, and one defence of each character in the area."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ledger.facts import Counted, Fact
from projections.state import State
from rulebooks.dusk_bastards.declarations import Defence
from rulebooks.dusk_bastards.texts import value_refused
from rulebooks.dusk_bastards.turns.cycle import is_in_combat

AREA: Final = "area"


def has_attacked_area(foe: str, state: State) -> bool:
    """DB-AREA-2: whether a foe has attacked an area in this round: one action, and one defence of each in it."""
    return bool(state.count(foe, AREA))


def check_area_once(said: Defence, state: State) -> None:
    """DB-AREA-2: one defence roll of each; a second against the same action is refused."""
    if said.area and state.count(said.by, area_count(said.source)):
        raise value_refused("area", f"an area attack that {said.by} has not met yet in this round", said.source)


def record_area(said: Defence, state: State) -> Iterator[Fact]:
    """DB-AREA-2: a foe attacks an area; whoever else is in it defends against the same action."""
    if not said.area or not is_in_combat(said.source, state):
        return
    for who, name in ((said.source, AREA), (said.by, area_count(said.source))):
        if not state.count(who, name):
            yield Counted(rules=("DB-AREA-2",), who=who, name=name, change=1, now=1, until="round")


def area_count(foe: str) -> str:
    """What is counted on whoever has met this foe's area attack."""
    return f"{AREA} of {foe}"
