"""Attacks of characters: one roll against a target's difficulty."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from typing import Final

import msgspec

from ledger.dice import Dice
from ledger.errors import Refused
from ledger.facts import ConditionBegan, Counted, Ends, EntryId, Fact, PointsLost
from projections.state import State
from rulebooks.common.beings import name_in_line
from rulebooks.common.conditions import condition_end, find_condition, has_condition
from rulebooks.common.decisions import decides
from rulebooks.dusk_bastards.combat.aim import check_shot, is_attack, shot_of
from rulebooks.dusk_bastards.combat.blow import AttackEffects, deal_blow
from rulebooks.dusk_bastards.combat.interception import interception_hindrance
from rulebooks.dusk_bastards.combat.modifiers import check_attackable, shot_modifiers
from rulebooks.dusk_bastards.combat.situations import Shot
from rulebooks.dusk_bastards.combat.weapons import check_weapon_named, weapons_of
from rulebooks.dusk_bastards.declarations.combat import Attack, Defence, Intercept, Strike
from rulebooks.dusk_bastards.declarations.tasks import Task
from rulebooks.dusk_bastards.guards import Turn, encounter_of, is_foe, is_out
from rulebooks.dusk_bastards.harm.conditions import check_effect
from rulebooks.dusk_bastards.harm.damage import Hit
from rulebooks.dusk_bastards.tasks.consequences import consequences_of
from rulebooks.dusk_bastards.tasks.difficulty import RollModifier, Target
from rulebooks.dusk_bastards.tasks.effects import mirror, own_modifiers
from rulebooks.dusk_bastards.tasks.resolution import Plan, resolve, wait
from rulebooks.dusk_bastards.tasks.roll import Roll
from rulebooks.dusk_bastards.tasks.stats import is_physical, stat_of
from rulebooks.dusk_bastards.texts import check_whole, option, refusal, value_refusal
from rulebooks.dusk_bastards.turns.allowances import check_moment, use_action
from rulebooks.dusk_bastards.turns.cycle import CHARGING
from rulebooks.dusk_bastards.turns.movement import EARLY_MELEE, MELEE

MISSED: Final = "missed"
TAKING_COVER: Final = "taking cover"


def check_attack(said: Attack, state: State) -> None:
    """DB-GAP-59: refuse a malformed attack; there is no rule for character against character."""
    check_weapon_named(said, state)
    check_strike(said, said.target, state)


def check_strike(said: Strike, target: str, state: State) -> None:
    """DB-ROLL-3, DB-GAP-59: only a character rolls, and only against a foe or a thing in play."""
    check_whole("damage", said.damage or 0, 0)
    for effect in said.on_hit:
        check_effect(effect)
    if is_foe(said.by, state):
        raise foe_refusal(said, target, state)
    being = state.being(target)
    if being is None or being.kind not in ("npc", "object") or being.name != target:
        raise value_refusal("target", "a foe or a thing in play, spelled as on the sheet", target)
    check_shot(said, target, state)


def foe_refusal(said: Strike, target: str, state: State) -> Refused:
    """DB-ROLL-3, DB-NPC-1: foes do not roll; the refusal has the line of the character who defends."""
    refused = value_refusal("by", "a player's character, since foes do not roll", said.by)
    if state.kind(target) != "pc":
        return refused.with_hint("What a foe does to another is a ruling of the game master, or ! damage")
    weapon = f" with {name_in_line(said.task)}" if said.task in weapons_of(said.by, state) else ""
    line = f"{name_in_line(target)} dodge {name_in_line(said.by)}{weapon}"
    return refused.with_hint(f"{target} defends, with Effort (e1) or without: {line}")


@decides(Attack)
def attack(said: Attack, state: State, dice: Dice) -> Iterator[Fact]:
    """DB-STD-1: an attack is a standard action against a target in range."""
    turn, plan = prepare(said, "attack", [said.target], state)
    yield from use_action(turn, said.slot, state)
    yield from roll_attack(plan, said, said.target, state, dice)


def prepare(said: Strike, kind: str, targets: Sequence[str], state: State) -> tuple[Turn, Plan]:
    """DB-STD-1: refuse an attack that cannot be made, in the order of the book; return its moment and its plan."""
    for target in targets:
        check_target(target, said, state)
    stat = stat_of(said, state)
    turn = check_moment(said, state, physical=is_physical(said, stat), is_attack=True)
    for target in targets:
        check_unbroken(target, state)
    retries = next((missed for target in targets if (missed := missed_before(said.by, target, state))), "")
    return turn, Plan(said=said, stat=stat, kind=kind, retries=retries)


def check_target(target: str, said: Task, state: State) -> None:
    """DB-WOUND-5: somebody who is still in the fight. DB-ROLL-4: and has a difficulty."""
    if is_out(target, state):
        raise value_refusal("target", "somebody who is still in the fight", target)
    difficulty_of(target, said, state)


def check_unbroken(target: str, state: State) -> None:
    """DB-DMG-7: a broken thing cannot go lower."""
    if state.kind(target) == "object" and not state.points(target, "state"):
        raise refusal("OBJECT", name=target)


def difficulty_of(foe: str, said: Task, state: State) -> int:
    """DB-ROLL-4: a foe's own difficulty, for attack and defence alike; a thing's is set by the game master."""
    written = state.sheet(foe, "difficulty") if foe else None
    if isinstance(written, int):
        return written
    if said.difficulty is None:
        raise refusal("DIFFICULTY")
    return said.difficulty


def roll_attack(plan: Plan, said: Strike, target: str, state: State, dice: Dice, *, note: str = "") -> Iterator[Fact]:
    """DB-STD-1, DB-ROLL-4: a roll against the target's number; damage and weapon are what is said.

    `note`: the effect of a hit that does no damage.
    """
    yield from wait(plan, state)
    marked = yield from mark_target(said, target, state)
    if note:
        marked = msgspec.structs.replace(marked, note=note)
    yield from resolve(plan, [marked], state, dice)


def mark_target(said: Strike, target: str, state: State) -> Generator[Fact, None, Target]:
    """DB-ROLL-4: a target with its own difficulty, the modifiers of the attack, and the effect of a hit."""
    shot = shot_of(said, target, state)
    check_attackable(shot, state)
    base, modifiers = difficulty_of(target, said, state), attack_modifiers(said, shot, state)
    yield from record_melee(said, said.by, target, state)
    yield from end_charge_and_cover(said.by, target, state, charge=not isinstance(said, Intercept))
    amount = said.damage or 0
    hit = Hit(target=target, amount=amount, type=said.damage_type, ambient=said.ambient, how="attack", by=said.by)
    blow = AttackEffects(hit=hit, wound=said.deals_wound, effects=said.on_hit)
    return Target(against=target, note=blow.encode(), base=base, modifiers=modifiers)


def missed_before(by: str, target: str, state: State) -> str:
    """DB-RETRY-5: the miss that makes an attack a retry, where the table reads it so."""
    missed = f"{MISSED} {by} {target}"
    return missed if missed in state.conditions and option(state, "combat_attacks_are_retries") == "on" else ""


@consequences_of("attack")
def settle_attack(roll: Roll, state: State, won: bool, opened: EntryId | None) -> Iterator[Fact]:
    """DB-STD-1: on a hit the target takes the damage; DB-DMG-7: an object goes one place down."""
    target, missed = roll.against, f"{MISSED} {roll.who} {roll.against}"
    if not won and encounter_of(roll.who, state) is not None and option(state, "combat_attacks_are_retries") == "on":
        yield ConditionBegan(
            rules=("DB-RETRY-5",), id=missed, who=roll.who, name=MISSED, about=target, ends=(Ends(at="encounter"),)
        )
    if not won:
        return
    if missed in state.conditions:
        yield condition_end(missed, state, "used", "DB-RETRY-5")
    if state.kind(target) == "object":
        now = state.points(target, "state") - 1
        yield PointsLost(rules=("DB-DMG-7",), who=target, pool="state", points=1, now=now, because="hit", by=roll.who)
        return
    yield from deal_blow(AttackEffects.decode(roll.note), state)


def attack_modifiers(said: Strike, shot: Shot, state: State) -> tuple[RollModifier, ...]:
    """DB-MOD-4: the situation, what attacker and target have done this round, and the target's conditions.

    DB-MOVE-3: the ease of a charge is for an attack; an interception neither has it nor uses it up.
    """
    return (
        *shot_modifiers(shot, said.denied, state),
        *round_modifiers(said.by, shot.target, state, charge=not isinstance(said, Intercept)),
        *mirror(own_modifiers(shot.target, "defence", state)),
    )


def round_modifiers(by: str, target: str, state: State, *, charge: bool) -> tuple[RollModifier, ...]:
    """DB-MOD-4: the modifiers of an attack from what attacker and target have done this round."""
    return (
        *(charge_ease(by, target, state) if charge else ()),
        *cover_hindrance(target, state),
        *interception_hindrance(by, target, state),
    )


def charge_ease(by: str, target: str, state: State) -> tuple[RollModifier, ...]:
    """DB-MOVE-3: the attack on the target of a charge in the action phase is eased by one; then the ease is gone."""
    charge, encounter = find_condition(by, CHARGING, state), state.encounter
    if charge is None or charge.about != target or encounter is None or encounter.phase != "action":
        return ()
    return (RollModifier("charge", "DB-MOVE-3", -1, f"{by} charges"),)


def cover_hindrance(target: str, state: State) -> tuple[RollModifier, ...]:
    """DB-REACT-1: the next attack on somebody who takes cover is hindered by one."""
    taking_cover = has_condition(target, TAKING_COVER, state)
    return (RollModifier(TAKING_COVER, "DB-REACT-1", 1, f"{target} takes cover"),) if taking_cover else ()


def end_charge_and_cover(by: str, target: str, state: State, *, charge: bool) -> Iterator[Fact]:
    """DB-MOVE-3, DB-REACT-1: an attack uses up the ease of a charge and the hindrance of cover taken."""
    if charge and charge_ease(by, target, state):
        yield condition_end(f"{CHARGING} {by}", state, "used", "DB-MOVE-3")
    if cover_hindrance(target, state):
        yield condition_end(f"{TAKING_COVER} {target}", state, "used", "DB-REACT-1")


def record_melee(said: Strike | Defence, one: str, other: str, state: State) -> Iterator[Fact]:
    """DB-MOVE-3: melee is remembered for both sides, by the round; before the first one, that there was any."""
    encounter = state.encounter
    if encounter is None or said.mode == "ranged" or (isinstance(said, Defence) and not is_attack(said, state)):
        return
    name, now = (MELEE, encounter.round) if encounter.round else (EARLY_MELEE, 1)
    for who in (one, other):
        change = now - state.count(who, name)
        if change and state.being(who) is not None:
            yield Counted(rules=("DB-MOVE-3",), who=who, name=name, change=change, now=now, until="encounter")
