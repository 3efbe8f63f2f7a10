"""Burning: it adds up, burns as a turn begins, and water ends it."""

from __future__ import annotations

from collections.abc import Iterator

from ledger.facts import Fact
from projections.state import State
from rulebooks.common.conditions import condition_end, find_condition, has_condition, new_condition
from rulebooks.common.decisions import decides
from rulebooks.common.dice import EntryDice
from rulebooks.mars.declarations.harm import Douse
from rulebooks.mars.guards import BURNING, DEAD, check_alive
from rulebooks.mars.harm.damage import Impact, land_on_target, roll_value
from rulebooks.mars.tasks.roll_values import RollValue
from rulebooks.mars.texts import refusal


def ignite(who: str, degree: int, source: str, state: State, *rules: str) -> Iterator[Fact]:
    """GR-BUR-1: a new fire adds to the one that burns."""
    earlier = find_condition(who, BURNING, state)
    total = degree + (earlier.degree if earlier else 0)
    yield new_condition(who, BURNING, "GR-BUR-1", *rules, degree=total, about=source)


def burning_value(degree: int) -> RollValue:
    """GR-BUR-2: r4, and r2 more for each degree beyond the first."""
    return RollValue(2 * degree + 2)


def burn(who: str, state: State, throws: EntryDice) -> Iterator[Fact]:
    """GR-BUR-2: fire damage past all damage reduction as the turn begins; then one degree less."""
    condition = find_condition(who, BURNING, state)
    if condition is None or has_condition(who, DEAD, state):
        return
    purpose = f"burning {who}"
    made = yield from roll_value(who, purpose, burning_value(condition.degree), throws, "GR-BUR-2")
    rules = ("GR-BUR-2",)
    impact = Impact(target=who, rolled=made.total, type="fire", rolls=made.rolls, sums=made.sums, rules=rules)
    yield from land_on_target(impact, state)
    if condition.degree > 1:
        yield new_condition(who, BURNING, "GR-BUR-2", degree=condition.degree - 1, about=condition.about)
    else:
        yield condition_end(f"{BURNING} {who}", state, "burnt out", "GR-BUR-2")


@decides(Douse)
def douse(said: Douse, state: State) -> Iterator[Fact]:
    """GR-BUR-3: water puts the fire out, whatever its degree."""
    check_alive(said.target, state)
    if not has_condition(said.target, BURNING, state):
        raise refusal("EFFECT", case="fire", name=said.target)
    yield condition_end(f"{BURNING} {said.target}", state, said.reason or "doused", "GR-BUR-3")
