"""The dice of a forecast: each face follows from the key of a run, what is thrown, and how often it was before."""

from __future__ import annotations

from functools import lru_cache
from hashlib import blake2b
from struct import Struct
from typing import Final

from ledger.dice import MAX_SIDES, Source, UncheckedDice
from ledger.errors import BadFaces

BITS: Final = 64  # of a word, one for each die
WORDS: Final = [Struct(f">{count}Q") for count in range(9)]  # the first of a digest, which has eight
ALL: Final = WORDS[-1]


class FightDice(UncheckedDice):
    """The dice of one run: a die depends on the run, its purpose and how often that was thrown in it.

    So two plans that are played with the same runs meet the same dice, as far as they do the same. A face is a word of
    a keyed BLAKE2b digest, scaled to the sides: no face is more likely than another by more than 1 in 2^44.
    """

    __slots__ = ("_begun", "_counts", "_now")
    source: Source = "odds"

    def __init__(self, key: bytes) -> None:
        """`key` is that of the run: a forecast's own, never that of a session."""
        self._begun = blake2b(key=key)
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
        words_of = words_of_dice(sides)
        if words_of is None:
            most = next(most for most in sides if not 1 <= most <= MAX_SIDES)
            raise BadFaces(f"no die has {most} sides", purpose=purpose, sides=most)
        words: tuple[int, ...] = words_of.unpack_from(self._digest(0, number, purpose))
        while len(words) < len(sides):
            words += ALL.unpack(self._digest(len(words), number, purpose))
        return tuple([(words[ordinal] * most >> BITS) + 1 for ordinal, most in enumerate(sides)])

    def share(self, what: str, number: int) -> float:
        """Return a number from 0 to below 1 for a choice: the run decides it, what is chosen, and its number."""
        word: int = ALL.unpack(self._digest(-1, number, what))[0]
        return word / (1 << BITS)

    def _digest(self, first: int, number: int, purpose: str) -> bytes:
        """Return the digest of the dice from an ordinal on."""
        digest = self._begun.copy()
        digest.update(f"{first} {number} {purpose}".encode())
        return digest.digest()


@lru_cache(maxsize=1024)
def words_of_dice(sides: tuple[int, ...]) -> Struct | None:
    """Return what reads the words of these dice, or of the first eight, from a digest; None if one is no die."""
    return WORDS[min(len(sides), len(WORDS) - 1)] if all(1 <= most <= MAX_SIDES for most in sides) else None
