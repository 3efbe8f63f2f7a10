"""The preparation of an attack: everything that speaks against it, in the order of the catalogue, before any die."""

from __future__ import annotations

from typing import Final

import msgspec

from projections.state import State
from rulebooks.common.values import check_whole, sheet_number
from rulebooks.semiautomagic import damage, defence, guards, items, sight, squares, turns, weapons
from rulebooks.semiautomagic.cover import TOTAL, effective_cover
from rulebooks.semiautomagic.declarations.combat import Attack
from rulebooks.semiautomagic.locations import Spot, find_spot
from rulebooks.semiautomagic.texts import outside_domain, refusal

RANGE_MOST: Final = 4


class Strike(msgspec.Struct, frozen=True, kw_only=True):
    """An attack that nothing speaks against: its line, and what it is decided from.

    Attributes:
        weapon: the item that strikes.
        seconds: what it costs.
        spot: the location of a called shot.
        item: what it is aimed at, if not the creature.
        passes: total covers, which everything has to come through.
        barrier: a cover that a narrow miss hits.
        bonus: the Target that these covers give.
        astray: the square is not the target's.
    """

    said: Attack
    weapon: str
    seconds: int
    reach: str
    spot: Spot | None
    item: str
    passes: tuple[str, ...]
    barrier: str
    bonus: int
    astray: bool


def prepare(said: Attack, state: State) -> Strike:
    """Return an attack with all that it is decided from. Raises the first refusal in the order of the catalogue."""
    said = aim_at_owner(said, state)
    guards.find_creature(said.by, state)
    guards.find_creature(said.target, state, "target")
    item = items.find_item(said.target, said.item, state, items.HELD, items.WORN, items.CARRIED) if said.item else ""
    named = weapons.named_weapon(said, state)
    guards.check_turn(said.by, state)
    guards.check_alive(said.target, state)
    check_line(said)
    weapon = weapons.chosen_weapon(said, named, state)
    astray = is_astray(said, state)
    spot = find_spot(said, state)
    if item:
        check_item(item, state)
    reach = said.reach or weapons.reaches(weapon, state)[0]
    if said.range and reach == weapons.MELEE:
        raise outside_domain("range", "left out in melee", said.range)
    passes, barrier, bonus = covers_in_the_way(said, state)
    for object in (*passes, *((barrier,) if barrier else ())):
        damage.known_cover(object, state)
    weapons.check_weapon(said, weapon, state)
    defence.check_defence(said.target, said.defence, said.by, state)
    seconds = weapons.weapon_seconds(weapon, state)
    turns.check_seconds(said.by, seconds, state)
    return Strike(
        said=said,
        weapon=weapon,
        seconds=seconds,
        reach=reach,
        spot=spot,
        item=item,
        passes=passes,
        barrier=barrier,
        bonus=bonus,
        astray=astray,
    )


def aim_at_owner(said: Attack, state: State) -> Attack:
    """TT-ITM-1: an attack on an item is one on who wears or carries it, aimed at the item."""
    being = state.being(said.target)
    owner = items.owner_of(being.name, state) if being is not None and being.kind == items.ITEM else ""
    if owner and said.item:
        raise outside_domain("item", "left out where the target is an item", said.item)
    return msgspec.structs.replace(said, target=owner, item=said.target) if owner else said


def check_line(said: Attack) -> None:
    """Refuse a line that contradicts itself, or a number outside its domain."""
    if said.by == said.target:
        raise outside_domain("target", "somebody else", said.target)
    if said.item and said.at:
        raise outside_domain("at", "left out where an item is aimed at", said.at)
    check_whole("range", said.range, 0, RANGE_MOST, outside_domain)
    check_whole("with_limb", said.with_limb, 0, refusal=outside_domain)
    check_total("total", said.total)
    check_total("defence_total", said.defence_total)
    if said.defence_total is not None and not said.defence:
        raise outside_domain("defence_total", "left out without a defence", said.defence_total)


def check_total(field: str, total: int | None) -> None:
    """Refuse a sum rolled elsewhere that no dice make."""
    if total is not None:
        check_whole(field, total, -100, 100, outside_domain)


def is_astray(said: Attack, state: State) -> bool:
    """TT-INV-2: who cannot be seen must be located, or a square guessed. TT-GAP-22: whether the guess is wrong."""
    square = squares.check_square("square", said.square)
    if not sight.invisibility(said.target, said.by, state):
        return False
    if square is None:
        if not squares.is_located(said.target, said.by, state):
            raise refusal("NOT-LOCATED", name=said.by, target=said.target)
        return False
    if squares.square_of(said.target, state) is None:
        raise outside_domain("square", f"left out, since the square of {said.target} is not known", said.square)
    return square != squares.square_of(said.target, state)


def check_item(item: str, state: State) -> None:
    """TT-ITM-1, TT-GAP-24: refuse an item whose numbers are not known, or that is destroyed already."""
    if items.is_destroyed(item, state):
        raise refusal("DESTROYED", item=item)
    if items.item_target(item, state) is None and not items.is_armour(item, state):
        raise refusal("NO-NUMBERS", what=item, way=f'! ruling "its size" "as agreed" "{item}.target"=5')
    damage.known_toughness(item, state)


def covers_in_the_way(said: Attack, state: State) -> tuple[tuple[str, ...], str, int]:
    """TT-GAP-6, TT-GAP-37: total covers on either side; TT-HIT-1: else one that matters; and the bonus (TT-GAP-5)."""
    own, theirs = effective_cover(said.by, state, said.target), effective_cover(said.target, state, said.by)
    total = [cover.object for cover in (own, theirs) if cover is not None and cover.effective == TOTAL]
    if total:
        return tuple(dict.fromkeys(total)), "", sight.INVISIBLE_TARGET
    if theirs is not None and sheet_number(theirs.object, "matters", state):
        return (), theirs.object, theirs.effective
    return (), "", 0
