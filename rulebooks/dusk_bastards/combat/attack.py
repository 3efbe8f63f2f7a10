"""Attacks of characters: one roll against a target's difficulty."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from typing import Final

from ledger.dice import Dice
from ledger.errors import Refused
from ledger.facts import ConditionBegan, Ends, EntryId, Fact, PointsLost
from projections.state import State
from rulebooks.common.beings import name_in_line
from rulebooks.common.conditions import condition_end
from rulebooks.common.decisions import decides
from rulebooks.dusk_bastards.combat import situations, this_round, weapons
from rulebooks.dusk_bastards.combat.blow import AttackEffects, deal_blow
from rulebooks.dusk_bastards.combat.modifiers import attack_modifiers, check_attackable
from rulebooks.dusk_bastards.declarations.combat import Attack, Intercept, Strike
from rulebooks.dusk_bastards.declarations.parts import BANDS
from rulebooks.dusk_bastards.declarations.tasks import Task
from rulebooks.dusk_bastards.guards import encounter_of, is_foe, is_out, turn_to_act
from rulebooks.dusk_bastards.harm.conditions import check_effect
from rulebooks.dusk_bastards.harm.damage import Hit
from rulebooks.dusk_bastards.tasks.difficulty import Target, difficulty_of
from rulebooks.dusk_bastards.tasks.resolution import Plan, resolve, wait
from rulebooks.dusk_bastards.tasks.roll import Roll, consequences_of
from rulebooks.dusk_bastards.tasks.stats import is_physical, stat_of
from rulebooks.dusk_bastards.texts import check_whole, option, refusal, value_refusal
from rulebooks.dusk_bastards.turns.allowances import check_action, check_moment, use_action

MISSED: Final = "missed"


def check_attack(said: Attack, state: State) -> None:
    """DB-GAP-59: refuse a malformed attack. DB-GAP-30: or one that names neither a stat nor one of several weapons."""
    check_armed(said, state)
    check_strike(said, said.target, state)


def check_armed(said: Strike, state: State) -> None:
    """DB-GAP-30: refuse what names neither a stat nor one of the weapons on the sheet."""
    if said.stat is None and not said.task and (held := weapons.weapons_of(said.by, state)):
        raise value_refusal("the weapon", f"{' or '.join(held)} (or name a stat and d with its damage)", None)


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
    situations.shot_of(said, target, state).check_weapon()
    shortest, farthest = said.range or "short", said.max_range or "extreme"
    if BANDS.index(farthest) < BANDS.index(shortest):
        raise value_refusal("max_range", f"{shortest} or more", farthest)


def foe_refusal(said: Strike, target: str, state: State) -> Refused:
    """DB-ROLL-3, DB-NPC-1: foes do not roll; the refusal has the line of the character who defends."""
    refused = value_refusal("by", "a player's character, since foes do not roll", said.by)
    if state.kind(target) != "pc":
        return refused.with_hint("What a foe does to another is a ruling of the game master, or ! damage")
    weapon = f" with {name_in_line(said.task)}" if said.task in weapons.weapons_of(said.by, state) else ""
    line = f"{name_in_line(target)} dodge {name_in_line(said.by)}{weapon}"
    if wait := why_no_attack(said.by, state):
        return refused.with_hint(f"{target} defends when {said.by} may attack. {wait.hint}")
    return refused.with_hint(f"{target} defends, with Effort (e1) or without: {line}")


def why_no_attack(foe: str, state: State) -> Refused | None:
    """DB-ACTN-4: why a foe may not attack now; None if it may."""
    try:
        turn = turn_to_act(foe, state, physical=True)
        if turn.in_combat:
            check_action(turn, "standard", state)
    except Refused as refused:
        return refused
    return None


@decides(Attack)
def attack(said: Attack, state: State, dice: Dice) -> Iterator[Fact]:
    """DB-STD-1: an attack is a standard action against a target in range."""
    plan = prepare(said, "attack", [said.target], state)
    yield from begin(plan, state)
    yield from roll_attack(plan, said, said.target, state, dice)


def begin(plan: Plan, state: State) -> Iterator[Fact]:
    """DB-ACTN-1, DB-GAP-80: the action is used, and what ends during the wait bears on nothing."""
    if plan.turn is not None:
        yield from use_action(plan.turn, plan.said.slot, state)
    yield from wait(plan, state)


def prepare(said: Strike, kind: str, targets: Sequence[str], state: State) -> Plan:
    """DB-STD-1: refuse an attack that cannot be made, in the order of the book; return what it is decided from."""
    bases = tuple([check_target(target, said, state) for target in targets])
    stat = stat_of(said, state)
    turn = turn_to_act(said.by, state, physical=is_physical(said, stat))
    check_moment(said, turn, state, is_attack=True)
    for target in targets:
        check_unbroken(target, state)
    retries = next((missed for target in targets if (missed := missed_before(said.by, target, state))), "")
    return Plan(said=said, turn=turn, stat=stat, kind=kind, bases=bases, retries=retries)


def check_target(target: str, said: Task, state: State) -> int:
    """DB-WOUND-5: somebody who is still in the fight. DB-ROLL-4: and has a difficulty, which is returned."""
    if is_out(target, state):
        raise value_refusal("target", "somebody who is still in the fight", target)
    return difficulty_of(target, said, state)


def check_unbroken(target: str, state: State) -> None:
    """DB-DMG-7: a broken thing cannot go lower."""
    if state.kind(target) == "object" and not state.points(target, "state"):
        raise refusal("OBJECT", name=target)


def roll_attack(plan: Plan, said: Strike, target: str, state: State, dice: Dice, *, note: str = "") -> Iterator[Fact]:
    """DB-STD-1, DB-ROLL-4: a roll, after the wait, against the target's number; damage and weapon are what is said."""
    marked = yield from mark_target(said, target, plan.bases[0], state, note=note)
    yield from resolve(plan, [marked], state, dice)


def mark_target(said: Strike, target: str, base: int, state: State, *, note: str = "") -> Generator[Fact, None, Target]:
    """DB-ROLL-4: a target with its own difficulty, the modifiers of the attack, and the effect of a hit.

    `note`: the effect of a hit that does no damage.
    """
    shot = situations.shot_of(said, target, state)
    check_attackable(shot, state)
    modifiers = attack_modifiers(said, shot, state)
    if said.mode != "ranged":
        yield from this_round.record_melee(said.by, target, state)
    yield from this_round.end_charge_and_cover(said.by, target, state, charge=not isinstance(said, Intercept))
    hit = Hit(
        target=target, amount=said.damage or 0, type=said.damage_type, ambient=said.ambient, how="attack", by=said.by
    )
    blow = AttackEffects(hit=hit, wound=said.deals_wound, effects=said.on_hit)
    return Target(against=target, note=note or blow.encode(), base=base, modifiers=modifiers)


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
