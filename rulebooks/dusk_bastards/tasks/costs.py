"""The price of an attempt: initial cost, Effort, abilities and spells; worked out once, paid before the roll."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import msgspec

from ledger.facts import Fact, PointsSpent, Step, Sum
from projections.state import State
from rulebooks.dusk_bastards.declarations.combat import CastSpell
from rulebooks.dusk_bastards.declarations.parts import STATS, Cost, Stat
from rulebooks.dusk_bastards.declarations.tasks import Task
from rulebooks.dusk_bastards.tasks.effort import (
    EFFORT_STEPS_MOST,
    check_effort,
    effort_cost,
    effort_price,
    free_levels,
    level_words,
)
from rulebooks.dusk_bastards.tasks.token_uses import regained_stat
from rulebooks.dusk_bastards.texts import check_whole, refusal, value_refusal


class Item(msgspec.Struct, frozen=True):
    """One thing that is paid for, before the roll."""

    because: str
    stat: Stat
    points: int
    rules: tuple[str, ...]


class Price(msgspec.Struct, frozen=True, kw_only=True):
    """The price of one attempt, as far as it can be known before the roll."""

    who: str
    stat: Stat  # of the roll: Effort is paid from it
    items: tuple[Item, ...]  # in order of payment
    sums: tuple[Sum, ...]  # the arithmetic, item by item; empty when it costs nothing
    spent: tuple[Cost, ...]  # all points of this action by pool, with those paid before (DB-DEST-13)
    fixed: int  # points of the stat without Effort
    shortage: tuple[Stat, int] | None  # the first pool that cannot pay its minimum, and that minimum


def price_of(said: Task, stat: Stat, state: State, *, retry: bool, before: tuple[Cost, ...] = ()) -> Price:
    """DB-COST-3: in order of payment: initial cost, then Effort, then ability costs. Refused: Effort beyond its limits.

    DB-COST-4: the minimum is all that is fixed, and the first level of Effort where a retry demands one.
    `before`: what was paid on the same action before.
    """
    check_effort(said, stat, state, retry=retry)
    points, unwounded = effort_price(said.by, said.effort, state), effort_cost(said.effort)
    wounded = ("DB-EFFORT-7", "DB-WOUND-6") if points > unwounded else ()
    rules = ("DB-EFFORT-2", "DB-EFFORT-3", "DB-EFFORT-8", "DB-COST-3", *wounded)
    fixed = fixed_items(said, stat)
    initial, *abilities = fixed
    effort = Item(f"Effort {said.effort}", stat, points, rules)
    items = tuple([item for item in (initial, effort, *abilities) if item.points])
    return Price(
        who=said.by,
        stat=stat,
        items=items,
        sums=_cost_sums(items),
        spent=tuple([Cost(pool, sum_) for pool, sum_ in points_by_pool([*before, *items]).items() if sum_]),
        fixed=sum([item.points for item in fixed if item.stat == stat]),
        shortage=shortage(said.by, [*fixed, *first_level(said, stat, state, retry=retry)], state),
    )


def first_level(said: Task, stat: Stat, state: State, *, retry: bool) -> list[Cost]:
    """DB-COST-4: the first level of Effort, where a retry demands one."""
    return [Cost(stat, effort_price(said.by, 1, state))] if retry and not free_levels(said, state) else []


def can_pay_minimum(said: Task, stat: Stat, state: State, *, retry: bool) -> bool:
    """DB-COST-4: whether the minimum can be paid, with the points that Destiny brings back before the roll."""
    parts = points_by_pool([*fixed_items(said, stat), *first_level(said, stat, state, retry=retry)])
    for use in said.destiny_first:
        if use.use == "regain":
            parts[regained_stat(use)] -= 1
    return all(points <= state.points(said.by, pool) for pool, points in parts.items())


def _cost_sums(items: Iterable[Item]) -> tuple[Sum, ...]:
    """Return the arithmetic of the items, empty without any."""
    now, steps = 0, []
    for item in items:
        now, because = now + item.points, f"{item.because} from {item.stat}"
        steps.append(Step(op="+", value=item.points, rule=item.rules[0], because=because, now=now))
    return (Sum(name="cost", start=0, steps=tuple(steps), total=now),) if steps else ()


def fixed_items(said: Task, stat: Stat) -> list[Item]:
    """DB-COST-4: initial cost and fixed ability costs, whatever the roll; the initial cost first, also when it is 0."""
    items = [Item("initial cost", said.initial_stat or stat, said.initial_cost, ("DB-COST-1", "DB-COST-3"))]
    items += [Item("ability", cost.stat, cost.points, ("DB-COST-3",)) for cost in said.ability_cost]
    if isinstance(said, CastSpell):
        items += [Item("spell", cost.stat, cost.points, ("DB-COST-3",)) for cost in said.cost]
    return items


def points_by_pool(costs: Iterable[Cost | Item]) -> dict[Stat, int]:
    """Add up the points of each pool; 0 for a pool that pays nothing."""
    points: dict[Stat, int] = dict.fromkeys(STATS, 0)
    for cost in costs:
        points[cost.stat] += cost.points
    return points


def shortage(who: str, costs: Iterable[Cost | Item], state: State) -> tuple[Stat, int] | None:
    """DB-ACT-4: the first pool that cannot pay its part of these costs, and that part; None when all can."""
    for pool, points in points_by_pool(costs).items():
        if points > state.points(who, pool):
            return pool, points
    return None


def pay_price(price: Price, state: State) -> Iterator[Fact]:
    """DB-COST-3: all of it is paid before the roll, and gone whether or not the task succeeds.

    DB-COST-5: an attempt that can pay its minimum but not its Effort is refused, naming the most levels.
    """
    if not price.items:
        return
    needed, pool = points_by_pool(price.items)[price.stat], state.points(price.who, price.stat)
    if needed > pool:
        levels = range(EFFORT_STEPS_MOST + 1)
        most = max(level for level in levels if price.fixed + effort_price(price.who, level, state) <= pool)
        case = "some" if most else ""
        raise refusal("POINTS", case, cost=needed, stat=price.stat, name=price.who, pool=pool, levels=level_words(most))
    yield from pay_items(price.who, price.items, state)


def check_costs(who: str, costs: tuple[Cost, ...], state: State) -> None:
    """The form of a cost: whole points, of somebody who has pools to pay from."""
    for cost in costs:
        check_whole("cost", cost.points, 0)
        if (who, cost.stat) not in state.pools:
            raise value_refusal("cost", "empty, since there is no such pool", cost.stat)


def pay(who: str, costs: Iterable[Cost], because: str, state: State, *rules: str) -> Iterator[Fact]:
    """DB-COST-3: pay what a deed or a long spell costs."""
    yield from pay_items(who, [Item(because, cost.stat, cost.points, rules) for cost in costs if cost.points], state)


def pay_items(who: str, items: Iterable[Item], state: State) -> Iterator[Fact]:
    """Pay one item after the other."""
    for item in items:
        now = state.points(who, item.stat) - item.points
        yield PointsSpent(rules=item.rules, who=who, pool=item.stat, points=item.points, now=now, because=item.because)
