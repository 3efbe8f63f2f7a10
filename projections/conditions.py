"""What holds for somebody: conditions and wounds."""

from __future__ import annotations

import msgspec

from ledger.errors import OutOfBalance
from ledger.facts import ConditionBegan, ConditionEnded, EntryId, WoundChanged, Wounded
from projections.checks import check_bounds
from projections.state import Condition, Evolve, State, Wound


def began(state: State, entry: EntryId, fact: ConditionBegan) -> None:
    """A condition begins; one with the same id is replaced."""
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
    state.put(state.conditions, fact.id, condition)


def ended(state: State, entry: EntryId, fact: ConditionEnded) -> None:
    """A condition that holds ends."""
    if fact.id not in state.conditions:
        raise OutOfBalance(f"'{fact.id}' does not hold", where=f"entry {entry}")
    state.put(state.conditions, fact.id, None)


def wounded(state: State, entry: EntryId, fact: Wounded) -> None:
    """A wound is taken, behind all that its bearer has."""
    check_bounds(entry, fact, fact.value, 1, None)
    taken = 1 + max((wound.taken for _, wound in state.wounds_of(fact.who)), default=0)
    wound = Wound(
        kind=fact.kind,
        value=fact.value,
        in_force=fact.in_force,
        at=fact.at,
        encounter=fact.encounter,
        taken=taken,
    )
    state.put(state.wounds, (fact.who, fact.wound), wound)


def wound_changed(state: State, entry: EntryId, fact: WoundChanged) -> None:
    """A wound is not what it was; at 0 it is gone."""
    found = state.wounds.get((fact.who, fact.wound))
    if found is None:
        raise OutOfBalance(f"{fact.who} has no wound '{fact.wound}'", where=f"entry {entry}")
    check_bounds(entry, fact, fact.value, 0, None)
    now = msgspec.structs.replace(found, kind=fact.kind, value=fact.value, in_force=fact.in_force)
    state.put(state.wounds, (fact.who, fact.wound), now if fact.value else None)


EVOLVE: Evolve = {ConditionBegan: began, ConditionEnded: ended, Wounded: wounded, WoundChanged: wound_changed}
