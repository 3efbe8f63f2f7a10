"""Points in pools, always within their bounds."""

from __future__ import annotations

from ledger.errors import OutOfBalance
from ledger.facts import EntryId, PointsLost, PointsRegained, PointsSpent, PoolSet
from projections.checks import check_bounds, check_sum
from projections.state import Folds, Pool, State


def set_pool(state: State, entry: EntryId, fact: PoolSet) -> None:
    """Create a pool, or set its value and bounds together."""
    check_sum(entry, fact, "was", fact.was, state.points(fact.who, fact.pool))
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
    check_bounds(entry, fact, fact.points, 0, None)
    check_sum(entry, fact, "now", fact.now, pool.points + change)
    check_bounds(entry, fact, fact.now, pool.least, pool.most)
    state.put("pools", (fact.who, fact.pool), Pool(points=fact.now, least=pool.least, most=pool.most))


FOLDS: Folds = {
    PoolSet: set_pool,
    PointsSpent: subtract_points,
    PointsRegained: add_points,
    PointsLost: subtract_points,
}
