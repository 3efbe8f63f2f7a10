"""Attacks: the roll against a defence, its outcome, a block, and the damage."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from typing import Final

import msgspec

from ledger.dice import Dice
from ledger.facts import Fact, Judged
from ledger.names import fold_case
from projections.state import State
from rulebooks.common.decisions import decides
from rulebooks.common.dice import EntryDice
from rulebooks.mars import guards
from rulebooks.mars.combat import defence as defences
from rulebooks.mars.combat import shields
from rulebooks.mars.combat.attack_roll import Strike, roll_attack
from rulebooks.mars.combat.defence import Defence, Difficulty, defence_of, one_defence_refusal
from rulebooks.mars.combat.weapons import damage_value, wielded_weapon
from rulebooks.mars.declarations.combat import Attack, Blow
from rulebooks.mars.harm import damage
from rulebooks.mars.maneuvers.aids import (
    HARD_PARRY,
    defends_free,
    end_answers,
    end_sneak,
    hard_parry,
    intercepted,
    may_sneak,
)
from rulebooks.mars.tasks.checks import Grading, Outcome, Roll, RollPlan, check_pick, entry_dice, grading, roll
from rulebooks.mars.tasks.stat_values import value_of
from rulebooks.mars.texts import value_refusal
from rulebooks.mars.turns.actions import NO_PRICE, Price, add_attack, check_price, pay, price

SPEED: Final = 1


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


def plan_strike(
    said: Blow, defence: Defence, state: State, *, skill: str = "", cost: Price = NO_PRICE, counted: bool = True
) -> Strike:
    """GR-ATK-1, GR-ATK-2: return the attack of a line against a defence: its weapon, and the skill that fits it."""
    weapon = wielded_weapon(said.by, said.weapon, state)
    return Strike(
        by=said.by,
        target=defence.who,
        defence=defence,
        free=defends_free(defence.who, state),
        weapon=weapon,
        value=value_of(said.by, skill or said.skill or weapon.skill, state),
        said=said,
        cost=cost,
        counted=counted,
    )


@decides(Attack)
def attack(said: Attack, state: State, dice: Dice) -> Iterator[Fact]:
    """GR-ATK-1: an attack in the own turn, at speed 1."""
    return resolve(prepare(said, state), state, entry_dice(dice))


def prepare(said: Attack, state: State) -> Strike:
    """Refuse an attack in the order of the book, before any face; return it."""
    guards.check_able(said.by, state)
    guards.check_alive(said.target, state)
    defence = defence_of(intercepted(said.target, state), said.defences)
    defences.check_defender(defence, state)
    guards.check_own_turn(said.by, state)
    defences.check_moment(defence, state)
    strike = plan_strike(said, defence, state, cost=price(said.by, SPEED, state))
    check_means(strike, state)
    check_defence_cost(strike, state)
    check_price(said.by, strike.cost, state)
    return strike


def prepare_readied(said: Attack, state: State) -> Strike:
    """GR-RDY-3, GR-ATK-6: refuse a readied attack in the order of the book; return it.

    As a reaction it takes no action points, and it is nothing for the penalty of several attacks.
    """
    guards.check_alive(said.target, state)
    defence = defence_of(intercepted(said.target, state), said.defences)
    strike = msgspec.structs.replace(plan_strike(said, defence, state, counted=False), rules=("GR-RDY-3",))
    defences.check_defender(defence, state)
    defences.check_moment(defence, state)
    check_means(strike, state)
    check_defence_cost(strike, state)
    return strike


def check_means(strike: Strike, state: State) -> None:
    """Refuse the attacker as the target, dice that the roll does not have, and a defence that is not possible."""
    if strike.target == strike.by:
        raise value_refusal("target", "somebody else", strike.target)
    if strike.defence.first is not None and hard_parry(strike.target, strike.by, state) is not None:
        raise one_defence_refusal(HARD_PARRY, strike.defence.kind)
    if strike.said.pick:
        check_pick(strike.said.pick, strike.value)
    defences.check_means(strike.defence, state)


def check_defence_cost(strike: Strike, state: State) -> None:
    """Refuse a defence that takes a second reaction, or more stamina than there is."""
    defences.check_cost(strike.defence, state, free=strike.free)


def resolve(strike: Strike, state: State, throws: EntryDice) -> Generator[Fact, None, StrikeResult]:
    """GR-ATK-2, GR-ATK-3: pay for the attack, roll it against its target, and count it for the turn (GR-ATK-5)."""
    yield from pay(strike.by, strike.cost, "attack", state, "GR-ATK-1")
    if strike.defence.first is not None:
        yield from defences.pay_defence(strike.defence, state, free=strike.free)
    made = yield from roll_attack(strike, state, throws)
    result = yield from meet_defence(strike, made, state, throws)
    if strike.counted:
        yield from add_attack(strike.by, state)
    return result


def meet_defence(strike: Strike, made: Roll, state: State, throws: EntryDice) -> Generator[Fact, None, StrikeResult]:
    """GR-ATK-2: the total against the defence of the target, and on a hit its damage. The defence is paid before."""
    target = strike.target
    parry = hard_parry(target, strike.by, state)
    graded_by = grading(made.total, state, strike.lower)
    difficulty = yield from defences.roll_defence(
        strike.defence, strike.by, strike.is_melee, parry, graded_by, state, throws
    )
    dodged = strike.defence.first is not None or parry is not None
    graded = attack_outcome(graded_by, difficulty.total, grazes_miss=dodged)
    if state.is_read:
        yield judge_attack(strike, made, difficulty, graded)
    kept = made.total if strike.keeps_total else None
    throws.dice.settle(graded, kept)
    if strike.defence.evades:
        yield from defences.after_evasion(strike.defence, state)
    if may_sneak(strike.by, target, state):
        yield from end_sneak(strike.by, target, state)
    blocks, dealt = graded != "fail" and strike.defence.block is not None, 0
    if blocks:
        yield from shields.pay_block(target, state, free=strike.free)
    if graded != "fail":
        dealt = yield from deal_weapon_damage(strike, graded, state, throws)
        throws.dice.settle(graded, kept)
    yield from end_answers(target, state)
    return StrikeResult(roll=made, outcome=graded, blocked=blocks, dealt=dealt)


def attack_outcome(graded_by: Grading, difficulty: int, *, grazes_miss: bool) -> Outcome:
    """GR-OUT-4: the grade of the margin. GR-EVD-2, GR-PAR-2: against an evasion or a parry a graze is a miss."""
    graded = graded_by.grade(difficulty)
    return "fail" if graded == "graze" and grazes_miss else graded


def judge_attack(strike: Strike, made: Roll, difficulty: Difficulty, graded: Outcome) -> Judged:
    """Return the fact of the outcome of an attack."""
    defended = {"": (), defences.PARRY: ("GR-PAR-2",)}.get(strike.defence.kind, ("GR-EVD-2",))
    both = {"GR-ATK-7", "GR-ATK-8"}
    double = ("GR-ATK-9",) if both.issubset(made.rules) else ()
    rules = ("GR-ATK-2", "GR-OUT-4", *defended, *double, *made.rules, *difficulty.rules)
    return Judged(
        rules=tuple(dict.fromkeys(rules)),
        what="attack",
        who=strike.by,
        against=strike.target,
        sums=(*made.sums, *difficulty.sums),
        total=made.total,
        target=difficulty.total,
        margin=made.total - difficulty.total,
        result=graded,
        rolls=(*made.rolls, *difficulty.rolls),
        final=True,
        using=((strike.by, strike.weapon.name),),
    )


def deal_weapon_damage(strike: Strike, graded: Outcome, state: State, throws: EntryDice) -> Generator[Fact, None, int]:
    """GR-ATK-3: roll the damage of the weapon, and let it land on the target, or on the shield that blocks it."""
    rolled = RollPlan(
        who=strike.by,
        purpose=f"damage {strike.by} on {strike.target}",
        what="damage roll",
        value=damage_value(strike.by, strike.weapon, state),
        steps=strike.damage_steps,
        total=strike.said.damage,
        rules=("GR-ATK-3", "GR-OUT-9"),
    )
    made = yield from roll(rolled, state, throws)
    block = strike.defence.block
    impact = damage.Impact(
        target=strike.target,
        by=strike.by,
        rolled=made.total,
        outcome=graded,
        type=fold_case(strike.weapon.type),
        bonus=strike.weapon.critical,
        nonlethal=strike.weapon.nonlethal,
        dr=damage.DR in strike.weapon.features,
        halvings=strike.halvings,
        shield=shields.find_shield(strike.target, block.item, state) if block else "",
        rolls=made.rolls,
        sums=made.sums,
        rules=made.rules,
    )
    return (yield from shields.land(impact, state))
