"""Attacks and defences."""

from __future__ import annotations

from collections.abc import Generator, Iterator

import msgspec

from ledger.dice import Dice
from ledger.facts import ConditionEnded, Counted, Fact
from projections.state import State
from rulebooks.dusk_bastards.combat.aim import attack_modifiers, check_aimed, check_shot, defence_modifiers, is_attack
from rulebooks.dusk_bastards.combat.foe_areas import check_area_once, has_attacked_area, record_area
from rulebooks.dusk_bastards.combat.reaction_effects import cover_hindrance, interception_hindrance
from rulebooks.dusk_bastards.combat.results import MISSED, Blow
from rulebooks.dusk_bastards.declarations import Attack, Defence, Intercept, Strike, Task
from rulebooks.dusk_bastards.guards import (
    check_able,
    check_alive,
    check_not_out,
    check_not_paralysed,
    encounter_of,
    is_out,
)
from rulebooks.dusk_bastards.harm.ailments import (
    ailment_data,
    check_not_resisted_today,
    find_ailment,
    record_resistance,
)
from rulebooks.dusk_bastards.harm.conditions import check_effect
from rulebooks.dusk_bastards.harm.damage import Hit, grade
from rulebooks.dusk_bastards.harm.stun import come_to
from rulebooks.dusk_bastards.tasks.attempt import DIFFICULTY_MOST, Plan, Target, check_moment, check_take20, resolve
from rulebooks.dusk_bastards.tasks.difficulty import RollModifier
from rulebooks.dusk_bastards.tasks.effects import mirror, own_modifiers
from rulebooks.dusk_bastards.tasks.stats import stat_of
from rulebooks.dusk_bastards.texts import option, refused, value_refused, whole
from rulebooks.dusk_bastards.turns.cycle import check_action, check_reaction, is_in_combat, use_action, use_reaction
from rulebooks.dusk_bastards.turns.movement_results import CHARGING, EARLY_MELEE, MELEE


def attack(said: Attack, state: State, dice: Dice) -> Iterator[Fact]:
    """DB-STD-1: an attack is a standard action against a target in range."""
    check_target(said.target, state)
    difficulty_of(said.target, said, state)
    check_moment(said, stat_of(said, state), state)
    check_unbroken(said.target, state)
    yield from use_action(said.by, said.slot, state)
    yield from roll_attack(said, said.target, state, dice, Plan(kind="attack"))


def roll_attack(said: Strike, target: str, state: State, dice: Dice, plan: Plan) -> Iterator[Fact]:
    """DB-STD-1, DB-ROLL-4: a roll against the target's number; damage and weapon are what is said."""
    mark = yield from mark_target(said, target, state)
    plan = msgspec.structs.replace(
        plan,
        against=target,
        note=plan.note or mark.note,
        retries=missed_before(said.by, target, state) if plan.kind == "attack" else "",
        modifiers=(*plan.modifiers, *mark.modifiers),
    )
    yield from resolve(said, stat_of(said, state), mark.base, state, dice, plan)


def mark_target(said: Strike, target: str, state: State) -> Generator[Fact, None, Target]:
    """DB-ROLL-4: a target with its own difficulty, what bears on the attack, and what a hit does to it."""
    check_aimed(said, target, state)
    base, bears = difficulty_of(target, said, state), attack_bearings(said, target, state)
    yield from record_melee(said, said.by, target, state)
    _, used = attack_charge(said, target, state)
    _, gone = cover_hindrance(target, state)
    yield from (*used, *gone)
    hit = Hit(target=target, amount=said.damage, type=said.damage_type, ambient=said.ambient, how="attack", by=said.by)
    blow = Blow(hit=hit, wound=said.deals_wound, effects=said.on_hit)
    return Target(
        against=target,
        note=msgspec.json.encode(blow, order="deterministic").decode(),
        base=base,
        modifiers=bears,
    )


def attack_bearings(said: Strike, target: str, state: State) -> tuple[RollModifier, ...]:
    """DB-MOD-4: the situation, what the attacker and the target have done this round, and what the target is in."""
    charges, _ = attack_charge(said, target, state)
    covers, _ = cover_hindrance(target, state)
    busy = interception_hindrance(said.by, target, state)
    return (
        *attack_modifiers(said, target, state),
        *charges,
        *covers,
        *busy,
        *mirror(own_modifiers(target, "defence", state)),
    )


def missed_before(by: str, target: str, state: State) -> str:
    """DB-RETRY-5: an attack after a miss is a retry only where the table reads it so."""
    missed = f"{MISSED} {by} {target}"
    return missed if missed in state.conditions and option(state, "combat_attacks_are_retries") == "on" else ""


def check_target(target: str, state: State) -> None:
    """DB-WOUND-5: somebody who is still in the fight."""
    if is_out(target, state):
        raise value_refused("target", "somebody who is still in the fight", target)


def check_unbroken(target: str, state: State) -> None:
    """DB-DMG-7: a broken thing cannot go lower."""
    if grade(target, state) == "object" and not state.points(target, "state"):
        raise refused("OBJECT", name=target)


def check_attack(said: Attack, state: State) -> None:
    """The form of an attack: on a foe or a thing in play. PC against PC has no rule (DB-GAP-59)."""
    check_strike(said, said.target, state)


def check_strike(said: Strike, target: str, state: State) -> None:
    """The form of whatever strikes somebody: who strikes whom, with what, and all that matters for it."""
    whole("damage", said.damage, 0)
    for effect in said.on_hit:
        check_effect(effect)
    foe = state.being(said.by)
    if foe is not None and foe.kind == "npc":  # DB-ROLL-3: it is the character who rolls
        domain = f"a character, since foes do not roll: say '{target} dodge {said.by}'"
        raise value_refused("by", domain, said.by)
    being = state.being(target)
    if being is None or being.kind not in ("npc", "object") or being.name != target:
        raise value_refused("target", "a foe or a thing in play, spelled as on the sheet", target)
    check_shot(said, target, state)


def difficulty_of(foe: str, said: Task, state: State) -> int:
    """DB-ROLL-4: a foe's own difficulty, for attack and defence alike; a thing's is set by the game master."""
    written = state.sheet(foe, "difficulty") if foe else None
    if isinstance(written, int):
        return written
    if said.difficulty is None:
        raise refused("DIFFICULTY")
    return said.difficulty


def defence_difficulty(said: Defence, state: State) -> int:
    """DB-SPEC-3: what is resisted has a difficulty of its own, said or ruled before, never the foe's who brought it."""
    return difficulty_of("" if said.cause else said.source, said, state)


def record_melee(said: Strike | Defence, one: str, other: str, state: State) -> Iterator[Fact]:
    """DB-MOVE-3: melee is remembered for both sides, by the round; before the first one, that there was any."""
    found = state.encounter
    if found is None or said.mode == "ranged" or (isinstance(said, Defence) and not is_attack(said, state)):
        return
    name, now = (MELEE, found.round) if found.round else (EARLY_MELEE, 1)
    for who in (one, other):
        change = now - state.count(who, name)
        if change and state.being(who) is not None:
            yield Counted(rules=("DB-MOVE-3",), who=who, name=name, change=change, now=now, until="encounter")


def attack_charge(said: Strike, target: str, state: State) -> tuple[tuple[RollModifier, ...], list[Fact]]:
    """DB-MOVE-3: the ease is for an attack; an interception neither has it nor uses it up."""
    return ((), []) if isinstance(said, Intercept) else charge_ease(said.by, target, state)


def charge_ease(by: str, target: str, state: State) -> tuple[tuple[RollModifier, ...], list[Fact]]:
    """DB-MOVE-3: the attack on the target of a charge in the action phase is eased by one; then the ease is gone.

    DB-ROLL-4: what eases a foe's attack hinders the defence against it.
    """
    id, found = f"{CHARGING} {by}", state.encounter
    condition = state.conditions.get(id)
    if condition is None or condition.about != target or found is None or found.phase != "action":
        return (), []
    over = ConditionEnded(rules=("DB-MOVE-3",), id=id, who=by, name=CHARGING, because="used")
    return (RollModifier("charge", "DB-MOVE-3", -1, f"{by} charges"),), [over]


def check_defence(said: Defence, state: State) -> None:
    """The form of a defence: against a foe in play, or anything else with a difficulty. PC against PC: DB-GAP-59."""
    being = state.being(said.source)
    if said.difficulty is not None and not 0 <= said.difficulty <= DIFFICULTY_MOST:
        return  # the game master's number is refused behind the dice
    if said.difficulty is not None:
        whole("difficulty", said.difficulty, 1, DIFFICULTY_MOST)
    if said.damage is not None:
        whole("damage", said.damage, 0)
    if being is None and said.source and said.difficulty is None:
        raise value_refused("source", "a foe in play, or a difficulty", said.source)
    if being is not None and (being.kind == "pc" or being.name != said.source):
        raise value_refused("source", "a foe in play, spelled as on the sheet", said.source)
    for effect in said.on_fail:
        check_effect(effect)
    check_not_resisted_today(said, state)
    check_shot(said, said.by, state)


def defend(said: Defence, state: State, dice: Dice) -> Iterator[Fact]:
    """DB-ROLL-3: a foe's attack is a defence roll of the character, against the foe's difficulty."""
    found = find_ailment(said, state)
    brought = ailment_data(found[1]) if found else None
    if brought is not None:
        said = msgspec.structs.replace(said, difficulty=brought.difficulty)
    check_area_once(said, state)
    defence_difficulty(said, state)
    foe = state.being(said.source)
    check_not_out(said.by, state)
    if foe is not None and foe.kind == "npc" and said.cause is None:
        if not (said.area and has_attacked_area(foe.name, state)):
            yield from use_foe_action(said, state)
        yield from record_area(said, state)
    check_alive(said.by, state)
    check_take20(said, state)
    if found is not None:
        yield from record_resistance(found, state)
    yield from roll_defence(said, brought.blow if brought else foe_blow(said, state), state, dice)


def foe_blow(said: Defence, state: State) -> Blow:
    """DB-ROLL-3: what a failed defence lets through."""
    return Blow(hit=foe_hit(said, state), wound=said.wound, effects=said.on_fail, lose_action=said.lose_action)


def roll_defence(said: Defence, blow: Blow, state: State, dice: Dice) -> Iterator[Fact]:
    """DB-ROLL-4: what eases the foe's attack hinders the defence, and so on; what a failure brings was said before."""
    intercepts = blow.interception is not None
    base, bears = defence_difficulty(said, state), defence_bearings(said, state, intercepts=intercepts)
    yield from record_melee(said, said.by, said.source, state)
    if is_attack(said, state):
        _, used = ((), []) if intercepts else charge_ease(said.source, said.by, state)
        _, gone = cover_hindrance(said.by, state)
        yield from (*used, *gone)
    note, area = msgspec.json.encode(blow, order="deterministic").decode(), ("DB-AREA-2",) if said.area else ()
    plan = Plan(
        kind="defence",
        against=said.source,
        note=note,
        modifiers=bears,
        rules=(*blow.hit.because, *area),
    )
    yield from resolve(said, said.stat or ("might" if said.cause else "speed"), base, state, dice, plan)


def defence_bearings(said: Defence, state: State, *, intercepts: bool = False) -> tuple[RollModifier, ...]:
    """DB-ROLL-4: whatever eases or hinders the foe's attack, mirrored. DB-SPEC-3: nothing of it bears on an ailment."""
    if not is_attack(said, state):
        return defence_modifiers(said, state)
    charges, _ = ((), []) if intercepts else charge_ease(said.source, said.by, state)
    covers, _ = cover_hindrance(said.by, state)
    busy = interception_hindrance(said.source, said.by, state)
    return (
        *defence_modifiers(said, state),
        *mirror((*charges, *covers, *busy, *own_modifiers(said.source, "attack", state))),
    )


def foe_hit(said: Defence, state: State) -> Hit:
    """The foe's own damage, unless another is said. DB-SPEC-3, DB-SPEC-4: poison and disease cite themselves."""
    written = state.sheet(said.source, "damage") if said.source and said.cause is None else None
    amount = said.damage if said.damage is not None else written if isinstance(written, int) else 0
    return Hit(
        target=said.by,
        amount=amount,
        type=said.damage_type,
        ambient=said.ambient,
        lasting=said.lasting,
        how=said.cause or ("" if said.source else said.task) or "attack",
        by=said.source,
        because=() if said.cause is None else ("DB-SPEC-3" if said.cause == "poison" else "DB-SPEC-4",),
    )


def use_foe_action(said: Defence, state: State) -> Iterator[Fact]:
    """DB-ACTN-4: a foe's attack is its standard action, in its own slot, unless stated otherwise."""
    if encounter_of(said.source, state) is None:
        check_alive(said.source, state)
        yield from come_to(said.source, state)
    physical = said.physical is not False
    if said.npc_slot == "reaction":
        check_reaction(said.source, state, in_encounter=False, physical=physical)
        yield from use_reaction(said.source, state)
        return
    check_able(said.source, state)
    if physical:
        check_not_paralysed(said.source, state)
    if said.npc_slot == "standard" and is_in_combat(said.source, state):
        check_action(said.source, "standard", state)
        yield from use_action(said.source, "standard", state)
