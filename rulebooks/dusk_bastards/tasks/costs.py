"""The price of an attempt: initial cost, Effort, abilities and spells; worked out once, paid before the roll."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

import msgspec

from ledger.errors import Refused
from ledger.facts import Fact, PointsSpent, Sum
from ledger.names import plural
from projections.state import State
from rulebooks.common.beings import name_in_line
from rulebooks.common.conditions import condition_values
from rulebooks.common.sums import SumSteps
from rulebooks.common.values import sheet_number
from rulebooks.dusk_bastards.declarations.combat import CastSpell
from rulebooks.dusk_bastards.declarations.parts import STATS, Cost, Stat
from rulebooks.dusk_bastards.declarations.tasks import Search, Task
from rulebooks.dusk_bastards.tasks.token_uses import regained_stat
from rulebooks.dusk_bastards.texts import check_whole, option, refusal, value_refusal

EFFORT: Final = "effort"  # of a condition that gives free levels
EXAMPLE_DIFFICULTY: Final = 4  # in a line to type, where none was said
EFFORT_STEPS_MOST: Final = 6


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
    free: int  # levels of Effort that cost nothing
    shortage: tuple[Stat, int] | None  # the first pool that cannot pay its minimum, and that minimum


def price_of(said: Task, stat: Stat, state: State, *, retry: bool, before: tuple[Cost, ...] = ()) -> Price:
    """DB-COST-3: in order of payment: initial cost, then Effort, then ability costs. Refused: Effort beyond its limits.

    DB-COST-4: the minimum is all that is fixed, and the first level of Effort where a retry demands one.
    `before`: what was paid on the same action before.
    """
    free = free_levels(said, state)
    check_effort(said, stat, state, needed=retry and not free)
    fixed = fixed_items(said, stat)
    initial, *abilities = fixed
    items = tuple([item for item in (initial, *effort_items(said, stat, state), *abilities) if item.points])
    minimum: list[Cost | Item] = [*fixed, *first_level(said, stat, state, needed=retry and not free)]
    return Price(
        who=said.by,
        stat=stat,
        items=items,
        sums=_cost_sums(items),
        spent=points_spent([*before, *items]),
        fixed=sum([item.points for item in fixed if item.stat == stat]),
        free=free,
        shortage=shortage(said.by, minimum, state),
    )


def effort_items(said: Task, stat: Stat, state: State) -> tuple[Item, ...]:
    """DB-EFFORT-2, DB-EFFORT-3: the levels of Effort, where some are paid for."""
    if not said.effort:
        return ()
    points = effort_price(said.by, said.effort, state)
    wounded = ("DB-EFFORT-7", "DB-WOUND-6") if points > effort_cost(said.effort) else ()
    rules = ("DB-EFFORT-2", "DB-EFFORT-3", "DB-EFFORT-8", "DB-COST-3", *wounded)
    return (Item(f"Effort {said.effort}", stat, points, rules),)


def first_level(said: Task, stat: Stat, state: State, *, needed: bool) -> list[Cost]:
    """DB-COST-4: the first level of Effort, where a retry demands one."""
    return [Cost(stat, effort_price(said.by, 1, state))] if needed else []


def can_pay_minimum(said: Task, stat: Stat, state: State, *, retry: bool) -> bool:
    """DB-COST-4: whether the minimum can be paid, with the points that Destiny brings back before the roll."""
    needed = retry and not free_levels(said, state)
    parts = points_by_pool([*fixed_items(said, stat), *first_level(said, stat, state, needed=needed)])
    for use in said.destiny_first:
        if use.use == "regain":
            parts[regained_stat(use)] -= 1
    return all(points <= state.points(said.by, pool) for pool, points in parts.items())


def _cost_sums(items: Sequence[Item]) -> tuple[Sum, ...]:
    """Return the arithmetic of the items, empty without any."""
    if not items:
        return ()
    total = SumSteps("cost", 0)
    for item in items:
        total.add(item.points, item.rules[0], f"{item.because} from {item.stat}")
    return (total.sum(),)


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


def points_spent(costs: Sequence[Cost | Item]) -> tuple[Cost, ...]:
    """DB-DEST-13: return what each pool pays that pays something."""
    if not costs:
        return ()
    return tuple([Cost(pool, points) for pool, points in points_by_pool(costs).items() if points])


def shortage(who: str, costs: Iterable[Cost | Item], state: State) -> tuple[Stat, int] | None:
    """DB-ACT-4: the first pool that cannot pay its part of these costs, and that part; None when all can."""
    for cost in points_spent([cost for cost in costs if cost.points]):
        if cost.points > state.points(who, cost.stat):
            return cost.stat, cost.points
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
        case, words = "some" if most else "", plural(most, "level", "levels")
        raise refusal("POINTS", case, cost=needed, stat=price.stat, name=price.who, pool=pool, levels=words)
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


# Effort: its levels, its price and its limits


def free_levels(said: Task, state: State) -> int:
    """DB-EFFORT-6: levels that an ability grants on this attempt, or for as long as it lasts."""
    return said.free_effort + sum(condition_values(said.by, EFFORT, state))


def effort_cost(levels: int) -> int:
    """DB-EFFORT-2: 3 points for the first level, 2 more for each level after."""
    return 3 + 2 * (levels - 1) if levels else 0


def light_wound_cost(who: str, levels: int, state: State) -> int:
    """DB-EFFORT-7: a light wound in force makes every paid level cost 1 more; DB-WOUND-6: two do not double it."""
    light = [wound for _, wound in state.wounds_of(who) if wound.in_force and wound.kind == "light"] if levels else []
    if not light:
        return 0
    wounds = len(light) if option(state, "wound_penalties_stack") == "yes" else 1
    return wounds * (1 if option(state, "light_wound_cost") == "per_use" else levels)


def effort_price(who: str, levels: int, state: State) -> int:
    """DB-EFFORT-2 and DB-EFFORT-7 together: the price of so many paid levels for this character now."""
    return effort_cost(levels) + light_wound_cost(who, levels, state)


def effort_limit(who: str, state: State) -> int:
    """DB-EFFORT-4: how many levels a character may pay for on one task; the sheet says so."""
    return sheet_number(who, "effort_limit", state, 1)


def check_effort(said: Task, stat: str, state: State, *, needed: bool) -> None:
    """DB-EFFORT-3, 5, 4, in the catalogue's order: the right pool, six levels at most, the character's limit.

    DB-RETRY-2: a retry takes one level at least, paid or free: `needed` where none is free.
    """
    if said.effort_pool is not None and said.effort_pool != stat:
        raise refusal("EFFORT-POOL", stat=stat)
    if said.effort > EFFORT_STEPS_MOST:
        raise refusal("EFFORT-SIX")
    if said.effort > effort_limit(said.by, state):
        raise refusal("EFFORT-LIMIT", name=said.by, limit=plural(effort_limit(said.by, state), "level", "levels"))
    if needed and not said.effort:
        raise retry_refusal(said)


def retry_refusal(said: Task) -> Refused:
    """DB-RETRY-1, DB-GAP-78: a retry needs Effort; the refusal says what to write if it is another task."""
    if not isinstance(said, Search) or not said.task:
        return refusal("RETRY-EFFORT")
    case, difficulty = ("again", EXAMPLE_DIFFICULTY) if said.difficulty is None else ("task", said.difficulty)
    words = [name_in_line(said.by), name_in_line(said.task), f"v{difficulty}", said.stat or ""]
    return refusal("RETRY-EFFORT", case=case, task=said.task, line=" ".join(filter(None, words)))
