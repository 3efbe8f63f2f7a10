"""Which function decides each declaration about encounters, moves and actions."""

from __future__ import annotations

from rulebooks.common.game import Decisions, DiceDecisions
from rulebooks.common.passes import PassOn
from rulebooks.dusk_bastards.declarations.turns import (
    Charge,
    Deed,
    Delay,
    EndEncounter,
    FullDefence,
    Initiative,
    Interrupt,
    JoinEncounter,
    LeaveEncounter,
    Move,
    NewInitiative,
    Pass,
    QuickDeed,
    StartEncounter,
    UseAbility,
)
from rulebooks.dusk_bastards.turns import actions, delay, encounter, initiative, movement, passes

DICE_DECISIONS: DiceDecisions = {Initiative: initiative.roll_initiative, Move: movement.move}
DECISIONS: Decisions = {
    StartEncounter: encounter.start_encounter,
    NewInitiative: initiative.renew_initiative,
    JoinEncounter: encounter.join_encounter,
    LeaveEncounter: encounter.leave_encounter,
    EndEncounter: encounter.end_encounter,
    Charge: movement.charge,
    FullDefence: movement.defend_fully,
    Interrupt: movement.interrupt,
    Pass: passes.pass_actions,
    PassOn: passes.pass_on,
    Delay: delay.delay,
    Deed: actions.do_deed,
    QuickDeed: actions.do_quick_deed,
    UseAbility: actions.use_ability,
}
