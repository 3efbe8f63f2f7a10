"""Maneuvers that attack: one target or several, with the roll, the resistance and the effects of their rows."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from typing import Final

import msgspec

from ledger.facts import Fact
from projections.state import State
from rulebooks.common.dice import EntryDice
from rulebooks.mars.combat import attack, shields
from rulebooks.mars.combat.attack_roll import Strike, roll_attack
from rulebooks.mars.combat.defence import defence_of, pay_defence
from rulebooks.mars.combat.weapons import BARE_HANDS, HANDS, Weapon, is_broken
from rulebooks.mars.maneuvers import aids, outcomes, poison, table
from rulebooks.mars.maneuvers.resistance import Share, resist
from rulebooks.mars.maneuvers.use import KNOCK_DOWN, RULE, Use, checked_skill
from rulebooks.mars.tasks import checks, roll_values
from rulebooks.mars.tasks.roll_steps import RollStep, blind_edges
from rulebooks.mars.texts import option
from rulebooks.mars.turns import actions, cover

BLUDGEONING: Final = "bludgeoning"


def plans_of(use: Use, state: State) -> tuple[Strike, ...]:
    """GR-OUT-17: return the attack on each target, as the row changes it."""
    return tuple(plan_of(use, target, state) for target in use.targets)


def plan_of(use: Use, target: str, state: State, *, bonus: bool = True) -> Strike:
    """GR-OUT-17: return the attack on one target; without `bonus` it has nothing added to it."""
    said = use.said
    own = tuple(reaction for reaction in said.defences if reaction.who == target or len(use.targets) == 1)
    weapon = weapon_of_row(use, state)
    blow = msgspec.structs.replace(said, defences=own, weapon="" if "shield" in use.row.needs else weapon.name)
    defence = defence_of(aids.intercepted(target, state), own)
    plan = attack.plan_strike(blow, defence, state, skill=use.skill, counted=not use.reaction)
    to_hit, damage = changes(use) if bonus else (0, 0)
    return msgspec.structs.replace(
        plan,
        weapon=weapon,
        steps=(RollStep(to_hit, use.row.name, RULE),) if to_hit else (),
        damage_steps=(RollStep(damage, use.row.name, RULE),) if damage else (),
        lower=3 if use.said.boost and use.row.boost == "critical 3" else use.row.critical,
        halvings=use.row.halvings,
        keeps_total=bool(use.row.resist) or use.said.boost or len(use.targets) > 1,
        rules=(RULE,),
    )


def changes(use: Use) -> tuple[int, int]:
    """GR-OUT-17: return what the row adds to the attack roll and to the damage."""
    row, to_hit, damage = use.row, use.row.to_hit, use.row.damage
    if use.said.boost and row.boost == KNOCK_DOWN:
        return 0, 0
    if is_ill_suited(use):
        to_hit, damage = to_hit + row.ill_suited.to_hit, damage + row.ill_suited.damage
    if row.reach:
        damage += row.reach + 1 - use.metres
    return to_hit * use.times, damage * use.times


def is_ill_suited(use: Use) -> bool:
    """GR-OUT-17: tell whether the maneuver does not suit the weapon: bare hands, or one that is not blunt."""
    weapon, kinds = use.weapon or HANDS, use.row.ill_suited.to
    bare = weapon.name == BARE_HANDS
    return ("unarmed" in kinds and bare) or ("edged" in kinds and weapon.type != BLUDGEONING)


def weapon_of_row(use: Use, state: State) -> Weapon:
    """GR-OUT-17: return what the maneuver strikes with: the weapon, with the damage of the row, or the shield."""
    row = use.row
    if "shield" in row.needs:
        shield = next(item for item in shields.held_shields(use.who, state) if not is_broken(use.who, item, state))
        return Weapon(
            name=shield,
            damage=roll_values.parse_roll_value(row.weapon_value, state),
            critical=row.critical_bonus,
            type=row.damage_type,
            skill=use.skill,
        )
    weapon = use.weapon or HANDS
    return msgspec.structs.replace(weapon, type=row.damage_type or weapon.type)


def check_strikes(use: Use, state: State) -> None:
    """Refuse what an attack cannot do, and defences that cannot be."""
    for plan in plans_of(use, state):
        attack.check_means(plan, state)


def check_defence_costs(use: Use, state: State) -> None:
    """Refuse defences that cannot be paid for."""
    for plan in plans_of(use, state):
        attack.check_defence_cost(plan, state)


def perform_strike(use: Use, state: State, throws: EntryDice) -> Iterator[Fact]:
    """GR-OUT-17: what comes before the attack, the attack, what it does to its maker, and to the one who is hit."""
    yield from cover.leave_cover(use.who, use.moves, state)
    use = msgspec.structs.replace(use, said=msgspec.structs.replace(use.said, target=plans_of(use, state)[0].target))
    prepared = True
    if use.row.check_when == "before":
        prepared = yield from prepare(use, state, throws)
    result = yield from attack.resolve(plan_of(use, use.target, state, bonus=prepared), state, throws)
    yield from outcomes.begin_own_effects(use, state)
    if reaches(result, state):
        yield from affect_target(use, result, state, throws)


def prepare(use: Use, state: State, throws: EntryDice) -> Generator[Fact, None, bool]:
    """GR-OUT-17: the roll before an attack: against a difficulty, or against what the target resists with.

    Returns whether the attack has what the row adds to it.
    """
    skill = checked_skill(use, state)
    edges = () if use.row.difficulty else blind_edges(use.who, use.target, state)
    made = yield from checks.check_roll(use.who, skill, skill, state, throws, RULE, against=use.target, edges=edges)
    if use.row.difficulty:
        yield checks.judge(use.row.name, made, use.row.difficulty, state, RULE)
        return checks.outcome(made.total, use.row.difficulty, state) in ("hit", "critical")
    share = yield from resist(use, made.total, state, throws, made)
    yield from outcomes.begin_target_effects(use, share, state)
    return True


def reaches(result: attack.StrikeResult, state: State) -> bool:
    """GR-MAN-5: tell whether the attack has hit or grazed. GR-GAP-61: a block keeps the effect off, or does not."""
    return result.outcome != "fail" and not (result.blocked and option(state, "blocked_maneuver") == "on_hit")


def affect_target(use: Use, result: attack.StrikeResult, state: State, throws: EntryDice) -> Iterator[Fact]:
    """GR-MAN-5: the target resists, if the maneuver can be resisted; then what is left of the effect begins."""
    row = use.row
    if use.said.boost and row.boost == KNOCK_DOWN:
        use = msgspec.structs.replace(use, row=table.rows()[KNOCK_DOWN])
        row = use.row
    if row.check_when == "after":
        yield from poison.begin_poison(use, state, throws)
    elif row.check_when != "before":
        share: Share = "full"
        if row.resist:
            share = yield from resist(use, result.total, state, throws)
        yield from outcomes.begin_target_effects(use, share, state)


def perform_shots(use: Use, state: State, throws: EntryDice) -> Iterator[Fact]:
    """GR-OUT-17: one attack roll against several targets, each with its own defence and damage.

    What bears on the roll is what bears on an attack on the first of them. GR-ATK-5, GR-GAP-66: for the penalty of the
    next attack each counts as one, or all of them do.
    """
    plans = plans_of(use, state)
    for plan in plans:
        yield from pay_defence(plan.defence, state, free=plan.free)
    made = yield from roll_attack(plans[0], state, throws)
    for plan in plans:
        yield from attack.meet_defence(plan, made, state, throws)
    for plan in plans[:1] if option(state, "shots_count") == "one" else plans:
        if plan.counted:
            yield from actions.add_attack(plan.by, state)
