"""Damage and armor; what happens at 0 health; death."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

import msgspec

from ledger.facts import GM, ConditionBegan, Fact, Judged, Sum, WindowOpened
from projections.derived import derived_of_being
from projections.state import State
from rulebooks.common.conditions import condition_values, find_condition, new_condition
from rulebooks.common.decisions import decides
from rulebooks.common.sums import SumSteps
from rulebooks.common.values import point_loss, sheet_number
from rulebooks.dusk_bastards.declarations.harm import Damage
from rulebooks.dusk_bastards.guards import WOUND_DUE, check_no_wound_due, check_not_out
from rulebooks.dusk_bastards.harm.health import HEALTH, LASTING
from rulebooks.dusk_bastards.harm.stun import RISING, end_stun, stun
from rulebooks.dusk_bastards.texts import check_whole, option, value_refusal

DamageType = Literal["normal", "speed", "intellect"]


class Hit(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One instance of damage: to whom, how much, of what type, by whom."""

    target: str
    amount: int
    type: DamageType = "normal"
    ambient: bool = False
    how: str = "damage"
    by: str = ""
    lasting: bool = False
    because: tuple[str, ...] = ()  # the rules that brought it


@decides(Damage)
def deal_damage(said: Damage, state: State) -> Iterator[Fact]:
    """DB-DMG-2: damage from any source, as the game master says."""
    check_whole("amount", said.amount, 1)
    check_can_be_hurt(said.target, state)
    hit = Hit(
        target=said.target,
        amount=said.amount,
        type=said.damage_type,
        ambient=said.ambient,
        lasting=said.lasting,
        how=said.source or "damage",
    )
    yield from hurt(hit, state)


def check_can_be_hurt(target: str, state: State) -> None:
    """Refuse a target without health or out of the fight, and all damage while a wound roll is due."""
    if (target, HEALTH) not in state.pools:
        raise value_refusal("target", "somebody with health, spelled as on the sheet", target)
    check_not_out(target, state)
    check_no_wound_due(state)


@derived_of_being
def grade(who: str, state: State) -> str:
    """Return how damage affects somebody: as pc, minion, elite or object."""
    kind = state.kind(who) or "pc"
    return str(state.sheet(who, "grade")) if kind == "npc" else kind


def armor(hit: Hit, state: State) -> list[tuple[str, int, str]]:
    """DB-ARMOR-2: the best of each kind. DB-ARMOR-4, DB-AMB-1: speed, intellect and ambient damage pass physical."""
    if hit.ambient and option(state, "ambient_ignores") == "all":
        return []
    kinds = ("physical", "ability", "magic") if hit.type == "normal" and not hit.ambient else ("ability", "magic")
    values = [(kind, best_armor(hit.target, kind, state)) for kind in kinds]
    return [("DB-ARMOR-3", value, f"{kind} armor") for kind, value in values if value]


@derived_of_being
def best_armor(who: str, kind: str, state: State) -> int:
    """DB-ARMOR-2: the best of a kind, on the sheet or given for a while."""
    worn = sheet_number(who, f"armor.{kind}", state)
    return max([worn, *condition_values(who, f"armor.{kind}", state)])


def net_damage(hit: Hit, state: State) -> Sum:
    """DB-DMG-2: damage less the armor that applies, never below 0."""
    total = SumSteps("damage", hit.amount)
    for rule, value, reason in armor(hit, state):
        total.add(-value, rule, reason)
    total.bound("max", 0, "DB-ARMOR-3", "never below 0")
    return total.sum()


def hurt(hit: Hit, state: State) -> Iterator[Fact]:
    """DB-DMG-2: one instance of damage, and its consequences, in this order: damage, stunned, wound roll."""
    net = net_damage(hit, state)
    passed = (*(("DB-ARMOR-4",) if hit.type != "normal" else ()), *(("DB-AMB-1",) if hit.ambient else ()))
    yield Judged(
        rules=(*hit.because, "DB-DMG-2", "DB-ARMOR-2", "DB-ARMOR-3", *passed, *armor_rules(hit, state)),
        what="damage",
        who=hit.by,
        against=hit.target,
        sums=(net,),
        total=net.total,
        result="hurt" if net.total else "stopped",
        final=True,
    )
    if (hit.target, hit.type) in state.pools and option(state, "stat_damage_target") == "pool":
        yield from lose_points(hit, hit.type, net.total, state)
        return
    before = state.points(hit.target, HEALTH)
    yield from lose_points(hit, HEALTH, net.total, state)
    if net.total and before and net.total >= before:
        yield from drop_to_zero(hit, state)
    elif net.total and not before and option(state, "hits_at_zero") == "wound" and can_be_wounded(hit.target, state):
        yield due_wound_roll(hit.target, hit.by, state, "DB-ZERO-2")


def armor_rules(hit: Hit, state: State) -> tuple[str, ...]:
    """DB-ARMOR-1: light, medium and heavy armor is physical. DB-ARMOR-5: so is a foe's that is one number."""
    if not state.sheet(hit.target, "armor.physical"):
        return ()
    return ("DB-ARMOR-1",) if grade(hit.target, state) == "pc" else ("DB-ARMOR-5",)


def lose_points(hit: Hit, pool: str, net: int, state: State) -> Iterator[Fact]:
    """DB-DMG-2, DB-DMG-3: a pool loses what it has; damage beyond 0 is lost."""
    points = min(net, state.points(hit.target, pool))
    if points:
        yield point_loss(hit.target, pool, net, hit.how, state, "DB-DMG-2", "DB-DMG-3", by=hit.by)
    if points and hit.lasting and pool == HEALTH:
        yield lasting_damage(hit.target, points, state)


def lasting_damage(who: str, points: int, state: State) -> ConditionBegan:
    """DB-SPEC-4: health that ordinary means do not restore, until the game master ends the condition."""
    earlier = find_condition(who, LASTING, state)
    degree = points + (earlier.degree if earlier else 0)
    return new_condition(who, LASTING, "DB-SPEC-4", degree=degree)


def can_be_wounded(who: str, state: State) -> bool:
    """DB-DMG-4, DB-DMG-5: characters and elites take wounds, minions do not."""
    return grade(who, state) in ("pc", "elite")


def drop_to_zero(hit: Hit, state: State) -> Iterator[Fact]:
    """DB-ZERO-1: stunned for one turn, 1 health to come, a wound roll due. DB-DMG-4: a minion dies."""
    if not can_be_wounded(hit.target, state):
        yield from die(hit.target, state, "DB-DMG-4")
        return
    yield stun(hit.target, state, "DB-ZERO-1")
    yield new_condition(hit.target, RISING, "DB-ZERO-4")
    yield due_wound_roll(hit.target, hit.by, state, "DB-ZERO-1")


def die(who: str, state: State, *rules: str) -> Iterator[Fact]:
    """DB-WOUND-5: dead at once."""
    yield from end_stun(who, state, *rules, "DB-WOUND-5")
    yield new_condition(who, "dead", *rules, "DB-WOUND-5")


def due_wound_roll(who: str, by: str, state: State, *rules: str) -> WindowOpened:
    """DB-WOUND-11: a wound roll is due. DB-DMG-6: an elite's is made by the player who dealt the damage."""
    names = (f"{WOUND_DUE} {who}", *(f"{WOUND_DUE} {who}, {number}" for number in range(2, len(state.windows) + 3)))
    name = next(name for name in names if name not in state.windows)
    roller, whose = (who, ()) if grade(who, state) == "pc" else (by or GM, ("DB-DMG-6",))
    cited = (*rules, "DB-WOUND-11", *whose)
    return WindowOpened(rules=cited, window=name, kind=WOUND_DUE, who=who, awaits=(roller,), data="")
