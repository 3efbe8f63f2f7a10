"""What a maneuver requires: the checks before it, in the book's order; nothing is paid and nothing rolled in them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from projections.state import State
from rulebooks.common.beings import speaker
from rulebooks.common.conditions import has_condition
from rulebooks.mars import guards
from rulebooks.mars.combat import shields, weapons
from rulebooks.mars.combat.defence import Defence, check_defender, check_moment, defence_of
from rulebooks.mars.declarations.maneuvers import Maneuver
from rulebooks.mars.maneuvers.aids import intercepted
from rulebooks.mars.maneuvers.slots import has_learned
from rulebooks.mars.maneuvers.table import Row, find_row
from rulebooks.mars.maneuvers.use import (
    BOTH,
    KNOCK_DOWN,
    STRIKES,
    USED,
    Use,
    checked_skill,
    chosen_weapon,
    is_master,
    missing_feature,
    price_of,
    skill_of,
    targets_of,
    weapons_in_hand,
)
from rulebooks.mars.texts import option, refusal, value_refusal
from rulebooks.mars.turns.movement import check_can_move, speed_of

HOOK: Final = "hook"
UNTARGETED: Final = ("stance", "evasion")
MANY: Final = 100  # allies who may hear a cry


def check_use(said: Maneuver, state: State, *, readied: bool = False) -> Use:
    """Refuse what cannot be, in the book's order but for limits and prices; return the rest as a value."""
    guards.check_able(said.by, state)
    for target in targets_of(said):
        guards.check_alive(target, state)
    for defence in defences_of(said, state):
        check_defender(defence, state)
    row = find_row(said.by, said.name)
    check_when(said, row, state, readied=readied)
    check_known(said, row, state)
    improvise = "none" if has_learned(said.by, row.name, state) else said.improvise
    weapon = chosen_weapon(said, row, state) if row.kind in STRIKES and "shield" not in row.needs else None
    use = Use(
        said=said,
        row=row,
        weapon=weapon,
        skill=skill_of(said, row, weapon, state),
        improvise=improvise,
        stamina=row.stamina + (improvise == "stamina") + (said.boost and row.boost != BOTH),
        speed=(row.speed or 0) + (improvise == "speed") + (said.boost and row.boost == BOTH),
        reaction=row.is_reaction or readied,
        readied=readied,
    )
    check_boost(use, state)
    check_targets(use, state)
    check_needs(use, state)
    return use


def defences_of(said: Maneuver, state: State) -> list[Defence]:
    """GR-GAP-15: return the defence of each who is hit. Refuses one of anybody else."""
    hit = [intercepted(target, state) for target in targets_of(said)]
    for reaction in said.defences:
        if reaction.who not in hit:
            raise value_refusal("who defends", " or ".join(hit) or "nobody", reaction.who)
    return [defence_of(who, [each for each in said.defences if each.who == who]) for who in dict.fromkeys(hit)]


def check_when(said: Maneuver, row: Row, state: State, *, readied: bool) -> None:
    """GR-ACT-4, GR-GAP-60: a reaction in the turn of somebody else, anything else in the own turn."""
    if row.is_reaction:
        guards.check_may_react(said.by, state)
        guards.check_not_stunned(said.by, state)
    elif not readied:
        guards.check_own_turn(said.by, state)
    for defence in defences_of(said, state):
        check_moment(defence, state)


def can_take_longer(row: Row) -> bool:
    """GR-GAP-44: whether a maneuver may be improvised for 1 more speed: no reaction, and not one of speed 3."""
    return row.speed is not None and row.speed <= 2


def check_known(said: Maneuver, row: Row, state: State) -> None:
    """GR-MAN-7: refuse one that is neither learned nor improvised. GR-GAP-44: speed only from 0 to 2."""
    if has_learned(said.by, row.name, state):
        return
    if said.improvise == "none" and can_take_longer(row):
        raise refusal("UNKNOWN-MANEUVER", name=said.by, maneuver=row.name).of_field("improvise")
    if said.improvise == "none":
        raise refusal("UNKNOWN-MANEUVER", case="stamina", name=said.by, maneuver=row.name).of_field("improvise")
    if said.improvise == "speed" and not can_take_longer(row):
        raise refusal("IMPROVISE", maneuver=row.name)


def check_boost(use: Use, state: State) -> None:
    """GR-OUT-17: what 1 more stamina adds needs the skill at r12; what a bullrush adds needs the other maneuver."""
    if not use.said.boost or use.row.boost == BOTH:
        return
    if use.row.boost == KNOCK_DOWN:
        if not has_learned(use.who, KNOCK_DOWN, state):
            raise refusal("UNKNOWN-MANEUVER", case="boost", name=use.who, maneuver=KNOCK_DOWN)
    elif not use.row.boost or not is_master(use.who, use.skill, state):
        skills = f"{use.skill} at r12" if use.row.boost else "another maneuver"
        raise refusal("SKILL", "boost", name=use.who, maneuver=use.row.name, skill=use.skill, skills=skills)


def check_targets(use: Use, state: State) -> None:
    """Refuse a maneuver without its target, or with others that it does not have."""
    said, row = use.said, use.row
    least = 0 if row.kind in UNTARGETED else row.targets
    most = MANY if any(effect.on == "allies" for effect in row.effects) else least
    if not least <= len(use.targets) <= most or len(set(use.targets)) < len(use.targets):
        domain = f"{least} different" if least == most else f"{least} or more different"
        raise value_refusal(f"the targets of {row.name}", domain, ", ".join(use.targets) or None)
    if said.by in use.targets:
        raise value_refusal("the target", "somebody else", said.by)
    allies = "ally" in row.needs or most == MANY
    if allies and any(guards.are_foes(said.by, who, state) for who in use.targets):
        raise value_refusal("the target", "an ally", ", ".join(use.targets))


def check_needs(use: Use, state: State) -> None:
    """Refuse a maneuver without the thing, the freedom or the distance that it needs."""
    for need in use.row.needs:
        NEEDS.get(need, check_nothing)(use, state)
    if use.weapon is not None:
        check_weapon(use, use.weapon, state)
    if use.row.check:
        checked_skill(use, state)
    if use.row.run:
        check_metres(use, use.row.run, 3 * speed_of(use.who, state))
    elif use.row.leap:
        check_metres(use, 1, max(1, speed_of(use.who, state) // 2))
    elif use.row.reach:
        check_metres(use, 1, use.row.reach)


def check_nothing(use: Use, state: State) -> None:
    """Accept what is checked elsewhere."""


def check_movement(use: Use, state: State) -> None:
    """GR-OUT-17: who steps, runs or leaps can move."""
    check_can_move(use.who, state)


def check_standing(use: Use, state: State) -> None:
    """GR-OUT-17: not while prone."""
    if has_condition(use.who, guards.PRONE, state):
        raise refusal("PRONE", "maneuver", name=use.who, maneuver=use.row.name, line=speaker(use.who, state))


def check_parry(use: Use, state: State) -> None:
    """GR-OUT-17: something in hand that can parry."""
    if not weapons.parry_items(use.who, state):
        raise refusal("NO-PARRY", name=use.who, item=use.row.name, items="nothing")


def check_shield(use: Use, state: State) -> None:
    """GR-BLK-6: a shield in hand that is not broken."""
    held = shields.held_shields(use.who, state)
    if not held:
        raise refusal("NO-SHIELD", name=use.who, item=use.row.name, items="none")
    if all(weapons.is_broken(use.who, item, state) for item in held):
        raise refusal("SHIELD-BROKEN", name=use.who, item=held[0])


def check_hook(use: Use, state: State) -> None:
    """GR-OUT-17: an axe or a hook in hand."""
    held = weapons_in_hand(use.who, state)
    if not any(HOOK in weapons.wielded_weapon(use.who, item, state).features for item in held):
        raise refusal("NOT-WIELDED", name=use.who, item="an axe or a hook", items=", ".join(held))


def check_weapon(use: Use, weapon: weapons.Weapon, state: State) -> None:
    """GR-OUT-17: a weapon for melee or for shooting, one that shoots, or one that trips."""
    if wrong := missing_feature(use.row, weapon):
        items = ", ".join(weapons_in_hand(use.who, state))
        raise refusal("NOT-WIELDED", case="unsuited", name=use.who, weapon=weapon.name, item=wrong, items=items)


def check_metres(use: Use, least: int, most: int) -> None:
    """GR-OUT-17: the metres of a run, or to the target."""
    if use.metres < least:
        raise value_refusal(f"the metres of {use.row.name}", f"{least} to {most}", use.metres)
    if use.metres > most:
        raise refusal("TOO-FAR", name=use.who, need=use.metres, speed=most)


def check_limits(use: Use, state: State) -> None:
    """Refuse what the round does not allow any more: the reaction, the maneuver."""
    if price_of(use, state).reaction:
        guards.check_reaction_left(use.who, state)
    check_unused(use, state)


def check_unused(use: Use, state: State) -> None:
    """GR-MAN-2, GR-GAP-41: each maneuver once in a round, or one in all."""
    one_total = option(state, "maneuver_limit") == "one_total"
    used = (name for (who, name), count in state.counts.items() if who == use.who and count.now)
    for name in used:
        if name == USED + use.row.name or (one_total and name.startswith(USED)):
            case = "challenge" if guards.is_challenge(state) else ""
            raise refusal("MANEUVER-USED", case=case, name=use.who, maneuver=name.removeprefix(USED))


NEEDS: Final[dict[str, Callable[[Use, State], None]]] = {
    "movement": check_movement,
    "standing": check_standing,
    "parry": check_parry,
    "shield": check_shield,
    HOOK: check_hook,
}
