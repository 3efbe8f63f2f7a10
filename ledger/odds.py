"""Odds: decide a declaration with every combination of faces, and count the results.

`decide` itself is enumerated, so that no game needs arithmetic of its own. Open rolls are closed as at the end of a
session, so that wounds and damage count too. The first throw is enumerated completely, later throws as far as the
likeliest branches; the chance of the rest is `unexplored`. Games group and settle throws (`Dice.group`, `Dice.settle`)
where only a total or a grade matters, so that many dice are few branches. No seed is read, and nothing is written.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterator, Mapping, Sequence
from fractions import Fraction
from heapq import heappop, heappush
from itertools import chain
from math import lcm
from typing import Final

import msgspec

from ledger.declarations import Declaration
from ledger.enumeration import EnumeratedDice
from ledger.errors import LedgerError, NeverDrawn, OutOfBalance, stored_errors
from ledger.facts import ConditionBegan, EntryId, Fact, Judged, Rolled, Wounded
from ledger.game import GameProtocol
from ledger.implied_passes import fold_passes
from ledger.ledger_state import LedgerState, dispatch
from ledger.projection import S, Value

MAX_BRANCHES: Final = 100_000
MAX_EXPLORED: Final = 10_000
MAX_ONE_IN: Final = 10**8  # a branch that is less likely is not explored
ResultKey = tuple[str, str, str, str]


class Chance(msgspec.Struct, frozen=True, kw_only=True):
    """A possible result: judgement, being and target; it comes up in `ways` of `of` throws."""

    what: str
    who: str
    against: str
    result: str
    ways: int
    of: int


class Expected(msgspec.Struct, frozen=True, kw_only=True):
    """A number that the declaration may change: its value before, and its average after, `total` / `of`.

    `spread` has each value after and the ways in which it comes up, also the value before.
    """

    value: str
    before: int
    total: int
    of: int
    spread: tuple[tuple[int, int], ...] = ()


class Odds(msgspec.Struct, frozen=True, kw_only=True):
    """All results with their chances, and all numbers that may change with their averages.

    Each chance may be too low by `unexplored` / `of`, the chance of all branches that were not explored.
    `secret`: a result rests on a number that not everybody sees.
    """

    chances: tuple[Chance, ...]
    expected: tuple[Expected, ...]
    unexplored: int = 0
    of: int = 1
    secret: bool = False


class WeightedCount:
    """A sum over branches that are not equally likely, exact."""

    def __init__(self) -> None:
        self.counts: dict[Fraction, int] = {}  # chance -> sum

    def add(self, chance: Fraction, times: int = 1) -> None:
        """Add a branch with this chance."""
        self.counts[chance] = self.counts.get(chance, 0) + times

    def scaled_to(self, whole: int) -> int:
        """Return the sum scaled to `whole` branches."""
        return sum(times * whole * chance.numerator // chance.denominator for chance, times in self.counts.items())


def count_odds(game: GameProtocol[S], state: LedgerState[S], said: Declaration, id: EntryId) -> Odds:
    """Return the chances of all results of `said`, and the averages of the numbers that it changes.

    `state` is rolled back at the end. Raises Refused when the rules do not allow the declaration, and LedgerError for
    dice with too many combinations of faces.
    """
    before = state.values()
    with state.trial():
        fold_passes(game, state, said, EnumeratedDice, id)
        return _count_branches(game, state, said, id, before)


def facts_of_one_branch(game: GameProtocol[S], state: LedgerState[S], said: Declaration, id: EntryId) -> Sequence[Fact]:
    """Return what follows from the first throw on in one branch, as an example. Raises Refused as `count_odds`."""
    with state.trial():
        fold_passes(game, state, said, EnumeratedDice, id)
        open_branches = OpenBranches()
        while (dice := open_branches.next()) is not None:
            with state.trial():
                facts = _decide_branch(game, state, said, dice, id)
            if dice.next_sides is None:
                return facts
            open_branches.extend(dice, facts)
    return ()


def _count_branches(
    game: GameProtocol[S], state: LedgerState[S], said: Declaration, id: EntryId, before: Mapping[str, Value]
) -> Odds:
    """Decide every branch in a state that is ready for the declaration. Raises LedgerError if none comes to an end."""
    results: dict[ResultKey, WeightedCount] = {}
    numbers: dict[str, dict[int, WeightedCount]] = {}  # the changes of each
    explored, open_branches = WeightedCount(), OpenBranches()
    secret = False
    while (dice := open_branches.next()) is not None:
        with state.trial():
            facts = _decide_branch(game, state, said, dice, id)
            after = state.values() if dice.next_sides is None else {}
        if dice.next_sides is not None:
            open_branches.extend(dice, facts)
            continue
        explored.add(dice.chance)
        secret = secret or any(isinstance(fact, Judged) and fact.seen != "table" for fact in facts)
        for outcome in dict.fromkeys(_outcomes(facts)):
            results.setdefault(outcome, WeightedCount()).add(dice.chance)
        for name, value in after.items():
            was = before.get(name, 0)
            if isinstance(value, int) and isinstance(was, int) and value != was:
                numbers.setdefault(name, {}).setdefault(value - was, WeightedCount()).add(dice.chance)
    if not explored.counts:
        raise _too_many()
    whole = lcm(*(chance.denominator for chance in explored.counts))
    chances = (
        Chance(what=what, who=who, against=against, result=result, ways=ways.scaled_to(whole), of=whole)
        for (what, who, against, result), ways in results.items()
    )
    unexplored = whole - explored.scaled_to(whole)
    expected = (
        _expected(name, was, {change: ways.scaled_to(whole) for change, ways in changes.items()}, unexplored, whole)
        for name, changes in sorted(numbers.items())
        if isinstance(was := before.get(name, 0), int)
    )
    return Odds(chances=tuple(chances), expected=tuple(expected), unexplored=unexplored, of=whole, secret=secret)


def _expected(name: str, was: int, changes: Mapping[int, int], unexplored: int, of: int) -> Expected:
    """Return the average and the spread of a number, from the ways of its changes."""
    total = was * of + sum(change * ways for change, ways in changes.items())
    kept = of - unexplored - sum(changes.values())
    spread = {**({was: kept} if kept else {}), **{was + change: ways for change, ways in changes.items()}}
    return Expected(value=name, before=was, total=total, of=of, spread=tuple(sorted(spread.items())))


class OpenBranches:
    """Branches that still have to be decided: all of the first throw, then the likeliest of the later throws.

    Branches whose game has settled what matters wait until no other is left, and those that agree go on as one.
    """

    def __init__(self) -> None:
        self._waiting: list[tuple[Fraction, int, EnumeratedDice]] = [(Fraction(-1), 0, EnumeratedDice())]
        self._settled: dict[Hashable, EnumeratedDice] = {}
        self._made = self._decided = 0
        self._most = MAX_EXPLORED

    def next(self) -> EnumeratedDice | None:
        """Return the likeliest branch that waits; None when there is none, or none that is worth its time.

        What is settled goes on once no likely branch waits: those that are left are given up.
        """
        if not self._has_likely():
            self._waiting.clear()
            for dice in self._settled.values():
                if len(self._waiting) > MAX_BRANCHES:
                    break  # far more than are ever decided
                self._push_branches(dice)
            self._settled.clear()
        if not self._has_likely() or self._decided > self._most:
            return None
        self._decided += 1
        return heappop(self._waiting)[2]

    def _has_likely(self) -> bool:
        """Return whether a branch waits that is worth its time."""
        return bool(self._waiting) and -self._waiting[0][0] * MAX_ONE_IN >= 1

    def extend(self, dice: EnumeratedDice, facts: list[Fact]) -> None:
        """Go on with a branch that has thrown further dice. Raises LedgerError if the first throw has too many."""
        if self._decided == 1 and dice.next_group is None:
            first = math.prod(dice.next_sides or ())
            if first > MAX_BRANCHES:
                raise _too_many()
            self._most = max(self._most, first)
        if dice.settled is None:
            self._push_branches(dice)
            return
        effects = tuple(fact for fact in facts if not isinstance(fact, Rolled | Judged))
        key = (dice.settled, tuple(dict.fromkeys(_outcomes(facts))), effects)
        same = self._settled.get(key)
        if same is not None:
            same.chance += dice.chance
        else:
            self._settled[key] = dice

    def _push_branches(self, dice: EnumeratedDice) -> None:
        """Let every branch of the next throw wait."""
        for branch in dice.branches():
            self._made += 1
            heappush(self._waiting, (-branch.chance, self._made, branch))


def _too_many() -> LedgerError:
    """Return the error of dice with so many faces that no result can be counted."""
    return LedgerError(f"more than {MAX_BRANCHES} combinations of faces", hint="Ask about fewer dice at once.")


def _decide_branch(
    game: GameProtocol[S], state: LedgerState[S], said: Declaration, dice: EnumeratedDice, id: EntryId
) -> list[Fact]:
    """Return the facts of one branch, folded as far as its dice go.

    Facts before the first throw are omitted: an older roll that is closed is not a result of this declaration.
    """
    facts: list[Fact] = []
    thrown = False
    try:
        for fact in chain(dispatch(game, state, said, dice), _close_open(game, state)):
            if not thrown and dice.has_thrown:
                thrown = True
                facts.clear()
            state.step(id, fact)
            facts.append(fact)
    except (NeverDrawn, OutOfBalance):
        pass
    return facts


def _close_open(game: GameProtocol[S], state: LedgerState[S]) -> Iterator[Fact]:
    """Yield the facts that close open windows. A generator, so that it starts with the state after the declaration."""
    with stored_errors(f"the state after entry {state.last}"):
        yield from game.before_close(state.state)


def _outcomes(facts: list[Fact]) -> Iterator[ResultKey]:
    """Yield the judged results, wounds and conditions. Conditions with `data` are internal notes of a game."""
    for fact in facts:
        if isinstance(fact, Judged):
            yield fact.what, fact.who, fact.against, fact.result
        elif isinstance(fact, Wounded):
            yield "wound taken", fact.who, "", fact.kind
        elif isinstance(fact, ConditionBegan) and not fact.data:
            yield "condition", fact.who, "", fact.name
