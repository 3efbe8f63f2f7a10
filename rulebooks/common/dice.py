"""Dice: those of one entry, thrown roll by roll; faces that do not fit become a refusal with a code of the book."""

from __future__ import annotations

from collections.abc import Callable

from ledger.dice import Dice
from ledger.errors import BadFaces, Refused


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


class CheckedDice:
    """The dice of one entry. Typed faces must be those of the dice thrown, no more and no fewer.

    `refusal` makes the refusal of the book from a list of the dice thrown so far: `d8 (attack Ana), d20 (save Otto)`.
    """

    def __init__(self, dice: Dice, refusal: Callable[[str], Refused]) -> None:
        self.dice = dice
        self.thrown: list[tuple[str, int]] = []
        self._refusal = refusal

    def throw(self, purpose: str, *sides: int) -> tuple[int, ...]:
        """Return the faces of the dice of a purpose. Raises the refusal of an impossible or missing face."""
        self.thrown += [(purpose, most) for most in sides]
        with refuse_bad_faces(self.refusal):
            return self.dice.throw(purpose, *sides)

    def throw_total(self, purpose: str, *sides: int) -> tuple[int, ...]:
        """Return the faces of dice of which only the total matters to what is decided next."""
        self.thrown += [(purpose, most) for most in sides]
        with refuse_bad_faces(self.refusal):
            return self.dice.group(lambda dice: dice.throw(purpose, *sides), sum)

    def check_all_thrown(self) -> None:
        """Raise the refusal of faces that are left over."""
        with refuse_bad_faces(self.refusal):
            self.dice.expect(*(sides for _, sides in self.thrown))

    def refusal(self, wrong: str) -> Refused:
        """Return the refusal of faces other than those of the dice thrown so far."""
        return self._refusal(", ".join(f"d{sides} ({purpose})" for purpose, sides in self.thrown))
