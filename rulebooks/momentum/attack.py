"""Attacks: announced, reacted to, thrown, helped, and what they take; and both attacks of a turn at once."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from typing import Final

import msgspec

from ledger.dice import Dice
from ledger.facts import Counted, Fact, Judged, Placed, SheetChanged, Step, Sum
from ledger.names import name_key
from projections.state import State
from rulebooks.common import announcing
from rulebooks.momentum.declarations import DoubleAttack, Reaction, Strike
from rulebooks.momentum.pool import (
    Pool,
    Throwing,
    check_all_thrown,
    check_choice,
    helped,
    may_help,
    thrown,
)
from rulebooks.momentum.reactions import (
    Aim,
    aim,
    reacted,
)
from rulebooks.momentum.texts import option, refused
from rulebooks.momentum.turns import ATTACKS, check_actions, check_in_fight, check_turn, come_to, left, spent
from rulebooks.momentum.weapons import (
    HELD,
    PRECISE,
    THROWABLE,
    Entry,
    check_hands,
    check_rushed,
    held,
    meets,
    pool_of,
    wielded,
)
from rulebooks.momentum.wounds import is_out, taken
from rulebooks.momentum.zones import check_reach, distance, reach_rules

PREFIX: Final = ("attack", "second attack")
NONE: Final = 0  # said as the number of a die: Help rolls none again


def check_strike(said: Strike, state: State) -> Entry:
    """The refusals of an attack before its reactions, in the catalogue's order."""
    double = isinstance(said, DoubleAttack)
    check_turn(said.by, state)
    check_in_fight(said.target, state, "target")
    if double and (left(said.by, state) < 2 or state.count(said.by, ATTACKS)):
        raise refused("ACTIONS", left=left(said.by, state))
    weapon = wielded(said, state)
    if said.target == said.by:
        raise refused("SELF")
    if is_out(said.target, state):
        raise refused("DOWN")
    far = distance(said.by, said.target, state)
    if said.thrown and THROWABLE not in weapon.tags:
        raise refused("RANGE", distance="none" if far is None else far)
    check_reach(far, weapon.kind(thrown=said.thrown), state)
    check_actions(said.by, state)
    check_hands(said.by, weapon, state)
    if double or rushed_by(said, 0, weapon, state):
        check_rushed(weapon)
    return weapon


def blows(said: Strike) -> tuple[tuple[Reaction, ...], ...]:
    """MO-DBL-3: the reactions to each attack of a declaration. MO-CONV-4: late Help comes after all others."""
    groups = (said.reactions, said.second) if isinstance(said, DoubleAttack) else (said.reactions,)
    return tuple(tuple(sorted(group, key=lambda one: one.kind == "late")) for group in groups)


def choices(said: Strike) -> tuple[tuple[int, ...], ...]:
    """MO-HELP-2: the dice chosen for each attack of a declaration; none chosen yet where it is empty."""
    return (said.reroll, said.reroll_second) if isinstance(said, DoubleAttack) else (said.reroll,)


def rushed_by(said: Strike, place: int, weapon: Entry, state: State) -> tuple[str, ...]:
    """MO-DBL-2: the second attack of a turn is rushed. MO-REQ-2: so is every one with a weapon too much for a PC."""
    second = ("MO-DBL-2",) if place or state.count(said.by, ATTACKS) else ()
    return (*second, *(() if meets(said.by, weapon, state) else ("MO-REQ-2", "MO-REQ-1")))


def announced(said: Strike, place: int, weapon: Entry, state: State) -> Fact:
    """MO-ATK-1: who attacks whom with what, how far away, and with which dice, and why these."""
    why = rushed_by(said, place, weapon, state)
    far = distance(said.by, said.target, state) or 0
    dice = weapon.rushed if why else weapon.damage
    kind = weapon.kind(thrown=said.thrown)
    tags = {"thrown": ("MO-TAG-2",), "ranged": ("MO-TAG-5",)}.get(kind, ())
    if said.thrown or THROWABLE in weapon.tags:
        tags = ("MO-TAG-2",)
    needed = ("MO-REQ-1",) if weapon.needs and not why else ()
    double = ("MO-DBL-3",) if isinstance(said, DoubleAttack) else ()
    entry = (("MO-WPN-2",) if why else ("MO-DBL-1",)) + ("MO-WPN-1",)
    return Judged(
        rules=("MO-ATK-1", *why, *double, *entry, *needed, *reach_rules(far), "MO-ZONE-1", *tags),
        what="attack",
        who=said.by,
        against=said.target,
        sums=(Sum(name="distance", start=far, steps=(), total=far),),
        result=f"{'Rushed' if why else 'Damage'} {dice} {weapon.name}",
        final=True,
    )


def attack(said: Strike, state: State, dice: Dice) -> Iterator[Fact]:
    """MO-CONV-4: announced, reactions, roll, late Help, hit points."""
    weapon = yield from begun(said, state)
    yield from rolled(said, weapon, state, dice, wait=False)


def begun(said: Strike, state: State) -> Generator[Fact, None, Entry]:
    """MO-CONV-4: the attack is announced, and reactions that stand on its line are declared, before the roll."""
    weapon = check_strike(said, state)
    yield from come_to(said.by, state)
    for place, reactions in enumerate(blows(said)):
        yield announced(said, place, weapon, state)
        for number, one in enumerate(reactions):
            if one.kind != "late":
                yield from reacted(one, said, reactions[:number], state)
    return weapon


def rolled(said: Strike, weapon: Entry, state: State, dice: Dice, *, wait: bool) -> Iterator[Fact]:
    """The roll; then it is done with, unless dice are still to be chosen for Help."""
    pools: list[Pool] = []
    unchosen = wait
    for place, reactions in enumerate(blows(said)):
        pool = yield from thrown_by(said, place, weapon, state, dice)
        for number, one in enumerate(reactions):
            if one.kind == "late":
                yield from reacted(one, said, reactions[:number], state)
        chosen, now = choices(said)[place], aim(said.target, reactions)
        if chosen:
            pool = yield from rolled_again(said, place, pool, chosen, weapon, state, dice)
        elif now.helpers:
            unchosen = unchosen or any(may_help(die, defense_of(now, state), state) for die in pool.dice)
        pools.append(pool)
    check_all_thrown(dice)
    if unchosen:
        yield from lying(said, pools, state)
    else:
        yield from struck(said, pools, state)


def thrown_by(said: Strike, place: int, weapon: Entry, state: State, dice: Dice) -> Throwing:
    """MO-ATK-1: the dice of the Damage or the Rushed entry."""
    entry = weapon.rushed if rushed_by(said, place, weapon, state) else weapon.damage
    count, sides = pool_of(entry)
    return thrown(said.by, purpose_of(said, place), count, sides, PRECISE in weapon.tags, dice, state)


def purpose_of(said: Strike, place: int) -> str:
    """What the dice are keyed by: the attack alone, whoever answers it and whomever it is at in the end."""
    return f"{PREFIX[place]} {said.by}"


def rolled_again(
    said: Strike, place: int, pool: Pool, chosen: tuple[int, ...], weapon: Entry, state: State, dice: Dice
) -> Throwing:
    """MO-HELP-2: the dice that the ally has chosen, of this attack alone (MO-DBL-3)."""
    now, wanted = aim(said.target, blows(said)[place]), tuple(number for number in chosen if number != NONE)
    check_choice(pool, wanted, now.helpers, defense_of(now, state), state)
    return helped(said.by, purpose_of(said, place), pool, wanted, PRECISE in weapon.tags, dice, state)


def defense_of(now: Aim, state: State) -> int:
    """MO-DFN-1: the number on the sheet of whoever is the target by now."""
    found = state.sheet(now.target, "defense")
    return found if isinstance(found, int) else 1


def lying(said: Strike, pools: list[Pool], state: State) -> Iterator[Fact]:
    """MO-GAP-16: the dice lie, and no HP have changed: Help may still come, and dice are chosen for it."""
    note = msgspec.json.encode(pools).decode()
    window = announcing.opened if announcing.open_window(state) is None else announcing.changed
    yield window(said, (said.by,), "MO-CONV-4", "MO-HELP-2", note=note)


def struck(said: Strike, pools: list[Pool], state: State) -> Iterator[Fact]:
    """MO-ATK-2, MO-ATK-3: hits of each attack, then the actions that they cost."""
    if announcing.open_window(state) is not None:
        yield announcing.closed("thrown", "MO-CONV-4")
    for pool, reactions in zip(pools, blows(said), strict=True):
        now = aim(said.target, reactions)
        judged = hits(said, pool, now, state)
        yield judged
        yield from taken(now.target, judged.total or 0, said.by, state)
    cost = len(pools)
    total = state.count(said.by, ATTACKS) + cost
    yield Counted(rules=("MO-DBL-2",), who=said.by, name=ATTACKS, change=cost, now=total, until="turn")
    yield spent(said.by, state, "MO-ATK-1", "MO-ACT-2", "MO-ACT-4", cost=cost)
    yield from left_hand(said, state)


def hits(said: Strike, pool: Pool, now: Aim, state: State) -> Judged:
    """MO-ATK-2: each die is compared on its own. MO-DEFEND-1: Defend cancels one hit."""
    defense, steps, total = defense_of(now, state), list[Step](), 0
    for die in pool.dice:
        hit = die.hits(defense)
        total += hit
        rule = "MO-EXP-1" if die.highest else "MO-ATK-2"
        steps.append(Step(op="+", value=1, rule=rule, reason=f"d{die.number} {die.face}", now=total, counted=hit))
    if now.cancelled:
        counted, total = total > 0, max(0, total - 1)
        step = Step(op="-", value=1, rule="MO-DEFEND-1", reason=f"{now.target} defends", now=total, counted=counted)
        steps.append(step)
    return Judged(
        rules=("MO-ATK-2", "MO-ATK-3", "MO-DFN-1", *(("MO-DBL-3",) if isinstance(said, DoubleAttack) else ())),
        what="hit",
        who=said.by,
        against=now.target,
        sums=(
            Sum(name="Defense", start=defense, steps=(), total=defense),
            Sum(name="hits", start=0, steps=tuple(steps), total=total),
        ),
        total=total,
        target=defense,
        result=f"{total} hit{'' if total == 1 else 's'}" if total else "miss",
        rolls=pool.rolls,
        final=True,
    )


def left_hand(said: Strike, state: State) -> Iterator[Fact]:
    """MO-GAP-24: a thrown weapon lies in the target's zone, where the table reads it so."""
    names = held(said.by, state)
    weapon = next((name for name in names if name_key(name) == name_key(said.weapon)), next(iter(names), ""))
    if not said.thrown or not weapon or option(state, "thrown_leaves_hand") == "no":
        return
    kept = ", ".join(name for name in names if name != weapon)
    was = state.sheet(said.by, HELD)
    yield SheetChanged(rules=("MO-TAG-2",), who=said.by, key=HELD, was=was, now=kept or None, because="thrown")
    yield Placed(rules=("MO-TAG-2",), who=f"{said.by}'s {weapon}", place=state.place(said.target))
