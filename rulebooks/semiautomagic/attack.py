"""Attacks in three steps: the roll against Target, the defence roll, the damage; through a cover or past it."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from typing import Final

from ledger.dice import Dice
from ledger.facts import Fact, Judged
from projections.state import State
from rulebooks.common.conditions import new_condition
from rulebooks.common.decisions import decides
from rulebooks.common.dice import EntryDice
from rulebooks.common.sums import SumSteps
from rulebooks.common.values import sheet_number
from rulebooks.semiautomagic import checks, defence, items, locations, squares, stealth, turns, weapons
from rulebooks.semiautomagic.damage import (
    BEATEN,
    NOTHING,
    THROUGH_WOUNDS,
    WOUNDED,
    Blow,
    damage_cover,
    damage_item,
    hurt,
)
from rulebooks.semiautomagic.declarations.combat import Attack
from rulebooks.semiautomagic.strike import Strike, prepare
from rulebooks.semiautomagic.target import target_sum
from rulebooks.semiautomagic.texts import option, refusal

HIT: Final = "hit"
MISSED: Final = "missed"
HIT_COVER: Final = "hit cover"
MISSED_BOTH: Final = "missed both"


@decides(Attack)
def attack(said: Attack, state: State, dice: Dice) -> Iterator[Fact]:
    """TT-OUT-2: an attack in one line. Every refusal comes before the first face."""
    yield from resolve(prepare(said, state), state, dice)


def resolve(strike: Strike, state: State, dice: Dice) -> Iterator[Fact]:
    """TT-OUT-2: the seconds are spent, then the three steps follow."""
    said = strike.said
    yield from locations.number_ruling(said)
    yield from turns.spend_seconds(said.by, strike.seconds, state, "TT-OUT-1")
    yield from stealth.expose(said.by, state)
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
    yield from sneak_attack(said, state)
    throws = EntryDice(dice, refusal)
    result = yield from roll_attack(strike, state, throws)
    if result in (HIT, HIT_COVER):
        yield from strike_through(strike, result, state, throws)


def sneak_attack(said: Attack, state: State) -> Iterator[Fact]:
    """TT-FLK-3, TT-SUR-3, TT-GAP-18: who is flanked or flat-footed is open to techniques of other chapters."""
    flat_footed = defence.is_flat_footed(said.target, said.by, state)
    flanked = squares.is_flanked(said.target, state)
    if flat_footed or flanked:
        rules = (*(("TT-FLK-3", "TT-FLK-1") if flanked else ()), *(("TT-SUR-3",) if flat_footed else ()))
        yield Judged(
            rules=(*rules, "TT-OUT-11", "TT-GAP-18"),
            what="sneak attack",
            who=said.by,
            against=said.target,
            result="available",
            final=True,
        )


def roll_attack(strike: Strike, state: State, throws: EntryDice) -> Generator[Fact, None, str]:
    """TT-OUT-2: die + bonus against Target. TT-ITM-3: on a 1 a wounded firearm jams. Returns the result.

    A total that was rolled elsewhere has all that counts for it, and jams nothing.
    """
    said, purpose = strike.said, f"attack {strike.said.by} on {strike.said.target}"
    rolls = (purpose,) if said.total is None else ()
    if said.total is None:
        face, rolled = checks.throw_dice(said.by, purpose, throws, checks.check_sides(state), rules=("TT-OUT-2",))
        yield rolled
        if face == 1 and sheet_number(strike.weapon, "firearm", state) and items.wounds(strike.weapon, state):
            yield judge_attack(strike, (), "jammed", rolls, "TT-ITM-3", "TT-GAP-26")
            yield new_condition(strike.weapon, items.JAMMED, "TT-ITM-3", "TT-GAP-26")
            return items.JAMMED
        total = weapons.attack_sum(said, strike.weapon, strike.reach, face, state)
    else:
        total = SumSteps("attack", said.total)
    target, behind = target_sum(said.target, said.by, strike.reach, strike.spot, strike.item, state)
    result, *rules = attack_result(strike, target.total - total.total, state)
    cited = [*rules, *(step.rule for sum in (total, target) for step in sum.steps), *behind]
    yield judge_attack(strike, (total, target), result, rolls, *cited)
    return result


def judge_attack(
    strike: Strike, sums: tuple[SumSteps, ...], result: str, rolls: tuple[str, ...], *rules: str
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
        rolls=rolls,
        final=True,
        using=((said.by, strike.weapon.removeprefix(f"{said.by}'s ")),),
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
        damage = yield from weapons.roll_damage(said, strike.weapon, strike.reach, state, throws)
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
            durability = max(durability, sheet_number(object, "durability", state))
        rules += ["TT-HIT-6", "TT-GAP-7", "TT-HIT-4" if reached == BEATEN else "TT-HIT-5"]
    if said.defence in defence.DEFENCES:
        known = throws if said.defence_total is None else said.defence_total
        dc = defence.defence_dc(weapons.skill_bonus(said.by, strike.weapon, strike.reach, state))
        if (yield from defence.defend(said.target, said.defence, said.by, dc, state, known, *rules[:1])):
            return
    if damage is None:
        damage = yield from weapons.roll_damage(said, strike.weapon, strike.reach, state, throws)
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
