"""Which function decides each declaration about damage, effects, rests and medicine."""

from __future__ import annotations

from rulebooks.common.game import Decisions, DiceDecisions
from rulebooks.mars.declarations.harm import (
    ApplyEffect,
    BreakObject,
    Concentrate,
    ConcentrationCheck,
    DealDamage,
    Deprive,
    Douse,
    EndDay,
    LongRest,
    RemoveEffect,
    Repair,
    Restore,
    ResumeLongRest,
    ShortRest,
    Stabilise,
    Treat,
    Wake,
)
from rulebooks.mars.harm import concentration, days, death, deprivation, effects, fire, medicine, rest, traps

DICE_DECISIONS: DiceDecisions = {
    DealDamage: traps.deal_damage,
    BreakObject: traps.break_object,
    ConcentrationCheck: concentration.concentration_check,
    Treat: medicine.treat,
    Stabilise: death.stabilise,
    EndDay: days.end_day,
}
DECISIONS: Decisions = {
    ApplyEffect: effects.apply_effect,
    RemoveEffect: effects.remove_effect,
    Douse: fire.douse,
    Concentrate: concentration.concentrate,
    ShortRest: rest.short_rest,
    LongRest: rest.long_rest,
    ResumeLongRest: rest.resume_long_rest,
    Repair: medicine.repair,
    Restore: medicine.restore_points,
    Wake: medicine.wake,
    Deprive: deprivation.deprive,
}
