"""Attacks: the roll against a defence, its outcome, a block, and the damage."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from typing import Final

import msgspec

from ledger.dice import Dice
from ledger.facts import Fact, Judged
from ledger.names import fold_case
from projections.state import State
from rulebooks.common.conditions import find_condition, has_condition
from rulebooks.common.decisions import decides
from rulebooks.mars import guards
from rulebooks.mars.combat import defence as defences
from rulebooks.mars.combat.defence import Defence, Difficulty, aid_edges, defence_of, one_defence_refusal
from rulebooks.mars.combat.weapons import MELEE, RANGED, Weapon, damage_value, wielded_weapon
from rulebooks.mars.declarations.combat import Attack, Blow
from rulebooks.mars.harm import damage
from rulebooks.mars.maneuvers.aids import (
    HARD_PARRY,
    attack_aids,
    defends_free,
    end_answers,
    end_sneak,
    end_used,
    hard_parry,
    intercepted,
    is_hidden_from,
    is_provoked_by_ally_of,
)
from rulebooks.mars.tasks.checks import (
    Edge,
    EntryDice,
    Grading,
    Outcome,
    Roll,
    RollPlan,
    RollStep,
    check_pick,
    grading,
    roll,
    said_edges,
    said_steps,
)
from rulebooks.mars.tasks.stat_values import value_of
from rulebooks.mars.texts import value_refusal
from rulebooks.mars.turns.actions import add_attack, attack_penalty, check_price, pay, price

SPEED: Final = 1
BLINDED: Final = (guards.UNCONSCIOUS, guards.DYING, guards.BLIND, guards.SURPRISED)


class Strike(msgspec.Struct, frozen=True, kw_only=True):
    """One attack as the rules see it, plain or by a maneuver.

    `said` has what the line says about the roll and the defences. `steps` and `edges` are added to the attack roll,
    `damage_steps` to the damage. A critical begins `lower` points of margin earlier. `counted`: it has the penalty of
    several attacks in a turn, and counts for it. `keeps_total`: the total of the roll matters after the damage too.
    """

    by: str
    target: str
    weapon: Weapon
    skill: str
    said: Blow
    steps: tuple[RollStep, ...] = ()
    edges: tuple[Edge, ...] = ()
    damage_steps: tuple[RollStep, ...] = ()
    lower: int = 0
    halvings: int = 0
    counted: bool = True
    keeps_total: bool = False
    rules: tuple[str, ...] = ()

    @property
    def defence(self) -> Defence:
        """Return the defence on the line."""
        return defence_of(self.target, self.said.defences)

    @property
    def is_melee(self) -> bool:
        """Whether it is an attack in melee."""
        return self.weapon.mode == MELEE


class StrikeResult(msgspec.Struct, frozen=True, kw_only=True):
    """What an attack came to: its roll and its outcome, whether a shield took it, and what the target itself took."""

    roll: Roll
    outcome: Outcome
    blocked: bool = False
    dealt: int = 0

    @property
    def total(self) -> int:
        """The total of the attack roll."""
        return self.roll.total


def plan_strike(said: Blow, target: str, state: State, *, counted: bool = True) -> Strike:
    """GR-ATK-1, GR-ATK-2: return the attack of a line: its weapon, and the skill that fits it."""
    weapon = wielded_weapon(said.by, said.weapon, state)
    aimed = intercepted(target, state)
    return Strike(by=said.by, target=aimed, weapon=weapon, skill=said.skill or weapon.skill, said=said, counted=counted)


@decides(Attack)
def attack(said: Attack, state: State, dice: Dice) -> Iterator[Fact]:
    """GR-ATK-1: an attack in the own turn, at speed 1."""
    plan = check_attack(said, state)
    yield from pay(said.by, price(said.by, SPEED, state), "attack", state, "GR-ATK-1", "GR-ACT-1")
    yield from strike(plan, state, EntryDice(dice))


def check_attack(said: Attack, state: State) -> Strike:
    """Refuse an attack in the order of the book, before any face; return it."""
    guards.check_able(said.by, state)
    guards.check_alive(said.target, state)
    defences.check_defender(defence_of(intercepted(said.target, state), said.defences), state)
    guards.check_own_turn(said.by, state)
    defences.check_moment(defence_of(intercepted(said.target, state), said.defences), state)
    plan = plan_strike(said, said.target, state)
    check_strike(plan, state)
    check_price(said.by, price(said.by, SPEED, state), state)
    return plan


def readied_attack(said: Attack, state: State, throws: EntryDice) -> Iterator[Fact]:
    """GR-RDY-3, GR-ATK-6: an attack as a reaction: no action points, and nothing for the penalty of several attacks."""
    plan = check_readied_attack(said, state)
    yield from strike(plan, state, throws)


def check_readied_attack(said: Attack, state: State) -> Strike:
    """Refuse an attack that was readied, in the order of the book; return it."""
    guards.check_alive(said.target, state)
    plan = plan_strike(said, said.target, state, counted=False)
    plan = msgspec.structs.replace(plan, rules=("GR-RDY-3",))
    defences.check_defender(plan.defence, state)
    defences.check_moment(plan.defence, state)
    check_strike(plan, state)
    return plan


def check_strike(plan: Strike, state: State) -> None:
    """Refuse the target and the means of its defence, then what the defence costs."""
    check_means(plan, state)
    check_defence_cost(plan, state)


def check_means(plan: Strike, state: State) -> None:
    """Refuse the attacker as the target, dice that the roll does not have, and a defence that is not possible."""
    if plan.target == plan.by:
        raise value_refusal("target", "somebody else", plan.target)
    if plan.defence.first is not None and hard_parry(plan.target, plan.by, state) is not None:
        raise one_defence_refusal(HARD_PARRY, plan.defence.kind)
    check_pick(plan.said.pick, value_of(plan.by, plan.skill, state))
    defences.check_means(plan.defence, state)


def check_defence_cost(plan: Strike, state: State) -> None:
    """Refuse a defence that takes a second reaction, or more stamina than there is."""
    defences.check_cost(plan.defence, state, free=defends_free(plan.target, state))


def strike(plan: Strike, state: State, throws: EntryDice) -> Generator[Fact, None, StrikeResult]:
    """GR-ATK-2, GR-ATK-3: roll the attack and resolve it against its target; count it for the turn (GR-ATK-5)."""
    yield from defences.pay_defence(plan.defence, state, free=defends_free(plan.target, state))
    made = yield from roll_attack(plan, state, throws)
    result = yield from resolve_attack(plan, made, state, throws)
    if plan.counted:
        yield from add_attack(plan.by, state)
    return result


def roll_attack(plan: Strike, state: State, throws: EntryDice) -> Generator[Fact, None, Roll]:
    """GR-ATK-2: roll the combat skill with DEX, with all that bears on it."""
    aids = attack_aids(plan.by, plan.target, state, melee=plan.is_melee)
    rolled = RollPlan(
        who=plan.by,
        purpose=f"attack {plan.by}",
        what="attack",
        value=value_of(plan.by, plan.skill, state),
        steps=(
            *said_steps(plan.said),
            *plan.steps,
            *penalty_step(plan, state),
            *(RollStep(change, because, "GR-OUT-17") for because, change in aids.steps),
        ),
        edges=(*said_edges(plan.said), *plan.edges, *situation_edges(plan, state), *aid_edges(aids)),
        pick=plan.said.pick,
        rules=("GR-ATK-2", *(() if plan.counted else ("GR-ATK-6",)), *plan.rules),
    )
    made = yield from roll(rolled, state, throws)
    yield from end_used(aids, state)
    return made


def penalty_step(plan: Strike, state: State) -> tuple[RollStep, ...]:
    """GR-ATK-5: -5 for every attack made before in this turn. GR-ATK-6: not for reactions."""
    penalty = attack_penalty(plan.by, state) if plan.counted else 0
    return (RollStep(penalty, "attacks made in this turn", "GR-ATK-5"),) if penalty else ()


def situation_edges(plan: Strike, state: State) -> tuple[Edge, ...]:
    """Return the advantages and disadvantages that the situation gives an attack roll."""
    edges = list[Edge]()
    if is_unseen(plan, state):
        edges.append(Edge(1, "sneak attack", "GR-ATK-7"))
    if plan.said.flanked:
        edges.append(Edge(1, "flanking attack", "GR-ATK-8"))
    if has_condition(plan.target, guards.PRONE, state):
        edges.append(Edge(1 if plan.is_melee else -1, f"{plan.target} is prone", "GR-PRO-1"))
    if plan.weapon.mode == RANGED and find_condition(plan.target, guards.COVER, state) is not None:
        edges.append(Edge(-1, f"{plan.target} is in cover", "GR-COV-2"))
    if has_condition(plan.by, guards.BLIND, state):
        edges.append(Edge(-1, f"{plan.by} is blind", "GR-BLI-1"))
    return tuple(edges)


def is_unseen(plan: Strike, state: State) -> bool:
    """GR-ATK-7: whether the target cannot see the attacker, as the line says, or as the conditions have it.

    GR-GAP-7, GR-GAP-49: the surprised, the blind and the unconscious do not see an attack.
    """
    if plan.said.unseen is not None:
        return plan.said.unseen
    hidden = is_hidden_from(plan.by, plan.target, state) or is_provoked_by_ally_of(plan.target, plan.by, state)
    return hidden or any(has_condition(plan.target, name, state) for name in BLINDED)


def resolve_attack(plan: Strike, made: Roll, state: State, throws: EntryDice) -> Generator[Fact, None, StrikeResult]:
    """GR-ATK-2: the total against the defence of the target, and on a hit its damage. The defence is paid before."""
    parry = hard_parry(plan.target, plan.by, state)
    graded_by = grading(made.total, state, plan.lower)
    difficulty = yield from defences.roll_defence(plan.defence, plan.by, plan.is_melee, parry, graded_by, state, throws)
    dodged = plan.defence.first is not None or parry is not None
    graded = attack_outcome(graded_by, difficulty.total, grazes_miss=dodged)
    yield judge_attack(plan, made, difficulty, graded)
    kept = (made.total,) if plan.keeps_total else ()
    throws.dice.settle(graded, *kept)
    yield from defences.after_evasion(plan.defence, state)
    yield from end_sneak(plan.by, plan.target, state)
    blocks, dealt = graded != "fail" and plan.defence.block is not None, 0
    if blocks:
        yield from defences.pay_block(plan.defence, state, free=defends_free(plan.target, state))
    if graded != "fail":
        dealt = yield from deal_weapon_damage(plan, graded, state, throws)
        throws.dice.settle(graded, *kept)
    yield from end_answers(plan.target, state)
    return StrikeResult(roll=made, outcome=graded, blocked=blocks, dealt=dealt)


def attack_outcome(graded_by: Grading, difficulty: int, *, grazes_miss: bool) -> Outcome:
    """GR-OUT-4: the grade of the margin. GR-EVD-2, GR-PAR-2: against an evasion or a parry a graze is a miss."""
    graded = graded_by.grade(difficulty)
    return "fail" if graded == "graze" and grazes_miss else graded


def judge_attack(plan: Strike, made: Roll, difficulty: Difficulty, graded: Outcome) -> Judged:
    """Return the fact of the outcome of an attack."""
    defended = {"": (), defences.PARRY: ("GR-PAR-2",)}.get(plan.defence.kind, ("GR-EVD-2",))
    both = {"GR-ATK-7", "GR-ATK-8"}
    double = ("GR-ATK-9",) if both.issubset(made.rules) else ()
    rules = ("GR-ATK-2", "GR-OUT-4", *defended, *double, *made.rules, *difficulty.rules)
    return Judged(
        rules=tuple(dict.fromkeys(rules)),
        what="attack",
        who=plan.by,
        against=plan.target,
        sums=(*made.sums, *difficulty.sums),
        total=made.total,
        target=difficulty.total,
        margin=made.total - difficulty.total,
        result=graded,
        rolls=(*made.rolls, *difficulty.rolls),
        final=True,
        using=((plan.by, plan.weapon.name),),
    )


def deal_weapon_damage(plan: Strike, graded: Outcome, state: State, throws: EntryDice) -> Generator[Fact, None, int]:
    """GR-ATK-3: roll the damage of the weapon, and let it land on the target, or on the shield that blocks it."""
    rolled = RollPlan(
        who=plan.by,
        purpose=f"damage {plan.by} on {plan.target}",
        what="damage roll",
        value=damage_value(plan.by, plan.weapon, state),
        steps=plan.damage_steps,
        rules=("GR-ATK-3", "GR-OUT-9"),
    )
    made = yield from roll(rolled, state, throws)
    block = plan.defence.block
    impact = damage.Impact(
        target=plan.target,
        by=plan.by,
        rolled=made.total,
        outcome=graded,
        type=fold_case(plan.weapon.type),
        bonus=plan.weapon.critical,
        nonlethal=plan.weapon.nonlethal,
        dr=damage.DR in plan.weapon.features,
        halvings=plan.halvings,
        shield=defences.find_shield(plan.target, block.item, state) if block else "",
        rolls=made.rolls,
        sums=made.sums,
        rules=made.rules,
    )
    return (yield from damage.land(impact, state))
