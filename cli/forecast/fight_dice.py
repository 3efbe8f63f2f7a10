"""The dice of a forecast: each face follows from the key of a run, what is thrown, and how often it was before."""

from __future__ import annotations

from hashlib import blake2b
from struct import Struct
from typing import Final

from ledger.dice import MAX_SIDES, Source, UncheckedDice
from ledger.errors import BadFaces

WORDS: Final = Struct(">8Q")  # of one digest: a word of 64 bits for each die
BITS: Final = 64


class FightDice(UncheckedDice):
    """The dice of one run: a die depends on the run, its purpose and how often that was thrown in it.

    So two plans that are played with the same runs meet the same dice, as far as they do the same. A face is a word of
    a keyed BLAKE2b digest, scaled to the sides: no face is more likely than another by more than 1 in 2^44.
    """

    __slots__ = ("_counts", "_now", "key")
    source: Source = "odds"

    def __init__(self, key: bytes) -> None:
        """`key` is that of the run: a forecast's own, never that of a session."""
        self.key = key
        self._counts: dict[str, int] = {}
        self._now: dict[str, int] = {}  # throws of the declaration that is decided

    def begin_declaration(self) -> None:
        """Throw anew for each purpose from now on."""
        self._now = {}

    def throw(self, purpose: str, *sides: int) -> tuple[int, ...]:
        """Return the faces; within one declaration the same for the same purpose. Raises BadFaces for no such die."""
        number = self._now.get(purpose)
        if number is None:
            number = self._now[purpose] = self._counts[purpose] = self._counts.get(purpose, 0) + 1
        if sides and not (min(sides) >= 1 and max(sides) <= MAX_SIDES):
            most = next(most for most in sides if not 1 <= most <= MAX_SIDES)
            raise BadFaces(f"no die has {most} sides", purpose=purpose, sides=most)
        words = self._draw(0, number, purpose)
        while len(words) < len(sides):
            words += self._draw(len(words), number, purpose)
        return tuple([(word * most >> BITS) + 1 for word, most in zip(words, sides, strict=False)])

    def share(self, what: str, number: int) -> float:
        """Return a number from 0 to below 1 for a choice: the run decides it, what is chosen, and its number."""
        return self._draw(-1, number, what)[0] / (1 << BITS)

    def _draw(self, first: int, number: int, purpose: str) -> tuple[int, ...]:
        """Return the words of the dice from an ordinal on."""
        message = f"{first} {number} {purpose}".encode()
        words: tuple[int, ...] = WORDS.unpack(blake2b(message, key=self.key).digest())
        return words
