"""Odds of dice that are rerolled: exact for explored branches, with the chance of the rest."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import Any

import pytest

from ledger import odds as module
from ledger.declarations import Declaration
from ledger.dice import Dice
from ledger.errors import LedgerError
from ledger.facts import EntryId, Fact, Judged
from ledger.ledger_state import initial_state
from ledger.odds import Odds, count_odds
from projections.projection import StateProjection

ENTRY = EntryId(1, 1)


class Roll(Declaration, frozen=True, kw_only=True, tag="roll"):
    """Roll dice of so many sides; each that shows its maximum brings one more."""

    count: int
    sides: int


class Exploding:
    """A game of one rule: dice that show their maximum roll again."""

    name, version, revision, declarations = "exploding", "1", 1, (Roll,)

    def decide(self, said: Roll, state: Any, dice: Dice) -> Iterator[Fact]:
        total, keys = 0, [str(number) for number in range(said.count)]
        thrown = list(zip(keys, dice.throw("base", *[said.sides] * said.count), strict=True))
        while thrown:
            total += len(thrown)
            again = [f"extra of {key}" for key, face in thrown if face == said.sides]
            thrown = [(key, dice.throw(key, said.sides)[0]) for key in again]
        yield Judged(what="dice", who="Ana", result=str(total), final=True)

    def adjustment(self, by: str, value: str, change: int, reason: str) -> None:
        return None

    def skips(self, said: Declaration, state: Any) -> Iterable[Declaration]:
        return ()

    def before_close(self, state: Any) -> Iterator[Fact]:
        return iter(())


def odds_of(count: int, sides: int) -> Odds:
    return count_odds(Exploding(), initial_state(StateProjection()), Roll(by="Ana", count=count, sides=sides), ENTRY)


def chance(found: Odds, result: str) -> Fraction:
    (one,) = [one for one in found.chances if one.result == result]
    return Fraction(one.ways, one.of)


@pytest.mark.parametrize("sides", [2, 6, 12])
def test_a_chain_without_end_has_the_chances_of_the_schoolbook(sides: int) -> None:
    found = odds_of(1, sides)
    for length in (1, 2, 3):
        assert chance(found, str(length)) == Fraction(sides - 1, sides**length)
    assert Fraction(found.unexplored, found.of) < Fraction(1, 1000)


@pytest.mark.slow
def test_explored_and_unexplored_chances_sum_to_one() -> None:
    found = odds_of(2, 6)
    assert sum(one.ways for one in found.chances) + found.unexplored == found.of
    assert {one.of for one in found.chances} == {found.of}
    assert found.unexplored > 0


@pytest.mark.slow
def test_chances_are_too_low_by_unexplored_at_most() -> None:
    """Two dice in all, no more: neither of two shows a 6; three: one of two does, and its extra die does not."""
    found = odds_of(2, 6)
    for result, true in (("2", Fraction(25, 36)), ("3", Fraction(10, 36) * Fraction(5, 6))):
        assert chance(found, result) <= true <= chance(found, result) + Fraction(found.unexplored, found.of)


@pytest.mark.slow
def test_fewer_branches_leave_more_beyond(monkeypatch: pytest.MonkeyPatch) -> None:
    all_of_it = odds_of(2, 6)
    monkeypatch.setattr(module, "MAX_EXPLORED", 60)
    found = odds_of(2, 6)
    assert Fraction(found.unexplored, found.of) > Fraction(all_of_it.unexplored, all_of_it.of)
    assert sum(one.ways for one in found.chances) + found.unexplored == found.of


def test_first_throw_is_explored_completely(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MAX_EXPLORED", 1)
    found = odds_of(2, 6)
    assert chance(found, "2") == Fraction(25, 36)
    assert Fraction(found.unexplored, found.of) == Fraction(11, 36)


def test_a_first_throw_with_too_many_combinations_is_refused() -> None:
    with pytest.raises(LedgerError, match="more than 100000 combinations"):
        odds_of(6, 12)


def test_dice_that_do_not_roll_again_have_nothing_beyond() -> None:
    class Plain(Exploding):
        def decide(self, said: Roll, state: Any, dice: Dice) -> Iterator[Fact]:
            yield Judged(what="dice", who="Ana", result=str(sum(dice.throw("base", 6, 6))), final=True)

    found = count_odds(Plain(), initial_state(StateProjection()), Roll(by="Ana", count=2, sides=6), ENTRY)
    assert (found.unexplored, found.of, chance(found, "7")) == (0, 36, Fraction(1, 6))
