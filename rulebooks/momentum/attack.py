"""Attacks: announced, answered, rolled, helped and resolved; and both attacks of a turn at once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

import msgspec

from ledger.dice import Dice
from ledger.facts import Counted, Fact, Judged, Placed, SheetChanged, Sum
from ledger.names import fold_case
from projections.state import State
from rulebooks.common import announcements
from rulebooks.common.beings import speaker
from rulebooks.common.decisions import decides
from rulebooks.momentum import damage, dice_pool, guards, weapons
from rulebooks.momentum.declarations import Attack, DoubleAttack, Reaction, Strike
from rulebooks.momentum.reactions import Aim, aim_after, react
from rulebooks.momentum.texts import option, refusal
from rulebooks.momentum.turns import ATTACKS, Turn, begin_turn, spend_actions, turn_of
from rulebooks.momentum.zones import check_reach, distance, is_within_reach, reach_rules

PREFIX: Final = ("attack", "second attack")
NONE: Final = 0  # said as the number of a die: Help rolls none again


class Blow(msgspec.Struct, frozen=True, kw_only=True):
    """One attack of a declaration: its dice, the reactions to it, its target after them, the dice chosen for Help."""

    purpose: str  # of its dice: the attack alone, so that reactions and a new target move no die
    rushed: tuple[str, ...]  # the rules that make it so
    reactions: tuple[Reaction, ...]
    aim: Aim
    defense: int
    chosen: tuple[int, ...]  # empty where none are chosen yet

    @property
    def wanted(self) -> tuple[int, ...]:
        """MO-HELP-2: the dice that are rolled again."""
        return tuple(n for n in self.chosen if n != NONE)


class Plan(msgspec.Struct, frozen=True, kw_only=True):
    """An attack that nothing speaks against before its reactions: its line, and what it is decided from."""

    said: Strike
    turn: Turn
    weapon: weapons.HeldWeapon
    zones: int  # to the target
    blows: tuple[Blow, ...]


def prepare(said: Strike, state: State) -> Plan:
    """Refuse an attack before its reactions, in the catalogue's order of codes; return what it is decided from."""
    double = isinstance(said, DoubleAttack)
    encounter = guards.check_turn(said.by, state)
    guards.check_in_fight(said.target, state, "target")
    turn = turn_of(said.by, encounter, state)
    if double and (turn.left < 2 or state.count(said.by, ATTACKS)):
        raise refusal("ACTIONS", left=turn.left, name=said.by, line=speaker(said.by, state))
    weapon = weapons.wielded_weapon(said, state)
    if said.target == said.by:
        raise refusal("SELF", case="attack", name=said.by)
    guards.check_up(said.target, state)
    if said.thrown and weapons.THROWABLE not in weapon.tags:
        raise refusal("RANGE", case="thrown", name=said.by, weapon=weapon.name)
    zones = check_reach(said.by, said.target, weapon.name, weapon.kind(thrown=said.thrown), state)
    turn.check_actions(state)
    weapons.check_hands(said.by, weapon, state)
    blows = blows_of(said, weapon, state)
    if double or blows[0].rushed:
        weapons.check_rushed(said.by, weapon)
    return Plan(said=said, turn=turn, weapon=weapon, zones=zones, blows=blows)


def with_usable_weapon(said: Strike, state: State) -> Strike:
    """MO-ATK-1: name the weapon of an attack that names none, where the first cannot be used and one other can."""
    held = weapons.held_weapons(said.by, state)
    if said.weapon or len(held) < 2 or is_usable(held[0], said, state):
        return said
    usable = [name for name in held[1:] if is_usable(name, said, state)]
    return msgspec.structs.replace(said, weapon=usable[0]) if len(usable) == 1 else said


def is_usable(name: str, said: Strike, state: State) -> bool:
    """Whether a weapon reaches the target of an attack, and has the hands, the tag and the dice that it takes."""
    weapon = weapons.weapon_on_sheet(said.by, name, state)
    zones = distance(said.by, said.target, state)
    if zones is None or not is_within_reach(zones, weapon.kind(thrown=said.thrown), state):
        return False
    if said.thrown and weapons.THROWABLE not in weapon.tags:
        return False
    is_rushed = isinstance(said, DoubleAttack) or bool(rushed_rules(said, 0, weapon, state))
    return weapons.has_hands(said.by, weapon, state) and (bool(weapon.rushed) or not is_rushed)


def blows_of(said: Strike, weapon: weapons.HeldWeapon, state: State) -> tuple[Blow, ...]:
    """MO-DBL-3: the attacks of a declaration, one or both of the turn."""
    blows = []
    chosen = (said.reroll, said.reroll_second) if isinstance(said, DoubleAttack) else (said.reroll,)
    for index, reactions in enumerate(reaction_groups(said)):
        aim = aim_after(reactions, said.target)
        blow = Blow(
            purpose=f"{PREFIX[index]} {said.by}",
            rushed=rushed_rules(said, index, weapon, state),
            reactions=reactions,
            aim=aim,
            defense=damage.defense_of(aim.target, state),
            chosen=chosen[index],
        )
        blows.append(blow)
    return tuple(blows)


def reaction_groups(said: Strike) -> tuple[tuple[Reaction, ...], ...]:
    """MO-DBL-3: the reactions to each attack of a declaration. MO-CONV-4: late Help comes after all others."""
    groups = (said.reactions, said.second) if isinstance(said, DoubleAttack) else (said.reactions,)
    return tuple(tuple(sorted(group, key=lambda reaction: reaction.kind == "late")) for group in groups)


def rushed_rules(said: Strike, index: int, weapon: weapons.HeldWeapon, state: State) -> tuple[str, ...]:
    """MO-DBL-2: the second attack of a turn is rushed. MO-REQ-2: so is every one with a weapon too much for a PC."""
    second = ("MO-DBL-2",) if index or state.count(said.by, ATTACKS) else ()
    return (*second, *(() if weapons.meets_scores(said.by, weapon, state) else ("MO-REQ-2", "MO-REQ-1")))


def judge_announcement(plan: Plan, blow: Blow) -> Fact:
    """MO-ATK-1: attacker, target, weapon, distance, and dice with their reasons."""
    said, weapon, rushed = plan.said, plan.weapon, blow.rushed
    kind = weapon.kind(thrown=said.thrown)
    tags = {"thrown": ("MO-TAG-2",), "ranged": ("MO-TAG-5",)}.get(kind, ())
    if weapons.THROWABLE in weapon.tags:
        tags = ("MO-TAG-2",)
    needed = ("MO-REQ-1",) if weapon.needs and not rushed else ()
    double = ("MO-DBL-3",) if isinstance(said, DoubleAttack) else ()
    entry = (("MO-WPN-2",) if rushed else ("MO-DBL-1",)) + ("MO-WPN-1",)
    dice = f"Rushed {weapon.rushed}" if rushed else f"Damage {weapon.damage}"
    return Judged(
        rules=("MO-ATK-1", *rushed, *double, *entry, *needed, *reach_rules(plan.zones), "MO-ZONE-1", *tags),
        what="attack",
        who=said.by,
        against=said.target,
        sums=(Sum(name="distance", start=plan.zones, steps=(), total=plan.zones),),
        result=f"{dice} {weapon.name}",
        final=True,
    )


@decides(Attack, DoubleAttack)
def attack(said: Strike, state: State, dice: Dice) -> Iterator[Fact]:
    """MO-CONV-4: announced, reactions, roll, late Help, hit points."""
    yield from resolve(prepare(with_usable_weapon(said, state), state), state, dice)


def resolve(plan: Plan, state: State, dice: Dice) -> Iterator[Fact]:
    """MO-CONV-4: the attack is announced, reacted to, and rolled at once."""
    yield from begin_attack(plan, state)
    yield from roll_attack(plan, state, dice, wait=False)


def begin_attack(plan: Plan, state: State) -> Iterator[Fact]:
    """MO-CONV-4: the attack is announced, and the reactions on its line are declared, before the roll."""
    yield from begin_turn(plan.turn, state)
    for blow in plan.blows:
        yield judge_announcement(plan, blow)
        yield from reactions_to(plan.said, blow, state, late=False)


def reactions_to(said: Strike, blow: Blow, state: State, *, late: bool) -> Iterator[Fact]:
    """MO-CONV-4: the reactions to one attack of a declaration that come before its roll, or after it."""
    for number, reaction in enumerate(blow.reactions):
        if (reaction.kind == "late") == late:
            yield from react(reaction, said, blow.reactions[:number], state)


def roll_attack(plan: Plan, state: State, dice: Dice, *, wait: bool) -> Iterator[Fact]:
    """Roll, then resolve the attack, unless dice are still to be chosen for Help.

    A choice among drawn dice that does not fit their faces is not refused, which would show the faces and keep nothing:
    the throw stays, and waits for another choice.
    """
    said, weapon = plan.said, plan.weapon
    if dice.source != "table":  # MO-CONV-4: errors of typed faces come before those of late Help
        guards.try_facts(late_help(plan, state), state)
    pools: list[dice_pool.DicePool] = []
    unchosen = wait
    for blow in plan.blows:
        count, sides = weapon.dice(rushed=bool(blow.rushed))
        pool = yield from dice_pool.throw_pool(said.by, blow.purpose, count, sides, weapon.is_precise, dice, state)
        yield from reactions_to(said, blow, state, late=True)
        if blow.chosen and (is_choice_of_misses(blow, pool, state) or dice.source == "table"):
            pool = yield from reroll_chosen(said, blow, pool, weapon, state, dice)
        else:
            unchosen = unchosen or awaits_choice(blow, pool, state)
        pools.append(pool)
    dice_pool.check_all_thrown(dice)
    if unchosen:
        yield wait_for_help(said, pools, state)
    else:
        yield from count_hits(said, weapon.name, zip(pools, [blow.aim for blow in plan.blows], strict=True), state)


def late_help(plan: Plan, state: State) -> Iterator[Fact]:
    """MO-CONV-3: the late Help of a declaration, and its choices as far as no face decides on them."""
    for blow in plan.blows:
        yield from reactions_to(plan.said, blow, state, late=True)
        if blow.chosen:
            dice_pool.check_count(blow.wanted, blow.aim.helpers, state)


def is_choice_of_misses(blow: Blow, pool: dice_pool.DicePool, state: State) -> bool:
    """MO-HELP-2: whether all dice chosen of this attack (MO-DBL-3) may be rolled again. Refuses too many."""
    dice_pool.check_count(blow.wanted, blow.aim.helpers, state)
    return dice_pool.are_misses(pool, blow.wanted, blow.defense, state)


def awaits_choice(blow: Blow, pool: dice_pool.DicePool, state: State) -> bool:
    """MO-HELP-2: whether somebody helps this attack and there is a die to roll again."""
    return blow.aim.helpers > 0 and any(dice_pool.can_reroll(die, blow.defense, state) for die in pool.dice)


def check_misses(blow: Blow, pool: dice_pool.DicePool, state: State) -> None:
    """MO-HELP-2: refuse a choice of dice that may not all be rolled again."""
    if not is_choice_of_misses(blow, pool, state):
        raise refusal("HELP")


def reroll_chosen(
    said: Strike, blow: Blow, pool: dice_pool.DicePool, weapon: weapons.HeldWeapon, state: State, dice: Dice
) -> dice_pool.PoolThrow:
    """MO-HELP-2: roll the dice that the ally has chosen again. Refuses a die that is a hit."""
    check_misses(blow, pool, state)
    return dice_pool.reroll_for_help(said.by, blow.purpose, pool, blow.wanted, weapon.is_precise, dice, state)


def wait_for_help(said: Strike, pools: list[dice_pool.DicePool], state: State) -> Fact:
    """MO-GAP-16: the dice are rolled and no HP have changed: Help may still come, and dice are chosen for it."""
    note = msgspec.json.encode(pools).decode()
    window = announcements.new_window if announcements.find_window(state) is None else announcements.window_change
    return window(said, (said.by,), "MO-CONV-4", "MO-HELP-2", note=note)


def count_hits(
    said: Strike, weapon: str, results: Iterable[tuple[dice_pool.DicePool, Aim]], state: State
) -> Iterator[Fact]:
    """MO-ATK-2, MO-ATK-3: hits of each attack, then the actions that they cost."""
    if announcements.find_window(state) is not None:
        yield announcements.window_end("thrown", "MO-CONV-4")
    cost = 0
    for pool, aim in results:
        cost += 1
        judged = damage.judge_hits(said, weapon, pool, aim, state)
        yield judged
        yield from damage.lose_hit_points(aim.target, judged.total or 0, said.by, state)
    total = state.count(said.by, ATTACKS) + cost
    yield Counted(rules=("MO-DBL-2",), who=said.by, name=ATTACKS, change=cost, now=total, until="turn")
    yield spend_actions(said.by, state, "MO-ATK-1", "MO-ACT-2", "MO-ACT-4", cost=cost)
    if said.thrown and weapon:
        yield from drop_thrown_weapon(said, weapon, state)


def weapon_used(said: Strike, state: State) -> str:
    """Return the name of the weapon of an attack: the one that is said, else the first in hand."""
    names = weapons.held_weapons(said.by, state)
    return next((name for name in names if fold_case(name) == fold_case(said.weapon)), next(iter(names), ""))


def drop_thrown_weapon(said: Strike, weapon: str, state: State) -> Iterator[Fact]:
    """MO-GAP-24: a thrown weapon stays in the target's zone, where the table reads it so."""
    if option(state, "thrown_leaves_hand") == "no":
        return
    kept = ", ".join(name for name in weapons.held_weapons(said.by, state) if name != weapon)
    was = state.sheet(said.by, weapons.HELD)
    yield SheetChanged(rules=("MO-TAG-2",), who=said.by, key=weapons.HELD, was=was, now=kept or None, because="thrown")
    yield Placed(rules=("MO-TAG-2",), who=f"{said.by}'s {weapon}", place=state.place(said.target))
