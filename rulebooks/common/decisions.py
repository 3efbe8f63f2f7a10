"""Which function decides a declaration: the one that is marked with its kind."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from types import ModuleType
from typing import Any, Final, NamedTuple, TypeVar

from ledger.declarations import Declaration
from ledger.facts import Fact

Function = TypeVar("Function", bound=Callable[..., Iterator[Fact]])
KINDS: Final = "decides"  # the attribute of a function that is marked


class Decider(NamedTuple):
    """A function that yields the facts of a declaration, and whether it takes dice as its third argument."""

    function: Callable[..., Iterator[Fact]]
    throws: bool


def decides(*kinds: type[Declaration]) -> Callable[[Function], Function]:
    """Mark a function of a declaration and the state, or of both and dice, as the one that decides these kinds."""

    def mark(function: Function) -> Function:
        setattr(function, KINDS, kinds)
        return function

    return mark


def decisions_in(modules: Iterable[ModuleType]) -> Iterator[tuple[type[Declaration], Decider]]:
    """Yield each kind of declaration and what decides it, in the order of the modules and of their lines."""
    for module in modules:
        for value in vars(module).values():
            yield from _decisions_of(value, module)


def _decisions_of(value: Any, module: ModuleType) -> Iterator[tuple[type[Declaration], Decider]]:
    """Yield what a value of a module decides; nothing for what it only imports."""
    if getattr(value, "__module__", "") == module.__name__:
        for kind in getattr(value, KINDS, ()):
            yield kind, Decider(value, throws=value.__code__.co_argcount == 3)
