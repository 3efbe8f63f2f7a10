"""Stuns: which turn one costs, and the 1 health that comes back when somebody can act again."""

from __future__ import annotations

from collections.abc import Iterator

from ledger.facts import Fact, PointsRegained
from projections.state import Encounter, State
from rulebooks.dusk_bastards.guards import DELAYED, has_condition, is_out
from rulebooks.dusk_bastards.harm.damage import HEALTH, RISING, STUNNED
from rulebooks.dusk_bastards.world.clock import condition_end


def lose_turn(who: str, state: State) -> Iterator[Fact]:
    """DB-ZERO-3: the stun ends with the action slot of the turn that it cost, or with the round of a delayed action."""
    found, id = state.encounter, f"{STUNNED} {who}"
    condition = state.conditions.get(id)
    if found is None or condition is None or found.phase != "action" or has_condition(who, DELAYED, state):
        return
    if all(end.due <= found.round for end in condition.ends):
        yield condition_end(id, state, "due", "DB-ZERO-3")


def is_stunned_now(who: str, found: Encounter, state: State) -> bool:
    """DB-ZERO-3: whether this is the turn that a stun costs; one from outside encounters costs none."""
    return is_stunned_after(who, found.round - 1, state)


def is_stunned_after(who: str, round: int, state: State) -> bool:
    """DB-ZERO-3: whether a stun costs a turn of a later round than this one."""
    condition = state.conditions.get(f"{STUNNED} {who}")
    return condition is not None and any(end.due > round for end in condition.ends)


def come_to(who: str, state: State) -> Iterator[Fact]:
    """DB-ZERO-3, DB-ZERO-4: where no turn is lost any more, a stun is over, and 1 health comes back."""
    if has_condition(who, STUNNED, state):
        yield condition_end(f"{STUNNED} {who}", state, "due", "DB-ZERO-3")
    yield from rise(who, state)


def rise(who: str, state: State) -> Iterator[Fact]:
    """DB-ZERO-4: the next time that they can act, they regain 1 health, whatever they have by then."""
    id = f"{RISING} {who}"
    if id not in state.conditions:
        return
    yield condition_end(id, state, "due", "DB-ZERO-4")
    pool = state.pools[who, HEALTH]
    if (pool.most is None or pool.points < pool.most) and not is_out(who, state):
        now = pool.points + 1
        yield PointsRegained(rules=("DB-ZERO-4",), who=who, pool=HEALTH, points=1, now=now, because="able to act again")
