"""Which function decides each declaration about attacks and the defences against them."""

from __future__ import annotations

from rulebooks.common.announcements import Announce, Go
from rulebooks.common.game import Decisions, DiceDecisions
from rulebooks.mars.combat import announced, attack
from rulebooks.mars.declarations.combat import Attack, Block, Evade, Parry
from rulebooks.mars.declarations.maneuvers import AnswerWithManeuver

DICE_DECISIONS: DiceDecisions = {
    Attack: attack.attack,
    AnswerWithManeuver: announced.answer_with_maneuver,
    Go: announced.go,
}
DECISIONS: Decisions = {
    Evade: announced.answer,
    Parry: announced.answer,
    Block: announced.answer,
    Announce: announced.announce,
}
