"""The decisions of checks."""

from __future__ import annotations

from typing import Final

from rulebooks.common.game import DiceDecisions
from rulebooks.mars.declarations.tasks import Check, GroupCheck, UseSkill
from rulebooks.mars.tasks.skills import check, group_check, use_skill

DICE_DECISIONS: Final[DiceDecisions] = {Check: check, UseSkill: use_skill, GroupCheck: group_check}
