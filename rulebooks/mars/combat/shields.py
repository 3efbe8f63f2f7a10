"""Shields: which one blocks, what a block costs and stops, the durability that is lost, and its repair."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from typing import Final

import msgspec

from ledger.facts import Fact
from projections.derived import derived_of_being
from projections.state import State
from rulebooks.common.decisions import decides
from rulebooks.common.sums import SumSteps
from rulebooks.common.values import new_points, point_loss
from rulebooks.mars import guards
from rulebooks.mars.combat.weapons import carried_items, choose, held_items, is_broken, item_number
from rulebooks.mars.declarations.harm import Repair
from rulebooks.mars.declarations.parts import Reaction
from rulebooks.mars.harm import damage
from rulebooks.mars.harm.damage import Impact
from rulebooks.mars.texts import check_reason, option, refusal, value_refusal
from rulebooks.mars.turns.actions import spend_stamina

BLOCK: Final = "block"


@derived_of_being
def held_shields(who: str, state: State) -> tuple[str, ...]:
    """GR-BLK-1: return the shields that somebody has in hand, broken ones too."""
    return tuple(item for item in held_items(who, state) if item_number(who, item, "block", state))


def whole_shields(who: str, state: State) -> tuple[str, ...]:
    """GR-BLK-1, GR-BLK-6: return the shields in hand that can still block."""
    held = held_shields(who, state)
    return tuple([shield for shield in held if not is_broken(who, shield, state)]) if held else held


def find_shield(who: str, item: str, state: State) -> str:
    """GR-BLK-1: return the shield that blocks: the one named, the only one, or the only one that is whole."""
    every = held_shields(who, state)
    chosen = choose(item, every if item else whole_shields(who, state) or every[:1])
    if not chosen:
        case = ("other" if item else "several") if every else ""
        raise refusal("NO-SHIELD", case, name=who, item=item, items=", ".join(every) or "none")
    return chosen


def check_block(who: str, block: Reaction, state: State) -> None:
    """GR-BLK-1: a shield in hand, whole (GR-BLK-6), against what comes from the front."""
    shield = find_shield(who, block.item, state)
    if is_broken(who, shield, state):
        raise refusal("SHIELD-BROKEN", name=who, item=shield)
    if not block.front:
        raise refusal("NOT-FRONT", name=who)


def pay_block(who: str, state: State, *, free: bool = False) -> Iterator[Fact]:
    """GR-BLK-1: 1 stamina, as a free reaction, when the attack would hit."""
    if not free:
        yield from spend_stamina(who, 1, BLOCK, state, "GR-BLK-1", "GR-ACT-5")


def land(impact: Impact, state: State) -> Generator[Fact, None, int]:
    """GR-DMG-1, GR-BLK-2: deal the damage to the shield that blocks it, or to its target.

    Returns what the target itself takes.
    """
    return land_on_shield(impact, state) if impact.shield else damage.land_on_target(impact, state)


def land_on_shield(impact: Impact, state: State) -> Generator[Fact, None, int]:
    """GR-BLK-2, GR-BLK-5: the shield is hit instead; what is beyond its durability goes on to the wielder as a hit."""
    who, pool = impact.target, impact.shield
    to_shield = damage_to_shield(impact, state)
    held = state.points(who, pool)
    excess = max(0, to_shield.total - held)
    broken = to_shield.total >= held
    critical = ("GR-BLK-3", "GR-OUT-10") if impact.outcome == damage.CRITICAL else ()
    rules = ("GR-BLK-2", "GR-BLK-7", "GR-BLK-4", *critical)
    yield damage.judge_damage(impact, "block", to_shield, *rules, *(("GR-BLK-6",) if broken else ()), broken=broken)
    if to_shield.total:
        yield point_loss(who, pool, to_shield.total, impact.type, state, *rules, by=impact.by)
    if not excess:
        return 0
    through = SumSteps("damage", excess)
    reduction = 0 if damage.bypasses_block(impact, state) else damage.worn_reduction(who, state)
    through.add(-reduction, "GR-BLK-5", "damage reduction")
    through.bound("max", 1, "GR-BLK-5", "a hit always does 1")
    yield damage.judge_damage(
        msgspec.structs.replace(impact, sums=(), rolls=()), "damage", through, "GR-BLK-5", *damage.type_rules(impact)
    )
    yield from damage.lose(impact, through.total, state)
    return through.total


def damage_to_shield(impact: Impact, state: State) -> SumSteps:
    """GR-BLK-7: half the bonus of a critical, half of a graze, less the block value."""
    taken = damage.multiplied(impact, impact.bonus // 2 if impact.outcome == damage.CRITICAL else 0)
    block = block_value(impact, state)
    if impact.outcome != damage.GRAZE:
        taken.take("/down", impact.halvings + 1, "GR-DMG-8", "halved") if impact.halvings else None
        taken.add(-block, "GR-BLK-2", f"block of the {impact.shield}")
    elif option(state, "blocked_graze") == "larger":
        half = taken.total - damage.half_kept(taken.total, impact.halvings + 2, state)
        because = "graze" if half >= block else f"block of the {impact.shield}"
        taken.add(-max(half, block), "GR-BLK-7", because)
    else:
        rounded = "/up" if option(state, "graze_rounding") == "result_up" else "/down"
        taken.take(rounded, impact.halvings + 2, "GR-BLK-7", "graze")
        taken.add(-block, "GR-BLK-2", f"block of the {impact.shield}")
    least = int(option(state, "block_minimum"))
    taken.bound("max", least, "GR-BLK-7", f"a blocked hit does {least} at least")
    return taken


def block_value(impact: Impact, state: State) -> int:
    """GR-BLK-2: the block value of the shield. GR-GAP-20, GR-GAP-22: readings without it."""
    pierces = impact.outcome == damage.CRITICAL and option(state, "critical_ignores_block") == "on"
    if pierces or damage.bypasses_block(impact, state):
        return 0
    return item_number(impact.target, impact.shield, "block", state)


@decides(Repair)
def repair(said: Repair, state: State) -> Iterator[Fact]:
    """GR-BLK-6: a shield gets durability back, and is broken no more."""
    guards.check_alive(said.who, state)
    if said.item not in carried_items(said.who, state) or (said.who, said.item) not in state.pools:
        shields = ", ".join(item for item in carried_items(said.who, state) if (said.who, item) in state.pools)
        raise value_refusal("item", shields or "a shield", said.item)
    pool = state.pools[said.who, said.item]
    if not pool.points <= said.durability <= (pool.most or 0):
        domain = f"{pool.points} to {pool.most}, what the {said.item} has after it"
        domain = domain if pool.points < (pool.most or 0) else f"{pool.most}, as the {said.item} is whole"
        raise value_refusal("durability", domain, said.durability)
    check_reason(said.reason, "A repair")
    yield new_points(said.who, said.item, said.durability, said.reason, state, "GR-BLK-6")
