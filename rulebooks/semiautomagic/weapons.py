"""Weapons: the one that an attack uses, whether it can be used at all, and its bonus and damage."""

from __future__ import annotations

import re
from collections.abc import Generator, Sequence
from typing import Final

import msgspec

from ledger.facts import Fact
from projections.state import State
from rulebooks.common.conditions import has_condition
from rulebooks.common.dice import EntryDice
from rulebooks.common.sums import SumSteps
from rulebooks.common.values import sheet_number
from rulebooks.semiautomagic import checks, creatures, items, locations, squares
from rulebooks.semiautomagic.declarations.combat import Attack
from rulebooks.semiautomagic.texts import outside_domain, refusal

WRITTEN: Final = re.compile(r"([1-9][0-9]?)?d([1-9][0-9]{0,2})([+-][0-9]{1,3})?", re.ASCII)
MELEE: Final = "melee"
RANGED: Final = "ranged"
BOTH: Final = "both"


class DamageDice(msgspec.Struct, frozen=True):
    """The damage of a weapon: so many dice and a bonus."""

    count: int
    sides: int
    bonus: int


def parse_damage(text: str) -> DamageDice | None:
    """Return the dice of a text such as `1d8+3`, or None where it is no damage."""
    match = WRITTEN.fullmatch(text)
    return DamageDice(int(match[1] or 1), int(match[2]), int(match[3] or 0)) if match else None


def is_weapon(item: str, state: State) -> bool:
    """Return whether something has damage."""
    return bool(state.sheet(item, "damage"))


def reaches(item: str, state: State) -> tuple[str, ...]:
    """TT-GAP-40: how a weapon reaches its target; one for both is thrown if the line says so, a spell flies."""
    written = str(state.sheet(item, "reach") or MELEE)
    if written != BOTH:
        return (written,)
    return (RANGED, MELEE) if sheet_number(item, "magic", state) else (MELEE, RANGED)


def weapons_of(who: str, state: State) -> list[str]:
    """Return the weapons of a creature, those in hand first, then those of its body."""
    return [item for item in items.items_of(who, state, items.HELD, items.PART, "carried") if is_weapon(item, state)]


def named_weapon(said: Attack, state: State) -> str:
    """Return the item that an attack names, if it names one. Raises the refusal of any other name."""
    return items.find_item(said.by, said.weapon, state) if said.weapon else ""


def chosen_weapon(said: Attack, named: str, state: State) -> str:
    """Return the weapon of an attack: the one that is named, else one that is ready."""
    if named and not is_weapon(named, state):
        raise outside_domain("weapon", "something with damage on the sheet", said.weapon)
    item = named or ready_weapon(said, state)
    if said.reach and said.reach not in reaches(item, state):
        raise outside_domain("reach", " or ".join(reaches(item, state)), said.reach)
    return item


def ready_weapon(said: Attack, state: State) -> str:
    """TT-CAL-4: return the first weapon in hand or of the body that reaches, rather one that is not destroyed."""
    own = [item for item in weapons_of(said.by, state) if not said.reach or said.reach in reaches(item, state)]
    ready = [item for item in own if items.tie_of(item, state) in (items.HELD, items.PART)]
    if not ready:
        spare = items.short_name((*own, "weapon")[0], state)
        raise items.no_hand("held" if own else "bare", said.by, spare, state)
    whole = [item for item in ready if not items.is_destroyed(item, state)]
    return next((item for item in whole if is_usable(said, item, state)), (whole or ready)[0])


def is_usable(said: Attack, item: str, state: State) -> bool:
    """TT-GAP-26, TT-CAL-4: whether a weapon is not jammed, and has its limb, if it is part of the body."""
    if has_condition(item, items.JAMMED, state):
        return False
    limb = str(state.sheet(item, "limb") or "") if items.tie_of(item, state) == items.PART else ""
    return not limb or any(is_useful(said.by, limb, index, state) for index in limbs_named(said, limb, state))


def check_weapon(said: Attack, item: str, state: State) -> None:
    """TT-ITM-4, TT-GAP-26, TT-CAL-4: refuse a weapon that is destroyed, jammed, not in hand, or needs a lost limb."""
    if items.is_destroyed(item, state):
        raise refusal("DESTROYED", item=item)
    if has_condition(item, items.JAMMED, state):
        raise refusal("JAMMED", item=item)
    if items.tie_of(item, state) == items.PART:
        check_limb(said, item, state)
    elif items.tie_of(item, state) != items.HELD:
        raise items.no_hand(
            items.why_not_drawn(said.by, item, state) or "held", said.by, items.short_name(item, state), state
        )


def check_limb(said: Attack, item: str, state: State) -> None:
    """TT-CAL-4: a natural weapon needs one of its limbs, or the one that the line names (`with_limb`)."""
    limb = str(state.sheet(item, "limb") or "")
    if not limb:
        return
    count = sheet_number(said.by, locations.LIMBS[limb], state)
    if said.with_limb and said.with_limb > count:
        raise outside_domain("with_limb", f"1 to {count}", said.with_limb)
    if not any(is_useful(said.by, limb, index, state) for index in limbs_named(said, limb, state)):
        raise items.no_hand("disabled", said.by, items.short_name(item, state), state, limb)


def limbs_named(said: Attack, limb: str, state: State) -> Sequence[int]:
    """Return the limb that the line names (`with_limb`), or else all of this kind, by number."""
    return [said.with_limb] if said.with_limb else range(1, sheet_number(said.by, locations.LIMBS[limb], state) + 1)


def is_useful(who: str, limb: str, index: int, state: State) -> bool:
    """TT-CAL-4: whether a limb can strike; a hand needs its arm, and an arm its hand."""
    limbs = ("arm", "hand") if limb in ("arm", "hand") else (limb,)
    return not any(items.is_disabled(who, name, index, state) for name in limbs)


def striking_hands(said: Attack, item: str, state: State) -> list[int]:
    """TT-CAL-4: the hands that make an attack: those that hold the weapon, or the bare one."""
    if items.tie_of(item, state) == items.HELD:
        return items.hands_on(item, state)
    if state.sheet(item, "limb") not in ("hand", "arm"):
        return []
    count = sheet_number(said.by, "hands", state)
    useful = [index for index in range(1, count + 1) if is_useful(said.by, "hand", index, state)]
    return [said.with_limb or next(iter(useful), 1)]


def skill_bonus(who: str, item: str, reach: str, state: State) -> int:
    """TT-OUT-3: the bonus of the melee, ranged or magic skill, without scale."""
    return sheet_number(who, "magic" if sheet_number(item, "magic", state) else reach, state)


def attack_sum(said: Attack, item: str, reach: str, face: int, state: State) -> SumSteps:
    """TT-OUT-3: die + skill - scale. TT-ITM-2, TT-CAL-4, TT-OUT-9: less what a wounded weapon or a hurt hand takes."""
    steps = SumSteps("attack", face)
    steps.add(skill_bonus(said.by, item, reach, state), "TT-OUT-3", "skill")
    steps.add(-creatures.scale(said.by, state), "TT-OUT-3", "scale")
    if reach == RANGED and not sheet_number(item, "magic", state):
        steps.add(-items.wounds(item, state), "TT-ITM-2", f"wounds of the {items.short_name(item, state)}")
    for hand in striking_hands(said, item, state):
        if is_hand_hurt(said.by, hand, state):
            steps.add(-1, "TT-CAL-4", f"hurt hand {hand}")
    steps.add(-said.range, "TT-OUT-9", "range")
    return steps


def is_hand_hurt(who: str, hand: int, state: State) -> bool:
    """TT-CAL-4, TT-GAP-14: whether a hand takes 1 from its attacks, until the injury is healed."""
    return any(
        condition.name == creatures.HURT_HAND and condition.about == f"hand {hand}"
        for _, condition in state.conditions_of(who)
    )


def weapon_seconds(item: str, state: State) -> int:
    """Return what an attack with a weapon costs: a number of the campaign."""
    return sheet_number(item, "seconds", state)


def roll_damage(
    said: Attack, item: str, reach: str, state: State, throws: EntryDice
) -> Generator[Fact, None, SumSteps]:
    """TT-OUT-2: the dice of the weapon. TT-ITM-2, TT-GAP-27: less its wounds; TT-SPD-2: more at high speed."""
    dice = parse_damage(str(state.sheet(item, "damage")))
    assert dice is not None
    purpose = f"damage {said.by} on {said.target}"
    total, rolled = checks.throw_dice(said.by, purpose, throws, *(dice.sides,) * dice.count, rules=("TT-OUT-2",))
    yield rolled
    steps = SumSteps("damage", total)
    steps.add(dice.bonus, "TT-OUT-2", items.short_name(item, state))
    if not sheet_number(item, "magic", state):
        steps.add(-items.wounds(item, state), "TT-ITM-2", f"wounds of the {items.short_name(item, state)}")
    bonus, speed = squares.fast_damage(said.by, said.target, state) if said.fast else (0, 0)
    if bonus:
        is_melee = reach == MELEE
        steps.take("+", bonus, "TT-SPD-2", f"{speed} m/s{'' if is_melee else ' (in melee alone)'}", counted=is_melee)
    steps.bound("max", 0, "TT-GAP-27", "never below 0")
    return steps
