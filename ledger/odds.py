"""Odds: every combination of faces that the dice of a declaration could show, decided, and what came of each counted.

The faces are enumerated through `decide` itself, so that no game needs arithmetic of its own. The first throw of a
declaration is enumerated; what it would throw after that is not followed. No seed is read, and nothing is written.
"""

from __future__ import annotations

from math import lcm
from typing import Final

import msgspec

from ledger.dice import Dice, EnumeratedDice, branches
from ledger.errors import LedgerError, NeverDrawn, OutOfBalance
from ledger.facts import EntryId, Fact, Judged
from ledger.game import Declaration, Game, S
from ledger.standing import Standing, following

BRANCHES_MOST: Final = 100_000


class Chance(msgspec.Struct, frozen=True, kw_only=True):
    """A result that may come up: what is judged and for whom, how it comes out, and in how many of so many throws."""

    what: str
    who: str
    result: str
    ways: int
    of: int


class FirstThrow:
    """Dice that show one branch of their first throw, and nothing after it."""

    def __init__(self, dice: EnumeratedDice) -> None:
        self.dice, self.source = dice, dice.source
        self.asked: tuple[str, tuple[int, ...]] | None = None

    def expect(self, *sides: int) -> None:
        """Nothing to check: every face comes up in some branch."""

    def throw(self, purpose: str, *sides: int) -> tuple[int, ...]:
        """The faces of this branch. Raises NeverDrawn for a second throw."""
        if self.asked not in (None, (purpose, sides)):
            raise NeverDrawn(purpose, sides)
        self.asked = (purpose, sides)
        return self.dice.throw(purpose, *sides)


def odds(game: Game[S], place: Standing[S], said: Declaration, id: EntryId) -> list[Chance]:
    """What the first throw of `said` may come to where `place` stands, each result with its chance.

    Raises Refused when the rules do not allow it. Empty where nothing is thrown and nothing judged.
    """
    counts: dict[tuple[str, str, str], dict[int, int]] = {}
    whole = 1
    for number, dice in enumerate(branches()):
        if number == BRANCHES_MOST:
            raise LedgerError(f"more than {BRANCHES_MOST} combinations of faces", mend="Ask about fewer dice at once.")
        judged = _judged(game, place, said, FirstThrow(dice), id)
        whole = lcm(whole, dice.chances)
        for found in dict.fromkeys(judged):
            ways = counts.setdefault(found, {})
            ways[dice.chances] = ways.get(dice.chances, 0) + 1
    return [
        Chance(what=what, who=who, result=result, ways=sum(n * whole // of for of, n in ways.items()), of=whole)
        for (what, who, result), ways in counts.items()
    ]


def _judged(
    game: Game[S], place: Standing[S], said: Declaration, dice: Dice, id: EntryId
) -> list[tuple[str, str, str]]:
    """What is judged in one branch, as far as its first throw decides it. `place` is left as it was."""
    mark = place.mark()
    found: list[Fact] = []
    try:
        for fact in following(game, place, said, dice):
            place.step(id, fact)
            found.append(fact)
    except (NeverDrawn, OutOfBalance):
        pass
    finally:
        place.roll_back(mark)
    return [(fact.what, fact.who, fact.result) for fact in found if isinstance(fact, Judged)]
