"""Turns: the actions that somebody has until the next turn or round."""

from __future__ import annotations

from ledger.facts import ActionSpent
from projections.state import State


def action_use(who: str, action: str, state: State, outcome: str, *rules: str, cost: int = 1) -> ActionSpent:
    """Return an action that is used, passed, given up or lost."""
    left = state.actions_left(who, action) - cost
    return ActionSpent(rules=rules, who=who, action=action, cost=cost, left=left, outcome=outcome)
