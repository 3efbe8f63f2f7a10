"""Values that follow from parts of a state: worked out once, and kept until one of these parts is written."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from functools import wraps
from typing import Any, Final, ParamSpec, TypeVar, cast

P = ParamSpec("P")
K = TypeVar("K")
T = TypeVar("T")
OWN_PARTS: Final = frozenset({"sheets", "conditions", "wounds", "options", "beings"})
"""Of the first three a being has its own; what is written in the others bears on all."""
WRITES_MOST: Final = 20_000  # after which values of a being are found again


class OwnValues:
    """What follows from what one being has of `OWN_PARTS` now, `kept` by function and arguments.

    `after` has what follows once one item of it has another value, by that write; None: nobody comes back to it.
    """

    __slots__ = ("after", "kept")

    def __init__(self) -> None:
        self.kept: dict[Hashable, Any] = {}  # a dict of its own: a subclass of dict is looked up four times as slowly
        self.after: dict[Hashable, OwnValues] | None = None

    def new(self) -> OwnValues:
        """Return values of the same kind, of which none is known."""
        return OwnValues()


class DerivedValues:
    """What was worked out from a state, by function and arguments. Whoever writes a part has to `forget` it.

    `own` is what follows from what one being has of `OWN_PARTS`, by the being. Where a state comes back to what it was
    (`keep_for_return`), what follows from the same writes is found again: `writes` says how many of them are known.
    `named` has the conditions of each being by their names, those whose id is both: all rules ask for them.
    """

    __slots__ = ("dependents", "kept", "named", "own", "writes")

    def __init__(self) -> None:
        self.kept: dict[Callable[..., Any], dict[Hashable, Any]] = {}
        self.own: dict[str, OwnValues] = {}
        self.named: dict[str, dict[str, Any]] = {}
        self.writes = 0
        self.dependents: dict[str, set[Callable[..., Any]]] = {}  # by the part from which they follow

    def forget(self, part: str) -> None:
        """Drop what follows from a part, which has another value now."""
        for function in self.dependents.pop(part, ()):
            self.kept.pop(function, None)

    def forget_own(self, part: str, key: Any, before: Any, after: Any) -> None:
        """Drop what follows from what a being has of a part in `OWN_PARTS`, of which one item has another value now."""
        if part == "conditions":
            self._name_condition(key, before, after)
            if after is not None:
                self._move_on(after.who, part, key, after)
            if before is not None and (after is None or before.who != after.who):
                self._move_on(before.who, part, key, after)
        elif part in ("options", "beings"):
            self.own.clear()
        else:
            self._move_on(key[0], part, key, after)

    def name_conditions(self, conditions: Mapping[str, Any]) -> None:
        """Keep these conditions by name, and no others."""
        self.named.clear()
        for id, condition in conditions.items():
            self._name_condition(id, None, condition)

    def _name_condition(self, id: str, before: Any, after: Any) -> None:
        """Keep a condition by its name, or drop it, if its id says its name and whose it is."""
        if before is not None and id.endswith(f" {before.who}"):
            self.named[before.who].pop(id[: -1 - len(before.who)], None)
        if after is not None and id.endswith(f" {after.who}"):
            self.named.setdefault(after.who, {})[id[: -1 - len(after.who)]] = after

    def _move_on(self, who: str, *write: Hashable) -> None:
        """Go on to what follows from what a being has after a write: found again, or nothing so far."""
        own = self.own.get(who)
        if own is None:
            return
        if own.after is None:
            del self.own[who]
            return
        moved = own.after.get(write)
        if moved is None:
            moved = own.after[write] = own.new()
            moved.after = {}
            self.writes += 1
        self.own[who] = moved

    def keep_for_return(self, who: Iterable[str]) -> dict[str, OwnValues]:
        """Return what follows from what these beings have now, to be put back when the state comes back to it.

        What is known of later writes is given up once there is much of it.
        """
        if self.writes > WRITES_MOST:
            self.own.clear()
            self.writes = 0
        for each in who:
            own = self.own.setdefault(each, OwnValues())
            if own.after is None:
                own.after = {}
        return dict(self.own)

    def forget_all(self) -> None:
        """Drop everything: the whole state is another one."""
        self.kept.clear()
        self.dependents.clear()
        self.own.clear()

    def keep_own(self, who: str, what: Hashable, value: T) -> T:
        """Keep a value that follows from what a being has, and return it."""
        own = self.own.get(who)
        if own is None:
            own = self.own[who] = OwnValues()
        own.kept[what] = value
        return value

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


def derived_of_being(function: Callable[P, T]) -> Callable[P, T]:
    """Keep what a function returns about a being until something of its own, or of all, in `OWN_PARTS` is written.

    The function has the name of the being, perhaps a second argument, and the state. It reads nothing of other beings,
    and no other parts. It is asked again and again in a fight, in which somebody or other gets a condition all the
    time. What it returns may not be changed. What it raises is not kept.
    """
    work_out = cast(Callable[..., T], function)

    def of_one(who: str, state: DerivedValues) -> T:
        try:
            return state.own[who].kept[work_out]  # type: ignore[no-any-return]  # as it was worked out
        except KeyError:
            pass
        return state.keep_own(who, work_out, work_out(who, state))

    def of_two(who: str, what: Hashable, state: DerivedValues) -> T:
        try:
            return state.own[who].kept[work_out, what]  # type: ignore[no-any-return]  # as it was worked out
        except KeyError:
            pass
        return state.keep_own(who, (work_out, what), work_out(who, what, state))

    return wraps(function)(cast(Callable[P, T], of_two if function.__code__.co_argcount == 3 else of_one))


def grouped(pairs: Iterable[tuple[K, T]]) -> dict[K, tuple[T, ...]]:
    """Return the second of each pair under the first, in the order of the pairs."""
    groups: dict[K, list[T]] = {}
    for key, item in pairs:
        groups.setdefault(key, []).append(item)
    return {key: tuple(items) for key, items in groups.items()}
