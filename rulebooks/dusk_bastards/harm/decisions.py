"""Which function decides each declaration about damage, wounds, ailments, conditions and rest."""

from __future__ import annotations

from rulebooks.common.game import Decisions, DiceDecisions
from rulebooks.dusk_bastards.declarations.harm import (
    Damage,
    Disease,
    Hazard,
    HealWound,
    InflictWound,
    Poison,
    Rest,
    SetCondition,
    Share,
    WoundRoll,
)
from rulebooks.dusk_bastards.declarations.world import AdvanceTime
from rulebooks.dusk_bastards.harm import ailments, conditions, damage, hazards, recovery, rest, wounds

DICE_DECISIONS: DiceDecisions = {WoundRoll: wounds.roll_wound, Rest: rest.rest}
DECISIONS: Decisions = {
    Damage: damage.deal_damage,
    Hazard: hazards.apply_hazard,
    Poison: ailments.begin_ailment,
    Disease: ailments.begin_ailment,
    InflictWound: wounds.inflict_wound,
    SetCondition: conditions.set_condition,
    Share: recovery.share,
    HealWound: rest.heal_wound,
    AdvanceTime: rest.advance_time,
}
