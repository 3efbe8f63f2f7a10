"""The roll of an attack: one attack as the rules see it, and everything that bears on its dice."""

from __future__ import annotations

from collections.abc import Generator
from typing import Final

import msgspec

from ledger.facts import Fact
from projections.derived import derived_of_being
from projections.state import State
from rulebooks.common.conditions import find_condition, has_any, has_condition
from rulebooks.common.dice import EntryDice
from rulebooks.mars import guards
from rulebooks.mars.combat.defence import Defence
from rulebooks.mars.combat.weapons import MELEE, RANGED, Weapon
from rulebooks.mars.declarations.combat import Blow
from rulebooks.mars.maneuvers.aids import attack_aids, end_used, is_hidden_from, is_provoked_by_ally_of, may_sneak
from rulebooks.mars.tasks.checks import Roll, RollPlan, roll
from rulebooks.mars.tasks.roll_steps import Edge, RollStep, said_edges, said_steps
from rulebooks.mars.tasks.stat_values import Value
from rulebooks.mars.turns.actions import NO_PRICE, Price, attack_penalty

ATTACK_RULES: Final = ("GR-ATK-2",)
REACTION_RULES: Final = ("GR-ATK-2", "GR-ATK-6")
BLINDED: Final = (guards.UNCONSCIOUS, guards.DYING, guards.BLIND, guards.SURPRISED)


class Strike(msgspec.Struct, frozen=True, kw_only=True):
    """One attack as the rules see it, plain or by a maneuver.

    The `target` is that of the line, or who has taken its place: then the `defence` is `free`. `said` has what the line
    says about the roll. `cost` is paid first. `steps` and `edges` are added to the attack roll, `damage_steps` to the
    damage. A critical begins `lower` points of margin earlier. `counted`: it has the penalty of several attacks in a
    turn, and counts for it. `keeps_total`: the total of the roll matters after the damage too.
    """

    by: str
    target: str
    defence: Defence
    free: bool
    weapon: Weapon
    value: Value
    said: Blow
    cost: Price = NO_PRICE
    steps: tuple[RollStep, ...] = ()
    edges: tuple[Edge, ...] = ()
    damage_steps: tuple[RollStep, ...] = ()
    lower: int = 0
    halvings: int = 0
    counted: bool = True
    keeps_total: bool = False
    rules: tuple[str, ...] = ()

    @property
    def is_melee(self) -> bool:
        """Whether it is an attack in melee."""
        return self.weapon.mode == MELEE


def roll_attack(strike: Strike, state: State, throws: EntryDice) -> Generator[Fact, None, Roll]:
    """GR-ATK-2: roll the combat skill with DEX, with all that bears on it."""
    said, aids = strike.said, attack_aids(strike.by, strike.target, state, melee=strike.is_melee)
    rolled = RollPlan(
        who=strike.by,
        purpose=f"attack {strike.by}",
        what="attack",
        value=strike.value,
        steps=said_steps(said) + strike.steps + penalty_step(strike, state) + aids.steps,
        edges=said_edges(said) + strike.edges + situation_edges(strike, state) + aids.edges,
        pick=said.pick,
        total=said.total,
        rules=(ATTACK_RULES if strike.counted else REACTION_RULES) + strike.rules,
    )
    made = yield from roll(rolled, state, throws)
    if aids.ids:
        yield from end_used(aids, state)
    return made


def penalty_step(strike: Strike, state: State) -> tuple[RollStep, ...]:
    """GR-ATK-5: -5 for every attack made before in this turn. GR-ATK-6: not for reactions."""
    penalty = attack_penalty(strike.by, state) if strike.counted else 0
    return (RollStep(penalty, "attacks made in this turn", "GR-ATK-5"),) if penalty else ()


def situation_edges(strike: Strike, state: State) -> tuple[Edge, ...]:
    """Return the advantages and disadvantages that the situation gives an attack roll."""
    edges: list[Edge] = []
    target = strike.target
    if is_unseen(strike, state):
        edges.append(Edge(1, "sneak attack", "GR-ATK-7"))
    if strike.said.flanked:
        edges.append(Edge(1, "flanking attack", "GR-ATK-8"))
    if has_condition(target, guards.PRONE, state):
        edges.append(Edge(1 if strike.is_melee else -1, f"{target} is prone", "GR-PRO-1"))
    if strike.weapon.mode == RANGED and find_condition(target, guards.COVER, state) is not None:
        edges.append(Edge(-1, f"{target} is in cover", "GR-COV-2"))
    if has_condition(strike.by, guards.BLIND, state):
        edges.append(Edge(-1, f"{strike.by} is blind", "GR-BLI-1"))
    return tuple(edges)


def is_unseen(strike: Strike, state: State) -> bool:
    """GR-ATK-7: whether the target cannot see the attacker, as the line says, or as the conditions have it."""
    if strike.said.unseen is not None:
        return strike.said.unseen
    by, target = strike.by, strike.target
    if may_sneak(by, target, state) and (
        is_hidden_from(by, target, state) or is_provoked_by_ally_of(target, by, state)
    ):
        return True
    return is_blinded(target, state)


@derived_of_being
def is_blinded(who: str, state: State) -> bool:
    """GR-GAP-7, GR-GAP-49: whether somebody sees no attack: the surprised, the blind and the unconscious."""
    return has_any(who, BLINDED, state)
