"""The encounter that is running: rounds, phases and slots, each point reached once."""

from __future__ import annotations

from typing import Any

import msgspec

from ledger.errors import OutOfBalance
from ledger.facts import EncounterBegan, EncounterEnded, EntryId, OrderSet, Reached
from projections.state import Encounter, Folds, State


def begin_encounter(state: State, entry: EntryId, fact: EncounterBegan) -> None:
    """Add an encounter. Only one runs at a time."""
    if state.encounters:
        raise OutOfBalance("an encounter is running already", where=f"entry {entry}")
    encounter = Encounter(id=fact.encounter, kind=fact.kind, scale=fact.scale, sides=fact.sides, since=entry)
    state.put("encounters", fact.encounter, encounter)


def set_order(state: State, entry: EntryId, fact: OrderSet) -> None:
    """Set the turn order."""
    encounter = _running(state, entry)
    state.put("encounters", encounter.id, msgspec.structs.replace(encounter, order=fact.slots))


def reach_point(state: State, entry: EntryId, fact: Reached) -> None:
    """Move the encounter to a point of its cycle. Raises OutOfBalance when it was reached before."""
    encounter = _running(state, entry)
    if fact.point == "round":
        if fact.round != encounter.round + 1:
            raise _reached_before(entry, fact)
        _change(state, encounter, round=fact.round, phase="", phases=(), turn="", done=(), waiting=())
        return
    if fact.round != encounter.round:
        raise _reached_before(entry, fact)
    match fact.point:
        case "phase":
            if fact.phase in encounter.phases:
                raise _reached_before(entry, fact)
            _change(state, encounter, phase=fact.phase, phases=(*encounter.phases, fact.phase), turn="", done=())
        case "slot":
            if encounter.turn or fact.who in encounter.done:
                raise _reached_before(entry, fact)
            _change(state, encounter, turn=fact.who)
        case "slot_end" | "skipped":
            if fact.who in encounter.done:
                raise _reached_before(entry, fact)
            turn = "" if fact.point == "slot_end" else encounter.turn  # a late joiner is skipped in another's turn
            _change(state, encounter, turn=turn, done=(*encounter.done, fact.who))
        case "handed":
            if fact.who in encounter.done:
                raise _reached_before(entry, fact)
            _change(state, encounter, turn=fact.who, waiting=(*encounter.waiting, encounter.turn))
        case "resumed":
            if encounter.waiting[-1:] != (fact.who,):
                raise _reached_before(entry, fact)
            _change(state, encounter, turn=fact.who, waiting=encounter.waiting[:-1])
        case "awaited":
            return  # a declaration is due; the cycle does not move
        case "round_end":
            _change(state, encounter, phase="", turn="")
        case _:
            _change(state, encounter, turn="")


def end_encounter(state: State, entry: EntryId, fact: EncounterEnded) -> None:
    """Delete the encounter and all actions that were left in it."""
    _running(state, entry)
    state.put("encounters", fact.encounter, None)
    for who, action in sorted(state.allowances):
        state.put("allowances", (who, action), None)


def _running(state: State, entry: EntryId) -> Encounter:
    """Return the encounter that is running. Raises OutOfBalance when there is none."""
    encounter = state.encounter
    if encounter is None:
        raise OutOfBalance("no encounter is running", where=f"entry {entry}")
    return encounter


def _reached_before(entry: EntryId, fact: Reached) -> OutOfBalance:
    """Return the error of a point that is not reached in order, or not for the first time."""
    return OutOfBalance(f"{fact.point} of {fact.who or 'all'} was reached before", where=f"entry {entry}")


def _change(state: State, encounter: Encounter, **fields: Any) -> None:
    """Put fields other than sides and order: what was worked out of these stands."""
    changed = msgspec.structs.replace(encounter, **fields)
    changed.__dict__.update(encounter.__dict__)
    state.put("encounters", encounter.id, changed)


FOLDS: Folds = {
    EncounterBegan: begin_encounter,
    OrderSet: set_order,
    Reached: reach_point,
    EncounterEnded: end_encounter,
}
