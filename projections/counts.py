"""Counts, and the actions that may still be taken."""

from __future__ import annotations

from ledger.facts import ActionSpent, Allowed, Counted, CountsCleared, EntryId
from projections.checks import check_bounds, check_sum
from projections.state import Count, Evolve, State


def counted(state: State, entry: EntryId, fact: Counted) -> None:
    """A count goes up or down, never below none nor above its size; at none it is forgotten."""
    check_sum(entry, fact, "now", fact.now, state.count(fact.who, fact.name) + fact.change)
    check_bounds(entry, fact, fact.now, 0, fact.of)
    count = Count(now=fact.now, of=fact.of, until=fact.until)
    state.put(state.counts, (fact.who, fact.name), count if fact.now else None)


def cleared(state: State, entry: EntryId, fact: CountsCleared) -> None:
    """All counts that were kept until then are forgotten."""
    for who, name in sorted(state.counts):
        if state.counts[who, name].until == fact.until and fact.who in ("", who):
            state.put(state.counts, (who, name), None)


def allowed(state: State, entry: EntryId, fact: Allowed) -> None:
    """So many of each action, whatever was left before."""
    for who in fact.who:
        for action, number in fact.actions:
            check_bounds(entry, fact, number, 0, None)
            state.put(state.allowances, (who, action), number)


def spent(state: State, entry: EntryId, fact: ActionSpent) -> None:
    """An action is taken or gone; none below none."""
    check_sum(entry, fact, "left", fact.left, state.actions_left(fact.who, fact.action) - fact.cost)
    check_bounds(entry, fact, fact.left, 0, None)
    state.put(state.allowances, (fact.who, fact.action), fact.left)


EVOLVE: Evolve = {Counted: counted, CountsCleared: cleared, Allowed: allowed, ActionSpent: spent}
