"""Dice: those of one entry, thrown roll by roll; faces that do not fit become a refusal with a code of the book."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from functools import partial
from typing import Any, TypeVar

from ledger.dice import LEAVE_OUT, Dice
from ledger.errors import BadFaces, Refused

T = TypeVar("T")
Thrown = Mapping[str, tuple[int, ...]]  # the sides of the dice of each purpose


class refuse_bad_faces:  # noqa: N801 - used like a function
    """Raise this refusal for impossible, missing or left-over faces; it is given what is wrong with them."""

    __slots__ = ("_refusal",)

    def __init__(self, refusal: Callable[[str], Refused]) -> None:
        self._refusal = refusal

    def __enter__(self) -> None:
        """Do nothing."""

    def __exit__(self, kind: object, error: BaseException | None, traceback: object) -> None:
        """Raise the refusal from an error of the faces."""
        if isinstance(error, BadFaces):
            raise self._refusal(error.what) from error


def each_die(thrown: Thrown, wrong: str) -> str:
    """Return the dice that were thrown, one by one: `d8 (attack Ana), d20 (save Otto)`."""
    return ", ".join(f"d{most} ({purpose})" for purpose, sides in thrown.items() for most in sides)


class Thrower:
    """The dice of one roll, which note what they throw."""

    def __init__(self, thrown: dict[str, tuple[int, ...]], dice: Dice) -> None:
        """`thrown` has the sides of what the entry has thrown so far, by purpose."""
        self.thrown, self.dice = thrown, dice

    def throw(self, purpose: str, *sides: int) -> tuple[int, ...]:
        """Return the faces of these dice."""
        self.thrown[purpose] = sides
        return self.dice.throw(purpose, *sides)


class EntryDice(Thrower):
    """The dice of one entry. Typed faces must be those of the dice thrown, no more and no fewer.

    `refusal` is that of the book, with the code DICE; `expected` says which dice were thrown so far.
    """

    def __init__(
        self, dice: Dice, refusal: Callable[..., Refused], expected: Callable[[Thrown, str], str] = each_die
    ) -> None:
        self.thrown, self.dice = {}, dice
        self._refusal, self._expected = refusal, expected

    def throw(self, purpose: str, *sides: int) -> tuple[int, ...]:
        """Return the faces of the dice of a purpose. Raises the refusal of an impossible or missing face."""
        self.thrown[purpose] = sides
        try:
            return self.dice.throw(purpose, *sides)
        except BadFaces as error:
            raise self.refusal(error.what) from error

    def group(
        self,
        roll: Callable[[Thrower], T],
        key: Callable[[T], Hashable],
        like: Hashable = None,
        merge: Callable[[Any], Hashable] | None = None,
    ) -> T:
        """Return what `roll` makes of its dice. Only its `key` matters to what is decided next.

        Rolls that are `like` each other have the same chances. `merge` returns what matters of the key.
        """
        if self.dice.is_single:
            return roll(self)
        try:
            return self.dice.group(partial(self._throw_group, roll), key, like, merge)
        except BadFaces as error:
            raise self.refusal(error.what) from error

    def _throw_group(self, roll: Callable[[Thrower], T], dice: Dice) -> T:
        """Return what `roll` makes of the dice of a group, which are others than those of the entry."""
        return roll(Thrower(self.thrown, dice))

    def check_all_thrown(self) -> None:
        """Raise the refusal of faces that are left over."""
        with refuse_bad_faces(self.refusal):
            self.dice.expect(*(most for sides in self.thrown.values() for most in sides))

    def refusal(self, wrong: str) -> Refused:
        """Return the refusal of faces other than those of the dice thrown so far."""
        if not self.thrown:
            return self._refusal("DICE", expected="none: nothing is thrown").with_hint(LEAVE_OUT)
        return self._refusal("DICE", expected=self._expected(self.thrown, wrong))
