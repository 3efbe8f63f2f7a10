"""Actions without a roll: something of six seconds, something quick, an ability, a delay."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from typing import Literal

from ledger.declarations import Declaration
from ledger.facts import Fact
from projections.state import State
from rulebooks.common.conditions import has_condition, new_condition
from rulebooks.common.decisions import decides
from rulebooks.common.values import action_use
from rulebooks.dusk_bastards.declarations.combat import AreaAttack, Attack, CastSpell, Defence, FinishLongSpell
from rulebooks.dusk_bastards.declarations.harm import Rest
from rulebooks.dusk_bastards.declarations.tasks import Attempt, Retry
from rulebooks.dusk_bastards.declarations.turns import Deed, Delay, QuickDeed, UseAbility
from rulebooks.dusk_bastards.guards import DELAYED, check_in_play, turn_in_combat, turn_to_act
from rulebooks.dusk_bastards.harm import conditions, durations
from rulebooks.dusk_bastards.tasks import costs, judgement
from rulebooks.dusk_bastards.turns.allowances import check_action, slot_refusal, use_action


@decides(Deed)
def do_deed(said: Deed, state: State) -> Iterator[Fact]:
    """DB-STD-5: any one thing of focus, of up to six seconds; what can fail is an attempt."""
    yield from perform(said, "standard", state, "DB-STD-5")


@decides(QuickDeed)
def do_quick_deed(said: QuickDeed, state: State) -> Iterator[Fact]:
    """DB-BONUS-1: something quick, of a second or two."""
    yield from perform(said, "bonus", state, "DB-BONUS-1")


@decides(UseAbility)
def use_ability(said: UseAbility, state: State) -> Iterator[Fact]:
    """DB-BONUS-1: a special ability that is no attack, and the effect that it has."""
    target = said.target or said.by
    check_in_play(target, state, "target")
    if said.effect is not None:
        conditions.check_effect(said.effect)
    worked = yield from perform(said, "bonus", state, "DB-BONUS-1", is_attack=said.is_attack)
    if said.effect is not None and worked:
        yield from conditions.impose(target, said.effect, state, "DB-BONUS-1")


def perform(
    said: Deed | QuickDeed | UseAbility,
    slot: Literal["standard", "bonus"],
    state: State,
    rule: str,
    is_attack: bool = False,
) -> Generator[Fact, None, bool]:
    """DB-COST-4: use the action; it succeeds unless its cost cannot be paid. Return whether it does.

    DB-SPEC-5: the paralysed do what needs no movement of the body.
    """
    check_in_play(said.by, state)
    costs.check_costs(said.by, said.cost, state)
    turn = turn_to_act(said.by, state, physical=said.physical)
    check_action(turn, slot, state, is_attack=is_attack)
    yield from use_action(turn, slot, state, rule)
    short = costs.shortage(said.by, said.cost, state)
    if short is not None:
        yield judgement.automatic_failure(said.by, "deed", "", short, state)
        return False
    yield from costs.pay(said.by, said.cost, said.text or "a deed", state, "DB-COST-3")
    return True


# Delayed standard actions: who delays one, and which declaration takes it


@decides(Delay)
def delay(said: Delay, state: State) -> Iterator[Fact]:
    """DB-STD-4: the standard action may be taken at any later point of the same round; else it is lost."""
    turn = turn_in_combat(said.by, state)
    check_action(turn, "standard", state)
    if turn.has_delayed:
        raise slot_refusal(said.by, "standard", state)
    yield action_use(said.by, "standard", state, "delayed", "DB-STD-4")
    yield new_condition(said.by, DELAYED, "DB-STD-4", ends=durations.until_round_end(state))


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
