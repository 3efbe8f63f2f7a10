"""A standard action that was kept for later in the round: who is about to take theirs."""

from __future__ import annotations

from ledger.declarations import Declaration
from projections.state import State
from rulebooks.dusk_bastards.declarations import (
    AreaAttack,
    Attack,
    Attempt,
    CastSpell,
    Deed,
    Defence,
    FinishLongSpell,
    Rest,
    Retry,
)
from rulebooks.dusk_bastards.guards import DELAYED, has_condition


def is_delayed_action(said: Declaration, state: State) -> bool:
    """DB-STD-4: whether this takes a delayed action: then it is decided in the round in which that was kept."""
    return has_condition(standard_action_of(said), DELAYED, state)


def standard_action_of(said: Declaration) -> str:
    """DB-ACTN-4: whose standard action this is, or nobody's. A foe's attack is what a character defends against."""
    match said:
        case Attempt() | Retry() | Attack() | AreaAttack():
            standard = said.slot in (None, "standard")
        case CastSpell():
            standard = said.time == "standard"
        case Rest():
            standard = said.kind == "one_action"
        case Defence():
            return said.source if said.cause is None and said.npc_slot == "standard" else ""
        case _:
            standard = isinstance(said, Deed | FinishLongSpell)
    return said.by if standard else ""
