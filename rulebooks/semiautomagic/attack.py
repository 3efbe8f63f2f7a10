"""Attacks in three steps: the roll against Target, the defence roll, the damage; through a cover or past it."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from typing import Final

import msgspec

from ledger.dice import Dice
from ledger.facts import Fact, Judged
from projections.state import State
from rulebooks.common.conditions import new_condition
from rulebooks.common.sums import SumSteps
from rulebooks.common.values import check_whole
from rulebooks.semiautomagic.checks import EntryDice, check_sides
from rulebooks.semiautomagic.cover import TOTAL, effective_cover
from rulebooks.semiautomagic.damage import (
    BEATEN,
    NOTHING,
    THROUGH_WOUNDS,
    WOUNDED,
    Blow,
    damage_cover,
    damage_item,
    hurt,
    known_cover,
    known_toughness,
)
from rulebooks.semiautomagic.declarations.combat import Attack
from rulebooks.semiautomagic.guards import check_alive, check_turn, entry, find_creature
from rulebooks.semiautomagic.items import (
    HELD,
    ITEM,
    JAMMED,
    WORN,
    find_item,
    is_armour,
    is_destroyed,
    item_target,
    owner_of,
    wounds,
)
from rulebooks.semiautomagic.locations import Spot, find_spot, number_ruling
from rulebooks.semiautomagic.reactions import DEFENCES, check_defence, defence_dc, defend
from rulebooks.semiautomagic.sight import (
    INVISIBLE_TARGET,
    LOCATED,
    invisibility,
    seen_of,
)
from rulebooks.semiautomagic.squares import check_square, square_of
from rulebooks.semiautomagic.target import target_rules, target_sum
from rulebooks.semiautomagic.texts import option, outside_domain, refusal
from rulebooks.semiautomagic.turns import check_seconds, spend_seconds
from rulebooks.semiautomagic.weapons import (
    attack_sum,
    check_weapon,
    chosen_weapon,
    reaches,
    roll_damage,
    skill_bonus,
    weapon_seconds,
)

RANGE_MOST: Final = 4
HIT: Final = "hit"
MISSED: Final = "missed"
HIT_COVER: Final = "hit cover"
MISSED_BOTH: Final = "missed both"


class Strike(msgspec.Struct, frozen=True, kw_only=True):
    """An attack that nothing speaks against: its line, and what it is decided from.

    Attributes:
        weapon: the item that strikes.
        spot: the location of a called shot.
        item: what it is aimed at, if not the creature.
        passes: total covers, which everything has to come through.
        barrier: a cover that a narrow miss hits.
        bonus: the Target that these covers give.
        astray: the square is not the target's.
    """

    said: Attack
    weapon: str
    reach: str
    spot: Spot | None
    item: str
    passes: tuple[str, ...]
    barrier: str
    bonus: int
    astray: bool


def attack(said: Attack, state: State, dice: Dice) -> Iterator[Fact]:
    """TT-OUT-2: the seconds are spent, then the three steps follow. Every refusal comes before the first face."""
    strike = prepare(said, state)
    said = strike.said
    yield from number_ruling(said)
    yield from spend_seconds(said.by, weapon_seconds(strike.weapon, state), state, "TT-OUT-1")
    if strike.astray:
        yield Judged(
            rules=("TT-GAP-22", "TT-INV-2"),
            what="attack",
            who=said.by,
            against=said.target,
            result="wrong square",
            final=True,
        )
        return
    throws = EntryDice(dice)
    result = yield from roll_attack(strike, state, throws)
    if result in (HIT, HIT_COVER):
        yield from strike_through(strike, result, state, throws)


# What speaks against it


def prepare(said: Attack, state: State) -> Strike:
    """Return an attack with all that it is decided from. Raises the first refusal in the order of the catalogue."""
    said = aim_at_owner(said, state)
    find_creature(said.by, state)
    find_creature(said.target, state, "target")
    item = find_item(said.target, said.item, state, HELD, WORN) if said.item else ""
    weapon = chosen_weapon(said, state)
    check_turn(said.by, state)
    check_alive(said.target, state)
    check_line(said)
    astray = is_astray(said, state)
    spot = find_spot(said, state)
    if item:
        check_item(item, state)
    reach = said.reach or reaches(weapon, state)[0]
    passes, barrier, bonus = covers_in_the_way(said, state)
    for object in (*passes, *((barrier,) if barrier else ())):
        known_cover(object, state)
    check_weapon(said, weapon, state)
    check_defence(said.target, said.defence, said.by, state)
    check_seconds(said.by, weapon_seconds(weapon, state), state)
    return Strike(
        said=said,
        weapon=weapon,
        reach=reach,
        spot=spot,
        item=item,
        passes=passes,
        barrier=barrier,
        bonus=bonus,
        astray=astray,
    )


def aim_at_owner(said: Attack, state: State) -> Attack:
    """TT-ITM-1: an attack on an item is one on who wears or holds it, aimed at the item."""
    being = state.being(said.target)
    owner = owner_of(being.name, state) if being is not None and being.kind == ITEM else ""
    return msgspec.structs.replace(said, target=owner, item=said.target) if owner else said


def check_line(said: Attack) -> None:
    """Refuse a line that contradicts itself, or a number outside its domain."""
    if said.by == said.target:
        raise outside_domain("target", "somebody else", said.target)
    if said.item and said.at:
        raise outside_domain("at", "left out where an item is aimed at", said.at)
    check_whole("range", said.range, 0, RANGE_MOST, outside_domain)
    check_whole("with_limb", said.with_limb, 0, refusal=outside_domain)


def is_astray(said: Attack, state: State) -> bool:
    """TT-INV-2: who cannot be seen must be located, or a square guessed. TT-GAP-22: whether the guess is wrong."""
    square = check_square("square", said.square)
    if not invisibility(said.target, said.by, state):
        return False
    if square is None:
        if said.target not in state.ties_from(said.by, LOCATED):
            raise refusal("NOT-LOCATED", name=said.by, target=said.target)
        return False
    if square_of(said.target, state) is None:
        raise outside_domain("square", f"left out, since the square of {said.target} is not known", said.square)
    return square != square_of(said.target, state)


def check_item(item: str, state: State) -> None:
    """TT-ITM-1, TT-GAP-24: refuse an item whose numbers are not known, or that is destroyed already."""
    if is_destroyed(item, state):
        raise refusal("DESTROYED", item=item)
    if item_target(item, state) is None and not is_armour(item, state):
        raise refusal("NO-NUMBERS", what=item, way=f'! ruling "its size" "as agreed" "{item}.target"=5')
    known_toughness(item, state)


def covers_in_the_way(said: Attack, state: State) -> tuple[tuple[str, ...], str, int]:
    """TT-GAP-6, TT-GAP-37: total covers on either side; TT-HIT-1: else one that matters; and the bonus (TT-GAP-5)."""
    own, theirs = effective_cover(said.by, state, said.target), effective_cover(said.target, state, said.by)
    total = [cover.object for cover in (own, theirs) if cover is not None and cover.effective == TOTAL]
    if total:
        return tuple(dict.fromkeys(total)), "", INVISIBLE_TARGET
    if theirs is not None and entry(theirs.object, "matters", state):
        return (), theirs.object, theirs.effective
    return (), "", 0


# The attack roll


def roll_attack(strike: Strike, state: State, throws: EntryDice) -> Generator[Fact, None, str]:
    """TT-OUT-2: die + bonus against Target. TT-ITM-3: on a 1 a wounded firearm jams. Returns the result."""
    said, purpose = strike.said, f"attack {strike.said.by} on {strike.said.target}"
    face, rolled = throws.roll(said.by, purpose, check_sides(state), rules=("TT-OUT-2",))
    yield rolled
    if face == 1 and entry(strike.weapon, "firearm", state) and wounds(strike.weapon, state):
        yield judge_attack(strike, (), "jammed", purpose, state, "TT-ITM-3", "TT-GAP-26")
        yield new_condition(strike.weapon, JAMMED, "TT-ITM-3", "TT-GAP-26")
        return JAMMED
    total = attack_sum(said, strike.weapon, strike.reach, face, state)
    target = target_sum(said.target, said.by, strike.reach, strike.spot, strike.item, state)
    result, *rules = attack_result(strike, target.total - total.total, state)
    cited = [*rules, *(step.rule for sum in (total, target) for step in sum.steps)]
    cited += target_rules(said.target, said.by, strike.item, state)
    yield judge_attack(strike, (total, target), result, purpose, state, *cited)
    return result


def judge_attack(
    strike: Strike, sums: tuple[SumSteps, ...], result: str, purpose: str, state: State, *rules: str
) -> Judged:
    """Return the result of an attack roll with its sums."""
    said = strike.said
    total, target = (sums[0].total, sums[1].total) if sums else (None, None)
    return Judged(
        rules=tuple(dict.fromkeys(("TT-OUT-2", *rules))),
        what="attack",
        who=said.by,
        against=said.target,
        sums=tuple(sum.sum() for sum in sums),
        total=total,
        target=target,
        margin=None if total is None or target is None else total - target,
        result=result,
        rolls=(purpose,),
        final=True,
        seen=seen_of(said.target, state),
    )


def attack_result(strike: Strike, margin: int, state: State) -> tuple[str, ...]:
    """TT-OUT-4: meeting Target is enough. TT-HIT-2: a miss by less than the bonus of the cover hits the cover.

    `margin` is what the roll misses by. Returns the result and its rules.
    """
    if margin <= 0:
        return (HIT, "TT-OUT-4", *(("TT-GAP-6",) if strike.passes else ()))
    if not strike.bonus:
        return (MISSED,)
    tie = margin == strike.bonus
    within = margin < strike.bonus or (tie and option(state, "cover_tie") == "hits_cover")
    gaps = (*(("TT-GAP-4",) if tie else ()), *(("TT-GAP-6",) if strike.passes else ()))
    rules = ("TT-HIT-2", "TT-HIT-1", "TT-GAP-5", *gaps)
    return (HIT_COVER if within else MISSED_BOTH, *rules)


# Through the cover, against the defence, to the Toughness


def strike_through(strike: Strike, result: str, state: State, throws: EntryDice) -> Iterator[Fact]:
    """TT-HIT-3 to TT-HIT-6: a cover in the way is hit first; what goes on meets the defence, then the Toughness."""
    said, covers = strike.said, strike.passes or ((strike.barrier,) if result == HIT_COVER else ())
    purpose, damage, durability, rules = f"damage {said.by} on {said.target}", None, 0, list[str]()
    if covers:
        damage = yield from roll_damage(said, strike.weapon, strike.reach, state, throws)
    for object in covers:
        assert damage is not None
        blow = Blow(by=said.by, target=said.target, damage=damage, rolls=(purpose,))
        reached = yield from damage_cover(object, blow, state)
        if reached == NOTHING:
            return
        if reached == WOUNDED:
            damage.add(-THROUGH_WOUNDS, "TT-HIT-5", f"through {object}")
            damage.bound("max", 0, "TT-GAP-27", "never below 0")
        if reached == BEATEN or option(state, "durability_on_wound") == "on":
            durability = max(durability, entry(object, "durability", state))
        rules += ["TT-HIT-6", "TT-GAP-7", "TT-HIT-4" if reached == BEATEN else "TT-HIT-5"]
    if said.defence in DEFENCES:
        dc = defence_dc(skill_bonus(said.by, strike.weapon, strike.reach, state))
        if (yield from defend(said.target, said.defence, said.by, dc, state, throws, *rules[:1])):
            return
    if damage is None:
        damage = yield from roll_damage(said, strike.weapon, strike.reach, state, throws)
    blow = Blow(
        by=said.by,
        target=said.target,
        damage=damage,
        spot=strike.spot,
        durability=durability,
        rules=tuple(dict.fromkeys(rules)),
        rolls=(purpose,),
    )
    yield from damage_item(strike.item, blow, state) if strike.item else hurt(blow, state)
