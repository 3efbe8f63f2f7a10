"""Values that follow from parts of a state: worked out once, and kept until one of these parts is written."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import wraps
from typing import Any, ParamSpec, TypeVar, cast

P = ParamSpec("P")
T = TypeVar("T")


class DerivedValues:
    """What was worked out from a state, by function and arguments. Whoever writes a part has to `forget` it."""

    __slots__ = ("dependents", "kept")

    def __init__(self) -> None:
        self.kept: dict[Callable[..., Any], dict[Hashable, Any]] = {}
        self.dependents: dict[str, set[Callable[..., Any]]] = {}  # by the part from which they follow

    def forget(self, part: str) -> None:
        """Drop what follows from a part, which has another value now."""
        for function in self.dependents.pop(part, ()):
            self.kept.pop(function, None)

    def values_of(self, function: Callable[..., T], parts: tuple[str, ...]) -> dict[Hashable, T]:
        """Return what is kept of a function, whose values follow from these parts."""
        if function not in self.kept:
            self.kept[function] = {}
            for part in parts:
                self.dependents.setdefault(part, set()).add(function)
        return self.kept[function]


def derived(*parts: str) -> Callable[[Callable[P, T]], Callable[P, T]]:
    """Keep what a function returns until one of these parts of the state is written.

    The function has up to two arguments and the state behind them, and reads no other part of it. What it returns is
    shared by all who ask, so it may not be changed. What it raises is not kept.
    """

    def decorate(function: Callable[P, T]) -> Callable[P, T]:
        work_out = cast(Callable[..., T], function)

        def keep(about: Hashable, state: DerivedValues, value: T) -> T:
            return state.values_of(work_out, parts).setdefault(about, value)

        # One function for each number of arguments: gathering them in a tuple takes three times as long.
        def of_state(state: DerivedValues) -> T:
            try:
                return state.kept[work_out][None]  # type: ignore[no-any-return]  # as it was worked out
            except KeyError:
                pass
            return keep(None, state, work_out(state))

        def of_one(about: Hashable, state: DerivedValues) -> T:
            try:
                return state.kept[work_out][about]  # type: ignore[no-any-return]  # as it was worked out
            except KeyError:
                pass
            return keep(about, state, work_out(about, state))

        def of_two(one: Hashable, other: Hashable, state: DerivedValues) -> T:
            try:
                return state.kept[work_out][one, other]  # type: ignore[no-any-return]  # as it was worked out
            except KeyError:
                pass
            return keep((one, other), state, work_out(one, other, state))

        kept = (of_state, of_one, of_two)[function.__code__.co_argcount - 1]
        return wraps(function)(cast(Callable[P, T], kept))

    return decorate
