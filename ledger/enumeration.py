"""Dice of odds: every combination of faces, one branch of the decision for each.

A branch is a path: the faces of each throw, in the order of throwing. Where a game groups a throw, its branches are
the keys of the group, each with the chance of all its faces together.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Hashable, Iterator, Sequence
from fractions import Fraction
from itertools import product
from typing import Any

import msgspec

from ledger.dice import Dice, Source, T, UncheckedDice
from ledger.errors import NeverDrawn

Faces = tuple[int, ...]


class Throw(msgspec.Struct, frozen=True):
    """A throw of a path: its sides and faces. A group has the faces of all its throws, one after the other."""

    sides: tuple[int, ...]
    faces: Faces


Keys = dict[Hashable, tuple[Throw, Fraction]]  # for each key of a group one throw that has it, and its chance


class EnumeratedDice(UncheckedDice):
    """One branch of all possible faces.

    `next_sides` are the dice that were thrown after the branch ended; `next_group` is the group that they belong to,
    if there is one. `settled` are the values that still matter, if nothing was thrown since they were named.
    """

    is_single = False
    source: Source = "odds"

    def __init__(
        self, path: Sequence[Throw] = (), chance: Fraction = Fraction(1), counted: dict[Hashable, Keys] | None = None
    ) -> None:
        """`chance` is that of the branch; `counted` are the groups that other branches have counted already."""
        self.path = tuple(path)
        self.chance = chance
        self._shown: dict[tuple[str, tuple[int, ...]], Faces] = {}
        self._depth = 0
        self._counted: dict[Hashable, Keys] = {} if counted is None else counted
        self.next_sides: tuple[int, ...] | None = None
        self.next_group: Callable[[], Iterator[tuple[Throw, Fraction]]] | None = None
        self.settled: tuple[Hashable, ...] | None = None

    @property
    def has_thrown(self) -> bool:
        """Whether a die was thrown."""
        return self._depth > 0

    def throw(self, purpose: str, *sides: int) -> Faces:
        """Return the faces of this branch. Raises NeverDrawn where it ends, and sets `next_sides`."""
        asked = (purpose, sides)
        if asked not in self._shown:
            if self._depth == len(self.path) and sides:
                self.next_sides = sides
                raise NeverDrawn(purpose, sides)
            self._shown[asked] = self._next() if sides else ()
        return self._shown[asked]

    def group(
        self,
        roll: Callable[[Dice], T],
        key: Callable[[T], Hashable],
        like: Hashable = None,
        merge: Callable[[Any], Hashable] | None = None,
    ) -> T:
        """Return a result of `roll` with the key of this branch. Raises NeverDrawn where it ends."""
        if self._depth < len(self.path):
            return roll(_GroupDice(self._next()))
        try:
            return roll(_GroupDice(()))  # it throws nothing
        except NeverDrawn:
            self.next_sides, self.next_group = (), lambda: iter(_merged(self._count_keys(roll, key, like), merge))
            raise

    def _count_keys(self, roll: Callable[[Dice], T], key: Callable[[T], Hashable], like: Hashable) -> Keys:
        """Return a throw of each key of a group with its chance; those of groups that are alike are counted once."""
        if like is None:
            return _keys_of(roll, key)
        if like not in self._counted:
            self._counted[like] = _keys_of(roll, key)
        return self._counted[like]

    def settle(self, *values: Hashable) -> None:
        """Keep these values, if the branch ends here, as all that matters of it."""
        self.settled = values if self._depth == len(self.path) else None

    def _next(self) -> Faces:
        """Return the faces of the next throw of the path, or of the next group."""
        self._depth += 1
        return self.path[self._depth - 1].faces

    def branches(self) -> Iterator[EnumeratedDice]:
        """Yield this branch extended by every combination of faces of `next_sides`, or every key of `next_group`."""
        if self.next_group is not None:
            for throw, chance in self.next_group():
                yield EnumeratedDice((*self.path, throw), self.chance * chance, self._counted)
            return
        sides = self.next_sides or ()
        chance = self.chance / _combinations(sides)
        for faces in product(*(range(1, most + 1) for most in sides)):
            yield EnumeratedDice((*self.path, Throw(sides, faces)), chance, self._counted)


class _GroupDice(UncheckedDice):
    """The dice of one group: known faces, then NeverDrawn with the sides that are thrown next."""

    source: Source = "odds"

    def __init__(self, faces: Faces) -> None:
        self._faces = faces
        self._used = 0
        self.next_sides: tuple[int, ...] = ()

    def throw(self, purpose: str, *sides: int) -> Faces:
        """Return the next faces."""
        faces = self._faces[self._used : self._used + len(sides)]
        if len(faces) < len(sides):
            self.next_sides = sides
            raise NeverDrawn(purpose, sides)
        self._used += len(sides)
        return faces


def _keys_of(roll: Callable[[Dice], T], key: Callable[[T], Hashable]) -> Keys:
    """Return for each key of a group one throw that has it, and the chance of all that do."""
    first: dict[Hashable, Throw] = {}
    ways: dict[Hashable, Counter[int]] = {}  # how often a key comes up at each size of a branch, 1 in so many
    waiting: list[tuple[Faces, Faces, int]] = [((), (), 1)]
    while waiting:
        thrown, shown, size = waiting.pop()
        dice = _GroupDice(shown)
        try:
            result = key(roll(dice))
        except NeverDrawn:
            sides = (*thrown, *dice.next_sides)
            size *= _combinations(dice.next_sides)
            combinations = product(*(range(1, most + 1) for most in dice.next_sides))
            waiting += [(sides, (*shown, *faces), size) for faces in combinations]
        else:
            if result not in first:
                first[result], ways[result] = Throw(thrown, shown), Counter()
            ways[result][size] += 1
    return {
        result: (throw, sum((Fraction(times, size) for size, times in ways[result].items()), Fraction(0)))
        for result, throw in first.items()
    }


def _merged(keys: Keys, merge: Callable[[Any], Hashable] | None) -> Collection[tuple[Throw, Fraction]]:
    """Return a throw with its chance for each key, or for what the keys are merged to."""
    if merge is None:
        return keys.values()
    merged: Keys = {}
    for key, (throw, chance) in keys.items():
        first, so_far = merged.get(merge(key), (throw, Fraction(0)))
        merged[merge(key)] = (first, so_far + chance)
    return merged.values()


def _combinations(sides: Sequence[int]) -> int:
    """Return how many combinations of faces these dice have."""
    number = 1
    for most in sides:
        number *= most
    return number
