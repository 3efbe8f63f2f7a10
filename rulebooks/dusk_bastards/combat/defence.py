"""Defences of characters: against a foe's attack, a foe's area attack, or a poison or disease."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from typing import Final

import msgspec

from ledger.dice import Dice
from ledger.facts import Counted, EntryId, Fact
from projections.state import State
from rulebooks.common.decisions import decides
from rulebooks.dusk_bastards import guards
from rulebooks.dusk_bastards.combat.blow import AttackEffects, deal_blow
from rulebooks.dusk_bastards.combat.modifiers import shot_modifiers
from rulebooks.dusk_bastards.combat.situations import Shot, shot_at
from rulebooks.dusk_bastards.combat.this_round import end_charge_and_cover, record_melee, round_modifiers
from rulebooks.dusk_bastards.declarations.combat import Defence
from rulebooks.dusk_bastards.harm import ailments, conditions, stun
from rulebooks.dusk_bastards.harm.damage import Hit
from rulebooks.dusk_bastards.tasks.difficulty import DIFFICULTY_MOST, RollModifier, Target, difficulty_of
from rulebooks.dusk_bastards.tasks.effects import mirror, own_modifiers
from rulebooks.dusk_bastards.tasks.resolution import Plan, resolve, wait
from rulebooks.dusk_bastards.tasks.roll import Roll, consequences_of
from rulebooks.dusk_bastards.texts import check_whole, value_refusal
from rulebooks.dusk_bastards.turns import allowances

AREA: Final = "area"


def check_defence(said: Defence, state: State) -> None:
    """DB-GAP-59: refuse a defence that is neither against a foe in play nor has a difficulty of its own."""
    being = state.being(said.source)
    if said.difficulty is not None and not 0 <= said.difficulty <= DIFFICULTY_MOST:
        return  # the game master's number is refused behind the dice
    if said.difficulty is not None:
        check_whole("difficulty", said.difficulty, 1, DIFFICULTY_MOST)
    if said.damage is not None:
        check_whole("damage", said.damage, 0)
    if being is None and said.source and said.difficulty is None:
        raise value_refusal("source", "a foe in play, or a difficulty", said.source)
    if being is not None and (being.kind == "pc" or being.name != said.source):
        raise value_refusal("source", "a foe in play, spelled as on the sheet", said.source)
    for effect in said.on_fail:
        conditions.check_effect(effect)
    ailments.check_not_resisted_today(said, state)
    shot_at(said, state).check_weapon()


@decides(Defence)
def defend(said: Defence, state: State, dice: Dice) -> Iterator[Fact]:
    """DB-ROLL-3: a foe's attack is a defence roll of the character, against the foe's difficulty.

    DB-SPEC-3: poison and disease have a difficulty of their own, declared or ruled before.
    """
    id, ailment = ailments.find_ailment(said, state) or ("", None)
    data = ailments.ailment_data(ailment) if ailment else None
    if data is not None:
        said = msgspec.structs.replace(said, difficulty=data.difficulty)
    if said.area:
        check_area_once(said, state)
    base = difficulty_of("" if said.cause else said.source, said, state)
    guards.check_not_out(said.by, state)
    if said.cause is None and guards.is_foe(said.source, state):
        if not (said.area and has_attacked_area(said.source, state)):
            yield from use_foe_action(said, state)
        if said.area:
            yield from record_area(said, state)
    guards.check_alive(said.by, state)
    allowances.check_take20(said, guards.turn_of(said.by, state))
    if said.take20:
        raise value_refusal("take20", "left out of a defence, since an attack does not wait", "take20")
    if ailment is not None:
        yield from ailments.record_resistance(id, ailment, state)
    yield from roll_defence(said, base, data.blow if data else foe_blow(said, state), state, dice)


def use_foe_action(said: Defence, state: State) -> Iterator[Fact]:
    """DB-ACTN-4: a foe's attack is its standard action, in its own slot, unless stated otherwise."""
    yield from stun.recover_actors((said.source,), state)
    physical = said.physical is not False
    if said.npc_slot == "reaction":
        turn = allowances.check_reaction(said.source, state, in_encounter=False, physical=physical)
        yield from allowances.use_reaction(turn, state)
        return
    turn = guards.turn_to_act(said.source, state, physical=physical)
    if said.npc_slot == "standard" and turn.in_combat:
        allowances.check_action(turn, "standard", state)
        yield from allowances.use_action(turn, "standard", state)


def foe_blow(said: Defence, state: State) -> AttackEffects:
    """DB-ROLL-3: a failed defence lets through the foe's own damage, unless another is said.

    DB-SPEC-3, DB-SPEC-4: poison and disease cite themselves.
    """
    written = state.sheet(said.source, "damage") if said.source and said.cause is None else None
    amount = said.damage if said.damage is not None else written if isinstance(written, int) else 0
    hit = Hit(
        target=said.by,
        amount=amount,
        type=said.damage_type,
        ambient=said.ambient,
        lasting=said.lasting,
        how=said.cause or ("" if said.source else said.task) or "attack",
        by=said.source,
        because=() if said.cause is None else ("DB-SPEC-3" if said.cause == "poison" else "DB-SPEC-4",),
    )
    return AttackEffects(hit=hit, wound=said.wound, effects=said.on_fail, lose_action=said.lose_action)


def roll_defence(said: Defence, base: int, blow: AttackEffects, state: State, dice: Dice) -> Iterator[Fact]:
    """DB-ROLL-4: modifiers that ease the foe's attack hinder the defence, and so on; the stakes are known."""
    rules = (*blow.hit.because, *(("DB-AREA-2",) if said.area else ()))
    plan = Plan(said=said, stat=said.stat or ("might" if said.cause else "speed"), kind="defence", rules=rules)
    yield from wait(plan, state)
    modifiers = yield from meet_attack(said, state, intercepts=blow.interception is not None)
    target = Target(base=base, against=said.source, note=blow.encode(), modifiers=modifiers)
    yield from resolve(plan, [target], state, dice)


def meet_attack(said: Defence, state: State, *, intercepts: bool) -> Generator[Fact, None, tuple[RollModifier, ...]]:
    """DB-ROLL-4: the attack as it is when it comes: its modifiers, and what it uses up."""
    shot = shot_at(said, state)
    modifiers = defence_modifiers(said, shot, state, intercepts=intercepts)
    if shot.is_attack and not shot.ranged:
        yield from record_melee(said.by, said.source, state)
    if shot.is_attack:
        yield from end_charge_and_cover(said.source, said.by, state, charge=not intercepts)
    return modifiers


@consequences_of("defence")
def settle_defence(roll: Roll, state: State, won: bool, opened: EntryId | None) -> Iterator[Fact]:
    """DB-ROLL-3: a failed defence lets the attack through: damage, then a wound."""
    if not won and roll.note:
        yield from deal_blow(AttackEffects.decode(roll.note), state)


def defence_modifiers(said: Defence, shot: Shot, state: State, *, intercepts: bool = False) -> tuple[RollModifier, ...]:
    """DB-ROLL-4: the modifiers of the foe's attack, mirrored. DB-SPEC-3: none of them apply to an ailment."""
    situation = shot_modifiers(shot, said.denied if shot.is_attack else (), state)
    if not shot.is_attack:
        return mirror(situation)
    this_round = round_modifiers(said.source, said.by, state, charge=not intercepts)
    return mirror((*situation, *this_round, *own_modifiers(said.source, "attack", state)))


# Area attacks of foes: one action of theirs, one defence of each character in the area


def has_attacked_area(foe: str, state: State) -> bool:
    """DB-AREA-2: whether a foe has attacked an area in this round."""
    return bool(state.count(foe, AREA))


def check_area_once(said: Defence, state: State) -> None:
    """DB-AREA-2: one defence roll of each; a second against the same action is refused."""
    if state.count(said.by, area_count(said.source)):
        raise value_refusal("area", f"an area attack that {said.by} has not met yet in this round", said.source)


def record_area(said: Defence, state: State) -> Iterator[Fact]:
    """DB-AREA-2: a foe attacks an area; everybody else in it defends against the same action."""
    if not guards.is_in_combat(said.source, state):
        return
    for who, name in ((said.source, AREA), (said.by, area_count(said.source))):
        if not state.count(who, name):
            yield Counted(rules=("DB-AREA-2",), who=who, name=name, change=1, now=1, until="round")


def area_count(foe: str) -> str:
    """Return the name of the count of somebody's defences against this foe's area attack."""
    return f"{AREA} of {foe}"
