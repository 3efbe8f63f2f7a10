"""Odds: every combination of faces that the dice of a declaration could show, decided, and what came of each counted.

The faces are enumerated through `decide` itself, so that no game needs arithmetic of its own; what waits for an answer
is closed as at the end of a session, so that consequences (wounds, damage) count too. The first throw of a declaration
is enumerated whole; throws that follow from it are followed where they are likeliest, up to a number of branches, and
the chance of what lies beyond is told. No seed is read, and nothing is written.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import chain
from math import lcm
from typing import Final

import msgspec

from ledger.declarations import Declaration
from ledger.dice import EnumeratedDice, branches
from ledger.errors import LedgerError, NeverDrawn, OutOfBalance
from ledger.facts import ConditionBegan, EntryId, Fact, Judged, Wounded
from ledger.game import GameProtocol
from ledger.position import LedgerState, dispatch
from ledger.projection import S

MAX_BRANCHES: Final = 100_000
MAX_EXPLORED: Final = 10_000
MAX_ONE_IN: Final = 10**8  # a branch that comes up once in more than so many is not followed
Outcome = tuple[str, str, str, str]


class Chance(msgspec.Struct, frozen=True, kw_only=True):
    """A result that may come up: what is judged, for whom and against whom, how it comes out, in how many of throws."""

    what: str
    who: str
    against: str
    result: str
    ways: int
    of: int


class Expected(msgspec.Struct, frozen=True, kw_only=True):
    """A number that the declaration may change: what it is before, and `total` / `of` what it is on average after."""

    value: str
    before: int
    total: int
    of: int


class Odds(msgspec.Struct, frozen=True, kw_only=True):
    """All results with their chances, and all numbers that change with what is expected of them.

    Dice that roll again may do so for ever: `beyond` in `of` is the chance of all that was not followed. Each chance
    is too low by that much at most.
    """

    chances: tuple[Chance, ...]
    expected: tuple[Expected, ...]
    unexplored: int = 0
    of: int = 1


class WeightedCount:
    """Something counted over branches that are not all equally likely: exact, without fractions."""

    def __init__(self) -> None:
        self.counts: dict[int, int] = {}  # of how many: how often

    def add(self, of: int, times: int = 1) -> None:
        """One branch in `of`."""
        self.counts[of] = self.counts.get(of, 0) + times

    def scaled_to(self, whole: int) -> int:
        """How many of `whole`."""
        return sum(times * whole // of for of, times in self.counts.items())


def odds(game: GameProtocol[S], state: LedgerState[S], said: Declaration, id: EntryId) -> Odds:
    """What `said` may come to where `place` stands: exact chances of all that was followed, and the rest (`beyond`).

    Raises Refused when the rules do not allow it. `place` is left as it was.
    """
    found: dict[Outcome, WeightedCount] = {}
    numbers: dict[str, WeightedCount] = {}
    before, followed = state.values(), WeightedCount()
    for dice in _explored_branches():
        mark = state.mark()
        try:
            outcomes = dict.fromkeys(_outcomes(_decide_branch(game, state, said, dice, id)))
            after = state.values() if dice.next_sides is None else {}
        finally:
            state.roll_back(mark)
        if dice.next_sides is not None:
            continue
        followed.add(dice.one_in)
        for outcome in outcomes:
            found.setdefault(outcome, WeightedCount()).add(dice.one_in)
        for name, value in after.items():
            was = before.get(name, 0)
            if isinstance(value, int) and isinstance(was, int) and value != was:
                numbers.setdefault(name, WeightedCount()).add(dice.one_in, value - was)
    whole = lcm(*followed.counts)
    chances = (
        Chance(what=what, who=who, against=against, result=result, ways=ways.scaled_to(whole), of=whole)
        for (what, who, against, result), ways in found.items()
    )
    expected = (
        Expected(value=name, before=was, total=was * whole + change.scaled_to(whole), of=whole)
        for name, change in sorted(numbers.items())
        if isinstance(was := before.get(name, 0), int)
    )
    return Odds(
        chances=tuple(chances), expected=tuple(expected), unexplored=whole - followed.scaled_to(whole), of=whole
    )


def _explored_branches() -> Iterator[EnumeratedDice]:
    """The branches that are decided: all of the first throw, then the likeliest of what is thrown after it.

    Raises LedgerError where the first throw has too many.
    """
    most = MAX_EXPLORED
    for number, dice in enumerate(branches()):
        if number > most or dice.one_in > MAX_ONE_IN:
            return
        yield dice
        if number == 0 and dice.next_sides is not None:
            first = math.prod(dice.next_sides)
            if first > MAX_BRANCHES:
                what = f"more than {MAX_BRANCHES} combinations of faces"
                raise LedgerError(what, hint="Ask about fewer dice at once.")
            most = max(most, first)


def _decide_branch(
    game: GameProtocol[S], state: LedgerState[S], said: Declaration, dice: EnumeratedDice, id: EntryId
) -> list[Fact]:
    """The facts of one branch, as far as its dice decide it, folded; those behind the first throw, where one is thrown.

    What comes before it (an older roll that is closed) is no chance of this declaration.
    """
    facts: list[Fact] = []
    thrown = False
    try:
        for fact in chain(dispatch(game, state, said, dice), _settled(game, state)):
            if not thrown and dice.has_thrown:
                thrown = True
                facts.clear()
            state.step(id, fact)
            facts.append(fact)
    except (NeverDrawn, OutOfBalance):
        pass
    return facts


def _settled(game: GameProtocol[S], state: LedgerState[S]) -> Iterator[Fact]:
    """What waits is closed."""
    yield from game.before_close(state.state)


def _outcomes(facts: list[Fact]) -> Iterator[Outcome]:
    """What is judged, and the wounds and conditions that come of it (but for notes of the game's own)."""
    for fact in facts:
        if isinstance(fact, Judged):
            yield fact.what, fact.who, fact.against, fact.result
        elif isinstance(fact, Wounded):
            yield "wound taken", fact.who, "", fact.kind
        elif isinstance(fact, ConditionBegan) and not fact.data:
            yield "condition", fact.who, "", fact.name
