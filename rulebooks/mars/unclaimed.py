"""Situations that a declaration did not claim: known to the state, or possible and not said."""

from __future__ import annotations

from collections.abc import Iterator

from ledger.declarations import Declaration
from projections.state import State
from rulebooks.common import announcements
from rulebooks.common.announcements import Announce
from rulebooks.common.beings import name_list
from rulebooks.common.conditions import find_condition
from rulebooks.common.guide import Situation
from rulebooks.common.turn import current_round
from rulebooks.mars.combat import announced, attack_roll, defence, shields, weapons
from rulebooks.mars.declarations.combat import Attack, Blow
from rulebooks.mars.declarations.turns import Move
from rulebooks.mars.guards import BLIND, COVER, PRONE, are_foes, find_actor, members
from rulebooks.mars.tasks.roll_steps import own_steps
from rulebooks.mars.turns import actions, durations

ENOUGH_TO_FLANK = 2


def unclaimed(said: Declaration, state: State) -> Iterator[Situation]:
    """Yield what bears on an attack, a roll or a move and was not said, each once."""
    if isinstance(said, Announce):
        said = announcements.announced_declaration(said, *announced.ANNOUNCED)
    if isinstance(said, Blow):
        yield from roll_situations(said.by, state)
    if isinstance(said, Attack):
        yield from attack_situations(said, state)
        yield from target_situations(said, state)
    if isinstance(said, Move) and is_open(said.by, state) and state.count(said.by, actions.MOVES):
        text = f"{said.by} has moved in this turn: 1 stamina"
        yield Situation(name="moved", text=text, known=True, rules=("GR-MOV-2",))


def is_open(who: str, state: State) -> bool:
    """GR-RND-4: tell whether somebody's turn has begun: what was counted in the one before is gone with its start."""
    return state.encounter is not None and state.encounter.turn == who


def holds(who: str, name: str, state: State, acting: str) -> bool:
    """GR-RND-3: tell whether a condition holds for somebody, also once the turn of the one who acts has begun."""
    condition = find_condition(who, name, state)
    if condition is None or is_open(acting, state):
        return condition is not None
    round = current_round(state)
    return not any(durations.is_due(end, acting, round) for end in condition.ends)


def roll_situations(who: str, state: State) -> Iterator[Situation]:
    """GR-SIC-1, GR-OUT-14: what is taken off every roll of somebody."""
    for step in own_steps(who, state):
        text = f"{who}: {step.because}, {step.change} to every roll"
        yield Situation(name=step.because, text=text, known=True, rules=(step.rule,))


def attack_situations(said: Attack, state: State) -> Iterator[Situation]:
    """GR-ATK-5: attacks made before. GR-BLI-1: blindness. GR-ATK-8: who could be flanking."""
    if (penalty := actions.attack_penalty(said.by, state)) and is_open(said.by, state):
        text = f"{said.by} has attacked in this turn: {penalty} to hit"
        yield Situation(name="attacks", text=text, known=True, rules=("GR-ATK-5",))
    if holds(said.by, BLIND, state, said.by):
        yield Situation(name=BLIND, text=f"{said.by} is blind", known=True, rules=("GR-BLI-1",))
    encounter = state.encounter
    against = [who for who in (members(encounter, state) if encounter else ()) if are_foes(who, said.target, state)]
    if not said.flanked and len(against) >= ENOUGH_TO_FLANK:
        text = f"between two of its foes {said.target} is flanked: an advantage (flanked)"
        yield Situation(name="flanked", text=text, known=False, rules=("GR-ATK-8",))


def target_situations(said: Attack, state: State) -> Iterator[Situation]:
    """GR-PRO-1, GR-COV-2, GR-ATK-7: what the target's state does to the roll; and a defence that it did not use."""
    target, weapon = find_actor(said.target, state), weapons.held_weapons(said.by, state)[0]
    ranged = weapon.mode == weapons.RANGED
    if holds(target, PRONE, state, said.by):
        edge = "disadvantage" if ranged else "advantage"
        yield Situation(name=PRONE, text=f"{target} is prone: {edge}", known=True, rules=("GR-PRO-1",))
    if ranged and holds(target, COVER, state, said.by):
        yield Situation(name=COVER, text=f"{target} is in cover: disadvantage", known=True, rules=("GR-COV-2",))
    if said.unseen is None and any(holds(target, name, state, said.by) for name in attack_roll.BLINDED):
        text = f"{target} cannot see {said.by}: a sneak attack"
        yield Situation(name="unseen", text=text, known=True, rules=("GR-ATK-7",))
    if not said.defences and defence.can_defend(target, said.defences, state):
        ways = {"evaded": "GR-EVD-1", "parried": "GR-PAR-1", "blocked": "GR-BLK-1"}
        if not weapons.parry_items(target, state):
            del ways["parried"]
        if all(weapons.is_broken(target, item, state) for item in shields.held_shields(target, state)):
            del ways["blocked"]
        text = f"{target} could have {name_list(list(ways), 'or')}, for 1 stamina"
        yield Situation(name="defence", text=text, known=False, rules=tuple(ways.values()))
