"""Attacks: announced, answered, rolled, helped and resolved; and both attacks of a turn at once."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from typing import Final

import msgspec

from ledger.dice import Dice
from ledger.facts import Counted, Fact, Judged, Placed, SheetChanged, Sum
from ledger.names import fold_case
from projections.state import State
from rulebooks.common import announcements
from rulebooks.common.beings import speaker
from rulebooks.common.decisions import decides
from rulebooks.momentum import dice_pool, weapons
from rulebooks.momentum.damage import defense_of, judge_hits, lose_hit_points
from rulebooks.momentum.declarations import Attack, DoubleAttack, Reaction, Strike
from rulebooks.momentum.guards import check_in_fight, check_turn, check_up
from rulebooks.momentum.reactions import aim_after, react
from rulebooks.momentum.texts import option, refusal
from rulebooks.momentum.trial import try_facts
from rulebooks.momentum.turns import ATTACKS, actions_left, begin_turn, check_actions, spend_actions
from rulebooks.momentum.zones import check_reach, distance, reach_rules

PREFIX: Final = ("attack", "second attack")
NONE: Final = 0  # said as the number of a die: Help rolls none again


def check_strike(said: Strike, state: State) -> weapons.HeldWeapon:
    """Refuse an attack before its reactions, in the catalogue's order of codes; return its weapon."""
    double = isinstance(said, DoubleAttack)
    check_turn(said.by, state)
    check_in_fight(said.target, state, "target")
    if double and (actions_left(said.by, state) < 2 or state.count(said.by, ATTACKS)):
        raise refusal("ACTIONS", left=actions_left(said.by, state), name=said.by, line=speaker(said.by, state))
    weapon = weapons.wielded_weapon(said, state)
    if said.target == said.by:
        raise refusal("SELF", case="attack", name=said.by)
    check_up(said.target, state)
    if said.thrown and weapons.THROWABLE not in weapon.tags:
        raise refusal("RANGE", case="thrown", name=said.by, weapon=weapon.name)
    check_reach(said.by, said.target, weapon.name, weapon.kind(thrown=said.thrown), state)
    check_actions(said.by, state)
    weapons.check_hands(said.by, weapon, state)
    if double or rushed_rules(said, 0, weapon, state):
        weapons.check_rushed(said.by, weapon)
    return weapon


def reaction_groups(said: Strike) -> tuple[tuple[Reaction, ...], ...]:
    """MO-DBL-3: the reactions to each attack of a declaration. MO-CONV-4: late Help comes after all others."""
    groups = (said.reactions, said.second) if isinstance(said, DoubleAttack) else (said.reactions,)
    return tuple(tuple(sorted(group, key=lambda reaction: reaction.kind == "late")) for group in groups)


def chosen_dice(said: Strike) -> tuple[tuple[int, ...], ...]:
    """MO-HELP-2: the dice chosen for each attack of a declaration; empty where none are chosen yet."""
    return (said.reroll, said.reroll_second) if isinstance(said, DoubleAttack) else (said.reroll,)


def rushed_rules(said: Strike, index: int, weapon: weapons.HeldWeapon, state: State) -> tuple[str, ...]:
    """MO-DBL-2: the second attack of a turn is rushed. MO-REQ-2: so is every one with a weapon too much for a PC."""
    second = ("MO-DBL-2",) if index or state.count(said.by, ATTACKS) else ()
    return (*second, *(() if weapons.meets_scores(said.by, weapon, state) else ("MO-REQ-2", "MO-REQ-1")))


def judge_announcement(said: Strike, index: int, weapon: weapons.HeldWeapon, state: State) -> Fact:
    """MO-ATK-1: attacker, target, weapon, distance, and dice with their reasons."""
    rushed = rushed_rules(said, index, weapon, state)
    zones = distance(said.by, said.target, state) or 0
    kind = weapon.kind(thrown=said.thrown)
    tags = {"thrown": ("MO-TAG-2",), "ranged": ("MO-TAG-5",)}.get(kind, ())
    if weapons.THROWABLE in weapon.tags:
        tags = ("MO-TAG-2",)
    needed = ("MO-REQ-1",) if weapon.needs and not rushed else ()
    double = ("MO-DBL-3",) if isinstance(said, DoubleAttack) else ()
    entry = (("MO-WPN-2",) if rushed else ("MO-DBL-1",)) + ("MO-WPN-1",)
    dice = f"Rushed {weapon.rushed}" if rushed else f"Damage {weapon.damage}"
    return Judged(
        rules=("MO-ATK-1", *rushed, *double, *entry, *needed, *reach_rules(zones), "MO-ZONE-1", *tags),
        what="attack",
        who=said.by,
        against=said.target,
        sums=(Sum(name="distance", start=zones, steps=(), total=zones),),
        result=f"{dice} {weapon.name}",
        final=True,
    )


@decides(Attack, DoubleAttack)
def attack(said: Strike, state: State, dice: Dice) -> Iterator[Fact]:
    """MO-CONV-4: announced, reactions, roll, late Help, hit points."""
    weapon = yield from begin_attack(said, state)
    yield from roll_attack(said, weapon, state, dice, wait=False)


def begin_attack(said: Strike, state: State) -> Generator[Fact, None, weapons.HeldWeapon]:
    """MO-CONV-4: the attack is announced, and the reactions on its line are declared, before the roll."""
    weapon = check_strike(said, state)
    yield from begin_turn(said.by, state)
    for index, reactions in enumerate(reaction_groups(said)):
        yield judge_announcement(said, index, weapon, state)
        for number, reaction in enumerate(reactions):
            if reaction.kind != "late":
                yield from react(reaction, said, reactions[:number], state)
    return weapon


def roll_attack(said: Strike, weapon: weapons.HeldWeapon, state: State, dice: Dice, *, wait: bool) -> Iterator[Fact]:
    """Roll, then resolve the attack, unless dice are still to be chosen for Help.

    A choice among drawn dice that does not fit their faces is not refused, which would show the faces and keep nothing:
    the throw stays, and waits for another choice.
    """
    if dice.source != "table":  # MO-CONV-4: errors of typed faces come before those of late Help
        try_facts(late_help(said, state), state)
    pools: list[dice_pool.DicePool] = []
    unchosen = wait
    for index in range(len(reaction_groups(said))):
        pool = yield from throw_base_dice(said, index, weapon, state, dice)
        yield from late_reactions(said, index, state)
        chosen = chosen_dice(said)[index]
        if chosen and (is_choice_of_misses(said, index, pool, chosen, state) or dice.source == "table"):
            pool = yield from reroll_chosen(said, index, pool, chosen, weapon, state, dice)
        else:
            unchosen = unchosen or awaits_choice(said, index, pool, state)
        pools.append(pool)
    dice_pool.check_all_thrown(dice)
    if unchosen:
        yield wait_for_help(said, pools, state)
    else:
        yield from resolve(said, pools, state)


def late_help(said: Strike, state: State) -> Iterator[Fact]:
    """MO-CONV-3: the late Help of a declaration, and its choices as far as no face decides on them."""
    for index, chosen in enumerate(chosen_dice(said)):
        yield from late_reactions(said, index, state)
        if chosen:
            check_choice(said, index, chosen, state)


def late_reactions(said: Strike, index: int, state: State) -> Iterator[Fact]:
    """MO-CONV-4: the reactions to one attack of a declaration that come after its roll."""
    reactions = reaction_groups(said)[index]
    for number, reaction in enumerate(reactions):
        if reaction.kind == "late":
            yield from react(reaction, said, reactions[:number], state)


def check_choice(said: Strike, index: int, chosen: tuple[int, ...], state: State) -> tuple[int, ...]:
    """MO-HELP-2: return the dice that are chosen of one attack. Refuses too many, and one twice."""
    wanted = tuple(n for n in chosen if n != NONE)
    dice_pool.check_count(wanted, aim_after(reaction_groups(said)[index], said.target).helpers, state)
    return wanted


def throw_base_dice(
    said: Strike, index: int, weapon: weapons.HeldWeapon, state: State, dice: Dice
) -> dice_pool.PoolThrow:
    """MO-ATK-1: the dice of the Damage or the Rushed entry."""
    entry = weapon.rushed if rushed_rules(said, index, weapon, state) else weapon.damage
    count, sides = weapons.parse_dice(entry)
    return dice_pool.throw_pool(
        said.by, dice_purpose(said, index), count, sides, weapons.PRECISE in weapon.tags, dice, state
    )


def dice_purpose(said: Strike, index: int) -> str:
    """Return the key of the dice: the attack alone, so that reactions and a new target move no die."""
    return f"{PREFIX[index]} {said.by}"


def is_choice_of_misses(
    said: Strike, index: int, pool: dice_pool.DicePool, chosen: tuple[int, ...], state: State
) -> bool:
    """MO-HELP-2: whether all dice chosen of this attack (MO-DBL-3) may be rolled again. Refuses too many."""
    wanted, aim = check_choice(said, index, chosen, state), aim_after(reaction_groups(said)[index], said.target)
    return dice_pool.are_misses(pool, wanted, defense_of(aim.target, state), state)


def awaits_choice(said: Strike, index: int, pool: dice_pool.DicePool, state: State) -> bool:
    """MO-HELP-2: whether somebody helps this attack and there is a die to roll again."""
    aim = aim_after(reaction_groups(said)[index], said.target)
    defense = defense_of(aim.target, state)
    return aim.helpers > 0 and any(dice_pool.can_reroll(die, defense, state) for die in pool.dice)


def check_misses(said: Strike, index: int, pool: dice_pool.DicePool, chosen: tuple[int, ...], state: State) -> None:
    """MO-HELP-2: refuse a choice of dice that may not all be rolled again."""
    if not is_choice_of_misses(said, index, pool, chosen, state):
        raise refusal("HELP")


def reroll_chosen(
    said: Strike,
    index: int,
    pool: dice_pool.DicePool,
    chosen: tuple[int, ...],
    weapon: weapons.HeldWeapon,
    state: State,
    dice: Dice,
) -> dice_pool.PoolThrow:
    """MO-HELP-2: roll the dice that the ally has chosen again. Refuses a die that is a hit."""
    check_misses(said, index, pool, chosen, state)
    wanted = tuple(n for n in chosen if n != NONE)
    return dice_pool.reroll_for_help(
        said.by, dice_purpose(said, index), pool, wanted, weapons.PRECISE in weapon.tags, dice, state
    )


def wait_for_help(said: Strike, pools: list[dice_pool.DicePool], state: State) -> Fact:
    """MO-GAP-16: the dice are rolled and no HP have changed: Help may still come, and dice are chosen for it."""
    note = msgspec.json.encode(pools).decode()
    window = announcements.new_window if announcements.find_window(state) is None else announcements.window_change
    return window(said, (said.by,), "MO-CONV-4", "MO-HELP-2", note=note)


def resolve(said: Strike, pools: list[dice_pool.DicePool], state: State) -> Iterator[Fact]:
    """MO-ATK-2, MO-ATK-3: hits of each attack, then the actions that they cost."""
    if announcements.find_window(state) is not None:
        yield announcements.window_end("thrown", "MO-CONV-4")
    for pool, reactions in zip(pools, reaction_groups(said), strict=True):
        aim = aim_after(reactions, said.target)
        judged = judge_hits(said, weapon_used(said, state), pool, aim, state)
        yield judged
        yield from lose_hit_points(aim.target, judged.total or 0, said.by, state)
    cost = len(pools)
    total = state.count(said.by, ATTACKS) + cost
    yield Counted(rules=("MO-DBL-2",), who=said.by, name=ATTACKS, change=cost, now=total, until="turn")
    yield spend_actions(said.by, state, "MO-ATK-1", "MO-ACT-2", "MO-ACT-4", cost=cost)
    yield from drop_thrown_weapon(said, state)


def weapon_used(said: Strike, state: State) -> str:
    """Return the name of the weapon of an attack: the one that is said, else the first in hand."""
    names = weapons.held_weapons(said.by, state)
    return next((name for name in names if fold_case(name) == fold_case(said.weapon)), next(iter(names), ""))


def drop_thrown_weapon(said: Strike, state: State) -> Iterator[Fact]:
    """MO-GAP-24: a thrown weapon stays in the target's zone, where the table reads it so."""
    names, weapon = weapons.held_weapons(said.by, state), weapon_used(said, state)
    if not said.thrown or not weapon or option(state, "thrown_leaves_hand") == "no":
        return
    kept = ", ".join(name for name in names if name != weapon)
    was = state.sheet(said.by, weapons.HELD)
    yield SheetChanged(rules=("MO-TAG-2",), who=said.by, key=weapons.HELD, was=was, now=kept or None, because="thrown")
    yield Placed(rules=("MO-TAG-2",), who=f"{said.by}'s {weapon}", place=state.place(said.target))
