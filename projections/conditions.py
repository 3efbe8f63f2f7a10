"""Conditions, by their ids."""

from __future__ import annotations

from ledger.errors import OutOfBalance
from ledger.facts import ConditionBegan, ConditionEnded, EntryId
from projections.state import Condition, Folds, State


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
        note=fact.note,
        adds=fact.adds is True,
        since=entry,
    )
    state.put("conditions", fact.id, condition)


def end_condition(state: State, entry: EntryId, fact: ConditionEnded) -> None:
    """Delete a condition."""
    if fact.id not in state.conditions:
        raise OutOfBalance(f"'{fact.id}' does not hold", where=f"entry {entry}")
    state.put("conditions", fact.id, None)


FOLDS: Folds = {ConditionBegan: begin_condition, ConditionEnded: end_condition}
