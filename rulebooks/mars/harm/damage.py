"""Damage: what a hit does after armour or shield, and what endurance and health lose."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from typing import Final

import msgspec

from ledger.facts import Fact, Judged, Sum
from projections.derived import derived_of_being
from projections.state import State
from rulebooks.common.dice import EntryDice
from rulebooks.common.sums import SumSteps
from rulebooks.common.values import point_loss
from rulebooks.mars.guards import ENDURANCE, HEALTH, is_challenge
from rulebooks.mars.harm.wounds import fall, health_loss
from rulebooks.mars.tasks.checks import Roll, RollPlan, record_faces, throw_faces
from rulebooks.mars.tasks.roll_values import RollValue
from rulebooks.mars.tasks.stat_values import Value, change_of
from rulebooks.mars.texts import option
from rulebooks.mars.turns.challenges import drop_simple

GRAZE: Final = "graze"
HIT: Final = "hit"
DR: Final = "dr"
CRITICAL: Final = "critical"
PHYSICAL: Final = ("bludgeoning", "piercing", "slashing")
ELEMENTAL: Final = ("arcane", "cold", "electric", "fire", "radiant", "void")


class Impact(msgspec.Struct, frozen=True, kw_only=True):
    """Damage before it lands: its total as rolled or said, and everything that changes it.

    `bonus` is added by a critical. `dr`: damage reduction works against a type that it usually does not stop. `shield`
    is the item that blocks it. `rolls` and `sums` are those of the damage roll.
    """

    target: str
    by: str = ""
    rolled: int
    outcome: str = HIT
    type: str = "bludgeoning"
    bonus: int = 0
    nonlethal: bool = False
    dr: bool = False
    halvings: int = 0
    doublings: int = 0
    shield: str = ""
    rolls: tuple[str, ...] = ()
    sums: tuple[Sum, ...] = ()
    rules: tuple[str, ...] = ()


def land_on_target(impact: Impact, state: State) -> Generator[Fact, None, int]:
    """GR-DMG-1: deal the damage to its target itself, and return how much that takes."""
    damage = damage_taken(impact, state)
    if state.is_read:
        yield judge_damage(impact, "damage", damage, *type_rules(impact), *outcome_rules(impact, state))
    yield from lose(impact, damage.total, state)
    return damage.total


def damage_taken(impact: Impact, state: State) -> SumSteps:
    """GR-ATK-3, GR-DMG-1: less damage reduction, or less half if it grazed, whichever is more; GR-ATK-4: 1 at least."""
    damage = multiplied(impact, impact.bonus if impact.outcome == CRITICAL else 0)
    reduction = damage_reduction(impact, state)
    if impact.outcome != GRAZE:
        damage.take("/down", impact.halvings + 1, "GR-DMG-8", "halved") if impact.halvings else None
        damage.add(-reduction, "GR-DMG-1", "damage reduction")
    elif option(state, "graze_damage") == "dr_then_half":
        damage.take("/down", impact.halvings + 1, "GR-DMG-8", "halved") if impact.halvings else None
        damage.add(-min(reduction, damage.total), "GR-ATK-10", "damage reduction")
        damage.take("/down", 2, "GR-ATK-10", "graze")
    else:
        kept = half_kept(damage.total, impact.halvings + 2, state)
        if damage.total - kept >= reduction:
            damage.add(kept - damage.total, "GR-ATK-3", "graze")
        else:
            damage.add(-reduction, "GR-DMG-1", "damage reduction")
    damage.bound("max", 1, "GR-ATK-4", "a hit always does 1")
    return damage


def half_kept(damage: int, parts: int, state: State) -> int:
    """GR-GAP-16: what a graze leaves: what is taken off is rounded up, or what is left is."""
    return -(-damage // parts) if option(state, "graze_rounding") == "result_up" else damage // parts


def multiplied(impact: Impact, bonus: int) -> SumSteps:
    """GR-DMG-9: the damage with the bonus of a critical; doubled k times it is k + 1 times as much."""
    damage = SumSteps("damage", impact.rolled)
    damage.add(bonus, "GR-ATK-3", "critical")
    if impact.doublings:
        damage.take("*", impact.doublings + 1, "GR-DMG-9", "doubled")
    return damage


def damage_reduction(impact: Impact, state: State) -> int:
    """GR-TYP-1 to 3: the reduction that works: all of it, or none. GR-ATK-3: none against a critical."""
    stops = impact.type in PHYSICAL or (impact.type in ELEMENTAL and impact.dr)
    return worn_reduction(impact.target, state) if stops and impact.outcome != CRITICAL else 0


@derived_of_being
def worn_reduction(who: str, state: State) -> int:
    """Return the damage reduction of what somebody wears."""
    return max(0, int(state.sheet(who, DR) or 0) + change_of(who, DR, state))


def bypasses_block(impact: Impact, state: State) -> bool:
    """GR-TYP-3, GR-GAP-22: a type that is in neither list passes shield and armour, unless the table reads it so."""
    return impact.type not in (*PHYSICAL, *ELEMENTAL) and option(state, "typeless_vs_block") == "bypass"


def judge_damage(impact: Impact, what: str, damage: SumSteps, *rules: str, broken: bool = False) -> Judged:
    """Return the fact of damage, with the whole arithmetic behind it."""
    result = {"damage": "hurt", "block": "broken" if broken else "blocked"}[what]
    return Judged(
        rules=tuple(dict.fromkeys((*rules, *impact.rules))),
        what=what,
        who=impact.by or impact.target,
        against=impact.target,
        sums=(*impact.sums, damage.sum()),
        total=damage.total,
        result=result,
        rolls=impact.rolls,
        final=True,
    )


def type_rules(impact: Impact) -> tuple[str, ...]:
    """Return the rule of the type of damage."""
    return ("GR-TYP-1",) if impact.type in PHYSICAL else ("GR-TYP-2",) if impact.type in ELEMENTAL else ("GR-TYP-3",)


def outcome_rules(impact: Impact, state: State) -> tuple[str, ...]:
    """Return the rules of the outcome: of a graze under the reading in force."""
    dr_then_half = impact.outcome == GRAZE and option(state, "graze_damage") == "dr_then_half"
    return ("GR-ATK-3", "GR-DMG-1", "GR-DMG-2", "GR-ATK-4", *(("GR-ATK-10",) if dr_then_half else ()))


def lose(impact: Impact, damage: int, state: State) -> Iterator[Fact]:
    """GR-DMG-3: endurance first, then health, which may go below 0; then what that does to the target."""
    who = impact.target
    from_endurance = min(damage, state.points(who, ENDURANCE))
    if from_endurance:
        yield point_loss(who, ENDURANCE, from_endurance, impact.type, state, "GR-DMG-3", by=impact.by)
    if damage > from_endurance:
        yield health_loss(who, damage - from_endurance, impact.type, state, "GR-DMG-3", by=impact.by)
    if state.points(who, HEALTH) <= 0:
        yield from fall(who, state, nonlethal=impact.nonlethal)
    if is_challenge(state):
        yield from drop_simple(who, state)


def roll_value(who: str, purpose: str, value: RollValue, throws: EntryDice, *rules: str) -> Generator[Fact, None, Roll]:
    """GR-DMG-1: roll damage that nobody deals: no state of a character bears on it."""
    named = Value(name="damage", roll=value, stats=())
    plan = RollPlan(who=who, purpose=purpose, what="damage roll", value=named, rules=rules)
    like = (plan.value.roll.dice, 0, plan.pick)
    faces = throws.group(lambda dice: throw_faces(plan, 0, dice), lambda faces: faces.sum, like)
    yield from record_faces(plan, faces, (*rules, "GR-OUT-1"), throws)
    total = SumSteps(plan.what, faces.sum)
    total.add(value.flat, "GR-OUT-1", str(value))
    return Roll(
        who=who,
        what=plan.what,
        total=total.total,
        sums=(total.sum(),),
        rolls=(purpose,) if value.dice else (),
        rules=rules,
    )
