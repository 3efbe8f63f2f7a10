"""Turns: how many actions of each kind somebody has until the next turn or round."""

from __future__ import annotations

from collections.abc import Iterable

from ledger.facts import ActionSpent, Allowed
from projections.state import State


def action_renewal(who: Iterable[str], actions: tuple[tuple[str, int], ...], until: str, *rules: str) -> Allowed:
    """Return new allowances: so many of each action for everybody."""
    return Allowed(rules=rules, who=tuple(who), actions=actions, until=until)


def action_use(who: str, action: str, state: State, outcome: str, *rules: str) -> ActionSpent:
    """Return one action used, passed, given up or lost."""
    return ActionSpent(
        rules=rules, who=who, action=action, cost=1, left=state.actions_left(who, action) - 1, outcome=outcome
    )
