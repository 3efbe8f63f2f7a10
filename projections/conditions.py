"""Conditions, by their ids, and wounds."""

from __future__ import annotations

import msgspec

from ledger.errors import OutOfBalance
from ledger.facts import ConditionBegan, ConditionEnded, EntryId, WoundChanged, Wounded
from projections.checks import check_bounds
from projections.state import Condition, Folds, State, Wound


def begin_condition(state: State, entry: EntryId, fact: ConditionBegan) -> None:
    """Add a condition, or replace the one with the same id."""
    condition = Condition(
        who=fact.who,
        name=fact.name,
        degree=fact.degree,
        of=fact.of,
        effects=fact.effects,
        about=fact.about,
        ends=fact.ends,
        data=fact.data,
        since=entry,
    )
    state.put("conditions", fact.id, condition)


def end_condition(state: State, entry: EntryId, fact: ConditionEnded) -> None:
    """Delete a condition."""
    if fact.id not in state.conditions:
        raise OutOfBalance(f"'{fact.id}' does not hold", where=f"entry {entry}")
    state.put("conditions", fact.id, None)


def add_wound(state: State, entry: EntryId, fact: Wounded) -> None:
    """Add a wound after all others of its being."""
    check_bounds(entry, fact, fact.value, 1, None)
    wound = Wound(
        kind=fact.kind,
        value=fact.value,
        in_force=fact.in_force,
        at=fact.at,
        encounter=fact.encounter,
        taken=1 + max((wound.taken for _, wound in state.wounds_of(fact.who)), default=0),
    )
    state.put("wounds", (fact.who, fact.wound), wound)


def change_wound(state: State, entry: EntryId, fact: WoundChanged) -> None:
    """Change a wound. At value 0 it is deleted."""
    wound = state.wounds.get((fact.who, fact.wound))
    if wound is None:
        raise OutOfBalance(f"{fact.who} has no wound '{fact.wound}'", where=f"entry {entry}")
    check_bounds(entry, fact, fact.value, 0, None)
    changed = msgspec.structs.replace(wound, kind=fact.kind, value=fact.value, in_force=fact.in_force)
    state.put("wounds", (fact.who, fact.wound), changed if fact.value else None)


FOLDS: Folds = {
    ConditionBegan: begin_condition,
    ConditionEnded: end_condition,
    Wounded: add_wound,
    WoundChanged: change_wound,
}
