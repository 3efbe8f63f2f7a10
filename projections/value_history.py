"""How every value came to be what it is: each change of it, and the fact that made it.

Folded from zero. What a fact has put into the state says which values it may have touched; only those are compared.
The names and their precedence are those of `values`, value by value.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import msgspec

from ledger.facts import GM, EntryId, Fact
from ledger.names import name_key
from ledger.projection import Value
from projections.projection import StateProjection
from projections.state import State

OF_ENCOUNTER = ("round", "phase", "turn")


class ValueChange(msgspec.Struct, frozen=True, kw_only=True):
    """One value before and after one fact; None is no value. `number` is the fact's place in its entry, from 1."""

    entry: EntryId
    number: int
    before: Value | None
    after: Value | None


def value_histories(facts: Iterable[tuple[EntryId, int, Fact]]) -> dict[str, list[ValueChange]]:
    """Every value that ever was, by name, with all its changes. Raises OutOfBalance where facts do not add up."""
    books, found = StateProjection(), dict[str, list[ValueChange]]()
    state = books.empty()
    for entry, number, fact in facts:
        books.step(state, entry, fact)
        for name in {name for put in state.journal for name in touched(state, *put)}:
            changes = found.setdefault(name, [])
            before, after = changes[-1].after if changes else None, value(state, name)
            if before != after:
                changes.append(ValueChange(entry=entry, number=number, before=before, after=after))
        books.commit(state)
    return {name: changes for name, changes in sorted(found.items()) if changes}


def touched(state: State, table: dict[Any, Any], place: Any, before: Any) -> Iterator[str]:
    """The names of the values that may be others since this was put."""
    if table is state.conditions:
        for condition in (before, table.get(place)):
            if condition is not None:
                yield f"{name_key(condition.who)}.{condition.name}"
    elif table is state.options:
        yield f"option.{place}"
    elif table is state.clock:
        yield f"clock.{place}"
    elif table is state.encounters:
        yield from (f"encounter.{part}" for part in OF_ENCOUNTER)
    elif table is state.wounds:
        yield f"{name_key(place[0])}.wounds"
    elif table is state.pools:
        yield from (f"{name_key(place[0])}.{place[1]}", f"{name_key(place[0])}.{place[1]}.most")
    elif table is state.tokens:
        yield place[1] if place[0] == GM else f"{name_key(place[0])}.{place[1]}"
    elif table is state.counts:
        yield f"{name_key(place[0])}.{place[1]}" if place[0] else place[1]
    elif table is state.places:
        yield f"{name_key(place)}.place"
    elif table is state.links:
        yield f"{name_key(place[0])}.{place[1]}.{name_key(place[2])}"
    elif table is state.sheets:
        yield f"{name_key(place[0])}.{place[1]}"


def value(state: State, name: str) -> Value | None:
    """One value by its name, as `values` has it: what is written there last is asked first."""
    whose, _, what = name.partition(".")
    encounter = state.encounter
    if whose == "clock" and what in state.clock:
        return state.clock[what]
    if whose == "encounter" and encounter is not None and what in OF_ENCOUNTER:
        return encounter.round if what == "round" else encounter.phase if what == "phase" else encounter.turn
    if whose == "option" and what in state.options:
        return state.options[what]
    being = state.beings.get(whose)
    found = _of_being(state, being.name if being else whose, what)
    if found is not None:
        return found
    if ("", name) in state.counts:
        return state.counts["", name].now
    return state.tokens[GM, name].count if (GM, name) in state.tokens else None


def _of_being(state: State, who: str, what: str) -> Value | None:
    """A value of one being; the last part of its name says which."""
    if what == "wounds" and (wounds := state.wounds_of(who)):
        return sum(wound.value for _, wound in wounds)
    degrees = [found.degree for found in state.conditions.values() if found.who == who and found.name == what]
    if degrees:
        return degrees[-1]
    tied = [
        degree for (one, tie, other), degree in state.links.items() if (one, f"{tie}.{name_key(other)}") == (who, what)
    ]
    if tied:
        return tied[-1]
    if what == "place" and who in state.places:
        return state.places[who].place
    if (who, what) in state.counts:
        return state.counts[who, what].now
    if (who, what) in state.tokens:
        return state.tokens[who, what].count
    if (who, what) in state.pools:
        return state.pools[who, what].points
    pool = state.pools.get((who, what.removesuffix(".most"))) if what.endswith(".most") else None
    if pool is not None and pool.most is not None:
        return pool.most
    return state.sheets.get((who, what))
