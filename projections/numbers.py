"""Points in pools, always within their bounds; and tokens, whose cap is checked whenever no window is open."""

from __future__ import annotations

from ledger.errors import OutOfBalance
from ledger.facts import EntryId, PointsLost, PointsRegained, PointsSpent, PoolSet, TokensMoved
from projections.checks import check_bounds, check_sum
from projections.state import Folds, Pool, State, Token


def set_pool(state: State, entry: EntryId, fact: PoolSet) -> None:
    """Create a pool, or set its value and bounds together."""
    check_sum(entry, fact, "was", fact.was, state.points(fact.who, fact.pool))
    check_bounds(entry, fact, fact.now, fact.least, fact.most)
    state.put("pools", (fact.who, fact.pool), Pool(points=fact.now, least=fact.least, most=fact.most))


def add_points(state: State, entry: EntryId, fact: PointsRegained) -> None:
    """Add points to a pool."""
    _change_points(state, entry, fact, fact.points)


def take_points(state: State, entry: EntryId, fact: PointsSpent | PointsLost) -> None:
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


def change_tokens(state: State, entry: EntryId, fact: TokensMoved) -> None:
    """Add or take tokens, never below 0."""
    check_sum(entry, fact, "now", fact.now, state.tokens_held(fact.who, fact.token) + fact.change)
    check_bounds(entry, fact, fact.now, 0, None)
    state.put("tokens", (fact.who, fact.token), Token(count=fact.now, most=fact.most))


def check_caps(state: State, entry: EntryId) -> None:
    """Raise OutOfBalance if a being holds more tokens than it may."""
    for (who, token), held in state.tokens.items():
        if held.most is not None and held.count > held.most:
            raise OutOfBalance(f"{who} holds {held.count} {token}, {held.most} are the most", where=f"entry {entry}")


FOLDS: Folds = {
    PoolSet: set_pool,
    PointsSpent: take_points,
    PointsRegained: add_points,
    PointsLost: take_points,
    TokensMoved: change_tokens,
}
