"""Initiative: the score, and the place that it gives in the order."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ledger.facts import EntryId, Fact, OrderSet, Slot
from projections.state import State
from rulebooks.dusk_bastards.tasks.roll import Roll
from rulebooks.dusk_bastards.texts import option


def settle_initiative(roll: Roll, state: State, won: bool, opened: EntryId | None) -> Iterator[Fact]:
    """DB-ENC-2: the score stands, and gives its place in the order."""
    yield from set_order([(roll.who, roll.total)], state, "DB-ENC-2")


def set_order(scores: Iterable[tuple[str, int | None]], state: State, *rules: str) -> Iterator[Fact]:
    """DB-ENC-4: from highest to lowest; ties: characters first, the higher Speed maximum, then order of joining.

    A place without a score waits for a roll.
    """
    found = state.encounter
    if found is None:
        return
    new = {who: Slot(slot=who, score=score, who=(who,)) for who, score in scores}
    slots = [*(slot for slot in found.order if slot.slot not in new), *new.values()]
    joined = list(dict.fromkeys([*found.members, *(slot.slot for slot in slots)]))
    first = "npc" if option(state, "initiative_ties") == "npc_first" else "pc"

    def place(slot: Slot) -> tuple[int, bool, int, int]:
        being, speed = state.being(slot.slot), state.pools.get((slot.slot, "speed"))
        most = speed.most if speed and speed.most else 0
        return -(slot.score or 0), being is None or being.kind != first, -most, joined.index(slot.slot)

    yield OrderSet(rules=("DB-ENC-4", *rules), slots=tuple(sorted(slots, key=place)))
