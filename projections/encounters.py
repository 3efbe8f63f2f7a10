"""The cycle of an encounter: rounds, phases and slots, each point reached once."""

from __future__ import annotations

from typing import Any

import msgspec

from ledger.errors import OutOfBalance
from ledger.facts import EncounterBegan, EncounterEnded, EntryId, OrderSet, Reached
from projections.state import Encounter, Evolve, State


def began(state: State, entry: EntryId, fact: EncounterBegan) -> None:
    """An encounter begins; there is one at a time."""
    if state.encounters:
        raise OutOfBalance("an encounter is running already", where=f"entry {entry}")
    found = Encounter(id=fact.encounter, kind=fact.kind, scale=fact.scale, sides=fact.sides)
    state.put(state.encounters, fact.encounter, found)


def order_set(state: State, entry: EntryId, fact: OrderSet) -> None:
    """The order is set, or set anew with those who joined and without those who left."""
    _changed(state, _running(state, entry), order=fact.slots)


def reached(state: State, entry: EntryId, fact: Reached) -> None:
    """A point of the cycle is reached. Raises OutOfBalance when it was reached before."""
    found = _running(state, entry)
    if fact.point == "round":
        _once(entry, fact, fact.round == found.round + 1)
        _changed(state, found, round=fact.round, phase="", phases=(), turn="", done=(), waiting=())
        return
    _once(entry, fact, fact.round == found.round)
    match fact.point:
        case "phase":
            _once(entry, fact, fact.phase not in found.phases)
            phases = (*found.phases, fact.phase)
            _changed(state, found, phase=fact.phase, phases=phases, turn="", done=())
        case "slot":
            _once(entry, fact, fact.who not in found.done and not found.turn)
            _changed(state, found, turn=fact.who)
        case "slot_end" | "skipped":
            _once(entry, fact, fact.who not in found.done)
            turn = "" if fact.point == "slot_end" else found.turn  # who joins late is passed over in another's slot
            _changed(state, found, turn=turn, done=(*found.done, fact.who))
        case "handed":
            _once(entry, fact, fact.who not in found.done)
            _changed(state, found, turn=fact.who, waiting=(*found.waiting, found.turn))
        case "resumed":
            _once(entry, fact, found.waiting[-1:] == (fact.who,))
            _changed(state, found, turn=fact.who, waiting=found.waiting[:-1])
        case "awaited":
            return  # somebody's word: no place moves
        case "round_end":
            _changed(state, found, phase="", turn="")
        case _:
            _changed(state, found, turn="")


def ended(state: State, entry: EntryId, fact: EncounterEnded) -> None:
    """The encounter is over, and with it all that could still be done in it."""
    _running(state, entry)
    state.put(state.encounters, fact.encounter, None)
    for who, action in sorted(state.allowances):
        state.put(state.allowances, (who, action), None)


def _running(state: State, entry: EntryId) -> Encounter:
    """The encounter that is running. Raises OutOfBalance when there is none."""
    found = state.encounter
    if found is None:
        raise OutOfBalance("no encounter is running", where=f"entry {entry}")
    return found


def _once(entry: EntryId, fact: Reached, first: bool) -> None:
    """Raises OutOfBalance unless the point is reached in its turn and for the first time."""
    if not first:
        raise OutOfBalance(f"{fact.point} of {fact.who or 'all'} was reached before", where=f"entry {entry}")


def _changed(state: State, found: Encounter, **fields: Any) -> None:
    """Write the encounter down as it is now."""
    state.put(state.encounters, found.id, msgspec.structs.replace(found, **fields))


EVOLVE: Evolve = {EncounterBegan: began, OrderSet: order_set, Reached: reached, EncounterEnded: ended}
