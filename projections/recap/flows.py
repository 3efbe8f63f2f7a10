"""The flow of points and tokens: start - spent - lost + regained + set = end."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence

import msgspec

from ledger.errors import OutOfBalance
from ledger.facts import Fact, PointsLost, PointsRegained, PointsSpent, PoolSet, TokensMoved
from projections.recap.entries import Causes, Entry, rank
from projections.state import State

Key = tuple[str, str, str]  # who, `pool` or `token`, name


class Flow(msgspec.Struct, frozen=True, kw_only=True):
    """One pool or one kind of token over a session, with the changes by cause.

    Tokens that come are `regained`, tokens that go are `spent` or `lost`. `set` may hold a cause twice: up and down.
    """

    who: str
    kind: str
    name: str
    start: int
    spent: Causes
    lost: Causes
    regained: Causes
    set: Causes
    end: int
    most: int | None


class Account:
    """The columns of a flow while they are summed: points by cause and direction, in order of first use."""

    def __init__(self) -> None:
        self.columns: dict[str, dict[tuple[str, bool], int]] = {"spent": {}, "lost": {}, "regained": {}, "set": {}}

    def add(self, column: str, cause: str, points: int) -> None:
        """Add points to a column. Up and down are kept apart, so that they never cancel out."""
        causes, key = self.columns[column], (cause, points < 0)
        causes[key] = causes.get(key, 0) + points

    def causes(self, column: str) -> Causes:
        """Return a column by cause."""
        return tuple((cause, points) for (cause, _), points in self.columns[column].items())

    @property
    def change(self) -> int:
        """The sum of all columns."""
        sums = {column: sum(causes.values()) for column, causes in self.columns.items()}
        return sums["regained"] + sums["set"] - sums["spent"] - sums["lost"]


def flows(
    before: State, after: State, entries: Iterable[Entry], order: Sequence[str] = (), losses: Collection[str] = ()
) -> list[Flow]:
    """Return a flow for every pool and token: beings in order of joining, then the game master; pools in `order`.

    `losses` are the causes by which tokens are lost, not spent.

    Raises OutOfBalance when one does not add up.
    """
    accounts: dict[Key, Account] = {key: Account() for state in (before, after) for key in _keys(state)}
    for fact in (fact for entry in entries for fact in entry.facts):
        change = _change(fact, losses)
        if change is not None:
            key, column, cause, points = change
            account = accounts.setdefault(key, Account())
            if points:
                account.add(column, cause, points)
    joined = {being.name: being.joined for being in after.beings_in_order()}
    keys = sorted(accounts, key=lambda key: (joined.get(key[0], len(joined)), key[0], key[1], rank(order, key[2])))
    return [_flow(key, accounts[key], before, after) for key in keys]


def _change(fact: Fact, losses: Collection[str]) -> tuple[Key, str, str, int] | None:
    """Return the account that a fact changes, with column, cause and points; None for other facts."""
    match fact:
        case PointsSpent():
            return (fact.who, "pool", fact.pool), "spent", fact.because, fact.points
        case PointsRegained():
            return (fact.who, "pool", fact.pool), "regained", fact.because, fact.points
        case PointsLost():
            return (fact.who, "pool", fact.pool), "lost", fact.because, fact.points
        case PoolSet():
            return (fact.who, "pool", fact.pool), "set", fact.because, fact.now - fact.was
        case TokensMoved():
            column = "regained" if fact.change >= 0 else "lost" if fact.because in losses else "spent"
            return (fact.who, "token", fact.token), column, fact.because, abs(fact.change)
    return None


def _flow(key: Key, account: Account, before: State, after: State) -> Flow:
    """Return the flow of an account. Raises OutOfBalance when it does not lead from one state to the other."""
    who, kind, name = key
    start, end = (_amount(state, key) for state in (before, after))
    if start + account.change != end:
        raise OutOfBalance(f"{who}'s {name} ends at {end}, the sum is {start + account.change}", where="recap")
    held = after.pools.get((who, name)) if kind == "pool" else after.tokens.get((who, name))
    return Flow(
        who=who,
        kind=kind,
        name=name,
        start=start,
        spent=account.causes("spent"),
        lost=account.causes("lost"),
        regained=account.causes("regained"),
        set=account.causes("set"),
        end=end,
        most=held.most if held else None,
    )


def _keys(state: State) -> Iterator[Key]:
    yield from ((who, "pool", name) for who, name in state.pools)
    yield from ((who, "token", name) for who, name in state.tokens)


def _amount(state: State, key: Key) -> int:
    who, kind, name = key
    return state.points(who, name) if kind == "pool" else state.tokens_held(who, name)
