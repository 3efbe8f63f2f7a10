"""Conditions: the one of a name that somebody has, by the id that all books give it; its beginning and its end."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import msgspec

from ledger.facts import ConditionBegan, ConditionEnded, Ends
from projections.derived import derived, derived_of_being
from projections.state import Condition, State


def find_condition(who: str, name: str, state: State) -> Condition | None:
    """Return somebody's condition of this name, or None."""
    own: Mapping[str, Condition] | None = state.named.get(who)
    return own.get(name) if own else None


def has_condition(who: str, name: str, state: State) -> bool:
    """Return whether a condition holds for somebody."""
    own = state.named.get(who)
    return own is not None and name in own


def has_any(who: str, names: Iterable[str], state: State) -> bool:
    """Return whether one of these conditions holds for somebody."""
    own = state.named.get(who)
    return own is not None and not own.keys().isdisjoint(names)


@derived("conditions")
def ending_conditions(state: State) -> tuple[tuple[str, Condition], ...]:
    """Return the conditions that have an end of their own, with their ids, sorted by these."""
    return tuple(sorted([pair for pair in state.conditions.items() if pair[1].ends]))


@derived("conditions")
def conditions_with_effects(state: State) -> tuple[Condition, ...]:
    """Return the conditions that have effects, in no order."""
    return tuple([condition for condition in state.conditions.values() if condition.effects])


@derived_of_being
def condition_values(who: str, name: str, state: State) -> tuple[int, ...]:
    """Return the number of this name of each condition of somebody that has one, in no order."""
    own = [condition for condition in conditions_with_effects(state) if condition.who == who]
    if not own:
        return ()
    return tuple([number for condition in own for key, number in condition.effects if key == name])


def new_condition(
    who: str,
    name: str,
    *rules: str,
    degree: int = 1,
    of: int | None = None,
    effects: tuple[tuple[str, int], ...] = (),
    about: str = "",
    ends: tuple[Ends, ...] = (),
    data: str = "",
) -> ConditionBegan:
    """Return the fact that a condition begins for somebody, or begins anew."""
    return ConditionBegan(
        rules=rules,
        id=f"{name} {who}",
        who=who,
        name=name,
        degree=degree,
        of=of,
        effects=effects,
        about=about,
        ends=ends,
        data=data,
    )


def condition_end(id: str, state: State, because: str, *rules: str) -> ConditionEnded:
    """Return the fact that a condition ends."""
    condition = state.conditions[id]
    return ConditionEnded(rules=rules, id=id, who=condition.who, name=condition.name, because=because)


def with_ends(id: str, condition: Condition, ends: tuple[Ends, ...], *rules: str) -> ConditionBegan:
    """Return the fact that a condition goes on with other ends."""
    return ConditionBegan(
        rules=rules,
        id=id,
        who=condition.who,
        name=condition.name,
        degree=condition.degree,
        of=condition.of,
        effects=condition.effects,
        about=condition.about,
        ends=ends,
        data=condition.data,
        note=condition.note,
        adds=condition.adds or msgspec.UNSET,
    )


def end_after(seconds: int, state: State) -> Ends:
    """Return an end so many seconds from now."""
    return Ends(at="seconds", due=state.seconds + seconds)


def expired_conditions(name: str, state: State) -> list[tuple[str, Condition]]:
    """Return the conditions of this name whose time is over, first ended first, with their ids."""
    expired = [
        (end.due, id, condition)
        for id, condition in state.conditions.items()
        for end in condition.ends
        if condition.name == name and end.at == "seconds" and end.due <= state.seconds
    ]
    return [(id, condition) for _, id, condition in sorted(expired, key=lambda item: item[:2])]
