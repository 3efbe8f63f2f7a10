"""Odds held against every throw that is possible: each face is typed in, and what comes of it is counted."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from fractions import Fraction
from typing import Any, Final

import msgspec

from ledger.declarations import Declaration
from ledger.errors import LedgerError, NeverDrawn
from ledger.facts import EntryId, Fact, Judged, Rolled
from ledger.ledger_state import decide_and_fold
from ledger.odds import Odds, count_odds
from rulebooks.testing.seat import EnoughDice
from rulebooks.testing.table import LineTable

THROWS_MOST: Final = 1500  # of one line; a line with more is left to the tests of its game
OF_STATE: Final = ("wound taken", "condition")  # chances of what begins, which are no judgements
Result = tuple[str, str, str, str]


class OracleDice(EnoughDice):
    """Typed faces that say which die comes next."""

    def throw(self, purpose: str, *sides: int) -> tuple[int, ...]:
        """Return the next faces. Raises NeverDrawn for the first die that has none."""
        left = len(self.faces) - self._used
        if (purpose, sides) not in self._shown and left < len(sides):
            raise NeverDrawn(purpose, sides[left:])
        return super().throw(purpose, *sides)


class CountedThrows(msgspec.Struct):
    """What comes of every throw: the chance of each result, and the average change of each value."""

    results: dict[Result, Fraction]
    changes: dict[str, Fraction]
    throws: int = 0


def count_throws(table: LineTable, said: Declaration) -> CountedThrows | None:
    """Return what comes of every throw of a line; None for a line with too many, and for one that is refused now."""
    state, counted = table.ledger.state, CountedThrows(defaultdict(Fraction), defaultdict(Fraction))
    entry, before = EntryId(state.last.session, state.last.number + 1), state.values()
    waiting: list[tuple[tuple[int, ...], Fraction]] = [((), Fraction(1))]
    while waiting:
        faces, chance = waiting.pop()
        mark = state.mark()
        try:
            facts = list(decide_and_fold(table.book, state, said, OracleDice(faces), entry))
            for fact in table.book.before_close(state.state):
                state.step(entry, fact)
                facts.append(fact)
        except NeverDrawn as missing:
            waiting += [((*faces, face), chance / missing.sides[0]) for face in range(1, missing.sides[0] + 1)]
        except LedgerError:
            return None
        else:
            count_throw(counted, facts, chance)
            for name, value in state.values().items():
                was = before.get(name, 0)
                if isinstance(value, int) and isinstance(was, int) and value != was:
                    counted.changes[name] += chance * (value - was)
        finally:
            state.roll_back(mark)
        if counted.throws + len(waiting) > THROWS_MOST:
            return None
    return counted


def count_throw(counted: CountedThrows, facts: list[Fact], chance: Fraction) -> None:
    """Add the results of one throw: what was judged from its first dice on."""
    counted.throws += 1
    first = next((number for number, fact in enumerate(facts) if isinstance(fact, Rolled)), len(facts))
    judged = [fact for fact in facts[first:] if isinstance(fact, Judged)]
    for result in {(fact.what, fact.who, fact.against, fact.result) for fact in judged}:
        counted.results[result] += chance


def check_odds(table: LineTable, case: Mapping[str, Any]) -> None:
    """Check before each line of a case that its odds are those of every throw."""
    for step in case["steps"]:
        if "refused" in step:
            continue
        said = table.parse(step["line"])
        counted = count_throws(table, said)
        if counted is not None and counted.throws > 1:
            state = table.ledger.state
            compare(counted, count_odds(table.book, state, said, EntryId(state.last.session, state.last.number + 1)))
        table.line(step["line"], *step.get("dice", ()))


def compare(counted: CountedThrows, odds: Odds) -> None:
    """Check that odds are what was counted, but for the chance of what they have not explored."""
    unexplored = Fraction(odds.unexplored, odds.of)
    found = {
        (chance.what, chance.who, chance.against, chance.result): Fraction(chance.ways, chance.of)
        for chance in odds.chances
        if chance.what not in OF_STATE
    }
    for result in found.keys() | counted.results.keys():
        chance, wanted = found.get(result, Fraction(0)), counted.results.get(result, Fraction(0))
        assert abs(chance - wanted) <= unexplored, f"{result} has {chance}, and every throw makes it {wanted}"
    if not unexplored:
        changes = {each.value: Fraction(each.total, each.of) - each.before for each in odds.expected}
        wanted_changes = {name: change for name, change in counted.changes.items() if change}
        assert {name: change for name, change in changes.items() if change} == wanted_changes
