"""Which function decides each declaration about maneuvers."""

from __future__ import annotations

from rulebooks.common.game import Decisions, DiceDecisions
from rulebooks.mars.declarations.maneuvers import AcquireManeuver, Maneuver
from rulebooks.mars.maneuvers.performance import perform
from rulebooks.mars.maneuvers.slots import acquire_maneuver

DICE_DECISIONS: DiceDecisions = {Maneuver: perform}
DECISIONS: Decisions = {AcquireManeuver: acquire_maneuver}
