"""Target: the number that an attack roll must reach, with every circumstance that changes it."""

from __future__ import annotations

from projections.state import State
from rulebooks.common.sums import SumSteps
from rulebooks.semiautomagic import creatures, items, squares, weapons
from rulebooks.semiautomagic.cover import STANCE_STEPS, Effective, add_cover, effective_cover, stance
from rulebooks.semiautomagic.locations import Spot
from rulebooks.semiautomagic.sight import sight_of


def target_sum(
    who: str, by: str, reach: str, spot: Spot | None, item: str, state: State
) -> tuple[SumSteps, tuple[str, ...]]:
    """TT-OUT-3: the Target, with everything that changes it; causes of different kinds add up (TT-GAP-11).

    Return its sum, and the rules behind it that are no steps of the sum: of covers, sight, speed, the item.
    """
    own = items.item_target(item, state) if item else None
    steps = SumSteps("target", creatures.base_target(who, state) if own is None else own)
    cover, sight = effective_cover(who, state, by), sight_of(who, by, state)
    add_stance_or_cover(steps, who, cover, reach, state)
    sight.add_to(steps)
    squares.add_distance(steps, who, state)
    if spot is not None:
        steps.add(spot.target, "TT-CAL-1", spot.label)
    far = ("TT-SPD-1",) if state.count(who, squares.SQUARES) >= squares.FAST_SQUARES else ()
    rules = (*(cover.rules if cover else ()), *sight.rules, *far)
    return steps, (*item_rules(item, state), *rules, *(("TT-SUM-1",) if rules else ()))


def computed_targets(who: str, state: State) -> list[SumSteps]:
    """TT-OUT-3: the Target of a creature now, against nobody in particular."""
    steps = [target_sum(who, "", reach, None, "", state)[0] for reach in (weapons.MELEE, weapons.RANGED)]
    for reach, each in zip((weapons.MELEE, weapons.RANGED), steps, strict=True):
        each.name = f"Target ({reach})"
    return steps


def add_stance_or_cover(steps: SumSteps, who: str, cover: Effective | None, reach: str, state: State) -> None:
    """TT-STN-1: in the open the stance helps against ranged attacks and hurts in melee; TT-STN-2: not behind cover."""
    name = stance(who, state)
    if cover is not None:
        add_cover(steps, cover)
    elif name:
        bonus = STANCE_STEPS[name]
        steps.add(bonus if reach == weapons.RANGED else -bonus, "TT-STN-1", f"{name}, {reach}")


def item_rules(item: str, state: State) -> tuple[str, ...]:
    """TT-ITM-1: return the rules behind the Target of an item."""
    if not item:
        return ()
    return ("TT-ITM-1", "TT-GAP-23", "TT-ITM-6" if items.is_armour(item, state) else "TT-OUT-13")
