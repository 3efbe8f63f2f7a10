"""Damage against Toughness: of creatures, items and covers; areas, and damage that the game master rules."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from typing import Final

import msgspec

from ledger.dice import Dice
from ledger.facts import Fact, Judged, Ruled
from projections.state import State
from rulebooks.common.beings import find_being
from rulebooks.common.conditions import has_condition, new_condition
from rulebooks.common.decisions import decides
from rulebooks.common.dice import EntryDice
from rulebooks.common.sums import SumSteps
from rulebooks.common.values import check_whole
from rulebooks.semiautomagic import cover, creatures, defence, guards, items, sight
from rulebooks.semiautomagic.declarations.combat import Area, Harm
from rulebooks.semiautomagic.locations import BODY, DYING_RESULT, Spot, apply_results, results
from rulebooks.semiautomagic.texts import check_reason, option, outside_domain, refusal, unknown
from rulebooks.semiautomagic.wounds import kill, wound

NOTHING: Final = "nothing"
WOUNDED: Final = "wounded"
BEATEN: Final = "beaten"
THROUGH_WOUNDS: Final = 3  # off the damage that goes on behind a cover which it only wounds
WITHOUT_EVASION: Final = 3


class Blow(msgspec.Struct, frozen=True, kw_only=True):
    """Damage on its way: whose, to whom, how much, where, and with which help of a cover."""

    by: str
    target: str
    damage: SumSteps
    spot: Spot | None = None
    durability: int = 0
    rules: tuple[str, ...] = ()
    rolls: tuple[str, ...] = ()


def outcome(damage: int, limit: int, state: State, *, strict: bool) -> str:
    """TT-OUT-6, TT-GAP-3: beaten at Toughness, wounded at Minimum Toughness. `strict`: as the table reads "meet"."""
    beats = 1 if strict and option(state, "toughness") == "exceed" else 0
    wounds = 1 if strict and option(state, "min_toughness") == "exceed" else 0
    if damage >= limit + beats:
        return BEATEN
    return WOUNDED if damage >= limit - creatures.MIN_TOUGHNESS + wounds else NOTHING


def compare(what: str, who: str, blow: Blow, limit: SumSteps, result: str, state: State, *rules: str) -> Judged:
    """Return the comparison of damage with a Toughness, with both sums."""
    cited = (*rules, *blow.rules, *(step.rule for sum in (blow.damage, limit) for step in sum.steps))
    return Judged(
        rules=tuple(dict.fromkeys(cited)),
        what=what,
        who=who,
        against=blow.by,
        sums=(blow.damage.sum(), limit.sum()),
        total=blow.damage.total,
        target=limit.total,
        result=result,
        margin=blow.damage.total - limit.total,
        rolls=blow.rolls,
        final=True,
        seen=sight.seen_of(who, state),
    )


def hurt(blow: Blow, state: State) -> Iterator[Fact]:
    """TT-OUT-6, TT-CAL-2, TT-CAL-3: the damage against Toughness, or that of the location; then its results."""
    spot = blow.spot
    limit = creatures.toughness(blow.target, state, blow.durability)
    if spot is not None:
        limit.add(spot.toughness, "TT-CAL-2", spot.label)
    reached = outcome(blow.damage.total, limit.total, state, strict=spot is None)
    row = spot.row if spot else BODY
    words = () if reached == NOTHING else results(row, felled=reached == BEATEN, called=bool(spot), state=state)
    rules = ("TT-CAL-3", "TT-CAL-1") if spot else ("TT-OUT-6", "TT-GAP-3")
    yield compare("toughness", blow.target, blow, limit, ", ".join(words) or NOTHING, state, *rules)
    if {creatures.WOUND, DYING_RESULT} & set(words) and has_condition(blow.target, guards.DYING, state):
        yield wound(blow.target, blow.by, state, "TT-OUT-6", at=spot.label if spot else "")
        yield from kill(blow.target, state, "TT-OUT-6")
        return
    yield from apply_results(blow.target, blow.by, spot, words, blow.damage.total, state)


def damage_item(item: str, blow: Blow, state: State) -> Iterator[Fact]:
    """TT-ITM-1, TT-GAP-25: a wound at Minimum Toughness, destroyed at Toughness."""
    limit = known_toughness(item, state)
    reached = outcome(blow.damage.total, limit.total, state, strict=False)
    result = {NOTHING: NOTHING, WOUNDED: WOUNDED, BEATEN: items.DESTROYED}[reached]
    yield compare("item", item, blow, limit, result, state, "TT-ITM-1", "TT-GAP-25")
    if reached == BEATEN:
        yield new_condition(item, items.DESTROYED, "TT-GAP-25", "TT-ITM-4")
    elif reached == WOUNDED:
        yield wound(item, blow.by, state, "TT-GAP-25")


def known_toughness(item: str, state: State) -> SumSteps:
    """TT-GAP-24: the Toughness of an item. Raises the refusal of one that the campaign has not given."""
    limit = items.item_toughness(item, state)
    if limit is None:
        raise refusal("NO-NUMBERS", what=item, way=f'! ruling "its wood" "as agreed" "{item}.toughness"=9')
    return limit


def known_cover(object: str, state: State) -> SumSteps:
    """TT-GAP-6: the Toughness of a cover. Raises the refusal of one that the game master has not given."""
    limit = cover.cover_toughness(object, state)
    if limit is None:
        way = f'! ruling "planks" "as agreed" "{object}.toughness"=12, or set the cover again with toughness=12'
        raise refusal("NO-NUMBERS", what=object, way=way)
    return limit


def damage_cover(object: str, blow: Blow, state: State) -> Generator[Fact, None, str]:
    """TT-HIT-3, TT-HIT-5: a cover that is beaten is a grade lower; one that is wounded has 1 Toughness less."""
    limit = known_cover(object, state)
    reached = outcome(blow.damage.total, limit.total, state, strict=True)
    result = {NOTHING: NOTHING, WOUNDED: WOUNDED, BEATEN: "grade lowered"}[reached]
    rule = {NOTHING: "TT-GAP-8", WOUNDED: "TT-HIT-5", BEATEN: "TT-HIT-3"}[reached]
    yield compare("cover", object, blow, limit, result, state, rule, "TT-GAP-8")
    if reached == BEATEN:
        yield from cover.lower_grade(object, state)
    elif reached == WOUNDED:
        yield wound(object, blow.by, state, "TT-GAP-8")
    return reached


# Damage without an attack


@decides(Area)
def area(said: Area, state: State, dice: Dice) -> Iterator[Fact]:
    """TT-OUT-10, TT-COV-3: an area; with Evasion a dodge avoids it, without it a dodge takes 3 off the damage."""
    guards.find_creature(said.target, state, "target")
    if said.source:
        guards.find_creature(said.source, state, "source")
    guards.check_alive(said.target, state)
    check_whole("damage", said.damage, 0, refusal=outside_domain)
    check_whole("dc", said.dc, 0, refusal=outside_domain)
    check_reason(said.reason, "an area")
    evasion = cover.has_evasion(said.target, state, said.source or cover.NOBODY)
    if said.dodge:
        defence.check_defence(said.target, defence.DODGE, said.source, state)
        if not said.damage and not evasion:
            raise refusal("EVASION", name=said.target)
    unsaid = () if said.source or not cover.one_sided_covers(said.target, state) else ("TT-GAP-43",)
    rules = ("TT-OUT-10", *(("TT-COV-3",) if evasion else ()), *unsaid)
    yield Ruled(rules=rules, name="area", text=said.reason, because=f"{said.damage} damage", about=said.target)
    dodged, steps = False, SumSteps("damage", said.damage)
    if said.dodge:
        dc = SumSteps("DC", said.dc)
        dodged = yield from defence.defend(
            said.target, defence.DODGE, said.source, dc, state, EntryDice(dice, refusal), *rules
        )
    if dodged and not evasion:
        steps.add(-WITHOUT_EVASION, "TT-OUT-10", "dodged without Evasion")
        steps.bound("max", 0, "TT-GAP-27", "never below 0")
    avoided = dodged and evasion
    result = "avoided" if avoided else "caught"
    yield Judged(rules=rules, what="area", who=said.target, sums=(steps.sum(),), result=result, final=True)
    if said.damage and not avoided:
        yield from hurt(Blow(by=said.source, target=said.target, damage=steps, rules=rules), state)


@decides(Harm)
def harm(said: Harm, state: State) -> Iterator[Fact]:
    """TT-SPD-3: damage from elsewhere, a collision say, is a number that the game master rules."""
    being = find_being(
        "target",
        said.target,
        state,
        (*guards.CREATURES, items.ITEM, cover.OBJECT),
        "a creature, an item or a cover in play",
        unknown,
    )
    check_whole("damage", said.damage, 1, refusal=outside_domain)
    check_reason(said.reason, "damage")
    guards.check_alive(said.target, state)
    blow = Blow(by="", target=said.target, damage=SumSteps("damage", said.damage), rules=("TT-SPD-3",))
    if being.kind == items.ITEM and items.is_destroyed(said.target, state):
        raise refusal("DESTROYED", item=said.target)
    limits = {items.ITEM: known_toughness, cover.OBJECT: known_cover}
    if being.kind in limits:
        limits[being.kind](said.target, state)
    yield Ruled(rules=("TT-SPD-3",), name="harm", text=f"{said.damage} damage", because=said.reason, about=said.target)
    if being.kind == items.ITEM:
        yield from damage_item(said.target, blow, state)
    elif being.kind == cover.OBJECT:
        yield from damage_cover(said.target, blow, state)
    else:
        yield from hurt(blow, state)
