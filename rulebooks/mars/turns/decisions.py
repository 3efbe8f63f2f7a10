"""The decisions of encounters, turns and the smaller actions, and what begins a turn by being done."""

from __future__ import annotations

from typing import Final

from ledger.declarations import Declaration
from rulebooks.common.game import Decisions, DiceDecisions
from rulebooks.common.passes import PassOn
from rulebooks.mars.declarations.combat import Attack
from rulebooks.mars.declarations.harm import Stabilise
from rulebooks.mars.declarations.maneuvers import Maneuver
from rulebooks.mars.declarations.tasks import UseSkill
from rulebooks.mars.declarations.turns import (
    BeginTurn,
    Brandish,
    CancelLongAction,
    ChallengeTurn,
    ContinueLongAction,
    DropProne,
    EndEncounter,
    EndTurn,
    InitiativeRuling,
    Interact,
    JoinEncounter,
    LeaveEncounter,
    Move,
    Ready,
    Rise,
    RollInitiative,
    SeekCover,
    SpecialAction,
    StartEncounter,
    StartLongAction,
    TriggerReadied,
)
from rulebooks.mars.turns.actions import act, drop_prone, interact, rise
from rulebooks.mars.turns.challenge_turns import challenge_turn
from rulebooks.mars.turns.cover import seek_cover
from rulebooks.mars.turns.encounter import end_encounter, join_encounter, leave_encounter, start_encounter
from rulebooks.mars.turns.hands import brandish
from rulebooks.mars.turns.initiative import roll_initiative, rule_initiative
from rulebooks.mars.turns.long_actions import cancel_long_action, continue_long_action, start_long_action
from rulebooks.mars.turns.movement import move
from rulebooks.mars.turns.passes import pass_on
from rulebooks.mars.turns.ready import ready, trigger_readied
from rulebooks.mars.turns.turns import begin_turn, end_turn

DECISIONS: Final[Decisions] = {
    StartEncounter: start_encounter,
    JoinEncounter: join_encounter,
    LeaveEncounter: leave_encounter,
    InitiativeRuling: rule_initiative,
    Brandish: brandish,
    DropProne: drop_prone,
    Rise: rise,
    Interact: interact,
    SpecialAction: act,
    Move: move,
    SeekCover: seek_cover,
    Ready: ready,
    StartLongAction: start_long_action,
    ContinueLongAction: continue_long_action,
    CancelLongAction: cancel_long_action,
}
DICE_DECISIONS: Final[DiceDecisions] = {
    RollInitiative: roll_initiative,
    ChallengeTurn: challenge_turn,
    BeginTurn: begin_turn,
    TriggerReadied: trigger_readied,
    EndEncounter: end_encounter,
    EndTurn: end_turn,
    PassOn: pass_on,
}
TURN_ACTIONS: Final[tuple[type[Declaration], ...]] = (
    Attack,
    Maneuver,
    UseSkill,
    Brandish,
    DropProne,
    Rise,
    Interact,
    SpecialAction,
    Move,
    SeekCover,
    Ready,
    StartLongAction,
    ContinueLongAction,
    CancelLongAction,
    Stabilise,
)
"""Whoever does one of these begins the own turn with it, if that is due and its start needs no dice."""
