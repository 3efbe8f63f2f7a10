"""Delayed standard actions: who delays one, and which declaration takes it."""

from __future__ import annotations

from collections.abc import Iterator

from ledger.declarations import Declaration
from ledger.facts import Fact
from projections.state import State
from rulebooks.common.conditions import has_condition, new_condition
from rulebooks.common.decisions import decides
from rulebooks.common.values import action_use
from rulebooks.dusk_bastards.declarations.combat import AreaAttack, Attack, CastSpell, Defence, FinishLongSpell
from rulebooks.dusk_bastards.declarations.harm import Rest
from rulebooks.dusk_bastards.declarations.tasks import Attempt, Retry
from rulebooks.dusk_bastards.declarations.turns import Deed, Delay
from rulebooks.dusk_bastards.guards import DELAYED, turn_in_combat
from rulebooks.dusk_bastards.harm.durations import until_round_end
from rulebooks.dusk_bastards.turns.allowances import check_action, slot_refusal


@decides(Delay)
def delay(said: Delay, state: State) -> Iterator[Fact]:
    """DB-STD-4: the standard action may be taken at any later point of the same round; else it is lost."""
    turn = turn_in_combat(said.by, state)
    check_action(turn, "standard", state)
    if turn.has_delayed:
        raise slot_refusal(said.by, "standard", state)
    yield action_use(said.by, "standard", state, "delayed", "DB-STD-4")
    yield new_condition(said.by, DELAYED, "DB-STD-4", ends=until_round_end(state))


def is_delayed_action(said: Declaration, state: State) -> bool:
    """DB-STD-4: whether this takes a delayed action; if so, it belongs to the round of the delay."""
    return has_condition(standard_action_of(said), DELAYED, state)


def standard_action_of(said: Declaration) -> str:
    """DB-ACTN-4: the one whose standard action this is, or "". A defence is the standard action of the foe."""
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
