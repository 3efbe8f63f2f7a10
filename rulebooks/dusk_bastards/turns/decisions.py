"""What decides each declaration about encounters, moves and actions."""

from __future__ import annotations

from rulebooks.common.game import Decided, Rolled
from rulebooks.dusk_bastards.declarations import (
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
from rulebooks.dusk_bastards.turns import actions, encounter, movement

ROLLED: Rolled = {
    Initiative: encounter.initiative,
    Move: movement.move,
}
DECIDED: Decided = {
    StartEncounter: encounter.start_encounter,
    NewInitiative: encounter.new_initiative,
    JoinEncounter: encounter.join_encounter,
    LeaveEncounter: encounter.leave_encounter,
    EndEncounter: encounter.end_encounter,
    Charge: movement.charge,
    FullDefence: movement.full_defence,
    Interrupt: movement.interrupt,
    Pass: movement.pass_actions,
    Delay: actions.delay,
    Deed: actions.deed,
    QuickDeed: actions.quick_deed,
    UseAbility: actions.use_ability,
}
