"""The fold of facts of which some are withheld: what a fact states holds, whatever the sums before it are.

A state is partial from the first fact that was withheld from it. A fact that no longer fits is then folded as if what
it presumes had been so. One that says nothing without it, as the end of a condition that nobody has, is passed over.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from msgspec.structs import replace

from ledger import facts
from projections.encounters import begin_encounter, reach_point
from projections.pools import set_pool
from projections.state import Count, Pool, State, Token


def begin_partial(state: State, entry: facts.EntryId, fact: facts.Withheld) -> None:
    """Note that a fact was withheld."""
    state.partial = True


def fold_stated(state: State, entry: facts.EntryId, fact: facts.BaseFact) -> None:
    """Fold what a fact states that is out of balance with a partial state."""
    if (fold := STATED.get(type(fact))) is not None:
        fold(state, entry, fact)


def state_pool(state: State, entry: facts.EntryId, fact: facts.PoolSet) -> None:
    """Set a pool, whatever it was."""
    set_pool(state, entry, replace(fact, was=state.points(fact.who, fact.pool)))


def state_points(
    state: State, entry: facts.EntryId, fact: facts.PointsSpent | facts.PointsRegained | facts.PointsLost
) -> None:
    """Set the points of a pool to those that are left."""
    pool = state.pools.get((fact.who, fact.pool), Pool(points=0, least=None, most=None))
    state.put("pools", (fact.who, fact.pool), replace(pool, points=fact.now))


def state_tokens(state: State, entry: facts.EntryId, fact: facts.TokensMoved) -> None:
    """Set tokens to the number that is held."""
    state.put("tokens", (fact.who, fact.token), Token(count=fact.now, most=fact.most))


def state_count(state: State, entry: facts.EntryId, fact: facts.Counted) -> None:
    """Set a count."""
    count = Count(now=fact.now, of=fact.of, until=fact.until)
    state.put("counts", (fact.who, fact.name), count if fact.now else None)


def state_action(state: State, entry: facts.EntryId, fact: facts.ActionSpent) -> None:
    """Set the number of an action that is left."""
    state.put("allowances", (fact.who, fact.action), fact.left)


def state_entry(state: State, entry: facts.EntryId, fact: facts.SheetChanged) -> None:
    """Set an entry of a sheet."""
    state.put("sheets", (fact.who, fact.key), fact.now)


def state_option(state: State, entry: facts.EntryId, fact: facts.OptionSet) -> None:
    """Set an option."""
    state.put("options", fact.name, fact.now)


def state_encounter(state: State, entry: facts.EntryId, fact: facts.EncounterBegan) -> None:
    """Begin an encounter in place of the one that ended unseen."""
    for id in list(state.encounters):
        state.put("encounters", id, None)
    begin_encounter(state, entry, fact)


def state_point(state: State, entry: facts.EntryId, fact: facts.Reached) -> None:
    """Move the encounter to a point as if it had come to the one before."""
    if (encounter := state.encounter) is None:
        return
    before = replace(
        encounter,
        round=fact.round - (fact.point == "round"),
        phases=tuple(phase for phase in encounter.phases if phase != fact.phase),
        turn="" if fact.point == "slot" else encounter.turn,
        done=tuple(who for who in encounter.done if who != fact.who),
        waiting=(*encounter.waiting, fact.who) if fact.point == "resumed" else encounter.waiting,
    )
    state.put("encounters", encounter.id, before)
    reach_point(state, entry, fact)


STATED: Final[Mapping[type[facts.BaseFact], Callable[[State, facts.EntryId, Any], None]]] = {
    facts.PoolSet: state_pool,
    facts.PointsSpent: state_points,
    facts.PointsRegained: state_points,
    facts.PointsLost: state_points,
    facts.TokensMoved: state_tokens,
    facts.Counted: state_count,
    facts.ActionSpent: state_action,
    facts.SheetChanged: state_entry,
    facts.OptionSet: state_option,
    facts.EncounterBegan: state_encounter,
    facts.Reached: state_point,
}
