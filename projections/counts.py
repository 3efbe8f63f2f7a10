"""Counts, and the actions that beings may still take."""

from __future__ import annotations

from ledger.facts import ActionSpent, Allowed, Counted, CountsCleared, EntryId
from projections.checks import check_bounds, other_sum, out_of_bounds
from projections.state import Count, Folds, State


def change_count(state: State, entry: EntryId, fact: Counted) -> None:
    """Change a count, within 0 and its size. A count of 0 is deleted."""
    now = state.count(fact.who, fact.name) + fact.change
    if fact.now != now:
        raise other_sum(entry, fact, "now", fact.now, now)
    check_bounds(entry, fact, now, 0, fact.of)
    count = Count(now=fact.now, of=fact.of, until=fact.until)
    state.put("counts", (fact.who, fact.name), count if fact.now else None)


def clear_counts(state: State, entry: EntryId, fact: CountsCleared) -> None:
    """Delete the counts with this `until`, of one being or of all."""
    counts = [key for key, count in state.counts.items() if count.until == fact.until and fact.who in ("", key[0])]
    for key in sorted(counts):
        state.put("counts", key, None)


def set_allowances(state: State, entry: EntryId, fact: Allowed) -> None:
    """Set the number of each action, whatever was left before."""
    for who in fact.who:
        for action, number in fact.actions:
            if number < 0:
                raise out_of_bounds(entry, fact, number, 0, None)
            state.put("allowances", (who, action), number)


def spend_action(state: State, entry: EntryId, fact: ActionSpent) -> None:
    """Take actions from an allowance, never below 0."""
    left = state.actions_left(fact.who, fact.action) - fact.cost
    if fact.left != left:
        raise other_sum(entry, fact, "left", fact.left, left)
    if left < 0:
        raise out_of_bounds(entry, fact, left, 0, None)
    state.put("allowances", (fact.who, fact.action), fact.left)


FOLDS: Folds = {Counted: change_count, CountsCleared: clear_counts, Allowed: set_allowances, ActionSpent: spend_action}
