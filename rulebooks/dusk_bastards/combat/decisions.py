"""Which function decides each declaration about attacks, reactions and spells, and which checks its form."""

from __future__ import annotations

from rulebooks.common.game import Checks, Decisions, DiceDecisions
from rulebooks.dusk_bastards.combat import areas, attack, defence, reactions, spells
from rulebooks.dusk_bastards.declarations.combat import (
    AreaAttack,
    Attack,
    CastSpell,
    Defence,
    FinishLongSpell,
    Intercept,
    StartLongSpell,
    TakeCover,
)

FORMS: Checks = {
    Attack: attack.check_attack,
    AreaAttack: areas.check_area,
    Defence: defence.check_defence,
    Intercept: reactions.check_intercept,
    CastSpell: spells.check_spell,
    FinishLongSpell: spells.check_spell,
}
DICE_DECISIONS: DiceDecisions = {
    Attack: attack.attack,
    AreaAttack: areas.attack_area,
    Defence: defence.defend,
    Intercept: reactions.intercept,
    CastSpell: spells.cast_spell,
    FinishLongSpell: spells.finish_long_spell,
}
DECISIONS: Decisions = {TakeCover: reactions.take_cover, StartLongSpell: spells.start_long_spell}
