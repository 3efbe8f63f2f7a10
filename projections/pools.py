"""Pools of points: opened, spent, regained, always within their bounds."""

from __future__ import annotations

from ledger.errors import OutOfBalance
from ledger.facts import EntryId, PointsLost, PointsRegained, PointsSpent, PoolSet
from projections.checks import check_bounds, check_sum
from projections.state import Evolve, Pool, State


def pool_set(state: State, entry: EntryId, fact: PoolSet) -> None:
    """A pool opens, or its value and bounds change together."""
    check_sum(entry, fact, "was", fact.was, state.points(fact.who, fact.pool))
    check_bounds(entry, fact, fact.now, fact.least, fact.most)
    state.put(state.pools, (fact.who, fact.pool), Pool(points=fact.now, least=fact.least, most=fact.most))


def spent(state: State, entry: EntryId, fact: PointsSpent) -> None:
    """Points leave a pool."""
    _moved(state, entry, fact, -fact.points)


def regained(state: State, entry: EntryId, fact: PointsRegained) -> None:
    """Points come back to a pool."""
    _moved(state, entry, fact, fact.points)


def lost(state: State, entry: EntryId, fact: PointsLost) -> None:
    """Points are taken from a pool."""
    _moved(state, entry, fact, -fact.points)


def _moved(state: State, entry: EntryId, fact: PointsSpent | PointsRegained | PointsLost, change: int) -> None:
    """The pool by so much more or less."""
    pool = state.pools.get((fact.who, fact.pool))
    if pool is None:
        raise OutOfBalance(f"{fact.who} has no pool '{fact.pool}'", where=f"entry {entry}")
    check_bounds(entry, fact, fact.points, 0, None)
    check_sum(entry, fact, "now", fact.now, pool.points + change)
    check_bounds(entry, fact, fact.now, pool.least, pool.most)
    state.put(state.pools, (fact.who, fact.pool), Pool(points=fact.now, least=pool.least, most=pool.most))


EVOLVE: Evolve = {PoolSet: pool_set, PointsSpent: spent, PointsRegained: regained, PointsLost: lost}
