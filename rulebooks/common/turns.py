"""Allowances: so many of each action until the next turn or round; each is spent once."""

from __future__ import annotations

from collections.abc import Iterable

from ledger.facts import ActionSpent, Allowed
from projections.state import State


def renewed(who: Iterable[str], actions: tuple[tuple[str, int], ...], until: str, *rules: str) -> Allowed:
    """Everybody may take so many of each again."""
    return Allowed(rules=rules, who=tuple(who), actions=actions, until=until)


def spent(who: str, action: str, state: State, outcome: str, *rules: str) -> ActionSpent:
    """One action is used, passed, given up or lost."""
    return ActionSpent(
        rules=rules, who=who, action=action, cost=1, left=state.actions_left(who, action) - 1, outcome=outcome
    )
