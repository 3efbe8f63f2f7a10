"""Wounds of beings."""

from __future__ import annotations

import msgspec

from ledger.errors import OutOfBalance
from ledger.facts import EntryId, WoundChanged, Wounded
from projections.checks import check_bounds
from projections.state import Folds, State, Wound


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


FOLDS: Folds = {Wounded: add_wound, WoundChanged: change_wound}
