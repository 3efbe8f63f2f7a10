"""Values and their domains, and the facts of pools and actions that change by a number."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, Final

import msgspec

from ledger.errors import Refused
from ledger.facts import ActionSpent, PointsLost, PointsRegained, PoolSet, Scalar
from ledger.names import NUMBER_MOST
from projections.state import State

OutsideDomain = Callable[[str, str, object], Refused]

SPOKEN: Final = {"by": "the speaker", "who": "the one named"}  # fields that nobody types


def outside_domain(field: str, domain: str, value: object, hint: str = "") -> Refused:
    """Return the refusal of a value outside its domain, or of none (None), for books without a code of their own.

    `hint`: what to do, if more can be said than that a value that fits is to be given.
    """
    name = field_words(field)
    given = "none is given" if value is None else f"got {'an empty text' if value == '' else value}"
    usual = "Add it." if value is None else "Use a value that fits."
    return Refused("L-VALUE", f"{name} must be {domain}; {given}", hint=hint or usual).of_field(field)


def field_words(field: str) -> str:
    """Return a field in the words of a refusal: its own name, except where it is filled without being typed."""
    return SPOKEN.get(field, field)


def check_whole(
    field: str, value: int, least: int, most: int | None = None, refusal: OutsideDomain = outside_domain
) -> None:
    """Raise the refusal of a number outside its domain. No number is beyond 10^9."""
    highest = NUMBER_MOST if most is None else most
    if not least <= value <= highest:
        short = most is None and value < least
        domain = f"a whole number of {least} or more" if short else f"a whole number from {least} to {highest}"
        raise refusal(field, domain, value)


def number(name: str, value: Scalar | None, refusal: OutsideDomain = outside_domain) -> int:
    """Return a value that must be a number. Raises the refusal of a text or of nothing."""
    if not isinstance(value, int):
        raise refusal(name, "a number", value)
    return value


def shared_fields(said: msgspec.Struct, kind: type[msgspec.Struct]) -> dict[str, Any]:
    """Return the fields of a line, or of a part of it, that another kind has too."""
    return {field: getattr(said, field) for field in _shared_names(type(said), kind)}


@cache
def _shared_names(kind: type[msgspec.Struct], other: type[msgspec.Struct]) -> tuple[str, ...]:
    """Return the names of the fields that both kinds have, in the order of the other."""
    names = {*kind.__struct_fields__}
    return tuple(name for name in other.__struct_fields__ if name in names)


def sheet_number(who: str, entry: str, state: State, default: int = 0) -> int:
    """Return a number of a sheet; the default where it has none."""
    written = state.sheet(who, entry)
    return written if isinstance(written, int) else default


def new_pool(who: str, pool: str, most: int | None, now: int, *rules: str) -> PoolSet:
    """Return a pool that somebody joins with."""
    return PoolSet(rules=rules, who=who, pool=pool, was=0, now=now, least=0, most=most)


def new_points(
    who: str, pool: str, to: int, because: str, state: State, *rules: str, refusal: OutsideDomain = outside_domain
) -> PoolSet:
    """Return a pool set to a number within its bounds. Raises the refusal of a number outside them."""
    old = state.pools[who, pool]
    check_whole(f"{who}'s {pool}", to, old.least or 0, old.most, refusal)
    return PoolSet(
        rules=rules, who=who, pool=pool, was=old.points, now=to, least=old.least, most=old.most, because=because
    )


def new_maximum(who: str, pool: str, most: int, because: str, state: State, *rules: str) -> PoolSet:
    """Return a pool with another maximum: points above it are cut, none are filled up."""
    old = state.pools[who, pool]
    now = min(old.points, most)
    return PoolSet(rules=rules, who=who, pool=pool, was=old.points, now=now, least=0, most=most, because=because)


def point_loss(who: str, pool: str, damage: int, because: str, state: State, *rules: str, by: str = "") -> PointsLost:
    """Return the points that damage takes from a pool, never below 0; the rest of it is `over`."""
    held = state.points(who, pool)
    lost = min(damage, held)
    return PointsLost(
        rules=rules, who=who, pool=pool, points=lost, now=held - lost, because=because, by=by, over=damage - lost
    )


def point_gain(
    who: str, pool: str, points: int, because: str, state: State, *rules: str, over: int = 0
) -> PointsRegained:
    """Return the points that come back to a pool; `over` is how many more it could not hold."""
    now = state.points(who, pool) + points
    return PointsRegained(rules=rules, who=who, pool=pool, points=points, now=now, because=because, over=over)


def action_use(who: str, action: str, state: State, outcome: str, *rules: str, cost: int = 1) -> ActionSpent:
    """Return an action that is used, passed, given up or lost."""
    left = state.actions_left(who, action) - cost
    return ActionSpent(rules=rules, who=who, action=action, cost=cost, left=left, outcome=outcome)
