"""Points in pools, always within their bounds."""

from __future__ import annotations

from ledger.errors import OutOfBalance
from ledger.facts import EntryId, PointsLost, PointsRegained, PointsSpent, PoolSet
from projections.checks import check_bounds, other_sum, out_of_bounds
from projections.state import Folds, Pool, State


def set_pool(state: State, entry: EntryId, fact: PoolSet) -> None:
    """Create a pool, or set its value and bounds together."""
    was = state.points(fact.who, fact.pool)
    if fact.was != was:
        raise other_sum(entry, fact, "was", fact.was, was)
    check_bounds(entry, fact, fact.now, fact.least, fact.most)
    state.put("pools", (fact.who, fact.pool), Pool(points=fact.now, least=fact.least, most=fact.most))


def add_points(state: State, entry: EntryId, fact: PointsRegained) -> None:
    """Add points to a pool."""
    _change_points(state, entry, fact, fact.points)


def subtract_points(state: State, entry: EntryId, fact: PointsSpent | PointsLost) -> None:
    """Take points from a pool."""
    _change_points(state, entry, fact, -fact.points)


def _change_points(state: State, entry: EntryId, fact: PointsSpent | PointsRegained | PointsLost, change: int) -> None:
    pool = state.pools.get((fact.who, fact.pool))
    if pool is None:
        raise OutOfBalance(f"{fact.who} has no pool '{fact.pool}'", where=f"entry {entry}")
    if fact.points < 0:
        raise out_of_bounds(entry, fact, fact.points, 0, None)
    if fact.now != pool.points + change:
        raise other_sum(entry, fact, "now", fact.now, pool.points + change)
    check_bounds(entry, fact, fact.now, pool.least, pool.most)
    state.put("pools", (fact.who, fact.pool), Pool(points=fact.now, least=pool.least, most=pool.most))


FOLDS: Folds = {
    PoolSet: set_pool,
    PointsSpent: subtract_points,
    PointsRegained: add_points,
    PointsLost: subtract_points,
}
