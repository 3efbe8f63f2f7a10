"""The numbers of a creature: scale and squares, base Target, Toughness, speed."""

from __future__ import annotations

from typing import Final

from projections.state import State
from rulebooks.common.sums import SumSteps
from rulebooks.common.values import sheet_number
from rulebooks.semiautomagic.items import DISABLED, is_destroyed, items_of, wounds

WOUND: Final = "wound"
MIN_TOUGHNESS: Final = 6  # below Toughness
SLOWED: Final = "slowed"
SLOWED_FLIGHT: Final = "slowed flight"
GROUNDED: Final = "grounded"
HURT_HAND: Final = "hurt hand"
INJURIES: Final = (SLOWED, SLOWED_FLIGHT, GROUNDED, HURT_HAND, DISABLED)


def scale(who: str, state: State) -> int:
    """TT-OUT-7: the size step: human 0, cat -1, horse 1."""
    return sheet_number(who, "scale", state)


def side_of_square(who: str, state: State) -> tuple[int, int]:
    """TT-OUT-7: the side of a creature's square in metres, 2^scale, as numerator and denominator."""
    step = scale(who, state)
    return (2**step, 1) if step >= 0 else (1, 2**-step)


def base_target(who: str, state: State) -> int:
    """TT-OUT-3: 4 less the scale, unless the sheet says otherwise."""
    written = state.sheet(who, "target")
    return written if isinstance(written, int) else 4 - scale(who, state)


def defence_bonus(who: str, state: State, durability: int = 0) -> tuple[int, str]:
    """TT-OUT-5: the best Defence bonus and its source; armour, natural armour, skill and a cover do not add up."""
    worn = [item for item in items_of(who, state, "worn") if not is_destroyed(item, state)]
    sources = [
        *((sheet_number(item, "defence", state), item) for item in worn),
        (sheet_number(who, "armour", state), "natural armour"),
        (sheet_number(who, "unarmoured", state), "Unarmoured"),
        (durability, "durability of the cover"),
    ]
    return max((0, ""), *sources, key=lambda source: source[0])


def toughness(who: str, state: State, durability: int = 0) -> SumSteps:
    """TT-OUT-5: 6 + 3 x scale + Endurance + the best Defence bonus. TT-OUT-6: less 1 for each wound."""
    steps = SumSteps("toughness", 6)
    steps.add(3 * scale(who, state), "TT-OUT-5", f"3 x scale {scale(who, state)}")
    steps.add(sheet_number(who, "endurance", state), "TT-OUT-5", "Endurance")
    bonus, source = defence_bonus(who, state, durability)
    steps.add(bonus, "TT-HIT-4" if source.endswith("cover") else "TT-OUT-5", source)
    steps.add(-wounds(who, state), "TT-OUT-6", "wounds")
    return steps


def movement(who: str, state: State) -> SumSteps:
    """TT-CAL-4, TT-GAP-13: squares on the ground, less those of hurt legs, never below 0."""
    steps = SumSteps("speed", sheet_number(who, "speed", state))
    steps.add(-degrees(who, SLOWED, state), "TT-CAL-4", "hurt legs")
    steps.bound("max", 0, "TT-GAP-13", "never below 0")
    return steps


def flight(who: str, state: State) -> SumSteps:
    """TT-CAL-4: squares in flight, less those of hurt wings; 0 for who cannot fly any more."""
    steps = SumSteps("flight", sheet_number(who, "flight", state))
    steps.add(-degrees(who, SLOWED_FLIGHT, state), "TT-CAL-4", "hurt wings")
    steps.bound("max", 0, "TT-GAP-13", "never below 0")
    if any(condition.name == GROUNDED for _, condition in state.conditions_of(who)):
        steps.bound("min", 0, "TT-CAL-4", "cannot fly")
    return steps


def degrees(who: str, name: str, state: State) -> int:
    """Return the degrees of all conditions of this name together: each hurt limb counts."""
    return sum(condition.degree for _, condition in state.conditions_of(who) if condition.name == name)


def numbers(who: str, state: State) -> list[SumSteps]:
    """TT-OUT-5, TT-CAL-4: Toughness, Minimum Toughness and speeds of a creature now, for whoever asks."""
    least = toughness(who, state)
    least.name = "Minimum Toughness"
    least.add(-MIN_TOUGHNESS, "TT-OUT-5", "below Toughness")
    return [
        toughness(who, state),
        least,
        movement(who, state),
        *([flight(who, state)] if sheet_number(who, "flight", state) else []),
    ]
