"""Situations that a declaration did not claim: known to the state, or possible and not said."""

from __future__ import annotations

from collections.abc import Iterator

from ledger.declarations import Declaration
from projections.state import State
from rulebooks.common.conditions import has_condition
from rulebooks.common.guide import Situation
from rulebooks.monolith.damage import damage_dealt
from rulebooks.monolith.declarations import Attack, Blast
from rulebooks.monolith.groups import group_of, leader
from rulebooks.monolith.guards import CRITICAL, FLED, STABLE, UNCONSCIOUS, is_able, side_members
from rulebooks.monolith.scores import armor_of
from rulebooks.monolith.texts import option
from rulebooks.monolith.turns import intent
from rulebooks.monolith.weapons import HANDS, usual_weapon, weapons_of


def unclaimed(said: Declaration, state: State) -> Iterator[Situation]:
    """Yield the situations of an attack or a blast, each once."""
    if isinstance(said, Attack):
        yield from target_situations(said.target, state)
        yield from attack_situations(said, state)
    elif isinstance(said, Blast):
        situations = (situation for target in said.targets for situation in target_situations(target, state))
        yield from {situation.text: situation for situation in situations}.values()


def target_situations(target: str, state: State) -> Iterator[Situation]:
    """Yield known situations of a target: armor, damage dealt, the leader of its group."""
    armor = armor_of(target, state)
    if armor:
        yield Situation(name="armor", text=f"{target} has armor {armor}", known=True, rules=("ML-ATK-1",))
    taken = damage_dealt(target, state)
    if taken and option(state, "gang_scope") == "round":
        text = f"{target} has taken {taken} in this Round: only more than that counts"
        yield Situation(name="dealt", text=text, known=True, rules=("ML-GANG-2",))
    group = group_of(target, state)
    head = leader(group, state) if group else ""
    if head and is_able(head, state):
        text = f"{head} leads {group}: morale is {head}'s Resolve"
        yield Situation(name="leader", text=text, known=True, rules=("ML-MOR-3",))


def attack_situations(said: Attack, state: State) -> Iterator[Situation]:
    """Yield the options that a player did not use: an enhanced attack, a second weapon, others with the same target."""
    if not said.weapons and usual_weapon(said.by, state) != HANDS:
        text = f"{said.by} fights with the {usual_weapon(said.by, state)}, the first weapon on the sheet"
        yield Situation(name="wields", text=text, known=True, rules=("ML-ATK-1",))
    helpless = [name for name in (CRITICAL, STABLE, UNCONSCIOUS) if has_condition(said.target, name, state)]
    if helpless and not said.enhanced:
        text = f"{said.target} is {helpless[0]}: against a helpless foe the attack may be enhanced (+helpless)"
        yield Situation(name="helpless", text=text, known=False, rules=("ML-MOD-2",))
    others = [name for name in weapons_of(said.by, state) if name != HANDS]
    if len(said.weapons) < 2 <= len(others):
        text = f"{said.by} has {', '.join(others)}: two of them at once keep the higher die"
        yield Situation(name="dual", text=text, known=False, rules=("ML-DUAL-1",))
    allies = {ally.who for ally in said.allies} | {said.by}
    for who in side_members("pc", state):
        declared = intent(who, state) or ""
        named = said.target.casefold() in declared.casefold()
        if who not in allies and named and state.actions_left(who, "action") and not has_condition(who, FLED, state):
            text = f'{who} has declared "{declared}": in one line the dice make one pool'
            yield Situation(name="gang", text=text, known=False, rules=("ML-GANG-1",))
